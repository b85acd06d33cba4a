// Every figure of every bundled scene, drawn on a recording canvas.
#include "app/figures/figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "app/figures/page/figure_titles.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "app/figures/parts/text/readout_text.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

std::vector<Figure> all_figures() {
    std::vector<Figure> figures;
    for_each_alternative<Figure>([&](const auto& figure) { figures.emplace_back(figure); });
    for (const Quantity quantity : {Quantity::scores, Quantity::logits, Quantity::log_weights})
        figures.emplace_back(AttentionFigure{.quantity = quantity});
    for (const RangeMode range : {RangeMode::symmetric, RangeMode::percentile, RangeMode::locked})
        figures.emplace_back(AttentionFigure{.range = range, .without_first_key = true});
    figures.emplace_back(DecayFigure{.quantity = DecayQuantity::weight, .axis = AxisScale::linear});
    figures.emplace_back(AttentionRowFigure{.quantity = RowQuantity::logits});
    return figures;
}

void expect_sound(const Figure& figure, const Experiment& experiment, const Cursor& cursor, const std::string& what) {
    const auto results = results_for(figure, experiment, cursor);
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Rect& rect : {Rect{0, 0, 700, 520}, Rect{10, 20, 300, 220}, Rect{0, 0, 90, 60}}) {
            FigureMemo memo;
            RecordingCanvas canvas(rect);
            draw(figure,
                 {.results = *results,
                  .cursor = results->request.cursor,
                  .cursor_shown = true,
                  .theme = *theme,
                  .memo = memo,
                  .has_handles = true},
                 canvas, rect);
            EXPECT_THAT(canvas.faults(), testing::IsEmpty())
                << what << " " << id_of(figure) << " at " << rect.width << " × " << rect.height;
            EXPECT_FALSE(canvas.drawn().empty());
        }
}

TEST(Figures, OfOneKindAreDistinguishedByTheirTitles) {
    const std::vector<Figure> figures{AttentionFigure{}, DecayFigure{}, AttentionFigure{.quantity = Quantity::logits},
                                      RotationsFigure{}, DecayFigure{}};
    const auto title = [&](std::size_t i) { return title_among(figures, i); };
    EXPECT_EQ(title(0), "Attention · Weights");
    EXPECT_EQ(title(1), "Decay curve") << "the other one is the same";
    EXPECT_EQ(title(4), "Decay curve · 2");
    EXPECT_EQ(title(2), "Attention · Logits");
    EXPECT_EQ(title(3), title_of(figures[3]));
    const std::vector<Figure> lengths{RandomRopeDecayFigure{.upper = 2048}, RandomRopeDecayFigure{.upper = 8192}};
    EXPECT_EQ(title_among(lengths, 1), "Decay under random positions · 8192 positions");
    const std::vector<Figure> methods{MethodsFigure{}, MethodsFigure{.factor = 8}};
    EXPECT_EQ(title_among(methods, 0), "Extension methods · Compare at s: encoding's");
    EXPECT_EQ(title_among(methods, 1), "Extension methods · 8×");
    const std::vector<Figure> twice{AttentionFigure{}, AttentionFigure{},
                                    AttentionFigure{.quantity = Quantity::logits}};
    EXPECT_EQ(title_among(twice, 1), "Attention · Weights · 2");
}

/// Returns how many pointed ends the attention figure's colour bar has.
std::ptrdiff_t color_bar_points(const AttentionFigure& figure) {
    const RecordingCanvas canvas = drawn(figure, {.head_dim = 8, .seq_len = 16}, {}, {0, 0, 500, 400});
    return std::count_if(canvas.drawn().begin(), canvas.drawn().end(),
                         [](const Drawn& drawn) { return std::holds_alternative<DrawnBand>(drawn.what); });
}

TEST(Figures, ColorBarsArePointedIfValuesAreBeyondThem) {
    // The first row's only weight is 1, the last one's are near 1/16.
    EXPECT_EQ(color_bar_points({}), 0);
    EXPECT_EQ(color_bar_points({.range = RangeMode::locked, .range_low = 0, .range_high = 1}), 0);
    EXPECT_EQ(color_bar_points({.range = RangeMode::locked, .range_low = 0, .range_high = 0.5}), 1);
    EXPECT_EQ(color_bar_points({.range = RangeMode::locked, .range_low = 0.2, .range_high = 0.5}), 2);
    EXPECT_EQ(color_bar_points({.quantity = Quantity::log_weights, .range = RangeMode::percentile}), 2);
}

