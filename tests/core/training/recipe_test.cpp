// Recipes as fields, and the sentences that refuse them.
#include "core/training/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/training/trainer.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A struct that holds a recipe, as a construction does.
struct Holder {
    Recipe recipe;

    static void fields(auto& s, auto&& f) { f(Field{.name = "recipe", .label = "Recipe"}, s.recipe); }
};

const FileAccess any_file{.folder = "", .reach = FileAccess::Reach::anywhere};

Recipe recipe_set_to(const std::vector<std::string>& settings) {
    Holder holder;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        set_field(holder, "recipe." + setting.substr(0, equals), setting.substr(equals + 1), any_file);
    }
    return holder.recipe;
}

TEST(Recipe, HasTheFieldsThatScenesName) {
    std::vector<std::string> names;
    ConstGroupRef(Recipe{}).for_each([&](const Field& field, const auto&) {
        names.emplace_back(field.name);
        EXPECT_STRNE(field.label, "");
        EXPECT_STRNE(field.help, "");
    });
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("task", "encoding", "layers", "heads", "head_dim", "width",
                                                       "feed_forward", "vocabulary", "context", "batch", "steps",
                                                       "learning_rate", "weight_decay", "embedding_scale", "seed",
                                                       "rope_heads"));
}

TEST(Recipe, DefaultsAreThoseOfTheReadme) {
    const Recipe recipe;
    EXPECT_EQ(validate(recipe), std::nullopt);
    EXPECT_EQ(
        to_json(ConstGroupRef(recipe)).dump(),
        R"({"batch":32,"context":64,"embedding_scale":0.2,"encoding":{"base":10000.0,"exponent":"d","id":"rope"},)"
        R"("feed_forward":256,"head_dim":32,"heads":2,"layers":2,"learning_rate":0.002,"rope_heads":"all",)"
        R"("seed":0,"steps":500,"task":{"id":"recall"},"vocabulary":32,"weight_decay":0.01,"width":64})");
}

TEST(Recipe, IsSetAndSavedAsAPartOfAnotherStruct) {
    const std::vector<std::string> settings{"task=back",       "task.distance=16",    "encoding=p_rope",
                                            "encoding.p=0.25", "rope_heads=0,1;none", "seed=9007199254740990"};
    const Recipe recipe = recipe_set_to(settings);
    EXPECT_EQ(validate(recipe), std::nullopt);
    EXPECT_EQ(number_at(recipe, "task.distance"), 16);
    EXPECT_EQ(number_at(recipe, "encoding.p"), 0.25);
    EXPECT_NE(recipe, Recipe{});
    EXPECT_EQ(recipe, recipe_set_to(settings));
    EXPECT_NE(hash_fields(recipe), hash_fields(Recipe{}));
    Recipe read;
    Warnings warnings;
    const nlohmann::json written = to_json(ConstGroupRef(recipe));
    members_from_json(JsonValue(written, "recipe"), read, any_file, warnings);
    EXPECT_EQ(read, recipe);
    EXPECT_TRUE(warnings.empty());
    Recipe back = recipe;  // and back again by settings
    EXPECT_FALSE(settings_between(back, Recipe{}).empty());
    EXPECT_EQ(back, Recipe{});
}

TEST(Recipe, HeadsWithRope) {
    const auto heads = [](const char* text) { return rope_heads(recipe_set_to({std::string("rope_heads=") + text})); };
    using Heads = std::vector<bool>;
    EXPECT_EQ(heads("all"), (Heads{true, true, true, true}));
    EXPECT_EQ(heads("learned"), (Heads{true, true, true, true}));
    EXPECT_EQ(heads("0,1;none"), (Heads{true, true, false, false}));
    EXPECT_EQ(heads("none;all"), (Heads{false, false, true, true}));
    EXPECT_EQ(heads("1;0"), (Heads{false, true, true, false}));
    EXPECT_EQ(rope_heads(recipe_set_to({"layers=1", "heads=3", "rope_heads=2,0"})), (Heads{true, false, true}));
    EXPECT_TRUE(learns_rope_heads(recipe_set_to({"rope_heads=learned"})));
    EXPECT_FALSE(learns_rope_heads(Recipe{}));
}

TEST(Recipe, CountsItsParameters) {
    // Embedding and output 2 · 32 · 64, the last norm 64; per layer four projections 64 · 64, three of the MLP 64 ·
    // 256, two norms.
    EXPECT_EQ(parameter_count(Recipe{}), 2 * 32 * 64 + 64 + 2 * (4 * 64 * 64 + 3 * 64 * 256 + 2 * 64));
    EXPECT_EQ(parameter_count(recipe_set_to({"feed_forward=0", "layers=1"})), 2 * 32 * 64 + 64 + 4 * 64 * 64 + 64);
    EXPECT_EQ(parameter_count(recipe_set_to({"rope_heads=learned"})), parameter_count(Recipe{}) + 4);
    EXPECT_EQ(parameter_count(recipe_set_to({"width=10", "heads=3", "head_dim=8", "layers=1", "feed_forward=0"})),
              2 * 32 * 10 + 10 + 4 * 10 * 24 + 10);
}

