// Exporting: the card with its preview, pages of one figure and of all, and the files' contents.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "app/figures/figure_list.h"
#include "app/plot/embedded_scene.h"
#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class ExportTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    template <class Condition>
    void wait_until(Condition condition) {
        for (int i = 0; i < 1000 && !condition(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frame();
        }
        ASSERT_TRUE(condition());
    }
    std::string extent() { return find("export.preview")->value; }
    std::string exported(const std::string& name) {
        robot_.click("export.accept");
        robot_.settle();
        robot_.type(folder_.file(name));
        robot_.key("Enter");
        wait_until([&] { return !session_.exports.is_writing(); });
        return read_file(folder_.file(name), 1 << 24);
    }
    void type_into_page(const char* shortcut, const char* slider, const char* number) {
        robot_.key(shortcut);
        type_into(slider, number);
        wait_for_preview();
    }
    PageStyle& style() { return session_.preferences.page; }
    int count_ = 0;

    TemporaryFolder folder_;
};

TEST_F(ExportTest, DataAreCopiedAsTheFileHoldsThem) {
    const struct {
        const char *command, *notice, *file;
    } ways[] = {{"copy_data", "Copied the data of", "a.csv"}, {"copy_plot", "Copied a Matplotlib script of", "a.py"}};
    for (const auto& [command, notice, file] : ways) {
        robot_.click("panel1.plot", 0.5, 0.5, 1);
        robot_.click(std::string("menu/") + command);
        wait_until([&] { return !session_.exports.is_writing(); });
        EXPECT_THAT(status(), HasSubstr(notice));
        const std::string copied = surface_.clipboard();
        const Page page = session_.exports.page_of({{session_.document.view.figure(1)}}, style());
        ASSERT_TRUE(session_.exports.export_page(page, folder_.file(file)));
        wait_until([&] { return !session_.exports.is_writing(); });
        EXPECT_EQ(copied, read_file(folder_.file(file), 1 << 24));
    }
}

/// A figure may be chosen whose answers the open ones did not need.
TEST_F(ExportTest, DataOfAFigureThatWasNotShownAreComputed) {
    int copied = 0;
    for_each_alternative<Figure>([&](const auto& figure) {
        session_.exports.copy_data(figure, style(), Exports::CopiedData::script);
        wait_until([&] { return !session_.exports.is_writing(); });
        const Notice& notice = session_.notices.current();
        const bool is_copied = notice.sentence.starts_with("Copied a Matplotlib script");
        EXPECT_TRUE(is_copied || notice.kind == Notice::Kind::error) << figure.id << ": " << notice.sentence;
        copied += is_copied;
    });
    EXPECT_GT(copied, 15);
}

TEST_F(ExportTest, TooManyNumbersAreNotCopied) {
    robot_.click("panel0.plot", 0.5, 0.5, 1);
    surface_.set_clipboard("before");
    session_.document.edit(changed(experiment(), "seq_len=2048"), Gesture::complete);
    robot_.click("menu/copy_data");
    wait_until([&] { return !session_.exports.is_writing(); });
    EXPECT_THAT(status(), HasSubstr("too many for the clipboard"));
    EXPECT_EQ(surface_.clipboard(), "before");
}

TEST_F(ExportTest, ThePageHasTheStatedSize) {
    style().figure = {85, 60};
    robot_.key("Ctrl+E");
    wait_for_preview();
    EXPECT_EQ(extent(), "85 × 60 mm, 322 × 227 px");
    const std::string svg = exported("a.svg");
    EXPECT_THAT(svg, HasSubstr(R"(width="85mm" height="60mm")"));
    EXPECT_EQ(parse_scene(embedded_scene(svg, "a.svg"), "a.svg", {}).experiment, experiment());
    style().format = ExportFormat::png, style().scale = 2;
    robot_.key("Ctrl+E");
    wait_for_preview();
    EXPECT_EQ(extent(), "85 × 60 mm, 643 × 454 pixels");
}

TEST_F(ExportTest, PartsCanBeOmitted) {
    const auto page = [&] {
        robot_.click("panel0.menu");
        robot_.click("panel0.export");
        wait_for_preview();
        return exported("a" + std::to_string(count_++) + ".svg");
    };
    const std::string whole = page();
    EXPECT_THAT(whole, HasSubstr(">Attention</text>"));
    EXPECT_THAT(whole, HasSubstr("N = "));
    EXPECT_THAT(whole, HasSubstr(">weight<"));
    style().parts.title = style().parts.caption = style().parts.color_bar = false;
    const std::string bare = page();
    for (const char* text : {">Attention</text>", "N = ", ">weight<"}) EXPECT_THAT(bare, testing::Not(HasSubstr(text)));
    style().parts.transparent = true;
    EXPECT_LT(page().size(), bare.size()) << "no background";
    style().cursor = true;
    EXPECT_NE(page(), bare);
}

TEST_F(ExportTest, OnlyFiguresWithAColourBarOfferIt) {
    for (const auto& [figure, has_bar] : {std::pair{"attention", true}, {"decay", false}, {"rotation_heatmap", true}}) {
        session_.document.view.figures[0] = figure_called(figure, {});
        frame();
        robot_.click("panel0.menu");
        robot_.click("panel0.export");
        wait_for_preview();
        EXPECT_NE(find("page.caption"), nullptr);
        EXPECT_EQ(find("page.color_bar") != nullptr, has_bar) << figure;
        robot_.click("export.cancel");
    }
}