TEST(Figures, EveryOneDrawsEveryBundledSceneSoundly) {
    for (const auto& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        const View view = read_view(scene);
        Experiment experiment = briefly_trained(scene.experiment);
        experiment.seq_len = std::min(experiment.seq_len, 1024);  // a million tokens are tested below
        for (const Figure& figure : all_figures()) expect_sound(figure, experiment, view.cursor, name);
    }
}

TEST(Figures, SurviveExtremeExperiments) {
    const std::pair<const char*, Experiment> strange[] = {
        {"one token", {.head_dim = 2, .seq_len = 1}},
        {"two tokens", {.head_dim = 2, .seq_len = 2, .construction = Gaussian{.samples = 1}}},
        {"equal rows", {.head_dim = 4, .seq_len = 9, .construction = PreviousToken{.alpha = 0}}},
        {"logits of 1e38", {.head_dim = 4, .seq_len = 9, .construction = PreviousToken{.alpha = 1e38}}},
        {"p = 0", {.head_dim = 8, .seq_len = 9, .encoding = PRope{.p = 0}}},
        {"no mask", {.head_dim = 8, .seq_len = 30, .construction = Gaussian{}, .mask = Mask::none}},
        {"base 1", {.head_dim = 8, .seq_len = 30, .encoding = Rope{.base = 1}}},
        {"a million tokens", {.head_dim = 8, .seq_len = 1 << 20, .construction = AtDistance{.distance = 1000}}},
    };
    for (const auto& [what, experiment] : strange)
        for (const Figure& figure : all_figures())
            expect_sound(figure, experiment, Cursor{.query = experiment.seq_len - 1}, what);
}

TEST(Figures, ShowNothingOfAnEarlierExperiment) {
    const Experiment start =
        changed({.head_dim = 12, .seq_len = 24},
                "construction=gaussian encoding=yarn encoding.original_length=16 encoding.factor=2");
    const Cursor cursor{.query = 20, .key = 7, .pair = 2};
    struct Change {
        const char* settings;
        Cursor cursor;
    };
    std::vector<Change> changes{{"temperature=1", {.query = 19, .key = 7, .pair = 2}},
                                {"temperature=1", {.query = 20, .key = 8, .pair = 2}},
                                {"temperature=1", {.query = 20, .key = 7, .pair = 3}}};
    for (const char* settings : {"temperature=2",
                                 "scale=sqrt_d",
                                 "seq_len=23",
                                 "head_dim=10",
                                 "mask=none",
                                 "mask=window window=9",
                                 "softcap=0.5",
                                 "pairing=half_split",
                                 "positions.start=100",
                                 "positions.stride=3",
                                 "seed=9",
                                 "construction.samples=2",
                                 "construction=same_vector",
                                 "encoding.base=500",
                                 "encoding.factor=3",
                                 "encoding.scale_attention=false",
                                 "encoding=alibi",
                                 "encoding=self_extend",
                                 "encoding=random_rope",
                                 "encoding=xpos",
                                 "encoding=sinusoidal"})
        changes.push_back({settings, cursor});
    const auto drawn = [](const Figure& figure, const Experiment& experiment, const Cursor& at, Evaluator& evaluator) {
        const PageOptions options{.width = 240, .height = 200, .cursor = at, .cursor_shown = true};
        return make_page({{{figure}}, experiment, options}, evaluator, "svg", {});
    };
    Evaluator used(open_backend("cpu", 2));
    for (const Change& change : changes) {
        const Experiment next = changed(start, change.settings);
        for_each_alternative<Figure>([&](const Figure& figure) {
            drawn(figure, start, cursor, used);
            Evaluator fresh(open_backend("cpu", 2));
            EXPECT_TRUE(drawn(figure, next, change.cursor, used) == drawn(figure, next, change.cursor, fresh))
                << id_of(figure) << " after " << change.settings << ", cursor " << change.cursor.query << ", "
                << change.cursor.key;
        });
    }
}

