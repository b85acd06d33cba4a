// The system refuses one call, each in turn, or kills the process while something is saved: what was there before stays
// whole, the program says so with the right exit code, and nothing else is left. ROPEWALK_EVERY_FAULT=1 lets every
// allocation fail and fills the disk at every byte, instead of some.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <random>
#include <regex>
#include <string>

#include "app/cli/command_line.h"
#include "app/window/session/document.h"
#include "app/window/session/recovery.h"
#include "app/window/session/scene_files.h"
#include "core/io/files.h"
#include "core/training/training_run.h"
#include "tests/faults/fault.h"
#include "tests/faults/kill.h"
#include "tests/faults/without_memory.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

/// Returns the content of all files below a folder by their names, without the process's id.
Files files_in(const std::string& folder) {
    static const std::regex process("desk-[0-9]+-");
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::regex_replace(fs::relative(entry.path(), folder).string(), process, "desk-")] =
                read_file(entry.path().string(), 1 << 28);
    return files;
}

/// What a fault may leave of files that are written together.
enum class Remaining { each_old_or_new, all_old_or_all_new };

/// Something that writes files into the working directory. Returns an exit code.
struct Deed {
    const char* name;
    std::function<int()> act;
    std::function<void()> prepare = [] {};  // writes what is there before
    Remaining remaining = Remaining::each_old_or_new;
};

int command(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    return run_command_line(static_cast<int>(pointers.size()), pointers.data(), {}, {});
}

int figure(const char* name) {
    return command({"ropewalk", "figure", "barbero-fig2a", "decay", "-o", name, "--threads", "1"});
}

int save(const char* scene) {
    Notices notices;
    Document document(open_scene(scene), notices);
    return SceneFiles(document, notices, fs::current_path() / "recent").save(fs::current_path() / "mine.json") ? 0 : 4;
}

int save_for_recovery(const std::string& text) {
    Recovery(fs::current_path()).save(text);
    return 0;
}

Recipe small_recipe() {
    Recipe recipe;
    recipe.steps = 6;
    return recipe;
}

int keep_run() {
    keep_training_in(fs::current_path());
    TrainingRun(small_recipe()).train_to(small_recipe().steps);
    return 0;
}

const Deed deeds[] = {
    {"Save", [] { return save("barbero-fig2a"); }, [] { save("alibi-slopes"); }},
    {"Autosave", [] { return save_for_recovery("new"); }},
    {"Pdf", [] { return figure("out.pdf"); }, [] { atomic_write("out.pdf", "old"); }},
    {"Svg", [] { return figure("out.svg"); }},
    {"Png", [] { return figure("out.png"); }, [] { atomic_write("out.png", "old"); }},
    {"FigureWithCaption",
     [] {
         return command({"ropewalk", "figure", "barbero-fig2a", "decay", "-o", "out.svg", "--caption-file", "latex",
                         "--threads", "1"});
     },
     [] {
         for (const char* name : {"out.svg", "out.caption.tex"}) atomic_write(name, "old");
     },
     Remaining::all_old_or_all_new},
    {"NewFigureWithCaption",
     [] {
         return command({"ropewalk", "figure", "barbero-fig2a", "decay", "-o", "out.svg", "--caption-file", "text",
                         "--threads", "1"});
     },
     [] {}, Remaining::all_old_or_all_new},
    {"Data",
     [] {
         return command({"ropewalk", "data", "barbero-fig2a", "decay", "-o", "out.csv", "--threads", "1"});
     }},
    {"TrainedModel",
     [] {
         return command({"ropewalk", "train", "train-back", "--steps", "1", "-o", "model"});
     },
     [] {}, Remaining::all_old_or_all_new},
    {"TrainingCache", keep_run},
};

