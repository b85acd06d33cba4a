// A session as text: what of it the next run restores.
#include "app/window/session/session_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "app/figures/figure_list.h"
#include "app/figures/parts/text/caption.h"
#include "app/window/session/session.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using namespace std::string_literals;

class SessionTextTest : public testing::Test {
  protected:
    /// Restores the session in the next run.
    void take_over() {
        const std::string left = session_as_text(before_.document);
        recover(after_.document, after_.notices, left);
    }
    TemporaryFolder folder_;
    Session before_{open_scene("barbero-prop31"), {}}, after_{open_scene("barbero-fig1"), {}};
};

TEST_F(SessionTextTest, ABundledSceneAsItIsStaysTheBundledOne) {
    before_.files.open_bundled("million");
    EXPECT_TRUE(before_.document.can_undo()) << "otherwise it would not be saved";
    take_over();
    EXPECT_EQ(after_.document.experiment(), open_scene("million").experiment);
    EXPECT_EQ(after_.document.scene().title, before_.document.scene().title);
    EXPECT_TRUE(after_.document.scene().bundled);
    EXPECT_FALSE(after_.document.has_unsaved_changes());
}

TEST_F(SessionTextTest, AFileIsStillTheOneThatIsSavedTo) {
    const std::string file = folder_.file("mine.json");
    ASSERT_TRUE(before_.files.save(file));
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    take_over();
    EXPECT_EQ(after_.document.experiment().temperature, 2);
    EXPECT_EQ(after_.document.scene().path, file);
    EXPECT_FALSE(after_.document.scene().bundled);
    EXPECT_TRUE(after_.document.has_unsaved_changes());
    ASSERT_TRUE(after_.files.save(file));
    EXPECT_EQ(open_scene(file).experiment.temperature, 2);
    EXPECT_EQ(read_file(file, 1 << 20).find(folder_.path()), std::string::npos)
        << "the file does not contain absolute paths";
}

TEST_F(SessionTextTest, AFileThatChangesBeforeTheNextRunIsNoticed) {
    const std::string file = folder_.file("mine.json");
    ASSERT_TRUE(before_.files.save(file));
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    take_over();
    EXPECT_FALSE(after_.files.is_changed_elsewhere());
    atomic_write(file, read_file(file, 1 << 20) + "\n");
    take_over();
    EXPECT_TRUE(after_.files.is_changed_elsewhere());
}

TEST_F(SessionTextTest, ItsStepsAreRestored) {
    const auto visit_all_steps = [](Session& session) {  // back to the first step and forward to the last
        std::vector<std::string> seen;
        const auto note = [&] {
            seen.push_back(session.document.scene().title + to_json(session.document.experiment()).dump() +
                           json_of(session.document.view).dump() + (session.document.reference() ? "compared" : ""));
        };
        const std::size_t here = session.document.step();
        while (session.document.can_undo()) session.document.undo(), note();
        while (session.document.can_redo()) session.document.redo(), note();
        session.document.go_to_step(here);
        return seen;
    };
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    before_.document.set_reference();
    before_.document.rearrange("exchange", [](Arrangement& arrangement) { arrangement.exchange(0, 1); });
    before_.files.open_bundled("wendler-exp1-alpha10");
    Figure drawn = before_.document.view.figures[0];
    get<AttentionFigure>(drawn).quantity = Quantity::logits;
    const Figure plain = std::exchange(before_.document.view.figures[0], drawn);
    before_.document.set_options(0, plain, Gesture::complete);
    before_.document.edit(changed(before_.document.experiment(), "construction.alpha=3"), Gesture::complete);
    before_.document.edit(changed(before_.document.experiment(), "encoding=yarn"), Gesture::complete);
    before_.document.undo();
    take_over();
    EXPECT_EQ(after_.document.steps(), before_.document.steps());
    EXPECT_EQ(after_.document.step(), before_.document.step());
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    EXPECT_EQ(visit_all_steps(after_), visit_all_steps(before_));
    EXPECT_EQ(session_as_text(after_.document), session_as_text(before_.document)) << "it would be saved identically";
}

