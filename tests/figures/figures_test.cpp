// Every figure on every bundled scene, drawn on a canvas that remembers.
#include "app/figures/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/page.h"
#include "app/figures/view_io.h"
#include "app/plot/recording_canvas.h"
#include "core/scene_io.h"

namespace ropewalk {
namespace {

/// Results of an experiment for one figure.
std::shared_ptr<const Results> results_for(const Figure& figure, const Experiment& experiment, const Cursor& cursor,
                                           PlotPixels pixels = {200, 160}) {
    Evaluator evaluator(open_backend("", 2));
    return evaluator.evaluate({experiment, cursor, needs_of(figure, experiment, pixels)}, Detail::exact, {});
}

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
                  .memo = memo},
                 canvas, rect);
            EXPECT_THAT(canvas.faults(), testing::IsEmpty())
                << what << " " << id_of(figure) << " at " << rect.width << " × " << rect.height;
            EXPECT_FALSE(canvas.drawn().empty());
        }
}

TEST(Figures, EveryOneDrawsEveryBundledSceneSoundly) {
    for (const auto& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        const View view = read_view(scene);
        Experiment experiment = scene.experiment;
        experiment.seq_len = std::min(experiment.seq_len, 2048);  // a million tokens are tried below
        for (const Figure& figure : all_figures()) expect_sound(figure, experiment, view.cursor, name);
    }
}

TEST(Figures, SurviveTheSmallestAndTheStrangest) {
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
    for (const char* settings :
         {"temperature=2", "scale=sqrt_d", "seq_len=23", "head_dim=10", "mask=none", "pairing=half_split",
          "positions.start=100", "positions.stride=3", "seed=9", "construction.samples=2", "construction=same_vector",
          "encoding.base=500", "encoding.factor=3", "encoding.scale_attention=false", "encoding=alibi",
          "encoding=self_extend", "encoding=random_rope", "encoding=xpos", "encoding=sinusoidal"})
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

TEST(Figures, ThresholdsAreHandlesThatMoveTheirFields) {
    Experiment experiment{.head_dim = 64, .seq_len = 16, .encoding = Yarn{}};
    const MethodsFigure figure{.axis = MethodsAxis::turns};
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    const auto handles = handles_of(figure, {.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo});
    ASSERT_EQ(handles.size(), 2u);
    EXPECT_EQ(handles[0].path, "encoding.beta_fast");
    EXPECT_EQ(handles[0].at, 32);
    EXPECT_EQ(handles[1].at, 1);
    EXPECT_TRUE(move_handle(experiment, handles[0].path, 20));
    EXPECT_EQ(std::get<Yarn>(experiment.encoding).beta_fast, 20);
    EXPECT_FALSE(move_handle(experiment, handles[0].path, 0.5)) << "below β slow";
    EXPECT_EQ(std::get<Yarn>(experiment.encoding).beta_fast, 20);
    EXPECT_TRUE(move_handle(experiment, "seq_len", 30.6));
    EXPECT_EQ(experiment.seq_len, 31);
    EXPECT_FALSE(move_handle(experiment, "encoding.nonsense", 1));
}

TEST(Figures, ReadOutsNameTokens) {
    const Experiment experiment{.head_dim = 64, .seq_len = 6, .construction = Text{.text = "the cat sat"}};
    const auto results = results_for(AttentionFigure{}, experiment, {.query = 2, .key = 1});
    FigureMemo memo;
    EXPECT_THAT(readout(Figure(AttentionFigure{}),
                        {.results = *results, .cursor = {.query = 2, .key = 1}, .theme = light_theme(), .memo = memo}),
                testing::HasSubstr("i = 2 “cat”   j = 1 “the”"));
}

TEST(Figures, ReadoutSaysTheCellsOwnValue) {
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
                testing::HasSubstr("masked"));
}