TEST(Figures, PointerAndCursorAgree) {
    const Experiment experiment{.head_dim = 16, .seq_len = 40, .construction = Gaussian{}};
    const Cursor cursor{.query = 30, .key = 12, .pair = 5};
    for_each_alternative<Figure>([&](const auto& alternative) {
        const Figure figure = alternative;
        const auto results = results_for(figure, experiment, cursor);
        FigureMemo memo;
        RecordingCanvas canvas({0, 0, 600, 500});
        const FigureInput input{
            .results = *results, .cursor = cursor, .cursor_shown = true, .theme = light_theme(), .memo = memo};
        const Frame frame = draw(figure, input, canvas, {0, 0, 600, 500});
        for (double x = 0; x < 600; x += 7)
            for (double y = 0; y < 500; y += 7) {
                const auto picked = pick(figure, input, frame, {x, y});
                EXPECT_TRUE(!picked || *picked == picked->clamped(experiment)) << alternative.id;
            }
        EXPECT_NE(readout(figure, input), "") << alternative.id;
    });
    const auto results = results_for(AttentionFigure{}, experiment, cursor);
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 600, 500});
    const FigureInput input{.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo};
    const Frame frame = draw(AttentionFigure{}, input, canvas, {0, 0, 600, 500});
    EXPECT_EQ(pick(AttentionFigure{}, input, frame, frame.to_pixels(12, 30)), cursor);
}

TEST(Figures, ReadoutsNameTokens) {
    const Experiment experiment{.head_dim = 64, .seq_len = 6, .construction = Text{.text = "the cat sat"}};
    const auto results = results_for(AttentionFigure{}, experiment, {.query = 2, .key = 1});
    FigureMemo memo;
    EXPECT_THAT(readout(Figure(AttentionFigure{}),
                        {.results = *results, .cursor = {.query = 2, .key = 1}, .theme = light_theme(), .memo = memo}),
                testing::HasSubstr("i = 2 “cat”   j = 1 “the”"));
}

TEST(Figures, AReadoutKeepsNumbersInNames) {
    const auto parts = [](std::string_view readout) {
        std::vector<std::pair<std::string, std::string>> found;
        for (const ReadoutItem& item : items_of_readout(readout)) found.emplace_back(item.label, item.value);
        return found;
    };
    EXPECT_THAT(parts("pair 3   Llama 3.1 ÷ 2.5   cell: max 0.9   15 of 64 pairs"),
                testing::ElementsAre(testing::Pair("pair", "3"), testing::Pair("Llama 3.1", "÷ 2.5"),
                                     testing::Pair("cell: max", "0.9"), testing::Pair("", "15 of 64 pairs")));
}

TEST(Figures, ReadoutShowsTheCellsValue) {
    const Experiment experiment{.head_dim = 16, .seq_len = 40, .construction = Gaussian{}};
    const Cursor cursor{.query = 30, .key = 12};
    const AttentionFigure figure{.quantity = Quantity::logits};
    const auto results = results_for(figure, experiment, cursor);
    FigureMemo memo;
    const double logit = results->all_of<ViewQuestion>()[0].answer->logits.mean[30 * 40 + 12];
    EXPECT_THAT(readout(Figure(figure), {.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo}),
                testing::HasSubstr(readable(logit)));
    EXPECT_THAT(readout(Figure(figure),
                        {.results = *results, .cursor = {.query = 3, .key = 9}, .theme = light_theme(), .memo = memo}),
                testing::EndsWith("   logit = masked"));
}