TEST_F(SessionTextTest, AHeadThatCannotBeComputedIsRestoredAsItWasLeft) {
    Document &before = before_.document, &after = after_.document;
    const auto leave = [&](auto Experiment::*part, const char* id) {
        Experiment other = before.experiment();
        choose(other.*part, id);
        before.edit(other, Gesture::complete);
        EXPECT_NE(before.fault(), "") << id;
        take_over();
        EXPECT_EQ(after.experiment(), before.experiment()) << id;
        EXPECT_EQ(after.fault(), before.fault());
        EXPECT_EQ(after.steps(), before.steps()) << id;
    };
    before.edit(changed(before.experiment(), "temperature=2"), Gesture::complete);
    leave(&Experiment::construction, "arrays");
    before.undo();
    leave(&Experiment::construction, "model_head");
    before.undo();
    before.edit(changed(before.experiment(), "seq_len=8192"), Gesture::complete);
    leave(&Experiment::encoding, "random_rope");  // its positions are drawn from 1 … 4096
    leave(&Experiment::construction, "arrays");
    before_.files.open_bundled("million");  // the scene before it is among the steps
    take_over();
    EXPECT_EQ(after.steps(), before.steps());
    after.undo();
    EXPECT_NE(after.fault(), "");
    while (!after.fault().empty()) after.undo();
    EXPECT_EQ(after.experiment().temperature, 2);
}

TEST_F(SessionTextTest, AZoomToNothingIsDropped) {
    DecayFigure zoomed;
    zoomed.x_range = {1, 1};
    before_.document.view.figures[0] = zoomed;
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    take_over();
    EXPECT_EQ(after_.document.experiment().temperature, 2);
    EXPECT_EQ(after_.document.view.figures[0], Figure(DecayFigure{}));
}

TEST_F(SessionTextTest, LongStepsAreFewer) {
    std::vector<double> positions(3000);
    std::iota(positions.begin(), positions.end(), 1e8);
    Experiment head = changed(before_.document.experiment(), "encoding=random_rope seq_len=3000");
    for (int step = 0; step < 60; ++step) {
        positions.front() = step;
        get<RandomRope>(head.encoding).positions = positions;
        before_.document.edit(head, Gesture::complete);
    }
    for (int i = 0; i < 20; ++i) before_.document.undo();
    EXPECT_LT(session_as_text(before_.document).size(), 3u << 20);
    take_over();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    EXPECT_THAT(after_.document.steps().size(), testing::AllOf(testing::Gt(20u), testing::Lt(50u)));
    for (Session* session : {&before_, &after_}) session->document.undo();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    for (int i = 0; i < 2; ++i)
        for (Session* session : {&before_, &after_}) session->document.redo();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
}

TEST_F(SessionTextTest, AFolderWhoseNameIsNotUtf8CostsItsFilesAlone) {
    const std::filesystem::path folder = folder_.file("caf\xe9");
    std::filesystem::create_directory(folder);
    const std::vector<std::int64_t> shape{2, 4};
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    atomic_write((folder / "q.npy").string(), npy_bytes(shape, numbers));
    atomic_write((folder / "scene.json").string(),
                 R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 2, "pairing": "half_split", "scale": "none",
                     "construction": {"id": "arrays", "q": "q.npy", "k": "q.npy"}}})");
    ASSERT_TRUE(before_.files.open({(folder / "scene.json").string()}));
    before_.document.edit(changed(before_.document.experiment(), "construction=gaussian"), Gesture::complete);
    take_over();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
}

TEST_F(SessionTextTest, AHeadWhoseFilesNoLongerExistIsRestoredWithItsSteps) {
    const std::vector<std::int64_t> shape{2, 4};
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    const std::string arrays = folder_.file("q.npy");
    atomic_write(arrays, npy_bytes(shape, numbers));
    ASSERT_TRUE(before_.files.open({arrays}));
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    std::filesystem::remove(arrays);
    take_over();
    EXPECT_EQ(after_.document.steps(), before_.document.steps());
    EXPECT_EQ(after_.document.experiment().temperature, 2);
    EXPECT_THAT(after_.document.fault(), testing::HasSubstr(arrays));
    EXPECT_EQ(session_as_text(after_.document), session_as_text(before_.document)) << "the next run finds them again";
    after_.document.go_to_step(0);
    EXPECT_EQ(after_.document.experiment(), open_scene("barbero-prop31").experiment);
}

