// Pinned curves: their heads, colours and persistence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "app/figures/figure_list.h"
#include "app/figures/figures.h"
#include "app/figures/parts/curves/compared_curves.h"
#include "app/figures/parts/text/caption.h"
#include "core/analysis/heads/decay.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// Returns the results of a figure, including its jobs.
Results answered(const Figure& figure, const Experiment& experiment) {
    const auto backend = open_backend("cpu", 2);
    const auto problem = std::make_shared<const Problem>(make_problem(experiment));
    const Cancel never;
    const AnalysisContext context{experiment, *problem, {}, *backend, never};
    Results results{.request = {experiment, {}, needs_of(figure, experiment, {400, 300})}, .problem = problem};
    for (const Question& question : results.request.needs)
        results.answers.emplace_back(question, answer(question, context));
    return results;
}

std::string texts_of(const RecordingCanvas& canvas) {
    std::string all;
    for (const DrawnText& drawn : canvas.texts()) all += drawn.text + "\n";
    return all;
}

struct Page {
    Page(const Figure& figure, const Experiment& experiment)
        : results(answered(figure, experiment)),
          input{.results = results, .theme = light_theme(), .memo = memo},
          frame(draw(figure, input, canvas, {0, 0, 600, 400})) {}

    FigureMemo memo;
    Results results;
    FigureInput input;
    RecordingCanvas canvas{{0, 0, 600, 400}};
    Frame frame;
};

TEST(Pinned, WhatIsPinnedCanBeReadAgain) {
    Experiment longest{.head_dim = widest_head, .construction = Bands{}};
    Bands& bands = get<Bands>(longest.construction);
    bands.amplitudes.assign(widest_head / 2, -1234.5678901234567);
    bands.phases.assign(widest_head / 2, -1.2345678901234567);
    Figure figure = DecayFigure{};
    for (int pins = 0; pins < 6; ++pins) {
        ASSERT_TRUE(can_pin(figure, longest)) << pins;
        pin(figure, longest);
        bands.amplitudes.front() += 1;
    }
    EXPECT_EQ(check_fields(ConstChoiceRef(figure).fields()), std::nullopt);

    Experiment wordy = open_scene("model-induction").experiment;
    set_field(wordy, "construction.text", std::string(most_pinned_bytes, 'a'), {});
    EXPECT_THAT(*obstacle_to_pin(DecayFigure{}, wordy), HasSubstr("too long to be pinned"));
}

TEST(Pinned, ACurveStaysWhenTheExperimentChanges) {
    const Experiment pinned_one{.head_dim = 32, .seq_len = 100, .encoding = Rope{.base = 500}};
    const Experiment current{.head_dim = 64, .seq_len = 120, .encoding = PRope{.p = 0.5}};
    Figure figure = DecayFigure{};
    ASSERT_TRUE(can_pin(figure, pinned_one));
    pin(figure, pinned_one);
    pin(figure, pinned_one);  // pinned already
    const Page page(figure, current);
    const DataTable table = *table_of(figure, page.results);
    ASSERT_EQ(table.shape, (std::vector<std::int64_t>{120, 4}));
    for (int r = 0; r < 120; ++r) {
        double logit = 0;
        for (int t = 0; t < 16; ++t) logit += std::cos(r * std::pow(500.0, -t / 16.0)) / 16;
        const double found = table.values[static_cast<std::size_t>(r) * 4 + 3];
        if (r < 100)
            EXPECT_NEAR(found, logit, 1e-13) << r;
        else
            EXPECT_TRUE(std::isnan(found)) << r;
    }
}