TEST(Figures, AOneTokenDiagonalIsSeenAtEveryZoomOfAMillionTokens) {
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
            double greatest = 0;
            for (int across = 0; across < view.viewport.cells_across; ++across)
                greatest = std::max(greatest,
                                    view.weights.values(Pooling::greatest)[cell * view.viewport.cells_across + across]);
            EXPECT_GT(greatest, 0.9) << "row of cells " << cell << " at " << size;
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

TEST(Figures, CaptionsSayWhatIsShown) {
    EXPECT_EQ(caption({}), "RoPE, Base θ 10 000 · All ones · d = 64 · N = 256");
    EXPECT_THAT(caption({.construction = PreviousToken{.alpha = 7}}), testing::HasSubstr("Sharpness α 7"));
    EXPECT_THAT(caption({.encoding = PRope{.p = 0.5}, .scale = Scale::sqrt_d, .temperature = 2}),
                testing::HasSubstr("effective p = 0.5"));
}

TEST(Figures, ReadoutOfAPooledCellSaysTheEntrysOwnValue) {
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
            const std::string said = readout(Figure(figure), input), number = said.substr(said.rfind(' ') + 1);
            EXPECT_EQ(number, readable(value)) << said << ", " << id_of(experiment.encoding);
            input.cursor.key += 1;
            EXPECT_THAT(readout(Figure(figure), input), testing::HasSubstr("greatest of 7 × 7 entries: "))
                << "of another entry only the cell is known";
        }
}

/// Draws a figure of an experiment on a canvas of this size.
RecordingCanvas drawn(const Figure& figure, const Experiment& experiment, const Cursor& cursor, const Rect& rect) {
    const auto results = results_for(figure, experiment, cursor);
    FigureMemo memo;
    RecordingCanvas canvas(rect);
    draw(figure, {.results = *results, .cursor = cursor, .cursor_shown = true, .theme = dark_theme(), .memo = memo},
         canvas, rect);
    return canvas;
}

std::vector<double> marked_pairs(const RecordingCanvas& canvas) {
    std::vector<double> found;
    for (const Drawn& drawn : canvas.drawn())
        if (const auto* circle = std::get_if<DrawnCircle>(&drawn.what); circle && circle->fill == dark_theme().warning)
            found.push_back(circle->centre.x);
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Contributions, MarkNoneOfEqualsAndNothingThatIsZero) {
    const Rect rect{0, 0, 500, 300};
    // At distance 0 every pair adds the same, up to rounding.
    const auto equal =
        marked_pairs(drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                           Cursor{.query = 64, .key = 0}, rect));
    EXPECT_TRUE(equal.empty());
    const auto unequal =
        marked_pairs(drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                           Cursor{.query = 70, .key = 0}, rect));
    EXPECT_LE(unequal.size(), 5u);
    EXPECT_GT(unequal.size(), 0u);
    const auto two = marked_pairs(drawn(ContributionsFigure{},
                                        {.head_dim = 64,
                                         .construction = Bands{.amplitudes =
                                                                   [] {
                                                                       std::vector<double> amplitudes(32);
                                                                       amplitudes[3] = 2, amplitudes[9] = -1;
                                                                       return amplitudes;
                                                                   }()}},
                                        Cursor{.query = 5, .key = 5}, rect));
    EXPECT_EQ(two.size(), 2u);
}

TEST(Contributions, KeepTheirLabelsInALowPanel) {
    for (const double height : {60.0, 90.0, 128.0, 200.0}) {
        const auto canvas = drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                                  Cursor{.query = 100, .key = 0}, {0, 0, 480, height});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        const auto texts = canvas.texts();
        const auto says = [&](const char* text) {
            return std::count_if(texts.begin(), texts.end(),
                                 [&](const DrawnText& drawn) { return drawn.text == text; });
        };
        EXPECT_EQ(says("30"), 1) << "pairs are labelled once, at height " << height;
        EXPECT_GE(says("0"), 2) << "both axes begin, at height " << height;
    }
}

TEST(Attention, FramesTheCursorsCellWhereValuesArePrinted) {
    const AttentionFigure zoomed{.rows = {10, 20}, .columns = {0, 10}};
    const Experiment experiment{.head_dim = 8, .seq_len = 40, .construction = Gaussian{}};
    const auto dashed_lines = [](const RecordingCanvas& canvas) {
        return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [](const Drawn& drawn) {
            const auto* line = std::get_if<DrawnLine>(&drawn.what);
            return line && line->stroke.dash > 0;
        });
    };
    const Cursor cursor{.query = 15, .key = 4};
    EXPECT_EQ(dashed_lines(drawn(zoomed, experiment, cursor, {0, 0, 700, 620})), 0);
    EXPECT_GT(dashed_lines(drawn(AttentionFigure{}, experiment, cursor, {0, 0, 700, 620})), 0);
}

