// The formula above the figures: its numbers, and what the pointer highlights.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/figures/figure_list.h"
#include "app/plot/axes.h"
#include "core/analysis/heads/entries.h"
#include "core/attention/make_problem.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::Contains;
using testing::HasSubstr;

class FormulaTest : public MainWindowTest {
  protected:
    std::string formula() {
        const RegisteredWidget* widget = gui_.ui().registry.find("formula");
        return widget ? widget->value : std::string();
    }
};

TEST_F(FormulaTest, ShowsTheNumbersOfTheCursorsCell) {
    session_.document.view.cursor = {.query = 19, .key = 18};
    session_.document.view.cursor_locked = true;
    robot_.settle();
    // α = 10 along the one vector that a query and the key before it share (Wendler, previous-token head).
    const MatrixEntry entry = EntryQuestion{.query = 19, .key = 18}.answer(
        {experiment(), make_problem(experiment()), {}, *open_backend("reference"), Cancel{}});
    EXPECT_THAT(formula(), HasSubstr("score(19, 18)"));
    EXPECT_THAT(formula(), HasSubstr("=\u00a0" + readable(entry.weight)));
    EXPECT_THAT(formula(), HasSubstr("=\u00a0" + readable(entry.logit)));
    EXPECT_THAT(formula(), HasSubstr("10 000^(−2t/d)"));
}