TEST(Figures, AOneTokenDiagonalIsVisibleAtEveryZoomOfAMillionTokens) {
    const Experiment experiment{.head_dim = 64,
                                .seq_len = 1 << 20,
                                .encoding = Rope{.base = 500'000},
                                .construction = AtDistance{.distance = 1, .norm_squared = 200}};
    for (const double size : {1048576.0, 300000.0, 9000.0, 500.0}) {
        const AttentionFigure figure{.rows = {500'000 - size / 3, 500'000 + size / 3},
                                     .columns = {500'000 - size / 3, 500'000 + size / 3}};
        const auto results = results_for(figure, experiment, {}, {64, 64});
        const AttentionView& view = *results->all_of<ViewQuestion>()[0].answer;
        for (int cell = 1; cell < view.viewport.cells_down; ++cell) {
            double max = 0;
            for (int across = 0; across < view.viewport.cells_across; ++across)
                max = std::max(max, view.weights.values(Pooling::max)[cell * view.viewport.cells_across + across]);
            EXPECT_GT(max, 0.9) << "row of cells " << cell << " at " << size;
        }
    }
}

TEST(Figures, PagesAreTheSameForEveryNumberOfThreads) {
    const Experiment experiment{.head_dim = 64, .seq_len = 300, .construction = Gaussian{}};
    for (const char* format : {"png", "svg", "pdf"}) {
        std::string first;
        for (const int threads : {1, 2, 3}) {
            Evaluator evaluator(open_backend("cpu", threads));
            const std::string page = make_page({{{AttentionFigure{}}}, experiment, {}}, evaluator, format, {});
            if (first.empty()) first = page;
            EXPECT_TRUE(page == first) << format << " with " << threads << " threads";
        }
    }
}

TEST(Figures, ReadoutOfAPooledCellShowsTheEntrysValue) {
    const Cursor cursor{.query = 600, .key = 123};
    const Experiment experiments[] = {
        {.head_dim = 16, .seq_len = 700, .construction = Gaussian{}},
        {.head_dim = 16, .seq_len = 700, .construction = AtDistance{}, .scale = Scale::sqrt_d, .temperature = 3},
        {.head_dim = 16, .seq_len = 700, .encoding = Alibi{}, .construction = Gaussian{}, .positions = {7, 3}},
        {.head_dim = 16, .seq_len = 700, .encoding = Yarn{}, .construction = Gaussian{}},
        {.head_dim = 16, .seq_len = 700, .encoding = SelfExtend{}, .construction = AtDistance{}}};
    for (const Experiment& experiment : experiments)
        for (const Quantity quantity : {Quantity::scores, Quantity::logits, Quantity::weights}) {
            const AttentionFigure figure{.quantity = quantity};
            const auto results = results_for(figure, experiment, cursor, {100, 100});
            const Problem problem = make_problem(experiment);
            const AttentionView entry = open_backend("reference", 1)
                                            ->attend(quantity == Quantity::scores ? scores_only(problem) : problem,
                                                     Viewport::one_to_one({600, 601}, {123, 124}), {});
            const double value = quantity == Quantity::weights ? entry.weights.mean[0] : entry.logits.mean[0];
            FigureMemo memo;
            FigureInput input{.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo};
            const std::string said = readout(Figure(figure), input), own = said.substr(0, said.find("   cell: ")),
                              number = own.substr(own.rfind(' ') + 1);
            EXPECT_THAT(said, testing::HasSubstr(quantity == Quantity::weights ? " cell: max "
                                                                               : "   cell: largest magnitude "));
            EXPECT_EQ(number, readable(value)) << said << ", " << id_of(experiment.encoding);
            input.cursor.key += 1;
            EXPECT_THAT(readout(Figure(figure), input),
                        testing::HasSubstr(quantity == Quantity::weights ? "max of 7 × 7 entries: "
                                                                         : "largest magnitude of 7 × 7 entries: "))
                << "of another entry only the cell is known";
        }
}

TEST(Figures, DifferencesOfLogitsAreThoseOfTheMeans) {
    const AttentionFigure figure{.quantity = Quantity::logits, .against = Against::reference};
    std::vector<std::shared_ptr<const Results>> results;
    std::vector<std::vector<double>> means;
    for (const int seed : {1, 2}) {
        const Experiment experiment{.head_dim = 16, .seq_len = 300, .construction = Gaussian{}, .seed = seed};
        results.push_back(results_for(figure, experiment, {}, {20, 20}));
        const auto entries = open_backend("reference", 1)
                                 ->attend(make_problem(experiment), Viewport::one_to_one({0, 300}, {0, 300}), {})
                                 .logits.mean;
        means.emplace_back();
        for (int cell = 0; cell < 400; ++cell) {
            double sum = 0, count = 0;
            for (int i = cell / 20 * 15; i < cell / 20 * 15 + 15; ++i)
                for (int j = cell % 20 * 15; j <= std::min(i, cell % 20 * 15 + 14); ++j)
                    sum += entries[static_cast<std::size_t>(i * 300 + j)], ++count;
            means.back().push_back(count > 0 ? sum / count : 0);
        }
    }
    double max = 0;
    for (std::size_t cell = 0; cell < 400; ++cell) max = std::max(max, std::abs(means[0][cell] - means[1][cell]));
    FigureMemo memo;
    const FigureInput input{
        .results = *results[0], .cursor = {}, .theme = light_theme(), .memo = memo, .reference = results[1].get()};
    const std::string said = badge(figure, input).text;
    EXPECT_THAT(said, testing::StartsWith(fmt::format("max |Δ| of cells {}, ", readable(max, 3))));
    EXPECT_THAT(said, testing::EndsWith(", cells: mean"));
}

TEST(Figures, CellsOfSignedValuesShowTheLargestMagnitude) {
    const Experiment experiment{.head_dim = 16, .seq_len = 300, .construction = Gaussian{}};
    const AttentionFigure figure{.quantity = Quantity::logits};
    const auto results = results_for(figure, experiment, {}, {20, 20});
    const auto entries = open_backend("reference", 1)
                             ->attend(make_problem(experiment), Viewport::one_to_one({0, 300}, {0, 300}), {})
                             .logits.mean;
    const DataTable shown = figure.table(*results);
    ASSERT_EQ(shown.shape, (std::vector<std::int64_t>{20, 20}));
    int below_zero = 0;
    for (int down = 0; down < 20; ++down)
        for (int across = 0; across <= down; ++across) {
            double farthest = 0;
            for (int i = down * 15; i < (down + 1) * 15; ++i)
                for (int j = across * 15; j <= std::min(i, across * 15 + 14); ++j)
                    if (const double logit = entries[static_cast<std::size_t>(i * 300 + j)];
                        std::abs(logit) > std::abs(farthest))
                        farthest = logit;
            EXPECT_NEAR(shown.values[static_cast<std::size_t>(down * 20 + across)], farthest, 1e-4);
            below_zero += farthest < 0;
        }
    EXPECT_GT(below_zero, 60) << "of 210 cells";
    EXPECT_LT(below_zero, 150);
}

TEST(Figures, AxesOfTokensNameThem) {
    const Experiment experiment{.head_dim = 64, .seq_len = 6, .construction = Text{.text = "the cat sat"}};
    for_each_alternative<Figure>([&](const auto& alternative) {
        const auto texts = words(drawn(alternative, experiment, {.query = 5}, {0, 0, 700, 500}));
        const auto named = std::count(texts.begin(), texts.end(), "cat");
        const bool has_tokens = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
                                    return text == "query position i" || text == "key position j" || text == "token" ||
                                           text.starts_with("query i = ");
                                }) != texts.end();
        EXPECT_EQ(named > 0, has_tokens) << alternative.id;
    });
}