TEST(Attention, ADivergingMapIsCentredOnZeroWithoutTheOutermostToo) {
    const Experiment experiment{.head_dim = 8, .seq_len = 40, .construction = PreviousToken{}};
    const AttentionFigure figure{.quantity = Quantity::logits, .range = RangeMode::percentile};
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    AttentionFigure locked = figure;
    locked.range = RangeMode::locked;
    locked.adopt(figure, {.results = *results, .theme = light_theme(), .memo = memo});
    EXPECT_EQ(locked.range_low, -locked.range_high);
    EXPECT_GT(locked.range_high, 0);
}

TEST(Attention, RefusesWhatEndsBeforeItBegins) {
    const auto refused = [](const std::vector<std::string>& options) {
        Figure figure = AttentionFigure{};
        try {
            set_options(figure, options);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused({"rows.low=8", "rows.high=4"}),
              "rows.low is 8 and rows.high 4; it must not end before it begins");
    EXPECT_THAT(refused({"range=locked", "range_low=2"}), testing::HasSubstr("range_low is 2 and range_high 1"));
    EXPECT_EQ(refused({"rows.high=4", "rows.low=1", "columns.low=3"}), "");
    EXPECT_THROW(
        {
            Scene scene = parse_scene(R"({"schema": 1, "view": {"figures": [
                {"id": "attention", "columns": {"low": 9, "high": 3}}]}})",
                                      "a.json", {});
            read_view(scene);
        },
        InputError);
}

TEST(Methods, ShowTheEncodingInForceAsItIs) {
    for (const char* settings :
         {"encoding=yarn encoding.factor=32 encoding.original_length=8192",
          "encoding=llama3 encoding.factor=4 encoding.original_length=100", "encoding=linear encoding.factor=3",
          "encoding=ntk encoding.factor=5", "encoding=dynamic_ntk encoding.original_length=50 seq_len=200",
          "encoding=clex encoding.original_length=50 seq_len=200"}) {
        const Experiment experiment = changed({.head_dim = 64, .seq_len = 300}, settings);
        const auto results = results_for(MethodsFigure{}, experiment, {});
        const DataTable table = *table_of(MethodsFigure{}, *results);
        const auto column = std::find(table.columns.begin(), table.columns.end(), id_of(experiment.encoding));
        ASSERT_NE(column, table.columns.end()) << settings;
        const Lowered lowered = lower(experiment.encoding, experiment.shape());
        for (std::size_t pair = 0; pair < 32; ++pair) {
            const double plain = std::pow(10'000.0, -static_cast<double>(pair) / 32),
                         divisor = table.values[pair * table.columns.size() +
                                                static_cast<std::size_t>(column - table.columns.begin())];
            EXPECT_NEAR(divisor * static_cast<double>(lowered.inv_freq[pair]) / plain, 1, 1e-12) << settings;
        }
    }
}

TEST(RandomRopeDecay, HasEveryGapOfTheEncodingsOwnRange) {
    const Experiment experiment = changed({.head_dim = 8, .seq_len = 300}, "encoding=random_rope encoding.upper=700");
    const auto results = results_for(RandomRopeDecayFigure{}, experiment, {});
    const DataTable table = *table_of(RandomRopeDecayFigure{}, *results);
    ASSERT_EQ(table.shape[0], 299);
    for (int gap = 1; gap < 300; ++gap) {
        EXPECT_EQ(table.values[(gap - 1) * 4], gap);
        EXPECT_NEAR(table.values[(gap - 1) * 4 + 1], gap * 701.0 / 301, 1e-9);
    }
}

TEST(Reference, DifferencesAndDivergenceAreThoseOfTheValues) {
    const Experiment own{.head_dim = 8, .seq_len = 30, .construction = Gaussian{}},
        other{.head_dim = 8, .seq_len = 30, .encoding = NoPE{}, .construction = Gaussian{}};
    const Cursor cursor{.query = 25, .key = 3};
    const AttentionFigure figure{.against = Against::reference};
    const auto a = results_for(figure, own, cursor, {30, 30}), b = results_for(figure, other, cursor, {30, 30});
    FigureMemo memo;
    const FigureInput input{
        .results = *a, .cursor = cursor, .theme = light_theme(), .memo = memo, .reference = b.get()};
    double greatest = 0, sum = 0, size = 0;
    const auto& ours = a->all_of<ViewQuestion>()[0].answer->weights.mean;
    const auto& theirs = b->all_of<ViewQuestion>()[0].answer->weights.mean;
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j <= i; ++j) {
            const double apart = std::abs(ours[i * 30 + j] - theirs[i * 30 + j]);
            greatest = std::max(greatest, apart), sum += apart, size += theirs[i * 30 + j];
        }
    EXPECT_EQ(badge(figure, input).text,
              fmt::format("max |Δ| {}, mean {}, {} % of the reference", readable(greatest, 3), readable(sum / 465, 3),
                          readable(100 * sum / size, 3)));

    const auto row = results_for(AttentionRowFigure{}, own, cursor)->find(RowQuestion{}),
               other_row = results_for(AttentionRowFigure{}, other, cursor)->find(RowQuestion{});
    double divergence = 0;
    for (int j = 0; j <= 25; ++j) divergence += row->weights[j] * std::log(row->weights[j] / other_row->weights[j]);
    const auto rows = results_for(AttentionRowFigure{}, own, cursor),
               other_rows = results_for(AttentionRowFigure{}, other, cursor);
    EXPECT_GT(divergence, 0.01);
    EXPECT_EQ(
        badge(AttentionRowFigure{},
              {.results = *rows, .cursor = cursor, .theme = light_theme(), .memo = memo, .reference = other_rows.get()})
            .text,
        "KL from the reference " + readable(divergence));
}

