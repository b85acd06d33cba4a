// The whole window in the hands of a monkey: nothing that it does ends the program, takes a second or needs ever more
// memory. ROPEWALK_MONKEY_EVENTS and ROPEWALK_MONKEY_SEED choose how long and which; ROPEWALK_MONKEY_LOG=1 tells what
// it does. Made for the sanitizers (see tests/run). It can write into a temporary folder only.
#include "tests/monkey/monkey.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "app/window/main_window/main_window.h"
#include "app/window/session/session_text.h"
#include "app/window/surface/imgui_fonts.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/machine/large_array.h"
#include "core/models/run/model_run.h"
#include "core/training/training_run.h"
#include "tests/monkey/confined.h"
#include "tests/mutation.h"
#include "tests/temporary_folder.h"

#ifdef ROPEWALK_ADDRESS_SANITIZER
#include <sanitizer/allocator_interface.h>
#endif

namespace ropewalk {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int events_in_a_life = 2000;
#ifdef ROPEWALK_ADDRESS_SANITIZER
constexpr double most_seconds = 5;  // of a frame, which AddressSanitizer slows this often
#else
constexpr double most_seconds = 1;
#endif

int number_from_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

/// Lets small results take the place of those that the program keeps for later, which are no growth: the last
/// trainings, the last runs of models, the fonts of the last scales, and memory for the next large arrays.
void displace_kept_results() {
    constexpr int most_trainings = 4, most_runs = 64;
    std::shared_ptr<const Model> model;
    static int seed = 0;
    for (int i = 0; i < most_trainings; ++i) {
        Recipe recipe;
        recipe.steps = 1, recipe.seed = ++seed;  // opening a new one also frees what the kept ones do not need
        model = training_run_of(recipe)->model_after(0);
    }
    for (int length = 1; length <= most_runs; ++length)
        run_of(model, {.tokens = std::vector<int>(static_cast<std::size_t>(length))});
    constexpr double size[] = {12};
    std::array<Fonts, 3> fonts;  // as many as are kept
    for (Fonts& one : fonts) one.build(size, 1, 1024);
    constexpr std::size_t most_large_arrays = 6;
    std::array<LargeArray<std::byte>, most_large_arrays> arrays;
    for (auto& array : arrays) array = large_array<std::byte>(large_page);
}

/// Returns the bytes of unfinished trainings, which are kept so that they can be continued.
std::size_t bytes_of_unfinished_trainings() {
    std::size_t bytes = 0;
    for (const RunSummary& summary : listed_training_runs())
        if (const auto run = find_training_run(summary.recipe); run && run->is_worth_keeping())
            bytes += run->condensed_bytes();
    return bytes;
}

double allocated_mib() {
#ifdef ROPEWALK_ADDRESS_SANITIZER
    const std::size_t bytes = __sanitizer_get_current_allocated_bytes();
#else
    const struct mallinfo2 used = mallinfo2();
    const std::size_t bytes = used.uordblks + used.hblkhd;
#endif
    return static_cast<double>(bytes - bytes_of_unfinished_trainings()) / (1 << 20);
}

/// Returns the processor time of this thread, in seconds: others may keep the machine busy.
double thread_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A home of its own, with files to be dropped, and the only place that can be written to.
class Home {
  public:
    Home() {
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"})
            ::setenv(name, folder_.path().c_str(), 1);
        fs::current_path(folder_.path());
        is_confined_ = confine_writing({folder_.path().c_str(), "/dev"});
    }
    ~Home() { fs::current_path("/"); }

    bool is_confined() const { return is_confined_; }
    std::string path() const { return folder_.path(); }

    /// Returns files of every kind, whole and damaged.
    std::vector<std::string> files() const {
        std::vector<std::string> all = {folder_.path(), folder_.file("missing.json"), "/dev/null"};
        std::mt19937 random(1);
        const auto add = [&](const std::string& name, const std::string& bytes) {
            // Each lesson in a folder of its own, because opening one reads the others beside it.
            const fs::path path =
                fs::path(folder_.path()) / (name.ends_with(".lesson") ? name + ".folder" : "files") / name;
            fs::create_directories(path.parent_path());
            std::ofstream(path, std::ios::binary) << bytes;  // atomic writes of this many files take ten seconds
            all.push_back(path.string());
        };
        const std::int64_t shape[] = {24, 16};
        std::vector<float> numbers(24 * 16);
        for (float& number : numbers) number = static_cast<float>(random() % 2001) / 1000 - 1;
        add("q.npy", npy_bytes(shape, numbers));
        add("k.npy", npy_bytes(shape, numbers));
        for (const char* kind : {"scenes", "lessons"})
            for (const auto& entry : fs::directory_iterator(fs::path(ROPEWALK_SOURCE_DIR "/assets") / kind)) {
                if (entry.path().extension() == ".md") continue;
                const std::string bytes = read_file(entry.path().string(), 1 << 20),
                                  name = entry.path().filename().string();
                add(name, bytes);
                if (random() % 2) add("damaged-" + name, mutated(bytes, random));
            }
        for (const auto& entry : fs::recursive_directory_iterator(ROPEWALK_SOURCE_DIR "/tests/fuzz/corpus"))
            if (entry.is_regular_file())
                add("corpus-" + entry.path().filename().string(), read_file(entry.path().string(), 1 << 20));
        return all;
    }

