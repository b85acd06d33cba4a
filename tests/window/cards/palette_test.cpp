// Finding commands and scenes by typing, the list of keys, text size, and the clipboard.
#include "app/window/cards/palette.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "app/figures/figure_list.h"
#include "app/window/session/session_text.h"
#include "app/window/widgets/find_words.h"
#include "core/constructions/construction_list.h"
#include "core/experiment/scene_io.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PaletteTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const char* id) { return gui_.ui().registry.find(id); }
    /// Ctrl+K, some words, Enter.
    void command(const char* words) {
        robot_.key("Ctrl+K");
        robot_.type(words);
        robot_.key("Enter");
    }
};

TEST_F(PaletteTest, FindsScenesByAnyWordsOfThem) {
    command("bright million");
    EXPECT_EQ(experiment(), open_scene("million").experiment);
    EXPECT_EQ(find("palette.find"), nullptr);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha10").experiment);
}

TEST_F(PaletteTest, TakesWhatIsTypedBeforeItsFieldHasTheFocus) {
    for (const int a_frame : {1, 3, 20}) {
        SCOPED_TRACE(a_frame);
        EventQueue& events = surface_.events();
        for (const bool down : {true, false})
            for (const Key key : {Key::left_control, Key{'K'}}) events.push(KeyChanged{key, down});
        int pushed = 0;
        for (const char32_t character : std::u32string_view(U"base 500k")) {
            events.push(CharacterTyped{character});
            if (++pushed % a_frame == 0) frame();
        }
        robot_.settle();
        EXPECT_EQ(find("palette.find")->value, "base 500k");
        robot_.type("0");
        EXPECT_EQ(find("palette.find")->value, "base 500k0") << "nothing is selected";
        robot_.key("Esc");
        robot_.settle();
    }
}

TEST_F(PaletteTest, ADroppedSceneMayLackTheFieldThatIsShown) {
    robot_.key("Ctrl+K");
    robot_.type("alpha 2");
    ASSERT_EQ(get<PreviousToken>(experiment().construction).alpha, 2);
    surface_.events().push(FilesDropped{{bundled_scene_path("barbero-prop31")}});
    robot_.settle();
    EXPECT_FALSE(main_window_.is_failing());
    EXPECT_EQ(experiment(), open_scene("barbero-prop31").experiment);
}

TEST_F(PaletteTest, UndoStaysWithinTheTextThatIsBeingTyped) {
    command("construction apostrophe");
    const Experiment chosen = experiment();
    robot_.key("Ctrl+K");
    for (const char* key : {"Ctrl+Z", "Ctrl+Y", "Ctrl+Z", "Ctrl+Z"}) robot_.key(key);
    EXPECT_EQ(find("palette.find")->value, "");
    robot_.type("base");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(find("palette.find")->value, "bas");
    robot_.key("Esc");
    EXPECT_EQ(experiment(), chosen);
}

TEST_F(PaletteTest, FindsCommandsAndShowsTheirKeys) {
    const double before = gui_.ui().scale;
    command("larger text");
    robot_.settle();
    EXPECT_NEAR(gui_.ui().scale, 1.1 * before, 1e-9);
    robot_.key("Ctrl+0");
    robot_.settle();
    EXPECT_EQ(gui_.ui().scale, before);
    for (int step = 0; step < 30; ++step) robot_.key("Ctrl+-");
    EXPECT_NEAR(gui_.ui().scale, 0.8 * before, 1e-9);
}

TEST_F(PaletteTest, PinsAndDuplicatesWhatThePointerWasOn) {
    View& view = session_.document.view;
    const auto pins = [&](std::size_t panel) { return get<DecayFigure>(view.figures[panel]).pinned; };
    const auto point_at = [&](int panel) {
        robot_.hover(fmt::format("panel{}.figure", panel));
        robot_.settle();
    };
    view.figures[1] = view.figures[2] = DecayFigure{};
    view.figures[0] = AttentionFigure{};
    robot_.settle();
    point_at(2);
    robot_.key("P");
    EXPECT_TRUE(pins(1).empty() && !pins(2).empty());
    point_at(0);  // has no curve
    command("pin a curve");
    EXPECT_FALSE(pins(1).empty()) << "the first panel with a curve";
    point_at(2);
    robot_.key("Ctrl+D");
    ASSERT_EQ(view.panels(), most_places + 1);
    EXPECT_EQ(view.figures[5], view.figures[2]);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(view.panels(), most_places);
}