TEST(Reference, TheGhostOfADragIsDrawnButNotNamed) {
    const Experiment own{.seq_len = 40}, before{.seq_len = 40, .encoding = Rope{.base = 50}};
    const auto a = results_for(DecayFigure{}, own, {}), b = results_for(DecayFigure{}, before, {});
    FigureMemo memo;
    const auto lines = [&](const Results* ghost) {
        RecordingCanvas canvas({0, 0, 400, 300});
        draw(DecayFigure{}, {.results = *a, .theme = light_theme(), .memo = memo, .ghost = ghost}, canvas,
             {0, 0, 400, 300});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        for (const DrawnText& text : canvas.texts()) EXPECT_EQ(text.text.find("set"), std::string::npos);
        return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [](const Drawn& drawn) {
            const auto* line = std::get_if<DrawnLine>(&drawn.what);
            return line && line->points.size() > 10;
        });
    };
    EXPECT_EQ(lines(b.get()), lines(nullptr) + 1);
}

TEST(Rotation, SaysHowItIsPooled) {
    const Figure figure = RotationHeatmapFigure{};
    for (const auto& [seq_len, said] : {std::pair{26200, "1 cell = 131 distances, mean"}, {150, ""}}) {
        const auto results = results_for(figure, {.seq_len = seq_len}, {});
        FigureMemo memo;
        EXPECT_EQ(badge(figure, {.results = *results, .theme = light_theme(), .memo = memo}).text, said);
    }
}

std::vector<std::string> words(const RecordingCanvas& canvas) {
    std::vector<std::string> all;
    for (const DrawnText& text : canvas.texts()) all.push_back(text.text);
    return all;
}

TEST(Figures, AxesOfTokensNameThem) {
    const Experiment experiment{.head_dim = 64, .seq_len = 6, .construction = Text{.text = "the cat sat"}};
    for_each_alternative<Figure>([&](const auto& alternative) {
        const auto texts = words(drawn(alternative, experiment, {.query = 5}, {0, 0, 700, 500}));
        const auto named = std::count(texts.begin(), texts.end(), "cat");
        const bool has_tokens = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
                                    return text == "query position i" || text == "key position j" || text == "token";
                                }) != texts.end();
        EXPECT_EQ(named > 0, has_tokens) << alternative.id;
    });
}

