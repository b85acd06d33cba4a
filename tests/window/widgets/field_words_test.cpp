// Fields that are found and set by typing: how words are read, and the preview in the window.
#include "app/window/widgets/field_words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Experiment head = changed({}, "encoding=p_rope construction=at_distance");

/// Returns what the words set, or else the complaint about them, or "" if they name no field.
std::string meaning_of(const char* words) {
    const auto named = fields_named_by(words, head);
    return named.empty() ? "" : named.front().setting.empty() ? named.front().complaint : named.front().setting;
}

TEST(FieldWords, NameAFieldByItsNameLabelSymbolOrPath) {
    EXPECT_EQ(meaning_of("base 500k"), "encoding.base=500000");
    EXPECT_EQ(meaning_of("Base = 500 000"), "encoding.base=500000");
    EXPECT_EQ(meaning_of("encoding.base=1e4"), "encoding.base=10000");
    EXPECT_EQ(meaning_of("p 0.25"), "encoding.p=0.25");
    EXPECT_EQ(meaning_of("N 4096"), "seq_len=4096");
    EXPECT_EQ(meaning_of("length 2^12"), "seq_len=4096");
    EXPECT_EQ(meaning_of("seq_len=1M"), "seq_len=1000000");
    EXPECT_EQ(meaning_of("distance 64"), "construction.distance=64");
    EXPECT_EQ(meaning_of("head dim 128"), "head_dim=128");
    EXPECT_EQ(meaning_of("encoding yarn"), "encoding=yarn");
    EXPECT_EQ(meaning_of("mask none"), "mask=none");
    EXPECT_EQ(meaning_of("temp 2"), "temperature=2") << "the beginning of a name is enough before a number";
}

TEST(FieldWords, TheLongestNameCounts) {
    const Experiment trained = changed({}, "construction=model_head construction.source=trained");
    const auto named = fields_named_by("training step 40", trained);
    ASSERT_EQ(named.size(), 1u) << "the training's encoding and seed are not meant";
    EXPECT_EQ(named.front().setting, "construction.step=40");
    EXPECT_EQ(fields_named_by("training length 32", trained).front().setting, "construction.recipe.context=32");
}

TEST(FieldWords, NamesMayBeSpelledWithBlanksHyphensOrTogether) {
    const Experiment yarn = changed(head, "encoding=yarn");
    for (const char* words : {"beta fast 16", "beta_fast 16", "Beta-fast 16", "betafast=16"}) {
        const auto named = fields_named_by(words, yarn);
        ASSERT_EQ(named.size(), 1u) << words;
        EXPECT_EQ(named.front().setting, "encoding.beta_fast=16");
    }
}

TEST(FieldWords, SymbolsCanBeSpelled) {
    EXPECT_EQ(meaning_of("theta 2e6"), "encoding.base=2000000");
    EXPECT_EQ(meaning_of("θ 2e6"), "encoding.base=2000000");
}

TEST(FieldWords, FractionsOfPairsAreWholePairs) {
    EXPECT_EQ(meaning_of("p 0.26"), "encoding.p=0.25");
}

TEST(FieldWords, OfAnotherEncodingChooseIt) {
    const Experiment rope = changed(head, "encoding=rope encoding.base=500");
    EXPECT_TRUE(fields_named_by("p 0.25", rope).empty());
    const auto named = fields_of_other_encodings("p 0.25", rope);
    ASSERT_EQ(named.size(), 2u) << "p-RoPE and what clips its slow pairs";
    EXPECT_EQ(named[0].choice + " " + named[0].setting, "encoding=p_rope encoding.p=0.25");
    EXPECT_EQ(named[0].before + " → " + named[0].after, "RoPE → p-RoPE, 0.25");
    const auto refused = fields_of_other_encodings("p = 7", rope);
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_EQ(refused[0].setting, "");
    EXPECT_EQ(refused[0].complaint, "Fraction p is 7; it must be a number from 0 to 1.");
    EXPECT_EQ(fields_of_other_encodings("p 0,5", rope).size(), 1u);
    EXPECT_EQ(fields_of_other_encodings("p rope", rope).size(), 0u) << "words that are searched for";
    EXPECT_EQ(fields_of_other_encodings("p", rope).size(), 0u);
}

TEST(FieldWords, OfATrainingsOtherEncodingComeFirst) {
    const Experiment trained = changed({}, "encoding=rope construction=model_head construction.source=trained");
    const auto named = fields_of_other_encodings("p 0.25", trained);
    ASSERT_EQ(named.size(), 4u) << "p-RoPE and what clips its slow pairs, of the training and of the head";
    EXPECT_EQ(named[0].choice + " " + named[0].setting,
              "construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.25");
    EXPECT_EQ(named[0].before + " → " + named[0].after, "RoPE → p-RoPE, 0.25");
    EXPECT_EQ(named[2].choice + " " + named[2].setting, "encoding=p_rope encoding.p=0.25");
}

