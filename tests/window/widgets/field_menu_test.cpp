// What each control offers: typing, steps of the natural unit, and the menu of its actions.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class FieldMenuTest : public MainWindowTest {
  protected:
    FieldMenuTest() : MainWindowTest("p-rope") {}
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    void right_click(const char* field) { robot_.click(field, 0.3, 0.5, 1); }
    double p() { return get<PRope>(experiment().encoding).p; }
    double base() { return get<PRope>(experiment().encoding).base; }
};

TEST_F(FieldMenuTest, AClickOnTheValueTypesIt) {
    robot_.click("encoding.base", 0.95);
    robot_.key("Ctrl+A");
    robot_.type("500k");
    robot_.key("Enter");
    EXPECT_EQ(base(), 500000);
}

TEST_F(FieldMenuTest, ArrowKeysStepByTheNaturalUnit) {
    robot_.hover("encoding.p");
    const double pairs = experiment().head_dim / 2;
    robot_.key("Left");
    EXPECT_DOUBLE_EQ(p(), 0.75 - 1 / pairs);
    robot_.hover("encoding.base");
    robot_.key("Right");
    EXPECT_EQ(base(), 20000);
    robot_.key("Right");
    EXPECT_EQ(base(), 50000);
    robot_.key("Shift+Right");
    EXPECT_EQ(base(), 100000);
    robot_.key("Left");
    EXPECT_EQ(base(), 50000);
    robot_.hover("seq_len");
    robot_.key("Right");
    EXPECT_EQ(experiment().seq_len, 4097);
    robot_.key("Shift+Right");
    EXPECT_EQ(experiment().seq_len, 8192);
    robot_.key("Shift+Left");
    EXPECT_EQ(experiment().seq_len, 4096);
}

TEST_F(FieldMenuTest, ItsActionsAreOfferedByTheRightButtonAndTheSign) {
    right_click("encoding.base");
    for (const char* action : {"type", "reset", "sweep", "strip", "copy"})
        EXPECT_NE(find(std::string("field/") + action), nullptr) << action;
    robot_.click("field/copy");
    EXPECT_EQ(surface_.clipboard(), "--set encoding.base=10000");
    robot_.click("encoding.p.more");
    robot_.click("field/type");
    robot_.key("Ctrl+A");
    robot_.type("0.5");
    robot_.key("Enter");
    EXPECT_EQ(p(), 0.5);
    right_click("encoding.base");
    EXPECT_NE(find("field/sweep"), nullptr);
    robot_.key("Esc");
    EXPECT_EQ(find("field/sweep"), nullptr);
}

TEST_F(FieldMenuTest, ACopiedSettingIsOneWordOfAShell) {
    session_.files.open_bundled("wendler-text");
    const std::string text = "it's ${IFS}; touch $(here)";
    session_.document.edit(changed(experiment(), in_one_line({"construction.text=" + text})), Gesture::complete);
    robot_.settle();
    right_click("construction.text");
    robot_.click("field/copy");
    EXPECT_EQ(surface_.clipboard(), R"(--set 'construction.text=it'\''s ${IFS}; touch $(here)')");
}

TEST_F(FieldMenuTest, ResetRestoresTheDefault) {
    robot_.key("Tab");
    type_into("encoding.base", "77");
    right_click("encoding.base");
    EXPECT_EQ(find("field/reset")->label, "Reset to 10 000");
    robot_.click("field/reset");
    EXPECT_EQ(base(), PRope{}.base);
    right_click("encoding.base");
    robot_.click("field/reset");
    EXPECT_NE(find("field/reset"), nullptr) << "there is nothing to reset";
    robot_.key("Esc");
    right_click("encoding");
    EXPECT_EQ(find("field/sweep"), nullptr) << "a choice cannot be swept";
    robot_.click("field/reset");
    EXPECT_STREQ(title_of(experiment().encoding), "RoPE");
}

TEST_F(FieldMenuTest, TheMenuIsReachedByKeysAlone) {
    while (gui_.ui().interaction.focused != "encoding.base") robot_.key("Tab");
    robot_.key("Shift+F10");
    ASSERT_NE(find("field/type"), nullptr);
    EXPECT_EQ(find("field/type")->value, "selected");
    robot_.key("Enter");
    robot_.type("1234");
    robot_.key("Enter");
    EXPECT_EQ(base(), 1234);
}

TEST_F(FieldMenuTest, ALengthKeepsItsUnit) {
    for (const char* length : {"127999", "128000", "1048576"}) {
        type_into("seq_len", length);
        EXPECT_THAT(find("seq_len")->value, HasSubstr(" tokens"));
        const double room = find("seq_len")->rect.width;
        EXPECT_GT(room, 118 + 60) << "the value has room beside the track";
    }
}

TEST_F(FieldMenuTest, ComparedCurvesAreChosenFromLists) {
    session_.document.view.figures[0] = AttentionFigure{};
    session_.document.view.figures[1] = DecayFigure{.compared = "encoding=nope"};
    robot_.settle();
    const auto compared = [&] { return get<DecayFigure>(session_.document.view.figures[1]).compared; };
    robot_.click("panel1.menu");
    robot_.settle();
    robot_.expect("panel1.option.decay.compared.0.0.value", "NoPE");
    robot_.click("panel1.option.decay.compared.add");
    EXPECT_EQ(compared(), "encoding=nope | encoding.base=500");
    robot_.click("panel1.option.decay.compared.1.0.value");
    robot_.key("Ctrl+A");
    robot_.type("2k");
    robot_.key("Enter");
    EXPECT_EQ(compared(), "encoding=nope | encoding.base=2000");
    robot_.click("panel1.option.decay.compared.0.remove");
    EXPECT_EQ(compared(), "encoding.base=2000");
    robot_.click("panel1.option.decay.compared.0.0.field");
    robot_.type("frac");
    robot_.key("Enter");
    EXPECT_THAT(compared(), HasSubstr("encoding.p="));
}

}  // namespace
}  // namespace ropewalk