TEST_F(SessionTextTest, ItsTitleAndCaptionNeedNoFiles) {
    const std::vector<std::int64_t> shape{2, 4};
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    const std::string arrays = folder_.file("q.npy");
    atomic_write(arrays, npy_bytes(shape, numbers));
    ASSERT_TRUE(before_.files.open({arrays}));
    before_.document.set_reference();
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    const std::string left = session_as_text(before_.document);
    const std::pair expected{before_.document.scene().title, caption(before_.document.experiment())};
    EXPECT_THAT(expected.second, testing::HasSubstr("Arrays from files"));
    EXPECT_EQ(title_and_caption_of_session(left), expected);
    std::filesystem::remove(arrays);
    EXPECT_EQ(title_and_caption_of_session(left), expected);
    const std::string title = R"({"schema": 1, "title": "Mine", )";
    EXPECT_EQ(title_and_caption_of_session(title + R"("experiment": {"seq_len": 0}})"), std::pair("Mine"s, ""s));
    EXPECT_EQ(title_and_caption_of_session(title + R"("experiment": 3})"), std::pair("Mine"s, ""s));
    EXPECT_EQ(title_and_caption_of_session("[]"), std::pair(""s, ""s));
}

TEST_F(SessionTextTest, AFileIsNotReplacedByOneThatCannotBeOpened) {
    const std::vector<std::int64_t> shape{2, 4};
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    const std::string file = folder_.file("mine.json"), arrays = folder_.file("q.npy");
    ASSERT_TRUE(before_.files.save(file));
    const Experiment saved = before_.document.experiment();
    const auto refuses = [&](const std::string& why) {
        EXPECT_FALSE(before_.files.save(file));
        EXPECT_THAT(before_.notices.current().sentence, testing::HasSubstr(why));
        EXPECT_EQ(open_scene(file).experiment, saved);
        EXPECT_TRUE(before_.document.has_unsaved_changes());
    };
    Experiment faulty = saved;
    choose(faulty.construction, "arrays");
    before_.document.edit(faulty, Gesture::complete);
    refuses("Queries names no file");
    before_.document.undo();
    atomic_write(arrays, npy_bytes(shape, numbers));
    ASSERT_TRUE(before_.files.open({arrays}));
    std::filesystem::remove(arrays);
    refuses(arrays + " no longer exists");
    atomic_write(arrays, npy_bytes(shape, numbers));
    EXPECT_TRUE(before_.files.save(file));
}

