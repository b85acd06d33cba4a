// Recovery of the session of a killed process.
#include "app/window/session/recovery.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "app/figures/figure_list.h"
#include "app/window/session/late_session.h"
#include "app/window/session/session.h"
#include "app/window/session/session_text.h"
#include "core/constructions/construction_list.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/numbers/numbers.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

/// Saves a text in a separate process, which is then killed.
void save_and_die(const TemporaryFolder& folder, const char* text) {
    const pid_t child = ::fork();
    if (child == 0) {
        {
            Recovery recovery(folder.path());
            recovery.save(text);
        }
        ::kill(::getpid(), SIGKILL);
    }
    siginfo_t end{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);  // it remains as a zombie
    ASSERT_EQ(end.si_code, CLD_KILLED);
}

TEST(Recovery, ReturnsWhatAKilledProcessSaved) {
    const TemporaryFolder folder;
    save_and_die(folder, "first");
    Recovery recovery(folder.path());
    const auto left = recovery.take_recovered();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->text, "first");
    EXPECT_FALSE(recovery.take_recovered()) << "it is returned once";
    recovery.accept(*left);
    EXPECT_EQ(read_file(left->file.string(), 100), "first") << "until another file contains it";
    recovery.save("first, opened");
    recovery.wait();
    EXPECT_TRUE(std::filesystem::exists(left->file));
    EXPECT_EQ(recovery.patience(), infinity);
    EXPECT_FALSE(std::filesystem::exists(left->file));
    recovery.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(Recovery, AnAcceptedSessionIsForgottenWithThatOfThisProcess) {
    const TemporaryFolder folder;
    save_and_die(folder, "first");
    Recovery recovery(folder.path());
    recovery.accept(recovery.take_recovered().value());
    recovery.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(Recovery, ASessionWhoseOpeningEndsTheProgramIsOnlyOffered) {
    const TemporaryFolder folder;
    save_and_die(folder, "fatal");
    {
        Recovery dying(folder.path());
        const auto left = dying.take_recovered();
        ASSERT_TRUE(left);
        EXPECT_TRUE(Recovery(folder.path()).recoverable().empty()) << "it is being opened";
    }
    Recovery recovery(folder.path());
    EXPECT_FALSE(recovery.take_recovered());
    ASSERT_EQ(recovery.recoverable().size(), 1u);
    const auto chosen = recovery.take(recovery.recoverable().front().path);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->text, "fatal");
}

TEST(Recovery, StartsAtTheSameTimeTakeDifferentSessions) {
    const TemporaryFolder folder;
    for (const char* text : {"one", "two"}) save_and_die(folder, text);
    Recovery first(folder.path()), second(folder.path());
    const auto one = first.take_recovered(), another = second.take_recovered();
    ASSERT_TRUE(one && another);
    EXPECT_NE(one->file, another->file);
    EXPECT_NE(read_file(one->file.string(), 100), read_file(another->file.string(), 100));
}

