// The sequences of every task, by their own rules: what a reader of the sequence alone would demand of its targets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/numbers/hash.h"
#include "core/training/batch.h"
#include "core/training/tasks/task_list.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

Recipe recipe_with(const std::vector<std::string>& settings) {
    Recipe recipe;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        set_field(recipe, setting.substr(0, equals), setting.substr(equals + 1),
                  {.folder = "", .reach = FileAccess::Reach::anywhere});
    }
    EXPECT_EQ(validate(recipe), std::nullopt);
    return recipe;
}

struct ReadSequence {
    std::vector<int> tokens, targets;
};

std::vector<ReadSequence> sequences_of(const Batch& batch) {
    EXPECT_EQ(batch.tokens.size(), static_cast<std::size_t>(batch.sequences * batch.context));
    EXPECT_EQ(batch.targets.size(), batch.tokens.size());
    std::vector<ReadSequence> sequences;
    for (int i = 0; i < batch.sequences; ++i) {
        const auto first = i * batch.context, last = first + batch.context;
        sequences.push_back({{batch.tokens.begin() + first, batch.tokens.begin() + last},
                             {batch.targets.begin() + first, batch.targets.begin() + last}});
    }
    return sequences;
}

/// Calls f with a recipe of every task, at its defaults or nearly so.
template <class F>
void for_each_task(F&& f) {
    for (const Task& task : alternatives_of<Task>()) {
        Recipe recipe;
        recipe.task = task;
        ASSERT_EQ(validate(recipe), std::nullopt) << title_of(ConstChoiceRef(task));
        SCOPED_TRACE(id_of(ConstChoiceRef(task)));
        f(recipe);
    }
}

TEST(TrainingTasks, TokensAndTargetsAreInTheVocabularyAtAnyLength) {
    for_each_task([](const Recipe& recipe) {
        for (const int length : {3, 64, 65, 1024}) {
            const Batch batch = test_batch(recipe, length, 3);
            EXPECT_EQ(batch.context, length);
            for (const ReadSequence& sequence : sequences_of(batch))
                for (int i = 0; i < length; ++i) {
                    EXPECT_TRUE(sequence.tokens[i] >= 0 && sequence.tokens[i] < recipe.vocabulary);
                    EXPECT_TRUE(sequence.targets[i] >= no_target && sequence.targets[i] < recipe.vocabulary);
                }
        }
        const Batch batch = batch_of(recipe, 0);
        EXPECT_EQ(batch.sequences, recipe.batch);
        EXPECT_EQ(batch.context, recipe.context);
        EXPECT_GT(std::count_if(batch.targets.begin(), batch.targets.end(), [](int t) { return t != no_target; }),
                  recipe.batch * 4);
    });
}

TEST(TrainingTasks, EveryTokenHasANameOfItsOwn) {
    for_each_task([](const Recipe& recipe) {
        std::set<std::string> names;
        for (int token = 0; token < recipe.vocabulary; ++token)
            names.insert(token_name(recipe.task, recipe.vocabulary, token));
        EXPECT_EQ(static_cast<int>(names.size()), recipe.vocabulary);
        EXPECT_FALSE(names.contains(""));
    });
}

TEST(TrainingTasks, ABatchDependsOnRecipeAndStepAlone) {
    for_each_task([](Recipe recipe) {
        const Batch third = batch_of(recipe, 3), first = batch_of(recipe, 1);
        EXPECT_EQ(batch_of(recipe, 3), third) << "in any order";
        EXPECT_NE(first.tokens, third.tokens);
        recipe.learning_rate = 1, recipe.layers = 4, recipe.rope_heads = "learned";
        EXPECT_EQ(batch_of(recipe, 3), third) << "whatever is trained";
        const auto few = sequences_of(third);
        recipe.batch = 5;
        const auto fewer = sequences_of(batch_of(recipe, 3));
        for (int i = 0; i < 5; ++i) EXPECT_EQ(fewer[i].tokens, few[i].tokens) << "each sequence on its own";
        recipe.seed = 1;
        EXPECT_NE(batch_of(recipe, 3).tokens, third.tokens);
    });
}