TEST(FieldWords, FieldsThatTheHeadDoesNotUseAreNotNamed) {
    const Experiment trained = changed({}, "construction=model_head construction.source=trained");
    EXPECT_EQ(fields_named_by("learning rate 0.01", trained).size(), 1u);
    Experiment read;
    read.construction = ModelHead{};
    EXPECT_TRUE(fields_named_by("learning rate 0.01", read).empty());
}

TEST(FieldWords, UnacceptableValuesGiveOneSentence) {
    EXPECT_EQ(meaning_of("base fast"), "Base θ is 'fast'; it must be a number such as 10000.");
    EXPECT_EQ(meaning_of("p 0,5"), "Fraction p is '0,5'; it must be a number such as 0.5.");
    EXPECT_EQ(meaning_of("N 1,000"), "Length N is '1,000'; it must be a whole number such as 256.");
    EXPECT_THAT(meaning_of("p 1e400"), HasSubstr("it must be a number from 0 to 1"));
    EXPECT_THAT(meaning_of("base -1"), HasSubstr("Base"));
    EXPECT_THAT(meaning_of("N 0"), HasSubstr("Length"));
    EXPECT_THAT(meaning_of("encoding nonsense"), HasSubstr("Encoding 'nonsense' is unknown. It can be: RoPE, "));
    EXPECT_THAT(meaning_of("mask diagonal"), HasSubstr("Causal, None"));
    EXPECT_EQ(meaning_of("larger text"), "");
    EXPECT_EQ(meaning_of(""), "");
}

TEST(FieldWords, ANameAloneShowsAValueThatMayFollowIt) {
    const Experiment trained = changed({}, "construction=model_head construction.source=trained");
    const auto hint = [](const char* name, const Experiment& experiment) {
        const auto named = fields_named_by(name, experiment);
        return named.empty() ? "" : named.front().complaint;
    };
    EXPECT_EQ(hint("base", head), "Type a value after the name, as in 'base 10000'.");
    EXPECT_EQ(hint("encoding", head), "Type a value after the name, as in 'encoding p-RoPE'.");
    EXPECT_EQ(hint("training length ", trained), "Type a value after the name, as in 'training length 64'.");
    EXPECT_EQ(hint("training step", trained), "Type a value after the name, as in 'training step 500'.");
}

TEST(FieldWords, NothingIsSetBeforeNameAndValueAreComplete) {
    const Experiment trained = changed({}, "construction=model_head construction.source=trained");
    const std::string_view words = "training length ";
    for (std::size_t typed = 1; typed <= words.size(); ++typed)
        for (const auto& fields : {fields_named_by(words.substr(0, typed), trained),
                                   fields_of_other_encodings(words.substr(0, typed), trained)})
            for (const NamedField& named : fields) EXPECT_EQ(named.setting, "") << words.substr(0, typed);
    EXPECT_EQ(meaning_of("encoding y"), "Did you mean YaRN?");
    EXPECT_EQ(meaning_of("encoding ya"), "encoding=yarn");
    EXPECT_EQ(meaning_of("encoding cl"), "Encoding 'cl' is ambiguous. It can be 'Clipped RoPE' or 'CLEX'.");
    EXPECT_EQ(meaning_of("encoding cle"), "encoding=clex");
}

TEST(FieldWords, NamesOfChoicesMayBeSpelledDifferently) {
    for (const char* words :
         {"encoding self extend", "encoding Self-Extend", "encoding SELF_EXTEND", "encoding selfext"})
        EXPECT_EQ(meaning_of(words), "encoding=self_extend") << words;
    EXPECT_EQ(meaning_of("encoding p rope"), "encoding=p_rope");
    EXPECT_EQ(meaning_of("encoding ropee"), "Encoding 'ropee' is unknown. Did you mean RoPE?");
    EXPECT_EQ(meaning_of("mask casual"), "Mask 'casual' is unknown. Did you mean Causal?");
}

TEST(FieldWords, FaultsOfTheHeadAreToldInTheWordsOfItsControls) {
    EXPECT_EQ(meaning_of("construction arrays"), "'Arrays from files' needs a file. Press Ctrl+O to open one.");
    EXPECT_EQ(meaning_of("construction model"), "'Head of a model' needs a model. Choose Open model in the File menu.");
    const auto longer = fields_named_by("length 1048576", changed({}, "encoding=random_rope"));
    ASSERT_EQ(longer.size(), 1u);
    EXPECT_THAT(longer.front().complaint, StartsWith("Range L is 4096; for "));
}

TEST(FieldWords, AnyTextMayBePasted) {
    std::string words, letters, values;
    for (int i = 0; i < 3000; ++i) words += "base word ";
    while (letters.size() < 60'000) letters += "a b ";
    for (int i = 0; i < 300; ++i) values += std::to_string(i) + ",";
    values.pop_back();
    for (const std::string& pasted : {words, letters, "base = " + letters, letters + "= 1"}) {
        for (const NamedField& named : fields_named_by(pasted, head)) {
            EXPECT_EQ(named.setting, "");
            EXPECT_LT(named.complaint.size(), 200u);
        }
        EXPECT_TRUE(fields_of_other_encodings(pasted, head).empty());
    }
    const auto list = fields_named_by("positions " + values, changed({}, "encoding=random_rope"));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list.front().setting, "encoding.positions=" + values) << "a long value may be set";
    EXPECT_LT(list.front().after.size(), 60u);
}

