// Sessions of processes that are killed: what is recovered of them.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "app/window/session/document.h"
#include "app/window/session/recovery.h"
#include "app/window/session/session_saver.h"
#include "app/window/session/session_text.h"
#include "tests/faults/kill.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace ropewalk