TEST(Recovery, CountsTheOthersAndReturnsAnyOfThem) {
    const TemporaryFolder folder;
    for (const char* text : {"first", "second", "third"}) save_and_die(folder, text), ::usleep(20'000);
    Recovery recovery(folder.path());
    ASSERT_TRUE(recovery.save("mine"));
    const auto newest = recovery.take_recovered();
    ASSERT_TRUE(newest);
    EXPECT_EQ(newest->text, "third");
    EXPECT_EQ(newest->others, 2u) << "this process's session is not recoverable";
    const auto others = recovery.recoverable();
    ASSERT_EQ(others.size(), 2u);
    EXPECT_EQ(others[0].when.size(), std::string("2026-11-25 14:03").size());
    const auto oldest = recovery.take(others[1].path);
    ASSERT_TRUE(oldest);
    EXPECT_EQ(oldest->text, "first");
    EXPECT_FALSE(recovery.take("/proc/none/such"));
    recovery.set_aside("set aside");
    ASSERT_EQ(recovery.recoverable().size(), 2u);
    EXPECT_EQ(recovery.take(recovery.recoverable()[0].path)->text, "set aside");
    EXPECT_EQ(recovery.take(recovery.recoverable()[0].path)->text, "second");
    EXPECT_TRUE(recovery.recoverable().empty());
}

TEST(Recovery, WhatCannotBeReadIsNeverLost) {
    const TemporaryFolder folder;
    std::vector<std::string> saved;
    for (const char* text : {"not a scene", "nor this"}) {
        save_and_die(folder, text);
        Recovery recovery(folder.path());
        const auto left = recovery.take_recovered();
        ASSERT_TRUE(left);
        saved.push_back(recovery.reject(*left).string());
        EXPECT_TRUE(recovery.recoverable().empty());
        ASSERT_TRUE(recovery.save("another session"));
        recovery.forget();
    }
    EXPECT_EQ(read_file(saved[0], 100), "not a scene");
    EXPECT_EQ(read_file(saved[1], 100), "nor this");
    save_and_die(folder, std::string((16 << 20) + 1, ' ').c_str());  // above the limit for reading
    const auto large = Recovery(folder.path()).take_recovered();
    ASSERT_TRUE(large);
    EXPECT_EQ(large->text, "");
    EXPECT_EQ(std::filesystem::file_size(large->file), (16u << 20) + 1);
}

TEST(Recovery, DoesNotTouchTheSessionOfARunningProcess) {
    const TemporaryFolder folder;
    Recovery own(folder.path());
    EXPECT_FALSE(Recovery(folder.path()).has_others());
    ASSERT_TRUE(own.save("mine"));
    own.wait();
    EXPECT_FALSE(Recovery(folder.path()).take_recovered());
    EXPECT_TRUE(Recovery(folder.path()).has_others());
    EXPECT_FALSE(own.has_others()) << "but its own";
    own.forget();
    EXPECT_TRUE(folder.names().empty());
    own.forget();
}

TEST(Recovery, HoldsItsSessionAlsoAfterTheFolderWasRemoved) {
    const TemporaryFolder folder;
    Recovery own(folder.path());
    own.save("before");
    own.wait();
    std::filesystem::remove_all(folder.path());
    own.save("after");
    own.wait();
    EXPECT_FALSE(Recovery(folder.path()).take_recovered()) << "it is in use";
    own.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(LateSession, IsToldOfOnceItsProcessHasEnded) {
    const TemporaryFolder folder;
    std::optional<Recovery> ending(folder.path());
    ending->save("late");
    ending->wait();
    const Recovery own(folder.path());
    LateSession session(own);
    Notices notices;
    EXPECT_LE(session.look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "");
    ending.reset();
    while (notices.current().sentence.empty()) {
        ASSERT_LE(session.look(notices), 0.5);
        ::usleep(20'000);
    }
    EXPECT_THAT(notices.current().sentence, testing::HasSubstr("can be recovered"));
    EXPECT_EQ(session.look(notices), infinity);
}

TEST(LateSession, ThatWasSetAsideIsNotTold) {
    const TemporaryFolder folder;
    const Recovery own(folder.path());
    own.set_aside("by the user");
    Notices notices;
    EXPECT_EQ(LateSession(own).look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "");
    { Recovery(folder.path()).save("ended before"); }
    LateSession late(own);
    notices.notify("Opened a model");
    EXPECT_EQ(late.look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "Opened a model") << "it is read first";
    notices.dismiss();
    LateSession(own).look(notices);
    EXPECT_THAT(notices.current().sentence, testing::HasSubstr("can be recovered"));
}

/// In containers that share a home every process has the id 1.
TEST(Recovery, ProcessesOfTheSameIdSaveIntoFilesOfTheirOwn) {
    const TemporaryFolder folder;
    {
        Recovery one(folder.path()), another(folder.path());
        for (int round = 0; round < 2; ++round) {
            one.save("one"), another.save("another");
            ::usleep(20'000);
        }
    }
    Recovery recovery(folder.path());
    std::vector<std::string> texts;
    while (const auto left = recovery.take_recovered()) texts.push_back(left->text);
    std::ranges::sort(texts);
    EXPECT_EQ(texts, (std::vector<std::string>{"another", "one"}));
}

TEST(Recovery, LocksWithoutASessionAreRemoved) {
    const TemporaryFolder folder;
    const auto make = [&](const char* name, int seconds_ago) {
        atomic_write(folder.file(name), "");
        std::filesystem::last_write_time(
            folder.file(name), std::filesystem::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
    };
    make("desk-77-1.lock", 10), make("desk-78-1.lock", 0), make("mine.lock", 10);
    Recovery(folder.path()).save("new");
    EXPECT_FALSE(std::filesystem::exists(folder.file("desk-77-1.lock")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("desk-78-1.lock"))) << "its process may be about to take it";
    EXPECT_TRUE(std::filesystem::exists(folder.file("mine.lock")));
}

TEST(Recovery, SavesTheLatestAndNothingUnfinished) {
    const TemporaryFolder folder;
    {
        Recovery recovery(folder.path());
        for (std::size_t i = 0; i < 50; ++i)
            while (!recovery.save(std::string(1000 + i, 'x'))) ::usleep(100);
    }
    const auto names = folder.names();
    const auto saved =
        std::find_if(names.begin(), names.end(), [](const auto& name) { return name.ends_with(".json"); });
    ASSERT_NE(saved, names.end());
    EXPECT_EQ(read_file(folder.file(*saved), 1 << 20), std::string(1049, 'x'));
}

TEST(Recovery, WithoutAFolderNothingIsSaved) {
    Recovery recovery({});
    EXPECT_TRUE(recovery.save("text"));
    EXPECT_THAT(recovery.failure(), testing::HasSubstr("HOME")) << "the user is told";
    EXPECT_FALSE(recovery.take_recovered());
    recovery.forget();
    EXPECT_FALSE(Recovery("/proc/none/such").take_recovered());
}

class RecoverySample : public testing::Test {
  protected:
    /// Restores the session in the next run.
    void take_over() {
        const std::string left = session_as_text(before_.document);
        recover(after_.document, after_.notices, left);
    }
    TemporaryFolder folder_;
    Session before_{open_scene("barbero-prop31"), {}}, after_{open_scene("barbero-fig1"), {}};
};

TEST_F(RecoverySample, ABundledSceneAsItIsStaysTheBundledOne) {
    before_.files.open_bundled("million");
    EXPECT_TRUE(before_.document.can_undo()) << "otherwise it would not be saved";
    take_over();
    EXPECT_EQ(after_.document.experiment(), open_scene("million").experiment);
    EXPECT_EQ(after_.document.scene().title, before_.document.scene().title);
    EXPECT_TRUE(after_.document.scene().bundled);
    EXPECT_FALSE(after_.document.has_unsaved_changes());
}

TEST_F(RecoverySample, AFileIsStillTheOneThatIsSavedTo) {
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

TEST_F(RecoverySample, ItsStepsAreRestored) {
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

TEST_F(RecoverySample, UnknownKeysThatAreTooManyAreOmitted) {
    Scene scene = open_scene("million");
    scene.document["unknown"] = std::vector<int>(199'990);
    before_.document.open(scene);
    take_over();
    EXPECT_EQ(after_.document.experiment(), scene.experiment);
}

TEST_F(RecoverySample, OnlyTheLastStepsAreSaved) {
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

TEST_F(RecoverySample, ACursorOnTheLastRowStaysThereOverUndoAndRedo) {
    before_.document.edit(changed(before_.document.experiment(), "seq_len=64"), Gesture::complete);
    before_.document.view.cursor = {.query = 63, .key = 10};
    before_.document.edit(changed(before_.document.experiment(), "seq_len=512"), Gesture::complete);
    EXPECT_EQ(before_.document.view.cursor.query, 511);
    before_.document.undo();
    EXPECT_EQ(before_.document.view.cursor.query, 63);
    before_.document.redo();
    EXPECT_EQ(before_.document.view.cursor.query, 511);
}

TEST_F(RecoverySample, FewerLongStepsAreSaved) {
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

TEST_F(RecoverySample, UnreadableStepsAreOmitted) {
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

TEST_F(RecoverySample, AnUnreadableSessionStaysAndTheNoticeNamesIt) {
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

TEST_F(RecoverySample, TheReferenceIsRestored) {
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

TEST_F(RecoverySample, AReferenceFindsItsFilesOrIsOmitted) {
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

TEST_F(RecoverySample, ASceneWithoutItsFileIsUnsaved) {
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