TEST(Recipe, RefusalsNameFieldValueAndRule) {
    struct Refusal {
        std::vector<std::string> settings;
        const char *begins, *says;
    };
    const std::vector<Refusal> refusals{
        {{"vocabulary=3"}, "vocabulary is 3;", "at least 4"},
        {{"context=2"}, "context is 2;", "at least 3"},
        {{"task=back", "task.distance=64"}, "task.distance is 64;", "context = 64 it must be from 0 to 63"},
        {{"task=both", "vocabulary=6"}, "vocabulary is 6;", "at least 7"},
        {{"task=both", "task.distance=99"}, "task.distance is 99;", "from 1 to 63"},
        {{"task=induction", "vocabulary=31"}, "vocabulary is 31;", "at least 32"},
        {{"task=induction", "context=3"}, "context is 3;", "at least 4"},
        {{"task=language", "vocabulary=31"}, "vocabulary is 31;", "at least 32"},
        {{"rope_heads=0"}, "rope_heads is '0';", "1 of 2 lists"},
        {{"rope_heads=0;2"}, "rope_heads is '0;2';", "heads from 0 to 1"},
        {{"rope_heads=0;1,1"}, "rope_heads is '0;1,1';", "'1,1'"},
        {{"rope_heads=0;"}, "rope_heads is '0;';", "'' is not a list"},
        {{"rope_heads=0; 1"}, "rope_heads is '0; 1';", "' 1' is not a list"},
        {{"rope_heads=ALL"}, "rope_heads is 'ALL';", "learned"},
        {{"rope_heads="}, "rope_heads is '';", "0;none"},
        {{"encoding=alibi", "encoding.head=8"}, "encoding.head is 8;", "0 to 7"},
        {{"encoding=ntk", "head_dim=2"}, "head_dim is 2;", "at least 4"},
        {{"encoding=longrope", "encoding.long_factor=1,2"}, "encoding.long_factor has 2 values;", "16 pairs"},
        {{"width=1024", "feed_forward=4096", "layers=16", "heads=32", "head_dim=256", "context=4096"},
         "width is 1024;",
         "at most 4096 MiB"}};
    for (const auto& [settings, begins, says] : refusals) {
        const auto sentence = validate(recipe_set_to(settings));
        ASSERT_TRUE(sentence) << begins;
        EXPECT_THAT(*sentence, StartsWith(begins));
        EXPECT_THAT(*sentence, HasSubstr(says));
        EXPECT_EQ(sentence->find('\n'), std::string::npos);
    }
    EXPECT_THROW(recipe_set_to({"head_dim=3"}), InputError);
    EXPECT_THROW(recipe_set_to({"steps=0"}), InputError);
    EXPECT_THROW(recipe_set_to({"learning_rate=nan"}), InputError);
    EXPECT_THROW(recipe_set_to({"task=sorting"}), InputError);
    Recipe odd;
    odd.head_dim = 3;
    EXPECT_THAT(validate(odd).value_or(""), HasSubstr("head_dim is 3; it must be an even number"));
}

TEST(Recipe, TheMemoryOfTrainingIsWhatItTakes) {
    for (const auto& settings : std::vector<std::vector<std::string>>{
             {}, {"batch=1"}, {"head_dim=2", "width=1"}, {"context=256", "feed_forward=0", "rope_heads=learned"}}) {
        const Recipe recipe = recipe_set_to(settings);
        EXPECT_EQ(Trainer(recipe, 4).bytes(), training_bytes(recipe));
        EXPECT_LE(Trainer(recipe, 1).bytes(), training_bytes(recipe));
    }
    // Parameters are in memory three times, and twice more with one gradient for each group of sequences.
    EXPECT_THAT(validate(recipe_set_to({"width=1024", "feed_forward=4096", "layers=10"})).value_or(""),
                HasSubstr("training takes 4"));
}

TEST(Recipe, LargestSizesThatAreUsualAreAccepted) {
    EXPECT_EQ(validate(recipe_set_to(
                  {"layers=6", "heads=6", "head_dim=64", "width=384", "feed_forward=1536", "context=256", "batch=8"})),
              std::nullopt);
    EXPECT_EQ(validate(recipe_set_to({"context=2", "task=back", "vocabulary=2", "layers=1", "heads=1", "head_dim=2",
                                      "width=1", "feed_forward=0", "batch=1", "steps=1"})),
              std::nullopt);
}

TEST(Recipe, TextFilesAreChecked) {
    TemporaryFolder folder;
    const std::string path = folder.file("text.txt");
    const auto settings = std::vector<std::string>{"task=language", "task.file=" + path};
    atomic_write(path, "too short");
    EXPECT_THAT(validate(recipe_set_to(settings)).value_or(""),
                StartsWith("task.file has 2 words; with context = 64 it must have at least 10250"));
    atomic_write(path, "short");
    EXPECT_THAT(validate(recipe_set_to(settings)).value_or(""), StartsWith("task.file has 1 word; "));
    EXPECT_THROW(recipe_set_to({"task=language", "task.file=" + path + "-missing"}), IoError);
    for (const char* bytes : {"caf\xe9", "", "PK\x03\x04zip", "\x1f\x8bgzip"}) {
        atomic_write(path, bytes);
        EXPECT_THROW(recipe_set_to(settings), InputError) << bytes;
    }
    atomic_write(path, std::string((4 << 20) + 1, 'a'));
    EXPECT_THROW(recipe_set_to(settings), LimitError);
    Recipe unread;
    ASSERT_TRUE(choose(ChoiceRef(unread.task), "language"));
    GroupRef fields = ChoiceRef(unread.task).fields();
    fields.for_each([&]<class T>(const Field&, T& value) {
        if constexpr (std::is_same_v<T, TextFile>) value.path = "text.txt";
    });
    EXPECT_EQ(validate(unread),
              "task.file is 'text.txt', which could not be read; put the file back and press Enter in its field");
}

}  // namespace
}  // namespace ropewalk