TEST_F(FormulaTest, YarnWithoutItsFrequenciesHasThoseOfRope) {
    session_.document.edit(changed(experiment(), "encoding=yarn"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("ρₜ"));
    session_.document.edit(changed(experiment(), "encoding.scale_frequencies=false"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("10 000^(−2t/d), as in RoPE"));
    EXPECT_THAT(formula(), testing::Not(HasSubstr("ρₜ")));
}

TEST_F(FormulaTest, AHiddenKeyHasTheLogitMinusInfinity) {
    session_.document.view.cursor = {.query = 10, .key = 15};
    session_.document.view.cursor_locked = true;
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("logit(10, 15)\u00a0=\u00a0−∞ (masked)")) << "and not the sum of the pairs";
    EXPECT_THAT(formula(), HasSubstr("=\u00a00"));
    session_.document.edit(changed(experiment(), "mask=none"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("score(10, 15)\u00a0=\u00a0Σₜ gₜ"));
}

TEST_F(FormulaTest, AgreesWithTheStatusInEveryFrameOfTheAnimation) {
    session_.files.open_bundled("long-term-phasors");
    robot_.settle();
    robot_.click("panel0.play");
    for (int i = 0; i < 6; ++i) robot_.key("=");  // twice as fast each
    std::set<std::string> seen;
    for (int i = 0; i < 60; ++i) {
        frame();
        const std::string shown = formula();
        const auto open = shown.find("score("), comma = shown.find(", ", open), close = shown.find(')', comma);
        ASSERT_NE(close, std::string::npos) << shown;
        const std::string query = shown.substr(open + 6, comma - open - 6),
                          key = shown.substr(comma + 2, close - comma - 2);
        EXPECT_THAT(status(), HasSubstr(fmt::format("i = {}   j = {}   ", query, key)));
        seen.insert(key);
    }
    EXPECT_GT(seen.size(), 20u) << "it moves";
}

TEST_F(FormulaTest, TooltipsOfTheBarDoNotCoverIt) {
    robot_.hover("undo");
    robot_.rest(1);
    const RegisteredWidget* tooltip = gui_.ui().registry.find("tooltip");
    ASSERT_NE(tooltip, nullptr);
    EXPECT_GE(tooltip->rect.y, gui_.ui().registry.find("formula")->rect.bottom());
    robot_.key("F");  // without it they begin below the bar
    robot_.hover("redo");
    robot_.rest(1);
    ASSERT_NE(tooltip = gui_.ui().registry.find("tooltip"), nullptr);
    EXPECT_LT(tooltip->rect.y, 96);
}

TEST_F(FormulaTest, WhatDoesNotFitIsBehindTheDots) {
    EXPECT_EQ(gui_.ui().registry.find("formula.more"), nullptr);
    resize({800, 700});
    ASSERT_NE(gui_.ui().registry.find("formula.more"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("formula.more")->value, HasSubstr("cos("));
    EXPECT_THAT(formula(), HasSubstr("score("));
    EXPECT_EQ(formula().find("cos("), std::string::npos);
}

TEST_F(FormulaTest, InLittleSpaceTheWeightIsOmittedBeforeThePartsOfTheLogit) {
    resize({1100, 700});
    for (const char* scene : {"yarn-ramp", "llama3-ramp", "p-rope", "barbero-turns", "barbero-fig8a"}) {
        session_.files.open_bundled(scene);
        robot_.settle();
        EXPECT_THAT(formula(), HasSubstr("wₜ\u00a0=")) << scene;
        EXPECT_EQ(formula().find("weight"), std::string::npos) << scene;
    }
}

TEST_F(FormulaTest, FollowsTheHead) {
    session_.document.edit(changed(experiment(), "encoding=sinusoidal scale=sqrt_d temperature=0.5"),
                           Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("(q + pₘ)·(k + pₙ)"));
    EXPECT_THAT(formula(), HasSubstr("√"));
    EXPECT_THAT(formula(), HasSubstr("÷ 0.5"));
    session_.document.edit(changed(experiment(), "encoding=alibi encoding.heads=8 encoding.head=0"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("− 0.5·"));
    session_.document.edit(changed(experiment(), "softcap=20 scale=value scale_value=0.25"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("20·tanh((0.25·"));
    EXPECT_THAT(formula(), HasSubstr(") ÷ 20)"));
}

TEST_F(FormulaTest, ASymbolUnderThePointerHighlightsWhereItIsSetAndShown) {
    robot_.hover("formula.Frequencies of RoPE");
    robot_.settle();
    const auto lit = [&] { return gui_.ui().registry.find("panel4.lit"); };
    ASSERT_NE(lit(), nullptr);
    EXPECT_EQ(lit()->value, "wavelengths");
    robot_.hover("panel0.plot");
    robot_.settle();
    EXPECT_EQ(lit(), nullptr);
}

TEST_F(FormulaTest, WhatItHighlightsExists) {
    std::vector<std::string> figures;
    for_each_alternative<Figure>([&](const auto& figure) { figures.emplace_back(figure.id); });
    for_each_alternative<Encoding>([&](const auto& encoding) {
        Experiment head{.encoding = encoding, .scale = Scale::value, .scale_value = 2, .softcap = 20, .temperature = 2};
        std::vector<std::string> paths;
        walk_fields(head, [&](const std::string& path, const Field&, const auto&) { paths.push_back(path); });
        for (const FormulaClause& clause : formula_of(head, make_problem(head), false))
            for (const FormulaPart& part : clause) {
                for (const std::string& figure : part.figures) EXPECT_THAT(figures, Contains(figure)) << part.title;
                for (const std::string& path : part.controls)
                    EXPECT_TRUE(path == "encoding.base" || std::count(paths.begin(), paths.end(), path) == 1) << path;
            }
    });
}

TEST_F(FormulaTest, YarnsFrequenciesAndItsAttentionScalingAreSetApart) {
    const Experiment head{.encoding = Yarn{}};
    const std::string scaling = "encoding.scale_attention", ramp = "encoding.beta_fast";
    int found = 0;
    for (const FormulaClause& clause : formula_of(head, make_problem(head), false))
        for (const FormulaPart& part : clause) {
            const bool is_scaling = part.title == "Attention scaling";
            if (!is_scaling && part.title != "Frequencies of YaRN") continue;
            ++found;
            EXPECT_EQ(std::count(part.controls.begin(), part.controls.end(), scaling), is_scaling ? 1 : 0);
            EXPECT_EQ(std::count(part.controls.begin(), part.controls.end(), ramp), is_scaling ? 0 : 1);
            EXPECT_THAT(part.controls, Contains("encoding.factor"));
        }
    EXPECT_EQ(found, 2);
}

TEST_F(FormulaTest, NothingIsShownOfAHeadThatCannotBeComputed) {
    const TemporaryFolder folder;
    std::filesystem::copy(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction", folder.path());
    std::string weights = read_file(folder.file("model.safetensors"), 1 << 24);
    std::uint64_t length = 0;
    std::memcpy(&length, weights.data(), sizeof(length));
    const auto header = nlohmann::json::parse(weights.substr(sizeof(length), length));
    const auto& queries = header["model.layers.1.self_attn.q_proj.weight"]["data_offsets"];
    std::fill(weights.begin() + static_cast<std::ptrdiff_t>(sizeof(length) + length + queries[0].get<std::size_t>()),
              weights.begin() + static_cast<std::ptrdiff_t>(sizeof(length) + length + queries[1].get<std::size_t>()),
              '\xff');  // NaN
    atomic_write(folder.file("model.safetensors"), weights);
    ASSERT_TRUE(session_.files.open({folder.path()}));
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("logit("));
    session_.document.edit(changed(experiment(), "construction.layer=1"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("NaN or infinite"));
    EXPECT_EQ(formula().find("logit("), std::string::npos);
    session_.document.edit(changed(experiment(), "construction.layer=0"), Gesture::complete);
    robot_.settle();
    EXPECT_THAT(formula(), HasSubstr("logit("));
    Experiment without_files = experiment();
    ropewalk::choose(without_files.construction, "arrays");
    session_.document.edit(without_files, Gesture::complete);
    robot_.settle();
    ASSERT_NE(session_.document.fault(), "");
    EXPECT_EQ(formula(), session_.document.fault());
}

TEST_F(FormulaTest, FHidesItAndGivesItsSpaceToTheFigures) {
    const double before = gui_.ui().registry.find("panel0.plot")->rect.height;
    robot_.key("F");
    EXPECT_EQ(gui_.ui().registry.find("formula"), nullptr);
    EXPECT_GT(gui_.ui().registry.find("panel0.plot")->rect.height, before);
    robot_.key("F");
    EXPECT_NE(formula(), "");
}

TEST_F(FormulaTest, ANarrowWindowHasFewerClausesButTheLogit) {
    const std::string wide = formula();
    resize({1000, 700});
    EXPECT_LT(formula().size(), wide.size());
    EXPECT_THAT(formula(), HasSubstr("score("));
}

}  // namespace
}  // namespace ropewalk