TEST(Figures, AxesOfTokensDoNotNamePositionsThatDiffer) {
    for (const char* const settings : {"positions.start=100", "positions.stride=2", "encoding=random_rope"}) {
        const Experiment experiment = changed({.head_dim = 8, .seq_len = 12}, settings);
        const auto texts = words(drawn(AttentionFigure{}, experiment, {}, {0, 0, 500, 500}));
        EXPECT_THAT(texts, testing::IsSupersetOf({"query i (token)", "key j (token)"})) << settings;
    }
}

TEST(AttentionFigure, TheCursorIsASoftBandAlongItsRowAndColumn) {
    const Experiment head{.head_dim = 8, .seq_len = 400};
    const Rect rect{0, 0, 300, 300};
    for (const Cursor cursor : {Cursor{399, 10}, Cursor{200, 150}}) {
        const auto results = results_for(AttentionFigure{}, head, cursor);
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        const Frame frame =
            draw(AttentionFigure{},
                 {.results = *results, .cursor = cursor, .cursor_shown = true, .theme = dark_theme(), .memo = memo},
                 canvas, rect);
        const Point cell = frame.to_pixels(cursor.key, cursor.query);
        int upright = 0, level = 0;
        for (const Drawn& drawn : canvas.drawn()) {
            const auto* band = std::get_if<DrawnRect>(&drawn.what);
            if (!band || !band->filled || band->color.a > 127) continue;
            const bool is_upright = band->rect.height > band->rect.width;
            ++(is_upright ? upright : level);
            EXPECT_NEAR(is_upright ? band->rect.centre().x : band->rect.centre().y, is_upright ? cell.x : cell.y, 1);
            EXPECT_LE(std::min(band->rect.width, band->rect.height), 9);
        }
        EXPECT_EQ(upright, 1);
        EXPECT_EQ(level, 1);
    }
}

}  // namespace
}  // namespace ropewalk
