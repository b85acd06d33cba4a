// Scenes: every bundled one is what its name says, and what is written reads back the same.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "core/attention/attention.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/scene_io.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

TEST(Scene, TheBundledOnesAreAllThere) {
    const std::vector<std::string> names{"barbero-fig2a",
                                         "barbero-fig2b",
                                         "barbero-prop31",
                                         "barbero-thm53-diagonal",
                                         "barbero-thm53-previous",
                                         "hong-fig2",
                                         "million",
                                         "p-rope",
                                         "wendler-exp1-alpha1",
                                         "wendler-exp1-alpha10",
                                         "wendler-exp1-alpha100",
                                         "wendler-exp3-d0-0",
                                         "wendler-exp3-d0-32",
                                         "wendler-exp3-d0-48",
                                         "wendler-exp3-d0-56",
                                         "wendler-exp3-d0-62",
                                         "wendler-recency"};
    const auto bundled = bundled_scenes();
    for (const auto& name : names) EXPECT_NE(std::find(bundled.begin(), bundled.end(), name), bundled.end()) << name;
}

TEST(Scene, EveryBundledOneOpensWithoutWarningAndSaysWhatToSee) {
    for (const auto& name : bundled_scenes()) {
        const Scene scene = open_scene(name);
        EXPECT_TRUE(scene.warnings.empty()) << name;
        EXPECT_FALSE(scene.title.empty() || scene.about.empty()) << name;
        for (const char* unnamed : {"the paper", "The paper", "the notes", "the table", "onstant head"})
            EXPECT_EQ(scene.about.find(unnamed), scene.about.npos) << name << " does not stand alone";
        EXPECT_TRUE(scene.bundled);
    }
}

TEST(Scene, WhatIsWrittenReadsBackTheSame) {
    for (const auto& name : bundled_scenes()) {
        const Scene scene = open_scene(name);
        const Scene again = parse_scene(scene_text(scene), "again", {});
        EXPECT_EQ(again.experiment, scene.experiment) << name;
        EXPECT_EQ(again.view, scene.view);
        EXPECT_EQ(scene_text(again), scene_text(scene));
    }
}

TEST(Scene, FieldsOfAReplacedChoiceInsideAnotherAreNotKept) {
    Scene scene = parse_scene(
        R"({"schema": 1, "experiment": {"head_dim": 32, "construction": {"id": "model_head", "source": "trained",
        "recipe": {"encoding": {"id": "p_rope", "p": 0.25}, "mine": 1}}}})",
        "scene", {});
    EXPECT_EQ(scene.warnings.size(), 1u);
    apply_setting(scene.experiment, "construction.recipe.encoding=rope", {});
    const Scene again = parse_scene(scene_text(scene), "again", {});
    ASSERT_EQ(again.warnings.size(), 1u);
    EXPECT_NE(again.warnings[0].find("recipe/mine"), std::string::npos) << again.warnings[0];
    EXPECT_EQ(again.experiment, scene.experiment);
}

TEST(Scene, WhatItIsComparedWithIsPartOfIt) {
    Scene scene = parse_scene(R"({"schema": 1, "experiment": {"seq_len": 64},
        "compared_with": {"seq_len": 128, "encoding": {"id": "nope"}}})",
                              "scene", {});
    EXPECT_TRUE(scene.warnings.empty());
    EXPECT_EQ(scene.reference, (Experiment{.seq_len = 128, .encoding = NoPE{}}));
    EXPECT_EQ(parse_scene(scene_text(scene), "scene", {}, {"seq_len=32"}).reference, scene.reference)
        << "settings are of the experiment";
    scene.document["compared_with"]["mine"] = 1;
    EXPECT_NE(scene_text(scene).find("mine"), std::string::npos) << "what is unknown there is kept, too";
    scene.reference.reset();
    EXPECT_EQ(parse_scene(scene_text(scene), "scene", {}).reference, std::nullopt);
    try {
        parse_scene(R"({"schema": 1, "compared_with": {"head_dim": 7}})", "scene", {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("compared_with"), std::string::npos) << error.what();
    }
}

TEST(Scene, TextsAreFieldsAsNumbersAre) {
    const std::string text = "it's \"late\", said the 猫\n";
    Scene scene;
    scene.experiment.construction = Text{.text = text};
    EXPECT_EQ(parse_scene(scene_text(scene), "scene", {}).experiment, scene.experiment);
    apply_setting(scene.experiment, "construction.text=a = b, c", {});
    EXPECT_EQ(get<Text>(scene.experiment.construction).text, "a = b, c");
    EXPECT_THROW(apply_setting(scene.experiment, "construction.text=\xFF", {}), InputError);
    int texts = 0;
    for (const auto& field : describe_fields(Experiment{}))
        texts += field["path"] == "construction.text" && field["type"] == "text";
    EXPECT_GT(texts, 0);
    EXPECT_THROW(
        parse_scene(R"({"schema": 1, "experiment": {"construction": {"id": "text", "text": 5}}})", "scene", {}),
        InputError);
}

