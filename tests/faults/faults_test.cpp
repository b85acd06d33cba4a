// The system refuses one call, each in turn, or kills the process while something is saved: what was there before stays
// whole, the program says so with the right exit code, and nothing else is left. ROPEWALK_EVERY_FAULT=1 lets every
// allocation fail and fills the disk at every byte, instead of some; ROPEWALK_KILLS is the number of kills.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <thread>

#include "app/cli/command_line.h"
#include "app/window/session/document.h"
#include "app/window/session/recovery.h"
#include "app/window/session/scene_files.h"
#include "app/window/session/session_saver.h"
#include "app/window/session/session_text.h"
#include "core/io/files.h"
#include "core/training/training_run.h"
#include "tests/faults/fault.h"
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

constexpr int died_in_a_library = 63;

/// Returns the program's functions on the stack, the innermost first, one a line, as the linker calls them. Those that
/// the compiler specialised are not in the table that backtrace_symbols reads.
std::string functions_on_stack() {
    std::array<void*, 64> frames{};
    const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    Dl_info program{}, found{};
    ::dladdr(reinterpret_cast<void*>(&functions_on_stack), &program);
    std::string command = fmt::format("addr2line -f -s -e /proc/{}/exe", ::getpid());
    for (void* const frame : std::span(frames).first(static_cast<std::size_t>(depth)))
        if (::dladdr(frame, &found) && found.dli_fbase == program.dli_fbase)
            command += fmt::format(" {:#x}", static_cast<char*>(frame) - static_cast<char*>(program.dli_fbase) - 1);
    std::string functions;
    if (std::FILE* const lines = ::popen(command.c_str(), "r")) {
        for (int c; (c = std::fgetc(lines)) != EOF;) functions += static_cast<char>(c);
        ::pclose(lines);
    }
    return functions;
}

/// Ends the process as `std::terminate` does, or with a code of its own where a library of Debian's must not throw but
/// allocates: nlohmann/json 3.11.2 in its destructor, CLI11 2.1 where it compares names.
[[noreturn]] void end_without_memory() {
    stop_failing();
    const std::string functions = functions_on_stack();
    static const std::regex of_a_library("nlohmann\\S*7destroyE|CLI6Option10check_name");
    if (std::regex_search(functions, of_a_library)) ::_exit(died_in_a_library);
    std::fputs(functions.c_str(), stderr);
    std::abort();
}

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
    long most = 0;
    for (const auto& [name, bytes] : whole_) most += static_cast<long>(bytes.size());
    for (long room = 0; room < most; room += tries_every_fault() ? 1 : 1 + most / 12)
        EXPECT_TRUE(survives([&] { let_disk_be_full_after(room); }, fmt::format("room for {} bytes", room), {4}));
}

TEST_P(Fault, OfAnAllocationLeavesOldOrNewFiles) {
    const double growth = tries_every_fault() ? 1.0 : 1.6;
    for (long n = 1;; n = std::max(n + 1, static_cast<long>(std::lround(static_cast<double>(n) * growth))))
        if (!survives([&] { let_fail(Call::allocate, n); }, fmt::format("allocation {}", n), {4, 6})) break;
}

/// Lets a process do something again and again in a folder, and kills it after some milliseconds.
void kill_after(double milliseconds, const std::string& folder, const std::function<void()>& act) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::chdir(folder.c_str()) != 0) ::_exit(99);
        for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) ::setenv(name, "", 1);
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(nowhere, STDOUT_FILENO), ::dup2(nowhere, STDERR_FILENO);
        while (true) act();
    }
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

int count_of_kills() {
    const char* count = std::getenv("ROPEWALK_KILLS");
    return count ? std::atoi(count) : 25;
}

