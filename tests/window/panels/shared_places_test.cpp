// Panels that share a place with tabs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class SharedPlacesTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    bool shows(int panel) { return find(fmt::format("panel{}.plot", panel)) != nullptr; }
    View& view() { return session_.document.view; }
    void choose(int panel, const char* entry) {
        robot_.click(fmt::format("panel{}.menu", panel));
        robot_.click(fmt::format("panel{}.{}", panel, entry));
        robot_.settle();
    }
    void duplicate(int panel) {
        Panels::duplicate(session_, panel);
        robot_.settle();
    }
    /// Returns the tabs of the panels that share a place.
    std::vector<std::string> tabs(int place) {
        std::vector<std::string> ids;
        for (int panel = 0; panel < most_panels; ++panel)
            if (const std::string id = fmt::format("place{}.tab{}", place, panel); find(id)) ids.push_back(id);
        return ids;
    }
    /// Expects that this many panels of the place are readable.
    void expect_room(int place, int count) {
        int seen = 0;
        for (const int panel : view().panels_in(place))
            if (const RegisteredWidget* plot = find(fmt::format("panel{}.plot", panel))) {
                ++seen;
                EXPECT_GT(plot->rect.width, 60) << panel << " of " << view().panels();
                EXPECT_GT(plot->rect.height, 40) << panel << " of " << view().panels();
            }
        EXPECT_EQ(seen, count);
    }
};

TEST_F(SharedPlacesTest, TheNumberOfPanelsIsLimited) {
    while (view().can_add()) choose(0, "duplicate");
    EXPECT_EQ(view().panels(), most_panels);
    choose(0, "duplicate");
    EXPECT_EQ(view().panels(), most_panels);
    robot_.key("Esc");
    for (const PixelSize size : {PixelSize{1600, 1000}, {1100, 700}, {700, 900}, {300, 200}}) resize(size);
    EXPECT_EQ(gui_.renderer().debug_messages(), 0) << gui_.renderer().last_debug_message();
}

TEST_F(SharedPlacesTest, TabsBeginWithTheFirstFigure) {
    resize({1100, 700});
    robot_.click("tab4");
    EXPECT_TRUE(shows(4));
    EXPECT_FALSE(shows(1));
    session_.files.open_bundled("hong-extensions");
    robot_.settle();
    EXPECT_TRUE(shows(1)) << "another scene starts with its first figure in front";
}

TEST_F(SharedPlacesTest, DuplicatesThatDoNotFitShareAPlaceWithTabs) {
    resize({1100, 700});
    duplicate(0);
    EXPECT_TRUE(tabs(0).empty()) << "two fit beside each other";
    expect_room(0, 2);
    while (view().can_add()) {
        duplicate(0);
        const bool takes_turns = !tabs(0).empty();
        expect_room(0, takes_turns ? 1 : static_cast<int>(view().panels_in(0).size()));
    }
    ASSERT_EQ(tabs(0).size(), 6u);
    EXPECT_TRUE(shows(9) && !shows(0)) << "the new one is in front";
    robot_.click("place0.tab6");
    EXPECT_TRUE(shows(6) && !shows(9));
    choose(6, "close");
    EXPECT_EQ(tabs(0).size(), 5u);
    robot_.key("Ctrl+Z");
    robot_.settle();
    EXPECT_EQ(tabs(0).size(), 6u);
    resize({1600, 1000});
    EXPECT_TRUE(tabs(0).empty());
    expect_room(0, 6);
}