class FieldWordsWindow : public MainWindowTest {
  protected:
    FieldWordsWindow() : MainWindowTest("p-rope") {}
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
};

TEST_F(FieldWordsWindow, TheFiguresShowTheValueBeforeItIsChosen) {
    const Experiment before = experiment();
    robot_.key("Ctrl+K");
    robot_.type("base 500k");
    robot_.settle();
    ASSERT_NE(find("set.encoding.base=500000"), nullptr);
    EXPECT_EQ(experiment(), changed(before, "encoding.base=500000")) << "as a preview";
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(experiment(), before);
    EXPECT_FALSE(session_.document.can_undo()) << "the preview was no step";
    robot_.key("Ctrl+K");
    robot_.type("base 500k");
    robot_.key("Enter");
    robot_.settle();
    EXPECT_EQ(experiment(), changed(before, "encoding.base=500000"));
    EXPECT_EQ(find("palette.find"), nullptr);
    EXPECT_EQ(session_.document.count_of_steps(), 2u) << "one step of undo";
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
    session_.document.edit(changed(before, "encoding=rope"), Gesture::complete);
    robot_.key("Ctrl+K");
    robot_.type("p 0.5");
    robot_.key("Enter");
    robot_.settle();
    EXPECT_EQ(experiment(), changed(before, "encoding=rope encoding=p_rope encoding.p=0.5"));
}

TEST_F(FieldWordsWindow, TheCursorStaysWhileALengthIsTyped) {
    View& view = session_.document.view;
    const int length = experiment().seq_len;
    const auto type_length = [&] {
        robot_.key("Ctrl+K");
        robot_.type(fmt::format("length {}", 2 * length));
        robot_.settle();
        EXPECT_EQ(experiment().seq_len, 2 * length);
    };
    for (const bool is_locked : {false, true}) {
        const Cursor first = view.cursor = {length - 1, length / 3, 1};
        view.cursor_locked = is_locked;
        robot_.settle();
        type_length();
        robot_.key("Esc");
        robot_.settle();
        EXPECT_EQ(experiment().seq_len, length);
        EXPECT_EQ(view.cursor, first);
        type_length();
        robot_.key("Enter");
        robot_.settle();
        EXPECT_EQ(view.cursor, (Cursor{is_locked ? length - 1 : 2 * length - 1, length / 3, 1}));
        if (const int now = 2 * length - 1 - first.key; !is_locked) {
            EXPECT_THAT(find("readout")->value, StartsWith(fmt::format("r = {} → {} ", first.distance(), now)))
                << "both numbers were on screen";
        }
        robot_.key("Ctrl+Z");
        EXPECT_EQ(view.cursor, first);
    }
}

TEST_F(FieldWordsWindow, ATrainingsFieldsComeBeforeThoseOfTheHead) {
    session_.document.edit(changed({},
                                   "construction=model_head construction.source=trained "
                                   "construction.recipe.steps=2"),
                           Gesture::complete);
    session_.document.edit(changed(experiment(), "encoding=p_rope"), Gesture::complete);
    robot_.settle();
    EXPECT_EQ(find("construction.recipe.encoding")->label, "Training encoding");
    EXPECT_GT(find("construction.recipe.encoding")->label_above, 0) << "its heading is Model";
    EXPECT_EQ(find("encoding")->label_above, 0);
    const auto top_of = [&](const char* id) { return find(id) ? find(id)->rect.y : -1; };
    robot_.key("Ctrl+K");
    robot_.type("p 0.5");
    robot_.settle();
    const double of_training = top_of("set.construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.5");
    EXPECT_GT(of_training, 0);
    EXPECT_GT(top_of("set.encoding.p=0.5"), of_training);
    robot_.key("Ctrl+A");
    robot_.type("base 5000");
    robot_.settle();
    EXPECT_GT(top_of("set.construction.recipe.encoding.base=5000"), 0);
    EXPECT_GT(top_of("set.encoding.base=5000"), top_of("set.construction.recipe.encoding.base=5000"));
}

TEST_F(FieldWordsWindow, ThePreviewFollowsTheSelection) {
    const Experiment before = experiment();
    robot_.click("find");
    robot_.type("p 0.5");
    robot_.settle();
    EXPECT_EQ(experiment(), changed(before, "encoding.p=0.5"));
    robot_.key("Ctrl+A");
    robot_.type("encoding nonsense");
    robot_.settle();
    EXPECT_EQ(experiment(), before);
    robot_.key("Enter");
    EXPECT_NE(find("palette.find"), nullptr) << "it cannot be set";
    robot_.key("Ctrl+A");
    robot_.type("encoding yarn");
    robot_.key("Enter");
    robot_.settle();
    EXPECT_STREQ(title_of(experiment().encoding), "YaRN");
}

}  // namespace
}  // namespace ropewalk