TEST(DecayFigure, ComparedCurvesAreCalledByTheirTitles) {
    const Experiment experiment = changed({}, "encoding=p_rope construction=single_frequency");
    const DecayFigure figure{.compared = "encoding=nope | encoding=rope encoding.base=5e5 | seq_len=nonsense"};
    const auto canvas = drawn(figure, experiment, {}, {0, 0, 600, 400});
    EXPECT_THAT(words(canvas), testing::IsSupersetOf({"Length N 256 · p-RoPE · Base θ 10 000 (as set)", "NoPE",
                                                      "RoPE · Base θ 500 000"}));
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    const Badge said = badge(figure, {.results = *results, .theme = light_theme(), .memo = memo});
    EXPECT_EQ(said.text, "1 of 3 compared curves cannot be computed");
    EXPECT_THAT(said.help, testing::StartsWith("seq_len=nonsense: "));
}

TEST(DecayFigure, CurvesThatCoincideAreBothSeen) {
    const Experiment experiment = changed({}, "encoding=p_rope encoding.p=0.5 construction=single_frequency");
    const auto canvas = drawn(DecayFigure{.compared = "encoding=nope | encoding=rope | encoding.p=0.25"}, experiment,
                              {}, {0, 0, 600, 400});
    std::vector<double> dashes;  // of the curves, in the order in which they are drawn
    for (const Drawn& one : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&one.what); line && line->stroke.width == 1.5)
            dashes.push_back(line->stroke.dash);
    EXPECT_THAT(dashes, testing::ElementsAre(0, 0, 8, 4)) << "RoPE, as set; NoPE and p = 0.25 are the same constant";
}

TEST(DecayFigure, SaysWhyASingleTokenHasNoLogarithmicCurve) {
    const auto texts = drawn(DecayFigure{}, {.seq_len = 1}, {}, {0, 0, 400, 300}).texts();
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                            [](const DrawnText& text) { return text.text.starts_with("A single token"); }));
}

TEST(FigureMemo, KeepsNoResultsAlive) {
    const Experiment experiment{.head_dim = 8, .seq_len = 40};
    FigureMemo memo;
    std::weak_ptr<const AttentionView> view;
    {
        const auto results = results_for(AttentionFigure{}, experiment, {});
        RecordingCanvas canvas({0, 0, 300, 300});
        draw(AttentionFigure{}, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 300, 300});
        view = results->all_of<ViewQuestion>()[0].answer;
        EXPECT_FALSE(view.expired());
    }
    EXPECT_TRUE(view.expired());
}

TEST(View, DuplicatesNameTheirPlace) {
    const auto read = [](const std::string& view) {
        Scene scene = parse_scene(R"({"schema": 1, "view": )" + view + "}", "scene", {});
        return read_view(scene);
    };
    const std::string six = R"("figures": [{"id": "decay"}, {"id": "decay"}, {"id": "decay"}, {"id": "decay"},
                                            {"id": "decay"}, {"id": "entropy"}])";
    EXPECT_EQ(read("{" + six + "}").place_of(5), 0);
    EXPECT_EQ(read("{" + six + R"(, "beside": [3]})").place_of(5), 3);
    EXPECT_EQ(read("{" + six + R"(, "layout": {"maximised": 5}})").maximised(), 5);
    EXPECT_EQ(read(R"({"layout": {"maximised": 5}})").maximised(), std::nullopt) << "there is no such panel";
    for (const char* wrong : {R"(, "beside": []})", R"(, "beside": [5]})", R"(, "beside": 3})"})
        EXPECT_THROW(read("{" + six + wrong), InputError) << wrong;
}

TEST(View, WhatIsWrittenReadsBackTheSame) {
    for (const auto& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        const View view = read_view(scene);
        EXPECT_TRUE(scene.warnings.empty()) << name;
        write_view(view, scene);
        EXPECT_EQ(read_view(scene), view) << name;
    }
}

}  // namespace
}  // namespace ropewalk