TEST_F(ExportTest, AllFiguresAreOnOnePage) {
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    const std::string svg = exported("all.svg");
    for (std::size_t i = 0; i < session_.document.view.figures.size(); ++i)
        EXPECT_THAT(svg, HasSubstr(std::string(1, static_cast<char>('a' + i)) + "  " +
                                   title_of(session_.document.view.figures[i])));
    style().format = ExportFormat::csv;
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    EXPECT_EQ(style().format, ExportFormat::svg) << "they are not one table";
    style().format = ExportFormat::csv;
    wait_until([&] { return extent().find("hold only one figure") != std::string::npos; });
    robot_.click("export.accept");
    EXPECT_NE(find("export.accept"), nullptr) << "there is nothing to write";
}

TEST_F(ExportTest, ThePageReportsFiguresThatAreTooSmall) {
    style().sheet = {170, 130};
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    ASSERT_NE(find("export.word"), nullptr);
    EXPECT_THAT(find("export.word")->value, HasSubstr("its smallest figure is "));
    robot_.click("export.enlarge");
    EXPECT_EQ(style().sheet.width, 170) << "no wider than a page's two columns";
    EXPECT_GT(style().sheet.height, 130);
    wait_for_preview();
    EXPECT_EQ(find("export.word"), nullptr);
    EXPECT_EQ(find("export.enlarge"), nullptr);
}

TEST_F(ExportTest, AFigureAndASheetOfAllHaveSeparateSizes) {
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    EXPECT_EQ(find("export.word"), nullptr) << "all figures can be read on a page of the usual size";
    EXPECT_EQ(find("page.figure.width"), nullptr);
    robot_.key("Esc");
    type_into_page("Ctrl+Shift+E", "page.sheet.height", "300");
    EXPECT_EQ(extent(), "170 × 300 mm, 643 × 1134 px");
    robot_.key("Esc");
    type_into_page("Ctrl+E", "page.figure.height", "60");
    EXPECT_EQ(extent(), "170 × 60 mm, 643 × 227 px");
    robot_.key("Esc");
    robot_.key("Ctrl+M");
    robot_.key("Ctrl+Shift+E");
    wait_for_preview();
    EXPECT_EQ(extent(), "170 × 60 mm, 643 × 227 px") << "a maximised figure is one figure";
}

TEST_F(ExportTest, TheHeightOfOneFigureFollowsTheWidthUntilItIsSet) {
    type_into_page("Ctrl+E", "page.figure.width", "85");
    EXPECT_EQ(extent().substr(0, 10), "85 × 65 m") << "as on the command line";
    robot_.key("Esc");
    type_into_page("Ctrl+E", "page.figure.height", "90");
    robot_.key("Esc");
    type_into_page("Ctrl+E", "page.figure.width", "170");
    EXPECT_EQ(style().figure.height, 90);
}

TEST_F(ExportTest, ThePageReportsWhatDoesNotFit) {
    session_.document.view.figures[0] = TargetFigure{};
    style().figure = {85, 45};
    robot_.hover("panel0.plot");
    robot_.key("Ctrl+E");
    wait_for_preview();
    ASSERT_NE(find("export.word"), nullptr);
    EXPECT_EQ(find("export.word")->value, "not enough space for the plot of “fit − target” and 1 more");
    robot_.click("export.enlarge");
    EXPECT_EQ(style().figure.width, 85);
    wait_for_preview();
    EXPECT_EQ(find("export.word"), nullptr);
    EXPECT_EQ(find("export.enlarge"), nullptr);
    const std::string svg = exported("target.svg");
    for (const char* title : {">fit −", ">𝑎<"}) EXPECT_THAT(svg, HasSubstr(title));
}

TEST_F(ExportTest, DataAreThoseOfTheVisibleEntries) {
    auto& attention = get<AttentionFigure>(session_.document.view.figures[0]);
    attention.rows = {.low = 8, .high = 18}, attention.columns = {.low = 4, .high = 12};
    style().format = ExportFormat::npy;
    robot_.key("Ctrl+E");
    wait_for_preview();
    EXPECT_EQ(extent(), "10 × 8 numbers, about 1 kB");
    exported("a.npy");
    const auto written = read_npy(folder_.file("a.npy"));
    const auto view =
        open_backend("reference", 1)->attend(make_problem(experiment()), Viewport::one_to_one({8, 18}, {4, 12}), {});
    ASSERT_EQ(written.shape, (std::vector<std::int64_t>{10, 8}));
    for (std::size_t i = 0; i < written.values.size(); ++i)
        EXPECT_NEAR(written.values[i], view.weights.mean[i], 1e-6) << i;
    style().format = ExportFormat::csv;
    robot_.hover("panel0.plot");
    robot_.key("Ctrl+E");
    wait_for_preview();
    exported("a.csv");
    const std::string text = read_file(folder_.file("a.csv"), 1 << 20);
    EXPECT_THAT(text, testing::StartsWith("query,key_4,key_5,")) << "labelled with their queries";
    EXPECT_THAT(text, HasSubstr("\n8,"));
    EXPECT_THAT(text, HasSubstr("\n17,"));
}

TEST_F(ExportTest, DataMayBeJson) {
    style().format = ExportFormat::json;
    robot_.hover("panel1.plot");
    robot_.key("Ctrl+E");
    wait_for_preview();
    exported("a.json");
    EXPECT_THAT(read_file(folder_.file("a.json"), 1 << 20), testing::StartsWith(R"({"what":"decay","shape":[)"));
}

TEST_F(ExportTest, EscapeClosesTheCardAndKeepsItsOptions) {
    robot_.key("Ctrl+E");
    robot_.click("page.format");
    robot_.click("page.format/PNG");
    EXPECT_EQ(style().format, ExportFormat::png);
    robot_.key("Esc");
    EXPECT_EQ(find("export.accept"), nullptr);
    robot_.key("Ctrl+E");
    EXPECT_EQ(style().format, ExportFormat::png);
}

}  // namespace
}  // namespace ropewalk