TEST_F(SessionTextTest, UnknownKeysThatAreTooManyAreOmitted) {
    Scene scene = open_scene("million");
    scene.document["unknown"] = std::vector<int>(199'990);
    before_.document.open(scene);
    EXPECT_EQ(session_as_text(before_.document).find("unknown"), std::string::npos);
    take_over();
    EXPECT_EQ(after_.document.experiment(), scene.experiment);
    EXPECT_EQ(after_.document.scene().path, scene.path);
    before_.files.open_bundled("p-rope");  // the scene before it is among the steps
    take_over();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
}

TEST_F(SessionTextTest, ALargeEarlierSceneCostsItsStepsAlone) {
    Scene large = open_scene("million");
    large.document["unknown"] = std::string(9 << 20, '"');
    before_.document.open(large);
    before_.files.open_bundled("p-rope");
    for (const char* setting : {"temperature=2", "temperature=3", "temperature=4"})
        before_.document.edit(changed(before_.document.experiment(), setting), Gesture::complete);
    before_.document.undo();
    before_.document.undo();
    EXPECT_LT(session_as_text(before_.document).size(), std::size_t{1} << 20);
    take_over();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    EXPECT_EQ(after_.document.step(), 1u) << "of those of its own scene";
    after_.document.redo();
    after_.document.redo();
    EXPECT_EQ(after_.document.experiment().temperature, 4);
}

TEST_F(SessionTextTest, OnlyTheLastStepsAreSaved) {
    for (int i = 1; i <= 300; ++i)
        before_.document.edit(changed(before_.document.experiment(), fmt::format("temperature={}", i)),
                              Gesture::complete);
    take_over();
    EXPECT_EQ(after_.document.step(), 100u);
    EXPECT_LT(session_as_text(before_.document).size(), 60'000u) << "a step contains only its changes";
    for (int i = 300; i > 200; --i) {
        EXPECT_EQ(after_.document.experiment().temperature, i);
        after_.document.undo();
    }
    EXPECT_FALSE(after_.document.can_undo());
}

TEST_F(SessionTextTest, ACursorOnTheLastRowStaysThereOverUndoAndRedo) {
    before_.document.edit(changed(before_.document.experiment(), "seq_len=64"), Gesture::complete);
    before_.document.view.cursor = {.query = 63, .key = 10};
    before_.document.edit(changed(before_.document.experiment(), "seq_len=512"), Gesture::complete);
    EXPECT_EQ(before_.document.view.cursor.query, 511);
    before_.document.undo();
    EXPECT_EQ(before_.document.view.cursor.query, 63);
    before_.document.redo();
    EXPECT_EQ(before_.document.view.cursor.query, 511);
}

TEST_F(SessionTextTest, FewerLongStepsAreSaved) {
    Experiment drawn = changed(before_.document.experiment(), "construction=bands");
    drawn.head_dim = 1024;
    for (int i = 1; i <= 220; ++i) {
        auto& bands = get<Bands>(drawn.construction);
        bands.amplitudes.assign(512, 1 + i / 7.0);
        bands.phases.assign(512, i / 300.0);
        before_.document.edit(drawn, Gesture::complete);
    }
    EXPECT_LT(session_as_text(before_.document).size(), std::size_t{2} << 20);
    take_over();
    EXPECT_EQ(after_.document.experiment(), drawn);
    EXPECT_GE(after_.document.step(), 10u);
    EXPECT_LT(after_.document.step(), 100u);
    after_.document.undo();
    EXPECT_EQ(get<Bands>(after_.document.experiment().construction).amplitudes[3], 1 + 219 / 7.0);
}

TEST_F(SessionTextTest, UnreadableStepsAreOmitted) {
    before_.document.edit(changed(before_.document.experiment(), "temperature=2"), Gesture::complete);
    const auto whole = nlohmann::json::parse(session_as_text(before_.document));
    const auto steps = nlohmann::json::parse(whole["steps"].get<std::string>());
    const auto wrong = [&](const char* pointer, const nlohmann::json& value) {
        auto document = whole;
        auto wrong_steps = steps;
        wrong_steps[nlohmann::json::json_pointer(pointer)] = value;
        document["steps"] = wrong_steps.is_object() ? nlohmann::json(wrong_steps.dump()) : wrong_steps;
        Session later(open_scene("barbero-fig1"), {});
        recover(later.document, later.notices, document.dump());
        EXPECT_EQ(later.document.experiment(), before_.document.experiment())
            << pointer << ": the scene is not lost with them";
        EXPECT_NE(later.notices.current().sentence.find("without its undo steps"), std::string::npos) << pointer;
        EXPECT_EQ(later.document.step(), 1u) << pointer;
        later.document.undo();
        EXPECT_EQ(later.document.experiment(), open_scene("barbero-fig1").experiment) << pointer;
    };
    wrong("", "nothing");
    wrong("", nlohmann::json::array());
    wrong("/at", 7);
    wrong("/at", 0);
    wrong("/steps", nlohmann::json::array());
    wrong("/steps/0/scene", 3);
    wrong("/steps/0/name", 3);
    wrong("/steps/0/experiment/temperature", "hot");
    wrong("/steps/0/drawing", {{"panel", 0}});
    wrong("/scenes/1", 5);
    for (const char* foreign : {"", "[]", "{",
                                "\x7f"
                                "ELF",
                                "{\"steps\": {}}"}) {
        Session later(open_scene("barbero-fig1"), {});
        recover(later.document, later.notices, foreign);
        EXPECT_EQ(later.document.experiment(), open_scene("barbero-fig1").experiment) << foreign;
        EXPECT_EQ(later.notices.current().kind, Notice::Kind::error) << foreign;
    }
}

TEST_F(SessionTextTest, AnUnreadableSessionStaysAndTheNoticeNamesIt) {
    Recovery recovery(folder_.path());
    const auto take_over = [&](const std::string& text) {
        const auto left = recovery.take(recovery.set_aside(text));
        ASSERT_TRUE(left);
        recover(after_.document, after_.notices, recovery, *left);
    };
    take_over("{");
    EXPECT_EQ(after_.document.experiment(), open_scene("barbero-fig1").experiment);
    EXPECT_EQ(after_.notices.current().kind, Notice::Kind::error);
    ASSERT_EQ(folder_.names().size(), 1u);
    EXPECT_THAT(after_.notices.current().sentence, testing::HasSubstr(folder_.names().front()));
    EXPECT_EQ(read_file(folder_.file(folder_.names().front()), 100), "{");
    take_over(session_as_text(before_.document));
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    recovery.forget();
    EXPECT_EQ(folder_.names().size(), 1u) << "it was opened";
}

TEST_F(SessionTextTest, TheReferenceIsRestored) {
    before_.document.set_reference();
    const Experiment saved = before_.document.experiment();
    before_.document.edit(changed(saved, "temperature=2"), Gesture::complete);
    take_over();
    EXPECT_EQ(after_.document.experiment().temperature, 2);
    ASSERT_NE(after_.document.reference(), nullptr);
    EXPECT_EQ(*after_.document.reference(), saved);
    const std::string file = folder_.file("mine.json");
    ASSERT_TRUE(after_.files.save(file));
    EXPECT_EQ(open_scene(file).reference, saved);
    Session later(open_scene(file), {});
    ASSERT_NE(later.document.reference(), nullptr);
    EXPECT_EQ(*later.document.reference(), saved);
    later.document.clear_reference();
    ASSERT_TRUE(later.files.save(file));
    EXPECT_EQ(open_scene(file).reference, std::nullopt);
    ASSERT_TRUE(after_.files.open_bundled("p-rope"));
    EXPECT_NE(after_.document.reference(), nullptr) << "it was set by the user, and stays beside another scene";
}

TEST_F(SessionTextTest, AReferenceFindsItsFilesOrIsOmitted) {
    const auto write = [&](const std::string& folder) {
        std::filesystem::create_directory(folder);
        const std::vector<std::int64_t> shape{2, 4};
        const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
        atomic_write(folder + "/q.npy", npy_bytes(shape, numbers));
        before_.files.open({folder + "/q.npy"});
        before_.files.save(folder + "/scene.json");
        before_.files.open({folder + "/scene.json"});
    };
    write(folder_.file("here"));
    before_.document.set_reference();
    const Experiment saved = before_.document.experiment();
    before_.files.open_bundled("million");
    const std::string left = session_as_text(before_.document);
    recover(after_.document, after_.notices, left);
    ASSERT_NE(after_.document.reference(), nullptr);
    const auto arrays = [](const Experiment& experiment) {
        return arrays_of(experiment.construction)->q.content->hash();
    };
    EXPECT_EQ(arrays(*after_.document.reference()), arrays(saved));

    std::filesystem::remove(folder_.file("here/q.npy"));
    Session later(open_scene("barbero-fig1"), {});
    recover(later.document, later.notices, left);
    EXPECT_EQ(later.document.reference(), nullptr);
    EXPECT_NE(later.notices.current().sentence.find("without its reference"), std::string::npos);
    EXPECT_EQ(later.document.experiment(), open_scene("million").experiment) << "the scene is not lost with it";
}

TEST_F(SessionTextTest, ASceneWithoutItsFileIsUnsaved) {
    const std::string file = folder_.file("mine.json");
    ASSERT_TRUE(before_.files.save(file));
    std::filesystem::remove(file);
    take_over();
    EXPECT_EQ(after_.document.experiment(), before_.document.experiment());
    EXPECT_EQ(after_.document.scene().path, "");
    EXPECT_TRUE(after_.document.has_unsaved_changes());
}

}  // namespace
}  // namespace ropewalk