  private:
    TemporaryFolder folder_;
    bool is_confined_ = false;
};

/// One run of the program, from its start to its end or death.
class Life {
  public:
    Life(const fs::path& home, unsigned seed)
        : random_(seed),
          recovery_(home / "ropewalk"),
          main_window_(gui_, session_,
                       {.folder = home / "lessons", .progress_folder = home, .own_folder = home / "lessons"},
                       &recovery_) {
        if (const auto left = recovery_.take_recovered())
            recover(session_.document, session_.notices, recovery_, *left);
        frame();
    }

    /// Plays a few events and shows what comes of them. Returns their number.
    int play(Monkey& monkey) {
        const int events = monkey.play(gui_, surface_);
        do frame();
        while (surface_.events().pending());
        switch (random_() % 8) {
            case 0: wait(std::chrono::milliseconds(20)); break;
            case 1: frame(); break;
            case 2: recovery_.save(session_as_text(session_.document)); break;
        }
        return events;
    }
    bool is_over() const { return main_window_.is_left(); }
    /// Returns what a frame could not do, and what took longest.
    const std::string& failure() const { return failure_; }
    double longest_frame() const { return longest_frame_; }

  private:
    void frame() {
        const double start = thread_time();
        main_window_.frame();
        longest_frame_ = std::max(longest_frame_, thread_time() - start);
        const std::string& sentence = session_.notices.current().sentence;
        if (sentence.starts_with("The window could not be drawn")) failure_ = sentence;
        if (surface_.clipboard().size() > 4096) surface_.set_clipboard("4");
    }
    /// Waits until everything is computed, but not longer than this, and shows it.
    void wait(Clock::duration longest) try {
        session_.computation.wait(Cancel(generation_, 0).spared_until(Clock::now() + longest));
        frame();
    } catch (const Cancelled&) {
    }

    std::mt19937 random_;
    std::atomic<std::uint64_t> generation_{1};
    std::string failure_;
    double longest_frame_ = 0;
    Recovery recovery_;
    EglSurface surface_{{.width = 1280, .height = 720, .scale = 1, .keeps_pixels = false}};
    Session session_{open_scene("barbero-prop31"),
                     {.recent = recovery_folder(),
                      .layouts = recovery_folder(),
                      .computation = {.wake = [this] { surface_.wake(); }},
                      .trains_live = random_() % 2 == 0}};
    static fs::path recovery_folder() { return state_folder(); }
    Gui gui_{surface_, 1.0 / 60};
    MainWindow main_window_;
};

TEST(Monkey, CannotEndTheWindow) {
    const Home home;
    if (!home.is_confined())
        GTEST_SKIP() << "this system cannot confine a process (Landlock), so a monkey could overwrite your files";
    const int events = number_from_environment("ROPEWALK_MONKEY_EVENTS", 4000);
    const auto seed = static_cast<unsigned>(number_from_environment("ROPEWALK_MONKEY_SEED", 1));
    const bool tells = std::getenv("ROPEWALK_MONKEY_LOG") != nullptr;
    Monkey monkey(seed, home.files());
    std::vector<double> used;
    double longest_frame = 0;
    std::string longest_action;
    for (int done = 0, lives = 0; done < events; ++lives) {
        {
            Life life(home.path(), seed + static_cast<unsigned>(lives));
            for (int played = 0; played < events_in_a_life && !life.is_over();) {
                const double before = life.longest_frame();
                const int count = life.play(monkey);
                played += count, done += count;
                if (tells) std::cerr << monkey.last() << std::endl;
                ASSERT_EQ(life.failure(), "") << "after " << monkey.last();
                if (life.longest_frame() == before) continue;
                EXPECT_LT(life.longest_frame(), most_seconds) << "for " << monkey.last();
                if (life.longest_frame() > longest_frame)
                    longest_frame = life.longest_frame(), longest_action = monkey.last();
            }
        }
        displace_kept_results();
        used.push_back(allocated_mib());
        if (tells) std::cerr << fmt::format("{:.1f} MiB after life {}", used.back(), used.size()) << std::endl;
    }
    std::cout << fmt::format("{} lives, longest frame {:.3f} s for {}, memory {:.1f} to {:.1f} MiB\n", used.size(),
                             longest_frame, longest_action, used.front(), used.back());
    // The first lives fill caches of fonts and files.
    constexpr std::size_t fewest_lives = 6;
    if (used.size() < fewest_lives) return;
    const auto half = used.begin() + static_cast<std::ptrdiff_t>(used.size() / 2);
    EXPECT_LT(*std::max_element(half, used.end()), 1.05 * *std::max_element(used.begin(), half))
        << "MiB after each life: " << testing::PrintToString(used);
}

}  // namespace
}  // namespace ropewalk