TEST_F(PaletteTest, FindsEncodingsAndConstructions) {
    const Experiment before = experiment();
    command("encoding yarn");
    EXPECT_STREQ(title_of(experiment().encoding), "YaRN");
    command("construction gaussian");
    EXPECT_STREQ(title_of(experiment().construction), "Gaussian");
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
}

TEST_F(PaletteTest, FindsConstructionsByWhatTheyDo) {
    for (const char* wish : {"8 tokens back", "target distance"}) {
        robot_.key("Ctrl+K");
        robot_.type(wish);
        ASSERT_NE(find("construction.at_distance"), nullptr) << wish;
        if (std::string_view(wish) == "8 tokens back") {
            ASSERT_NE(find("scene.train-back-16"), nullptr);
            EXPECT_GT(find("scene.train-back-16")->rect.y, find("construction.at_distance")->rect.y)
                << "a head with a field for the number comes first";
        }
        robot_.key("Esc");
        robot_.key("Esc");
    }
    const std::vector<Findable> all{{"Layer 18", ""}, {"Layer 8", "28.8 tokens"}, {"No layer", ""}};
    EXPECT_THAT(find_words(all, "8"), testing::ElementsAre(1));
    EXPECT_THAT(find_words(all, "layer 1"), testing::ElementsAre(0));
    EXPECT_THAT(find_words(all, "layer 5"), testing::ElementsAre(0, 1, 2)) << "rather than none";
    EXPECT_THAT(find_words(all, "5"), testing::IsEmpty());
    EXPECT_THAT(find_words(all, "ayer 5"), testing::IsEmpty()) << "no part of a word without all its words";
    const std::vector<Findable> scenes{{"Table 1: p-RoPE", ""}, {"Head", "p-RoPE"}, {"p-RoPE and NoPE", ""}};
    EXPECT_THAT(find_words(scenes, "p-rope"), testing::ElementsAre(2, 0, 1)) << "a title's beginning comes first";
    const std::vector<Findable> commands{{"Train one step", "", false, false}, {"Runs", "Training"}, {"Training", ""}};
    EXPECT_THAT(find_words(commands, "train"), testing::ElementsAre(2, 0, 1)) << "what can be chosen comes first";
    EXPECT_THAT(find_words(commands, ""), testing::ElementsAre(0, 1, 2));
}

TEST_F(PaletteTest, ALongTextFindsNothing) {
    std::string pasted;
    while (pasted.size() < (1u << 20)) pasted += "a b ";
    EXPECT_THAT(find_words({{"a b", ""}}, pasted), testing::IsEmpty());
    EXPECT_THAT(find_words({{"a b", ""}}, "a b"), testing::ElementsAre(0));
}

TEST_F(PaletteTest, ARefusedValueOfAnotherEncodingOpensNoScene) {
    const Experiment before = experiment();
    command("p 7");
    ASSERT_NE(find("field.encoding.p"), nullptr);
    EXPECT_EQ(find("field.encoding.p")->value, "on") << "it is selected";
    EXPECT_NE(find("palette.find"), nullptr);
    EXPECT_EQ(experiment(), before);
}

TEST_F(PaletteTest, NonsenseFindsNothingAndEscapeCloses) {
    const Experiment before = experiment();
    robot_.key("Ctrl+K");
    robot_.type("qqq zzz");
    EXPECT_EQ(find("scene.million"), nullptr);
    robot_.key("Enter");
    robot_.key("Esc");
    robot_.key("Esc");
    EXPECT_EQ(find("palette.find"), nullptr);
    EXPECT_EQ(experiment(), before);
}

TEST_F(PaletteTest, TypingContinuesIfEnterFoundNothing) {
    type_into("seq_len", "77");
    robot_.key("Ctrl+K");
    robot_.type("zzzz");
    robot_.key("Enter");
    robot_.settle();
    robot_.type("undo");  // replaces the words, which are selected
    robot_.key("Enter");
    EXPECT_EQ(find("palette.find"), nullptr);
    EXPECT_NE(experiment().seq_len, 77);
}

TEST_F(PaletteTest, ArrowsMoveWhileWordsAreTyped) {
    robot_.key("Ctrl+B");
    robot_.type("wendler-exp3");
    robot_.key("Down");
    robot_.key("Enter");
    EXPECT_EQ(experiment(), open_scene("wendler-exp3-d0-32").experiment);
}