TEST(TrainingTasks, HeldOutSequencesAreNeverDrawnInTraining) {
    for_each_task([](const Recipe& recipe) {
        std::set<std::vector<int>> trained;
        for (int step = 0; step < 60; ++step)
            for (const ReadSequence& sequence : sequences_of(batch_of(recipe, step))) trained.insert(sequence.tokens);
        EXPECT_EQ(trained.size(), 60u * recipe.batch) << "no sequence comes twice";
        const Batch tested = test_batch(recipe, recipe.context, 100);
        EXPECT_EQ(tested, test_batch(recipe, recipe.context, 100));
        for (const ReadSequence& sequence : sequences_of(tested)) EXPECT_FALSE(trained.contains(sequence.tokens));
    });
}

/// The bytes that any machine draws. The numbers are those of Philox4x32-10 and Lemire's rule, worked out in Python;
/// the hashes were written by the first version.
TEST(TrainingTasks, TheSameOnEveryMachine) {
    const Batch back = batch_of(recipe_with({"task=back"}), 7);
    EXPECT_EQ(std::vector(back.tokens.begin() + 128, back.tokens.begin() + 140),
              (std::vector{0, 5, 7, 8, 16, 15, 2, 25, 13, 25, 22, 26}));
    UniformNumbers of_seed({.seed = (std::int64_t{1} << 40) + 3, .stream = RandomStream::training});
    for (const std::uint32_t number : {0, 1, 8, 8, 7, 5, 1, 7, 9, 1}) EXPECT_EQ(of_seed.below(10), number);
    std::string tokens;
    for_each_task([&](const Recipe& recipe) {
        const Batch batch = batch_of(recipe, 7);
        std::uint64_t hash = hash_text({});
        for (const auto* list : {&batch.tokens, &batch.targets})
            for (const int token : *list) hash = hash_text(std::to_string(token), hash);
        tokens += fmt::format("{}:{:016x} ", id_of(ConstChoiceRef(recipe.task)), hash);
    });
    EXPECT_EQ(tokens,
              "recall:5b925ece4374452e back:d4f09f4648afe663 both:f64a57c2adb9866a "
              "induction:b6506041afa229f9 language:8e392a380dce70f1 ");
}

/// Counts how often the best guess from the current token alone is right.
double counted_chance(const Recipe& recipe, int sequences) {
    std::map<int, std::map<int, int>> answers;
    int asked = 0, right = 0;
    for (const ReadSequence& sequence : sequences_of(test_batch(recipe, recipe.context, sequences)))
        for (int i = 0; i < recipe.context; ++i)
            if (sequence.targets[i] != no_target) ++answers[sequence.tokens[i]][sequence.targets[i]], ++asked;
    for (const auto& [token, counts] : answers) {
        int most = 0;
        for (const auto& [answer, count] : counts) most = std::max(most, count);
        right += most;
    }
    return static_cast<double>(right) / asked;
}

TEST(TrainingTasks, ChanceIsWhatCountingGives) {
    // The best of some counts is above their mean by about two standard errors of a count.
    for_each_task([](const Recipe& recipe) {
        const double chance = chance_of(recipe.task, recipe.task_shape()), counted = counted_chance(recipe, 4000);
        EXPECT_NEAR(counted, chance, 0.012);
        EXPECT_LT(chance, 0.5);
    });
    for (const char* distance : {"5", "16", "40"}) {
        const Recipe recipe = recipe_with({"task=both", std::string("task.distance=") + distance});
        EXPECT_NEAR(counted_chance(recipe, 4000), chance_of(recipe.task, recipe.task_shape()), 0.012) << distance;
    }
    const Recipe itself = recipe_with({"task=back", "task.distance=0"});
    EXPECT_EQ(chance_of(itself.task, itself.task_shape()), 1);
    EXPECT_EQ(counted_chance(itself, 10), 1);
}