TEST(Scene, UnknownKeysAreWrittenOnlyIfTheyCanBeReadAgain) {
    constexpr int depth = 61;
    const auto scene_with = [](int numbers) {
        return parse_scene(R"({"schema": 1, "unknown": )" + std::string(depth, '[') +
                               fmt::format("{}", fmt::join(std::vector<int>(static_cast<std::size_t>(numbers)), ",")) +
                               std::string(depth, ']') + "}",
                           "test", {});
    };
    const std::string text = scene_text(scene_with(190'000));  // indented, it would be too large
    EXPECT_NO_THROW(require_readable(text));
    EXPECT_EQ(scene_text(parse_scene(text, "again", {})), text);
    EXPECT_THROW(require_readable(scene_text(scene_with(199'860))), InputError);
}

TEST(Scene, UnknownKeysSurviveButOtherAlternativesFieldsDoNot) {
    Scene scene = parse_scene(
        R"({"schema": 1, "mood": "calm", "experiment": {"spin": [1], "encoding": {"id": "yarn", "factor": 4, "extra": 1}}})",
        "scene", {});
    EXPECT_EQ(scene.warnings.size(), 3u);
    auto saved = nlohmann::json::parse(scene_text(scene));
    EXPECT_EQ(saved["mood"], "calm");
    EXPECT_EQ(saved["experiment"]["spin"], nlohmann::json::array({1}));
    EXPECT_EQ(saved["experiment"]["encoding"]["extra"], 1);
    const Scene usual =
        parse_scene(R"({"schema": 1, "experiment": {"encoding": {"base": 100, "extra": 1}}})", "scene", {});
    EXPECT_EQ(nlohmann::json::parse(scene_text(usual))["experiment"]["encoding"]["extra"], 1) << "no id: the usual one";
    scene.experiment.encoding = Rope{};
    saved = nlohmann::json::parse(scene_text(scene));
    EXPECT_FALSE(saved["experiment"]["encoding"].contains("factor"));
    EXPECT_FALSE(saved["experiment"]["encoding"].contains("extra"));
}

TEST(Scene, FilesStayInsideItsFolderUnlessTheCommandLineNamesThem) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {2, 4};
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values)));
    std::filesystem::create_directory(folder.file("inner"));
    const auto text = [](const std::string& q) {
        return R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 2, "pairing": "interleaved", "construction": {"id": "arrays", "q": ")" +
               q + R"(", "k": "q.npy"}}})";
    };
    EXPECT_NO_THROW(parse_scene(text("q.npy"), "s", {.folder = folder.path()}));
    EXPECT_THROW(parse_scene(text("../q.npy"), "s", {.folder = folder.file("inner")}), InputError);
    EXPECT_THROW(parse_scene(text(folder.file("q.npy")), "s", {.folder = folder.path()}), InputError);
    std::filesystem::create_symlink(folder.file("q.npy"), folder.file("inner/link.npy"));
    EXPECT_THROW(parse_scene(text("link.npy"), "s", {.folder = folder.file("inner")}), InputError);
}

TEST(Scene, WhatIsWrongWithItsFilesIsSaidWithItsPlace) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {2, 4};
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values)));
    atomic_write(folder.file("text.npy"), "text");
    const auto refusal = [&](const std::string& k, const std::string& pairing) -> std::string {
        try {
            parse_scene(R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 2, )" + pairing +
                            R"("construction": {"id": "arrays", "q": "q.npy", "k": ")" + k + R"("}}})",
                        "s.json", {.folder = folder.path()});
        } catch (const Error& error) {
            return fmt::format("{}: {}", static_cast<int>(error.code()), error.what());
        }
        return "accepted";
    };
    const std::string pairing = R"("pairing": "interleaved", )";
    EXPECT_EQ(refusal("q.npy", pairing), "accepted");
    using testing::AllOf, testing::HasSubstr, testing::StartsWith;
    const std::string place = "s.json: /experiment/construction/k: ";
    EXPECT_THAT(refusal("../k.npy", pairing),
                AllOf(StartsWith("3: " + place), HasSubstr("outside the scene's folder")));
    EXPECT_THAT(refusal("missing.npy", pairing), AllOf(StartsWith("4: " + place), HasSubstr("no such file")));
    EXPECT_THAT(refusal("text.npy", pairing), AllOf(StartsWith("3: " + place), HasSubstr("text.npy")));
    EXPECT_THAT(refusal("q.npy", ""), StartsWith("3: s.json: /experiment: pairing is missing"));
}

TEST(Scene, ALengthThatNoIntegerHoldsIsToldTheLimits) {
    for (const char* length : {"99999999999999999999", "3000000000"}) {
        const std::string text = fmt::format(R"({{"schema": 1, "experiment": {{"seq_len": {}}}}})", length);
        EXPECT_THAT([&] { parse_scene(text, "s.json", {}); },
                    testing::ThrowsMessage<InputError>(
                        testing::StartsWith("s.json: /experiment/seq_len: must be a whole number from 1 to 1048576")));
    }
}

