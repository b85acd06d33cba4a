// Titles, tabs and badges in little space.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "app/figures/figure_list.h"
#include "app/figures/page/figure_titles.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class PanelTitles : public MainWindowTest {
  protected:
    const View& view() { return session_.document.view; }
    void open_five_figures() {
        session_.files.open_bundled("barbero-fig2a");
        session_.document.view.figures = {AttentionFigure{.quantity = Quantity::logits},
                                          DecayFigure{.axis = AxisScale::linear}, ContributionsFigure{},
                                          RotationHeatmapFigure{}, WavelengthsFigure{}};
    }
};

TEST_F(PanelTitles, ABadgeNeverLosesHalfAClause) {
    open_five_figures();
    std::set<std::string> shown;  // of the same remark
    for (const int width : {2200, 1600, 1500, 1420, 1380, 1340, 1300, 1260}) {
        resize({width, 1000});
        for (const RegisteredWidget& widget : gui_.ui().registry.all())
            if (widget.id.ends_with(".badge") && widget.label.find("2653") != std::string::npos)
                shown.insert(widget.label);
    }
    EXPECT_THAT(shown, testing::ElementsAre("decays overall, < 0 at 2653", "decays overall, first < 0 at r = 2653"));
}

TEST_F(PanelTitles, TabsKeepTheirTitlesInAsManyRowsAsTheyNeed) {
    open_five_figures();
    resize({1100, 700});
    const std::array panels{1, 2, 4};
    std::vector<std::string> titles;
    for (const int panel : panels) titles.emplace_back(title_of(view().figures[static_cast<std::size_t>(panel)]));
    const auto tab = [&](std::size_t i) { return gui_.ui().registry.find(fmt::format("tab{}", panels[i])); };
    for (const std::size_t chosen : {0u, 2u}) {
        robot_.click(fmt::format("tab{}", panels[chosen]));
        EXPECT_NE(gui_.ui().registry.find(fmt::format("panel{}.plot", panels[chosen])), nullptr);
        for (std::size_t i = 0; i < panels.size(); ++i) {
            EXPECT_EQ(tab(i)->label, titles[i]);
            EXPECT_LE(tab(i)->rect.right(), 1100 - 8);
            const Rect before = i > 0 ? tab(i - 1)->rect : Rect{};
            EXPECT_TRUE(tab(i)->rect.x >= before.right() || tab(i)->rect.y >= before.bottom()) << titles[i];
        }
        EXPECT_GE(gui_.ui().registry.find(fmt::format("panel{}.figure", panels[chosen]))->rect.y,
                  tab(2)->rect.bottom());
    }
    EXPECT_GT(tab(2)->rect.y, tab(0)->rect.y);

    resize({1150, 700});
    robot_.drag("split.right", 0.5, -30);
    EXPECT_EQ(tab(2)->rect.y, tab(0)->rect.y) << "one row is enough if they fit";
}

TEST_F(PanelTitles, ATitleIsWorthMoreThanABadgesSecondClause) {
    open_five_figures();
    session_.preferences.text_size = 1.4;
    for (const int width : {2400, 2250, 2100}) {
        resize({width, 1000});
        EXPECT_EQ(gui_.ui().registry.find("panel1.figure")->label, "Decay curve") << width;
        EXPECT_EQ(gui_.ui().registry.find("panel1.badge")->label.find("decays"), 0u) << width;
    }
}

TEST_F(PanelTitles, ATitleIsNotCutForABadge) {
    open_five_figures();
    for (const int width : {1600, 1300, 1200, 1100}) {
        resize({width, 1000});
        if (const RegisteredWidget* title = gui_.ui().registry.find("panel1.figure")) {
            EXPECT_EQ(title->label, "Decay curve") << width;
        }
    }
}

TEST_F(PanelTitles, TitlesOfOneKindKeepWhatDistinguishesThem) {
    open_five_figures();
    Panels::duplicate(session_, 1);
    auto& other = get<DecayFigure>(session_.document.view.figures.back());
    other.axis = other.axis == AxisScale::linear ? AxisScale::logarithmic : AxisScale::linear;
    std::set<std::string> shown;
    for (const int width : {1900, 1600, 1450, 1300, 1200, 1100, 1000, 900}) {
        resize({width, 1000});
        for (const int panel : {1, 5}) {
            const std::string whole = title_among(view().figures, static_cast<std::size_t>(panel)),
                              distinction(distinction_of(whole));
            ASSERT_NE(distinction, whole);
            if (const RegisteredWidget* title = gui_.ui().registry.find(fmt::format("panel{}.figure", panel))) {
                shown.insert(title->label);
                EXPECT_THAT(title->label, testing::EndsWith(distinction)) << width;
            }
        }
    }
    EXPECT_GE(shown.size(), 3u) << "both in full, and the longer one shortened";
    EXPECT_EQ(distinction_of("Attention"), "Attention");
}

TEST_F(PanelTitles, ASecondPanelKeepsItsNumberBesideItsName) {
    open_five_figures();
    session_.document.view.figures[1] = RandomRopeDecayFigure{};
    Panels::duplicate(session_, 1);
    std::set<std::string> shown;
    for (const int width : {1900, 1450, 1300, 1200, 1000, 900}) {
        resize({width, 1000});
        if (const RegisteredWidget* title = gui_.ui().registry.find("panel5.figure")) {
            shown.insert(title->label);
            EXPECT_THAT(title->label,
                        testing::AllOf(testing::AnyOf(testing::StartsWith("Decay"), testing::StartsWith("Random")),
                                       testing::EndsWith(" · 2")))
                << width;
        }
    }
    EXPECT_GE(shown.size(), 2u) << testing::PrintToString(shown);
}

TEST_F(PanelTitles, AFaultHasAMarkIfWordsDoNotFit) {
    session_.document.view.figures[1] = DecayFigure{.compared = "encoding.base=-1"};
    session_.document.view.layout.main = 0.8;
    resize({1100, 700});
    const RegisteredWidget* badge = gui_.ui().registry.find("panel1.badge");
    ASSERT_NE(badge, nullptr);
    EXPECT_EQ(badge->label, "!");
    robot_.hover("panel1.badge");
    robot_.rest(1);
    ASSERT_NE(gui_.ui().registry.find("tooltip"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("tooltip")->value, testing::HasSubstr("base"));
}

TEST_F(PanelTitles, AreShortInNarrowPanels) {
    open_five_figures();
    resize({1100, 700});
    for_each_alternative<Figure>([&](const auto& figure) {
        session_.document.view.figures = {DecayFigure{}, figure};
        robot_.settle();
        const std::string title = gui_.ui().registry.find("panel1.figure")->label;
        EXPECT_EQ(title.find("…"), std::string::npos) << title;
    });
    session_.document.view.figures = {DecayFigure{}, AttentionRowFigure{}};
    robot_.settle();
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure")->label, "Attention row");
    resize({1600, 1000});
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure")->label, "Attention of one query");
}

}  // namespace
}  // namespace ropewalk