TEST(TrainingTasks, BackAsksForTheTokenSoFarBack) {
    for (const int distance : {0, 1, 16, 63}) {
        const Recipe recipe = recipe_with({"task=back", "task.distance=" + std::to_string(distance)});
        std::vector<int> counts(static_cast<std::size_t>(recipe.vocabulary));
        for (const ReadSequence& sequence : sequences_of(batch_of(recipe, 0)))
            for (int i = 0; i < recipe.context; ++i) {
                EXPECT_EQ(sequence.targets[i], i < distance ? -1 : sequence.tokens[i - distance]);
                ++counts[sequence.tokens[i]];
            }
        for (const int count : counts) EXPECT_NEAR(count, 64, 48) << "six standard deviations";
    }
}

TEST(TrainingTasks, RecallHasAMapOfItsOwnInEverySequence) {
    for (const char* vocabulary : {"32", "17"}) {
        const Recipe recipe = recipe_with({std::string("vocabulary=") + vocabulary, "batch=200"});
        const int keys = recipe.vocabulary / 2;
        std::vector<std::map<int, int>> maps;
        for (const ReadSequence& sequence : sequences_of(batch_of(recipe, 2))) {
            std::map<int, int>& value_of = maps.emplace_back();
            for (int i = 0; i < recipe.context; i += 2) {
                const int key = sequence.tokens[i], value = sequence.tokens[i + 1];
                EXPECT_LT(key, keys);
                EXPECT_GE(value, keys);
                const auto known = value_of.find(key);
                EXPECT_EQ(sequence.targets[i], known == value_of.end() ? -1 : known->second);
                EXPECT_EQ(sequence.targets[i + 1], -1);
                EXPECT_EQ(value_of.emplace(key, value).first->second, value) << "the same value at every occurrence";
            }
            std::set<int> values;
            for (const auto& [key, value] : value_of) EXPECT_TRUE(values.insert(value).second) << "one to one";
        }
        std::map<int, int> counts;  // of the values of key 0
        for (const auto& value_of : maps)
            if (value_of.contains(0)) ++counts[value_of.at(0)];
        EXPECT_EQ(static_cast<int>(counts.size()), recipe.vocabulary - keys) << "every value, over 200 fresh maps";
        for (const auto& [value, count] : counts) EXPECT_LE(count, 40);
    }
    const Recipe recipe;
    EXPECT_EQ(token_name(recipe.task, 32, 3), "k3");
    EXPECT_EQ(token_name(recipe.task, 32, 23), "v7");
}

TEST(TrainingTasks, BothAsksHalfByPlaceAndHalfByContent) {
    for (const int distance : {1, 4}) {
        const Recipe recipe = recipe_with({"task=both", "task.distance=" + std::to_string(distance), "batch=200"});
        const auto name = [&](int token) { return token_name(recipe.task, recipe.vocabulary, token); };
        int by_position = 0, by_content = 0, facts = 0;
        for (const ReadSequence& sequence : sequences_of(batch_of(recipe, 0))) {
            std::map<std::string, int> fact_about;
            for (int i = 0; i < recipe.context; ++i) {
                const std::string said = name(sequence.tokens[i]);
                const std::size_t equals = said.find('=');
                if (said == std::to_string(distance) + " back?") {
                    ++by_position;
                    ASSERT_GE(i, distance);
                    EXPECT_EQ(sequence.targets[i], sequence.tokens[i - distance]);
                    EXPECT_NE(name(sequence.targets[i]).find('='), std::string::npos) << "a fact";
                } else if (equals == said.npos) {
                    ++by_content;
                    ASSERT_TRUE(said.starts_with('k') && said.ends_with('?')) << said;
                    ASSERT_TRUE(fact_about.contains(said.substr(0, said.size() - 1))) << "a key that occurred";
                    EXPECT_EQ(sequence.targets[i], fact_about.at(said.substr(0, said.size() - 1)));
                } else {
                    ++facts;
                    EXPECT_EQ(sequence.targets[i], -1);
                    EXPECT_EQ(fact_about.emplace(said.substr(0, equals), sequence.tokens[i]).first->second,
                              sequence.tokens[i]);
                }
            }
        }
        const double queries = by_position + by_content;
        EXPECT_NEAR(by_position / queries, 0.5, 0.04) << distance;
        EXPECT_NEAR(queries / (queries + facts), 0.5, 0.05) << distance;
    }
}