TEST_P(Fault, OfTheProcessLeavesOldOrNewFiles) {
    if (GetParam().name == std::string_view("Autosave")) return;  // saves into ever new files: see below
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

TEST(Autosave, OfAKilledProcessIsWholeAndNothingElseIsLeft) {
    const TemporaryFolder folder;
    constexpr std::size_t size = 200'000;
    std::mt19937 random(2);
    int found = 0;
    for (int i = 0; i < count_of_kills(); ++i) {
        kill_after(static_cast<double>(random() % 40000) / 1000, folder.path(), [] {
            Recovery recovery(fs::current_path());
            for (char mark = 'a';; mark = mark == 'z' ? 'a' : static_cast<char>(mark + 1))
                recovery.save(std::string(size, mark));
        });
        Recovery recovery(folder.path());
        while (const auto left = recovery.take_recovered()) {
            ++found;
            EXPECT_EQ(left->text.size(), size);
            EXPECT_EQ(left->text.find_first_not_of(left->text.front()), std::string::npos);
            recovery.accept(*left);
        }
        recovery.forget();
    }
    EXPECT_GT(found, count_of_kills() / 2);
    // Younger locks are kept: their processes may be about to save.
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    {
        Recovery recovery(folder.path());
        recovery.save("the next start");
        recovery.forget();
    }
    EXPECT_TRUE(folder.names().empty()) << testing::PrintToString(folder.names());
}

/// The changes of a session that is killed, told to the test while they are made.
struct Changes {
    static constexpr int most = 200;
    std::atomic<int> count{0};
    std::array<std::chrono::steady_clock::time_point, most> times{};

    /// Changes a session ten times a second and saves it as the window does. The n-th change makes n + 1 tokens.
    void make(const fs::path& folder) {
        Session session(open_scene("barbero-fig2a"));
        Recovery recovery(folder);
        SessionSaver saver(recovery);
        for (int n = 1; n < most; ++n) {
            Experiment changed = session.document.experiment();
            changed.seq_len = n + 1;
            session.document.edit(changed, {});
            times[static_cast<std::size_t>(n)] = std::chrono::steady_clock::now();
            count = n;
            saver.save(session);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
};

/// Starts sessions that change, kills each after 3 to 17 s, and recovers it. Returns the age of the oldest change that
/// was lost, in seconds.
double oldest_change_lost(int kills, std::mt19937& random) {
    struct Process {
        TemporaryFolder folder;
        Changes* changes = nullptr;
        pid_t id = 0;
    };
    std::vector<Process> processes(static_cast<std::size_t>(kills));
    for (Process& process : processes) {
        void* const shared =
            ::mmap(nullptr, sizeof(Changes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) throw std::bad_alloc();
        process.changes = new (shared) Changes;
        process.id = ::fork();
        if (process.id != 0) continue;
        process.changes->make(process.folder.path());
        ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::seconds(3));
    double oldest = 0;
    for (Process& process : processes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 14000 / processes.size()));
        const auto killed_at = std::chrono::steady_clock::now();
        ::kill(process.id, SIGKILL);
        int status = 0;
        ::waitpid(process.id, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
        Recovery recovery(process.folder.path());
        const auto left = recovery.take_recovered();
        Notices notices;
        Document document(open_scene("alibi-slopes"), notices);
        const bool is_recovered = left && recover(document, notices, recovery, *left);
        EXPECT_TRUE(is_recovered);
        const int kept = is_recovered ? static_cast<int>(document.experiment().seq_len) - 1 : 0;
        EXPECT_GE(kept, 1);
        if (kept < process.changes->count) {
            const auto first_lost = process.changes->times[static_cast<std::size_t>(kept) + 1];
            oldest = std::max(oldest, std::chrono::duration<double>(killed_at - first_lost).count());
        }
        ::munmap(process.changes, sizeof(Changes));
    }
    return oldest;
}

TEST(Autosave, OfAKilledProcessLosesAtMostFiveSeconds) {
    constexpr int most_at_once = 50;  // which two cores keep saving
    std::mt19937 random(3);
    double oldest = 0;
    for (int left = count_of_kills(); left > 0; left -= most_at_once)
        oldest = std::max(oldest, oldest_change_lost(std::min(left, most_at_once), random));
    EXPECT_LT(oldest, 5);
    EXPECT_GT(oldest, 0.1) << "nothing was lost, so nothing was measured";
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