TEST(Pinned, TheLegendSaysWhatDiffersAndItsChipsTakeAway) {
    Figure figure = DecayFigure{};
    const Experiment current{.seq_len = 100};
    for (const char* settings : {"encoding.base=500", "encoding.base=700 head_dim=32"})
        pin(figure, changed(current, settings));
    const Page page(figure, current);
    const std::string texts = texts_of(page.canvas);
    EXPECT_THAT(texts, HasSubstr("Base θ 500"));
    EXPECT_THAT(texts, HasSubstr("700"));
    EXPECT_THAT(texts, HasSubstr("(current)"));
    ASSERT_EQ(page.frame.chips.size(), 2u);
    for (const Rect& chip : page.frame.chips) EXPECT_GT(chip.width, 20);
    EXPECT_FALSE(page.frame.chips[1].overlaps(page.frame.chips[0]));
    EXPECT_THAT(pin_text(figure, page.input, 1), HasSubstr("d = 32"));
    unpin(figure, 0);
    const Page after(figure, current);
    ASSERT_EQ(after.frame.chips.size(), 2u) << "the other one keeps its place";
    EXPECT_EQ(after.frame.chips[0].width, 0);
    EXPECT_GT(after.frame.chips[1].width, 20);
    EXPECT_THAT(pin_text(figure, after.input, 1), HasSubstr("700"));
    pin(figure, changed(current, "encoding.base=900"));
    EXPECT_THAT(pin_text(figure, Page(figure, current).input, 0), HasSubstr("900")) << "on the free place";
    unpin(figure, 7);  // is none
    unpin(figure, 0);
    unpin(figure, 1);
    EXPECT_EQ(get<DecayFigure>(figure), DecayFigure{});
}

TEST(Pinned, CurvesKeepTheirColoursWhenOthersGo) {
    Figure figure = DecayFigure{};
    const Experiment current{.seq_len = 100};
    for (const char* settings : {"encoding.base=500", "encoding.base=700", "encoding.base=900"})
        pin(figure, changed(current, settings));
    const auto color_of = [&](const std::string& name) {
        const Page page(figure, current);
        const auto curves = compared_curves(page.input, {}, parts_outside_quotes(get<DecayFigure>(figure).pinned, '|'));
        for (const ComparedCurve& curve : curves)
            if (curve.title.find(name) != std::string::npos) return curve.stroke.color;
        return Color{};
    };
    const Color third = color_of("900");
    EXPECT_NE(third, color_of("500"));
    unpin(figure, 0);
    EXPECT_EQ(color_of("900"), third);
    EXPECT_EQ(color_of("500"), Color{}) << "is gone";
}

TEST(Pinned, ACurveHasItsColourForLife) {
    Figure figure = DecayFigure{};
    const Experiment current{.seq_len = 100};
    // Two of encodings that have a colour of their own elsewhere, and one that has not.
    for (const char* settings : {"encoding=yarn", "encoding=ntk", "encoding.base=900"})
        pin(figure, changed(current, settings));
    const auto colors_in = [&](const Experiment& head, const std::vector<std::string>& variants) {
        const Page page(figure, head);
        std::map<std::string, Color> colors;
        const auto pins = parts_outside_quotes(get<DecayFigure>(figure).pinned, '|');
        for (const ComparedCurve& curve : compared_curves(page.input, variants, pins))
            if (curve.pin >= 0) colors[pins[static_cast<std::size_t>(curve.pin)]] = curve.stroke.color;
        return colors;
    };
    const auto before = colors_in(current, {});
    ASSERT_EQ(before.size(), 3u);
    EXPECT_EQ(colors_in(changed(current, "encoding=ntk"), {}), before) << "of another head";
    EXPECT_EQ(colors_in(current, {"encoding=linear", "encoding.base=700"}), before) << "beside variants";
    unpin(figure, 0);
    for (const auto& [settings, color] : colors_in(current, {})) EXPECT_EQ(color, before.at(settings)) << settings;
}

TEST(Pinned, ACurveTakesNoColourFromVariants) {
    Figure figure = DecayFigure{.compared = "encoding.base=500 | encoding=yarn"};
    const Experiment current{.seq_len = 100};
    const auto colors_of_variants = [&] {
        const Page page(figure, current);
        std::vector<Color> colors;
        const std::string &compared = get<DecayFigure>(figure).compared, &pinned = get<DecayFigure>(figure).pinned;
        for (const ComparedCurve& curve :
             compared_curves(page.input, parts_outside_quotes(compared, '|'), parts_outside_quotes(pinned, '|'))) {
            if (curve.pin < 0)
                colors.push_back(curve.stroke.color);
            else
                EXPECT_THAT(colors, testing::Not(testing::Contains(curve.stroke.color)));
        }
        return colors;
    };
    const auto before = colors_of_variants();
    ASSERT_EQ(before.size(), 2u);
    pin(figure, changed(current, "encoding.base=700"));
    pin(figure, changed(current, "encoding.base=900"));
    EXPECT_EQ(colors_of_variants(), before);
    unpin(figure, 0);
    EXPECT_EQ(colors_of_variants(), before);
}