TEST(TrainingTasks, InductionRepeatsFromARandomToken) {
    const Recipe recipe = recipe_with({"task=induction", "vocabulary=64", "batch=512"});
    const int half = recipe.context / 2;
    std::vector<int> starts(static_cast<std::size_t>(half));
    for (int step = 0; step < 4; ++step)
        for (const ReadSequence& sequence : sequences_of(batch_of(recipe, step))) {
            const std::vector<int> passage(sequence.tokens.begin(), sequence.tokens.begin() + half);
            ASSERT_EQ(std::set<int>(passage.begin(), passage.end()).size(), passage.size()) << "different tokens";
            const auto start = std::find(passage.begin(), passage.end(), sequence.tokens[half]) - passage.begin();
            ASSERT_LT(start, half);
            ++starts[static_cast<std::size_t>(start)];
            for (int i = 0; i < recipe.context; ++i) {
                const auto at = (start + i - half) % half;
                EXPECT_TRUE(i < half || sequence.tokens[i] == passage[at]);
                const bool has_answer = i >= half && at + 1 < half;
                EXPECT_EQ(sequence.targets[i], has_answer ? passage[at + 1] : -1);
                EXPECT_TRUE(!has_answer || i + 1 == recipe.context || sequence.targets[i] == sequence.tokens[i + 1]);
            }
        }
    for (const int count : starts) EXPECT_NEAR(count, 64, 48) << "uniform, six standard deviations";
    for (const ReadSequence& sequence : sequences_of(test_batch(recipe, 1024, 4))) {
        const auto first = sequence.tokens.begin();
        EXPECT_EQ(std::set<int>(first, sequence.tokens.end()).size(), 32u) << "half of the training length";
        EXPECT_TRUE(std::equal(first + 32, sequence.tokens.end() - 32, first + 64)) << "over and over";
        EXPECT_EQ(std::count(sequence.targets.begin(), sequence.targets.end(), no_target), 32 + 31);
    }
}

std::vector<std::string> words_in(const Recipe& recipe, const ReadSequence& sequence) {
    std::vector<std::string> words;
    for (const int token : sequence.tokens) words.push_back(token_name(recipe.task, recipe.vocabulary, token));
    return words;
}

TEST(TrainingTasks, StoriesTellTheSameOfAPersonAllAlong) {
    const Recipe recipe = recipe_with({"task=language"});
    std::set<std::string> different;
    for (const ReadSequence& sequence : sequences_of(test_batch(recipe, 600, 20))) {
        const auto words = words_in(recipe, sequence);
        std::map<std::string, std::set<std::string>> owned;
        std::set<std::string> people;
        int stops = 0;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            EXPECT_EQ(sequence.targets[i], sequence.tokens[i + 1]) << "the next word";
            if (std::isupper(words[i][0])) people.insert(words[i]);
            stops += words[i] == ".";
            if (words[i] != "'" || i + 2 >= words.size()) continue;
            EXPECT_TRUE(std::isupper(words[i - 1][0])) << words[i - 1];
            EXPECT_EQ(words[i + 1], "s");
            owned[words[i - 1]].insert(words[i + 2]);
        }
        EXPECT_EQ(people.size(), 3u);
        EXPECT_EQ(owned.size(), 3u);
        std::set<std::string> things;
        for (const auto& [person, thing] : owned) {
            EXPECT_EQ(thing.size(), 1u) << person << " owns one thing";
            things.insert(*thing.begin());
            different.insert(person + " " + *thing.begin());
        }
        EXPECT_EQ(things.size(), 3u);
        EXPECT_GT(stops, 600 / 20);
    }
    EXPECT_GT(different.size(), 25u) << "of 48 pairs, in 20 stories";
}