TEST(Scene, ArraysOfEqualContentAreEqualExperiments) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {2, 4};
    const double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {1, 2, 3, 4, 5, 6, 7, 9};
    const auto opened = [&](const double* values) {
        atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values, 8)));
        return parse_scene(
                   R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 2, "pairing": "interleaved", "construction": {"id": "arrays", "q": "q.npy", "k": "q.npy"}}})",
                   "s", {.folder = folder.path()})
            .experiment;
    };
    const Experiment first = opened(a), same = opened(a), other = opened(b);
    EXPECT_EQ(first, same);
    EXPECT_FALSE(first == other);
    EXPECT_NE(hash_fields(first), hash_fields(other));
}

/// A weight of a bundled scene, by the oracle.
double weight(const std::string& name, int query, int key) {
    const Scene scene = open_scene(name);
    return make_reference_backend()
        ->attend(make_problem(scene.experiment), Viewport::one_to_one({query, query + 1}, {key, key + 1}), {})
        .weights.mean[0];
}

TEST(Scene, NumbersOfTheSources) {
    EXPECT_NEAR(weight("wendler-exp1-alpha1", 19, 18), 0.58665, 5e-6);
    EXPECT_NEAR(weight("wendler-exp1-alpha10", 19, 18), 0.99996, 5e-6);
    EXPECT_NEAR(weight("wendler-exp1-alpha100", 19, 18), 1, 1e-15);
    EXPECT_GE(weight("barbero-thm53-diagonal", 1023, 1023), 0.99);
    EXPECT_GE(weight("barbero-thm53-previous", 1023, 1022), 0.99);
    EXPECT_GT(weight("barbero-prop31", 200, 136), 0.5);
}

TEST(Settings, AreWrittenInOneLineAndReadBack) {
    const Settings settings{"encoding.base=500000", "construction.text=the cat's tail | and 'more'", "title="};
    EXPECT_EQ(in_one_line(settings), "encoding.base=500000 construction.text='the cat''s tail | and ''more''' title=");
    EXPECT_EQ(settings_in(in_one_line(settings)), settings);
    EXPECT_EQ(settings_in("  a=1   b='' "), (Settings{"a=1", "b="}));
    EXPECT_EQ(settings_in("a=1\tb=2\nconstruction.text=cat's"), (Settings{"a=1", "b=2", "construction.text=cat's"}));
    EXPECT_EQ(parts_outside_quotes(" a=1 b='x|y' | | c=2", '|'), (std::vector<std::string>{"a=1 b='x|y'", "c=2"}));
    EXPECT_EQ(parts_outside_quotes("\n\t a=1\r\n|\t|b= 2 ", '|'), (std::vector<std::string>{"a=1", "b= 2"}));
}

TEST(Settings, BetweenTwoExperimentsLeadFromOneToTheOther) {
    for (const std::string& name : bundled_scenes()) {
        const Experiment wanted = open_scene(name).experiment;
        const Settings settings = settings_between({}, wanted);
        Experiment experiment;
        const FileAccess anywhere{.folder = "", .reach = FileAccess::Reach::anywhere};
        for (const std::string& setting : settings_in(in_one_line(settings)))
            apply_setting(experiment, setting, anywhere);
        EXPECT_EQ(experiment, wanted) << name << ": " << in_one_line(settings);
    }
}

/// A file in the working directory is not the one next to the scene.
TEST(Scene, SettingsAloneReadNoFiles) {
    const TemporaryFolder folder;
    const std::vector<double> rows(std::size_t{4} * 2, 0.5);
    for (const char* name : {"q.npy", "k.npy"})
        atomic_write(folder.file(name), npy_bytes(std::vector<std::int64_t>{4, 2}, std::span(rows)));
    atomic_write(folder.file("s.json"), R"({"schema": 1, "experiment": {"head_dim": 2, "seq_len": 4,
        "pairing": "interleaved", "construction": {"id": "arrays", "q": "q.npy", "k": "k.npy"}}})");
    const Experiment read = open_scene(folder.file("s.json")).experiment;
    EXPECT_EQ(changed(read, "construction.q=q.npy construction.k=k.npy temperature=1"), read) << "known files stay";
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    EXPECT_THROW(changed(read, "construction.q=k.npy"), InputError);
    EXPECT_THROW(changed({}, in_one_line(settings_between({}, read))), InputError);
    std::filesystem::current_path(before);
}

TEST(Scene, TitlesHaveALimit) {
    const auto with_title = [](std::size_t letters) {
        return R"({"schema": 1, "title": ")" + std::string(letters, 'x') + "\"}";
    };
    EXPECT_EQ(parse_scene(with_title(4096), "s", {}).title.size(), 4096u);
    EXPECT_THAT([&] { parse_scene(with_title(4097), "s", {}); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("title has 4097 bytes")));
}

}  // namespace
}  // namespace ropewalk