class Fault : public testing::TestWithParam<Deed> {
  protected:
    /// Does the deed in a process and a folder of its own. Returns its exit code; −1 if it died.
    int outcome(const std::string& folder, const std::function<void()>& arm, bool* struck = nullptr) {
        const pid_t child = ::fork();
        if (child == 0) {
            if (::chdir(folder.c_str()) != 0) ::_exit(99);
            for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) ::setenv(name, "", 1);
            ::alarm(30);
            std::set_terminate(end_without_memory);
            const int log = ::open((folder + ".log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
            ::dup2(log, STDOUT_FILENO), ::dup2(log, STDERR_FILENO);
            int code = 1;
            arm();
            try {
                code = GetParam().act();
            } catch (const std::bad_alloc&) {
                code = 6;  // as a command and the window take it
            }
            const bool was_struck = stop_failing();
            ::_exit(code | (was_struck ? 64 : 0));
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        if (!WIFEXITED(status)) return -1;
        if (WEXITSTATUS(status) == died_in_a_library) return died_in_a_library;
        if (struck) *struck = WEXITSTATUS(status) & 64;
        return WEXITSTATUS(status) & 63;
    }

    /// Does the deed with something failing. Returns false if nothing failed.
    bool survives(const std::function<void()>& arm, const std::string& what, std::initializer_list<int> codes,
                  Remaining remaining = GetParam().remaining) {
        const TemporaryFolder folder;
        run_in(folder.path(), GetParam().prepare);
        const Files before = files_in(folder.path());
        bool struck = false;
        const int code = outcome(folder.path(), arm, &struck);
        const Files after = files_in(folder.path());
        const std::string said = read_file(folder.path() + ".log", 1 << 20);
        fs::remove(folder.path() + ".log");
        if (code == died_in_a_library) struck = true;
        EXPECT_TRUE(code == 0 || code == died_in_a_library || std::ranges::count(codes, code) == 1)
            << what << ": exit code " << code << "\n"
            << said;
        for (const auto& [name, bytes] : after) {
            const bool is_old = before.contains(name) && before.at(name) == bytes;
            EXPECT_TRUE(is_old || (whole_.contains(name) && bytes == whole_.at(name))) << what << " leaves " << name;
        }
        for (const auto& [name, bytes] : before) EXPECT_TRUE(after.contains(name)) << what << " loses " << name;
        EXPECT_TRUE(remaining == Remaining::each_old_or_new || after == before || after == whole_)
            << what << " leaves a new file beside an old one";
        return struck;
    }

    static void run_in(const std::string& folder, const std::function<void()>& act) {
        const fs::path here = fs::current_path();
        fs::current_path(folder);
        act();
        fs::current_path(here);
    }

    void SetUp() override {
        const TemporaryFolder folder;
        run_in(folder.path(), GetParam().prepare);
        const auto start = std::chrono::steady_clock::now();
        ASSERT_EQ(outcome(folder.path(), [] {}), 0) << read_file(folder.path() + ".log", 1 << 20);
        milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        whole_ = files_in(folder.path());
        fs::remove(folder.path() + ".log");
    }

    Files whole_;              // what it writes if nothing fails,
    double milliseconds_ = 0;  // and in what time
};

bool tries_every_fault() {
    return std::getenv("ROPEWALK_EVERY_FAULT") != nullptr;
}

TEST_P(Fault, OfACallLeavesOldOrNewFiles) {
    const std::pair<Call, const char*> calls[] = {{Call::write, "write"},
                                                  {Call::sync, "sync"},
                                                  {Call::rename, "rename"},
                                                  {Call::link, "link"},
                                                  {Call::map, "mmap"}};
    for (const auto& [call, name] : calls)
        for (const bool sticks : {false, true})
            for (long n = 1; n < 100; ++n)
                // No file system renames two files at once.
                if (!survives([&] { let_fail(call, n, sticks); },
                              fmt::format("{} {}{}", name, n, sticks ? " and later" : ""), {4, 6},
                              call == Call::rename ? Remaining::each_old_or_new : GetParam().remaining))
                    break;
}

TEST_P(Fault, OfAFullDiskLeavesOldOrNewFiles) {
    long most = 0;  // bytes; what is there already is not written again
    for (const auto& [name, bytes] : whole_) most += static_cast<long>(bytes.size());
    const long step = tries_every_fault() ? 1 : 1 + most / 12;
    long room = 0;
    while (survives([&] { let_disk_be_full_after(room); }, fmt::format("room for {} bytes", room), {4})) room += step;
    EXPECT_GT(room, most / 2);
    EXPECT_LT(room, most + step);
}

TEST_P(Fault, OfAnAllocationLeavesOldOrNewFiles) {
    const double growth = tries_every_fault() ? 1.0 : 1.6;
    for (long n = 1;; n = std::max(n + 1, static_cast<long>(std::lround(static_cast<double>(n) * growth))))
        if (!survives([&] { let_fail(Call::allocate, n); }, fmt::format("allocation {}", n), {4, 6})) break;
}

TEST_P(Fault, OfTheProcessLeavesOldOrNewFiles) {
    if (GetParam().name == std::string_view("Autosave")) return;  // saves into ever new files: see autosave_test.cpp
    const TemporaryFolder folder;
    run_in(folder.path(), GetParam().prepare);
    const Files before = files_in(folder.path());
    const auto is_whole = [&](const std::string& name, const std::string& bytes) {
        const auto is_in = [&](const Files& files) { return files.contains(name) && files.at(name) == bytes; };
        return is_in(before) || is_in(whole_);
    };
    std::mt19937 random(1);
    for (int i = 0; i < count_of_kills(); ++i) {
        // Most kills should come while it writes, which is at its end or in the next round.
        const double share = 0.3 + static_cast<double>(random() % 1000) / 1000;
        kill_after(share * milliseconds_, folder.path(), [this] { GetParam().act(); });
        for (const auto& [name, bytes] : files_in(folder.path()))
            EXPECT_TRUE(is_whole(name, bytes) || fs::path(name).filename().string().starts_with(".ropewalk-")) << name;
    }
    EXPECT_EQ(outcome(folder.path(), [] {}), 0);
    for (const auto& [name, bytes] : files_in(folder.path())) EXPECT_TRUE(is_whole(name, bytes)) << name << " remains";
}

INSTANTIATE_TEST_SUITE_P(Deeds, Fault, testing::ValuesIn(deeds), [](const auto& test) { return test.param.name; });

/// Checks that a run continues after a step for which there was no memory, and gives the same bytes and scores as ever.
void check_training_without_memory() {
    Recipe recipe = small_recipe();
    recipe.layers = 1, recipe.heads = 1, recipe.head_dim = 8, recipe.width = 16, recipe.feed_forward = 16;
    recipe.context = 8, recipe.vocabulary = 8, recipe.batch = 4;
    const auto end_of = [&](TrainingRun& run) {
        const auto state = run.state_after(recipe.steps);
        return std::pair(state->parameters, run.scores());
    };
    TrainingRun undisturbed(recipe, false);
    const auto expected = end_of(undisturbed);
    int failures = 0;
    bool has_failed = true;
    for (long n = 1; has_failed; ++n) {
        TrainingRun run(recipe, false);
        let_fail(Call::allocate, n);
        try {
            run.train_to(recipe.steps);
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        has_failed = stop_failing();
        ASSERT_EQ(end_of(run), expected) << "allocation " << n;
    }
    EXPECT_GT(failures, 20);
}

TEST(TrainingWithoutMemory, ContinuesAsIfNothingHadHappened) {
    const pid_t child = ::fork();  // because its threads would hold locks when later tests fork
    if (child == 0) {
        check_training_without_memory();
        std::fflush(nullptr);
        ::_exit(HasFailure());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace ropewalk