class TextTask : public ::testing::Test {
  protected:
    Recipe recipe_of(const std::string& text, std::vector<std::string> more) {
        const std::string path = folder_.file("text.txt");
        atomic_write(path, text);
        std::vector<std::string> settings{"task=language", "task.file=" + path, "context=8"};
        settings.insert(settings.end(), more.begin(), more.end());
        return recipe_with(settings);
    }
    static std::set<std::string> names_in(const Recipe& recipe, const Batch& batch) {
        std::set<std::string> names;
        for (const ReadSequence& sequence : sequences_of(batch))
            for (const std::string& word : words_in(recipe, sequence)) names.insert(word);
        return names;
    }

  private:
    TemporaryFolder folder_;
};

TEST_F(TextTask, ItsLastTenthIsKeptForTests) {
    std::string text;
    for (int i = 0; i < 9000; ++i) text += static_cast<char>('a' + i * i % 7);
    for (int i = 0; i < 1000; ++i) text += static_cast<char>('n' + i * i % 7);
    const Recipe recipe = recipe_of(text, {"task.unit=characters"});
    const auto trained = names_in(recipe, batch_of(recipe, 0)), tested = names_in(recipe, test_batch(recipe, 128, 32));
    EXPECT_EQ(trained, (std::set<std::string>{"a", "b", "c", "e"})) << "squares modulo 7";
    EXPECT_EQ(tested, (std::set<std::string>{"n", "o", "p", "r"}));
    for (const ReadSequence& sequence : sequences_of(test_batch(recipe, 128, 32))) {
        std::string read;
        for (const std::string& letter : words_in(recipe, sequence)) read += letter;
        EXPECT_NE(text.find(read), std::string::npos) << "a passage of the text";
    }
}

TEST_F(TextTask, WordsThatAreRareShareOneToken) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "the cat's hat " + std::string(i % 100 == 0 ? "rarely" : "often") + ", ";
    const Recipe recipe = recipe_of(text, {"vocabulary=8"});
    const auto name = [&](int token) { return token_name(recipe.task, recipe.vocabulary, token); };
    EXPECT_EQ(name(0), "…");
    EXPECT_EQ(name(1) + " " + name(2) + " " + name(3) + " " + name(6) + " " + name(7), "the cat ' , often");
    const auto names = names_in(recipe, batch_of(recipe, 0));
    EXPECT_EQ(names.count("rarely"), 0u);
    EXPECT_EQ(names.size(), 8u);
}

TEST(UniformNumbersTest, EveryNumberIsEquallyLikely) {
    for (const std::uint32_t bound : {1u, 3u, 10u, 1000u}) {
        UniformNumbers numbers({.seed = 1, .sample = 2, .stream = RandomStream::training, .token = 3});
        std::vector<int> counts(bound);
        for (std::uint32_t i = 0; i < 100 * bound; ++i) ++counts[numbers.below(bound)];
        for (const int count : counts) EXPECT_NEAR(count, 100, 60);
    }
    UniformNumbers numbers({.seed = 1});
    int above = 0;  // two thirds of all words: without drawing again, the lower numbers would be twice as likely
    for (int i = 0; i < 3000; ++i) above += numbers.below(0xC0000000u) >= 0x60000000u;
    EXPECT_NEAR(above, 1500, 165);
}

}  // namespace
}  // namespace ropewalk
