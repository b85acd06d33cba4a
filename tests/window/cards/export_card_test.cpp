// The export card: the figure that it begins with, and another one chosen in it.
#include "app/window/cards/export_card.h"

#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class ExportCardTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    void ask_for_export(int panel) {
        robot_.hover("panel" + std::to_string(panel) + ".plot");
        robot_.key("Ctrl+E");
        wait_for_preview();
    }
};

TEST_F(ExportCardTest, AnotherFigureCanBeChosen) {
    session_.preferences.page.format = ExportFormat::csv;
    ask_for_export(1);
    ASSERT_NE(find("export.figure"), nullptr);
    EXPECT_EQ(find("export.figure")->value, title_of(session_.document.view.figure(1)))
        << "the figure under the pointer";
    const std::string before = find("export.preview")->value;
    robot_.click("export.figure");
    robot_.click("export.figure/Attention");
    wait_for_preview();
    EXPECT_EQ(find("export.figure")->value, "Attention");
    EXPECT_NE(find("export.preview")->value, before) << "the preview shows another table";
    robot_.click("export.accept");
    robot_.settle();
    ASSERT_NE(find("file.name"), nullptr);
    EXPECT_EQ(find("file.name")->value, "attention.csv");
}

TEST_F(ExportCardTest, EnterNeedNotWaitForThePreview) {
    robot_.hover("panel1.plot");
    robot_.key("Ctrl+E");
    EXPECT_EQ(find("file.name"), nullptr);
    robot_.key("Enter");
    EXPECT_NE(find("file.name"), nullptr);
}

TEST_F(ExportCardTest, EnterThatOpensItDoesNotExport) {
    robot_.key("Ctrl+K");
    robot_.type("export figure");
    robot_.key("Enter");
    ASSERT_NE(find("export.accept"), nullptr);
    wait_for_preview();
    EXPECT_EQ(find("file.name"), nullptr);
}

TEST_F(ExportCardTest, TwoFiguresOfOneKindAreDistinguished) {
    session_.document.view.figures[1] = session_.document.view.figures[0];
    session_.document.view.figures[2] = session_.document.view.figures[0];
    get<AttentionFigure>(session_.document.view.figures[2]).quantity = Quantity::logits;
    ask_for_export(0);
    const std::vector<Figure>& figures = session_.document.view.figures;
    EXPECT_EQ(find("export.figure")->value, title_among(figures, 0));
    robot_.click("export.figure");
    robot_.click("export.figure/" + title_among(figures, 2));
    EXPECT_EQ(find("export.figure")->value, title_among(figures, 2));
}

TEST_F(ExportCardTest, OneFigureIsNoChoice) {
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    EXPECT_EQ(find("export.figure"), nullptr) << "all of them are exported";
    robot_.key("Esc");
    session_.document.view.toggle_maximised(1);
    ask_for_export(1);
    EXPECT_EQ(find("export.figure"), nullptr);
}

}  // namespace
}  // namespace ropewalk