TEST_F(PaletteTest, KeysAndMouseActionsAreOnOnePage) {
    for (const PixelSize size : {PixelSize{1600, 1000}, {1280, 720}, {1100, 700}}) {
        resize(size);
        for (const char* key : {"F1", "?"}) {
            robot_.key(key);
            int lines = 0;
            for (const RegisteredWidget& widget : gui_.ui().registry.all())
                if (widget.id.starts_with("keys/")) {
                    ++lines;
                    EXPECT_TRUE(widget.visible) << widget.id << " at " << size.width;
                }
            EXPECT_GT(lines, 40);
            EXPECT_EQ(find("keys/Undo")->value, "Ctrl+Z");
            EXPECT_EQ(find("keys/Pan")->value, "Drag");
            robot_.key(key);
            EXPECT_EQ(find("keys/Undo"), nullptr) << "the same key closes it";
        }
    }
    robot_.key("F1");
    robot_.key("Esc");
    EXPECT_EQ(find("keys/Undo"), nullptr);
}

TEST_F(PaletteTest, ScenesAreCopiedAndPasted) {
    robot_.key("Ctrl+C");
    EXPECT_EQ(parse_scene(surface_.clipboard(), "copied", {}).experiment, experiment());
    const Experiment copied = experiment();
    type_into("seq_len", "77");
    robot_.key("Ctrl+V");
    EXPECT_EQ(experiment(), copied);
    EXPECT_TRUE(session_.document.has_unsaved_changes()) << "the pasted scene is not in a file";
    EXPECT_EQ(parse_scene(session_as_text(session_.document), "a scene without a file", {}).experiment, copied);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment().seq_len, 77);
    for (const char* nonsense :
         {"", "hello", "{", "{\"schema\": 99}", "{\"schema\": 1, \"experiment\": {\"seq_len\": -1}}"}) {
        surface_.set_clipboard(nonsense);
        robot_.key("Ctrl+V");
        EXPECT_THAT(status(), HasSubstr("clipboard")) << nonsense;
        EXPECT_EQ(experiment().seq_len, 77) << nonsense;
    }
}

TEST_F(PaletteTest, PastedLinesBecomeWords) {
    for (const char* pasted : {"base\n500k", "base\t500k\n", "base 500k\r\n"}) {
        surface_.set_clipboard(pasted);
        robot_.key("Ctrl+K");
        robot_.key("Ctrl+V");
        robot_.settle();
        EXPECT_EQ(find("palette.find")->value, "base 500k");
        EXPECT_NE(find("set.encoding.base=500000"), nullptr);
        robot_.key("Esc");
    }
}

TEST_F(PaletteTest, CommandLinesAndScriptsAreCopied) {
    type_into("seq_len", "77");
    command("copy command line");
    EXPECT_EQ(surface_.clipboard(),
              "ropewalk figure wendler-exp1-alpha10 attention --set seq_len=77 --query 76 -o attention.svg");
    robot_.key("Ctrl+Shift+C");
    EXPECT_THAT(surface_.clipboard(), StartsWith("# "));
    EXPECT_THAT(surface_.clipboard(), HasSubstr("import numpy as np"));
    EXPECT_THAT(surface_.clipboard(), HasSubstr("N = 77"));
}

TEST(FindWords, KnowsBothSpellings) {
    EXPECT_TRUE(holds_words("Colour vision deficiency", "color vision"));
    EXPECT_TRUE(holds_words("color", "colour"));
    EXPECT_FALSE(holds_words("colon", "colour"));
}

TEST_F(PaletteTest, FitsAllItsEntriesAndKeepsItsHeight) {
    const auto height = [&] { return find("card.palette")->rect.height; };
    robot_.key("Ctrl+K");
    const double of_commands = height();
    robot_.type("yarn");
    EXPECT_EQ(height(), of_commands) << "the card does not jump during typing";
    robot_.key("Esc");
    robot_.click("menu.Figures");
    robot_.click("menu/keep_layout");
    robot_.type("mine");
    robot_.key("Enter");
    robot_.click("menu.Figures");
    robot_.click("menu/delete_layout");
    EXPECT_LT(height(), of_commands / 2) << "a single entry";
}

}  // namespace
}  // namespace ropewalk