TEST(Pinned, TextsWithSpacesBarsAndQuotesCanBe) {
    const Experiment text = changed({}, "construction=text construction.text='it''s | here'");
    Figure figure = DecayFigure{};
    ASSERT_TRUE(can_pin(figure, text));
    pin(figure, text);
    pin(figure, Experiment{});
    pin(figure, Experiment{});  // pinned already
    EXPECT_EQ(Page(figure, {}).frame.chips.size(), 2u);
}

TEST(Pinned, ACurveLikeTheOneInPlaceIsNamedAfterIt) {
    const Experiment experiment{.head_dim = 32, .seq_len = 100};
    Figure figure = DecayFigure{};
    pin(figure, experiment);
    Page page(figure, experiment);
    EXPECT_THAT(texts_of(page.canvas), HasSubstr("pinned, same as current"));
    page.input.is_reference = true;
    RecordingCanvas canvas({0, 0, 600, 400});
    draw(figure, page.input, canvas, {0, 0, 600, 400});
    EXPECT_THAT(texts_of(canvas), HasSubstr("same as the reference"));
}

TEST(Pinned, WhatCannotBeIsSaid) {
    const Figure figure = DecayFigure{.pinned = "head_dim=7 | encoding.base=500"};
    const Page page(figure, {});
    EXPECT_THAT(badge(figure, page.input).text, HasSubstr("1 of 2 compared curves cannot be"));
    EXPECT_FALSE(can_pin(DecayFigure{.quantity = DecayQuantity::weight}, {}));
    EXPECT_FALSE(can_pin(AttentionFigure{}, {}));
}

TEST(Settings, AreSaidInWords) {
    const char* const settings = "encoding=p_rope encoding.p=0.5";
    EXPECT_EQ(caption_of(changed({}, settings), set_paths(settings)), "p-RoPE · Fraction p 0.5");
}

TEST(Sentences, HaveNumbersAsReadOutsDo) {
    EXPECT_EQ(with_readable_numbers("from 131072 to -0.25: 2e-05, 1.5e+06; 0.5 or 4096."),
              "from 131 072 to −0.25: 2×10⁻⁵, 1 500 000; 0.5 or 4096.");
}

TEST(Sentences, CallFieldsByTheirLabels) {
    const Experiment bands = changed({}, "construction=bands");
    EXPECT_EQ(with_labels("construction.amplitudes has 3 values; see head_dim.", bands),
              "Amplitudes aₜ has 3 values; see Head dim d.");
    EXPECT_EQ(with_labels("construction.amplitudes[2] under the mask  of [seq_len, head_dim] in my.file.npy", bands),
              "Amplitudes aₜ[2] under the mask  of [Length N, Head dim d] in my.file.npy");
}

TEST(ComparedNames, SayWhatDiffersIfThatIsShort) {
    const auto names = [](const char* own, const char* reference) {
        const ComparedNames all = compared_names(changed({}, own), changed({}, reference));
        return all.own + " | " + all.reference;
    };
    EXPECT_EQ(names("encoding.base=500000", "seq_len=256"), "Base θ 500 000 | Base θ 10 000 (reference)");
    EXPECT_EQ(names("encoding=p_rope", "encoding=rope"), "p-RoPE | RoPE (reference)");
    EXPECT_EQ(names("seq_len=300", "seq_len=300"), "current | reference");
    EXPECT_EQ(names("encoding.base=500 seq_len=20 temperature=2", "head_dim=64"), "current | reference");
}

}  // namespace
}  // namespace ropewalk