TEST_F(SharedPlacesTest, APanelAndItsDuplicateShareTheirPlaceByASplitter) {
    duplicate(0);
    const auto width_of = [&](int panel) { return find(fmt::format("panel{}.plot", panel))->rect.width; };
    const double width = width_of(0);
    EXPECT_NEAR(width, width_of(5), 2);
    const Rect gap = find("split.place0")->rect;
    robot_.drag("split.place0", 0.5, 0.5 - 200 / gap.width);
    EXPECT_LT(width_of(0), width);
    EXPECT_GT(width_of(5), width_of(0));
    const double share = view().layout.share_in(0);
    EXPECT_LT(share, 0.45);
    const auto placed = placed_figures(view(), 3000, 2000);
    EXPECT_NEAR(placed[0].part.width / placed[1].part.width, share / (1 - share), 1e-6) << "on a page as well";
    robot_.drag("split.place0", 0.5, 0.5 - 5000 / gap.width);
    EXPECT_GT(width_of(0), 60);
    expect_room(0, 2);
    choose(5, "close");
    duplicate(0);
    EXPECT_EQ(view().layout.share_in(0), 0.5) << "a new one starts with a half";
}

TEST_F(SharedPlacesTest, EveryDragOfASplitterIsAStep) {
    const Layout first = view().layout;
    duplicate(0);
    robot_.drag("split.place0", 0.5, -20);
    const Layout second = view().layout;
    robot_.drag("split.sidebar", 0.5, 8);
    robot_.click("split.sidebar");
    const std::vector<std::string> steps = session_.document.steps();
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_EQ(steps[2], "Resize panels");
    EXPECT_EQ(steps[3], "Resize panels") << "a click is no step";
    EXPECT_GT(view().layout.sidebar, second.sidebar);
    session_.document.undo();
    EXPECT_EQ(view().layout, second);
    session_.document.undo();
    EXPECT_EQ(view().layout, first);
    EXPECT_EQ(view().panels(), 6) << "the duplicate stays";
    session_.document.redo();
    EXPECT_EQ(view().layout, second);
}

TEST_F(SharedPlacesTest, UndoOfASplitterKeepsTheZoom) {
    robot_.drag("split.right", 0.5, -20);
    robot_.wheel("panel0.plot", 3);
    const auto part = shown_part(view().figures.front());
    ASSERT_TRUE(part);
    session_.document.undo();
    EXPECT_EQ(session_.document.step(), 0u);
    EXPECT_EQ(shown_part(view().figures.front()), part);
}

TEST_F(SharedPlacesTest, ASplitterPositionCanBeReadAgain) {
    resize({4200, 1000});
    session_.document.view.figures[0] = DecayFigure{};
    duplicate(0);
    robot_.drag("split.place0", 0.5, -5000);
    Scene scene{.experiment = experiment()};
    write_view(view(), scene);
    EXPECT_EQ(read_view(scene).layout, view().layout);
    EXPECT_LT(view().layout.share_in(0), 0.2);
}

TEST_F(SharedPlacesTest, EveryDuplicateBehindATabCanBeBroughtToTheFront) {
    for (const PixelSize size : {PixelSize{1100, 700}, {700, 700}}) {
        resize(size);
        robot_.click("tab1");
        while (view().panels_in(1).size() < 4) duplicate(1);
        const std::vector<std::string> ids = tabs(1);
        ASSERT_EQ(ids.size(), 4u);
        for (const int panel : view().panels_in(1)) {
            robot_.click(fmt::format("place1.tab{}", panel));
            EXPECT_TRUE(shows(panel)) << panel << " at " << size.width;
            expect_room(1, 1);
        }
        robot_.click("tab2");
        EXPECT_TRUE(shows(2) && !shows(1));
        EXPECT_TRUE(tabs(1).empty()) << "its place is not visible";
    }
}

TEST_F(SharedPlacesTest, ClosingAPanelElsewhereDoesNotChangeTheOneInFront) {
    resize({1100, 700});
    duplicate(3);
    while (view().panels_in(1).size() < 4) duplicate(1);
    const std::vector<int> sharing = view().panels_in(1);
    robot_.click(fmt::format("place1.tab{}", sharing[2]));
    view().figures[static_cast<std::size_t>(sharing[2])] = WavelengthsFigure{};
    robot_.settle();
    choose(view().panels_in(3)[1], "close");
    const int front = view().panels_in(1)[2];
    EXPECT_STREQ(id_of(view().figures[static_cast<std::size_t>(front)]), "wavelengths");
    EXPECT_TRUE(shows(front));
}

}  // namespace
}  // namespace ropewalk
