// What a file may cost, how long a command runs on after a signal, and what reaches the terminal.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "core/numbers/numbers.h"
#include "core/text/utf8.h"
#include "tests/cli/command_line_fixture.h"
#include "tests/zip_bytes.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

class Limits : public CommandLine {
  protected:
    /// The end of a command, started without a shell.
    struct Ended {
        int status = 0;
        double seconds = 0;        // after the signal, or else after the start
        double computing = 0;      // seconds of a processor
        std::uint64_t memory = 0;  // bytes at its peak
    };
    /// Returns shell commands that let fontconfig, which may see damaged fonts where memory is short, write its cache
    /// into this test's folder.
    std::string own_font_cache() {
        write("fonts.conf", "<?xml version=\"1.0\"?><fontconfig><cachedir>" + folder_.path() +
                                "</cachedir><include>/etc/fonts/fonts.conf</include></fontconfig>");
        return "export FONTCONFIG_FILE=\"$PWD/fonts.conf\"; ";
    }
    /// Sets a deadline after which this process, and the program it becomes, is killed.
    static void set_deadline() {
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(300);  // seconds
    }
    /// Runs the program; if there is a signal, sends it after some time. Its output goes to out.txt and err.txt.
    Ended run_alone(const std::vector<std::string>& arguments, int signal = 0, int milliseconds = 0) {
        const pid_t child = ::fork();
        if (child == 0) {
            set_deadline();
            if (::chdir(folder_.path().c_str()) != 0) ::_exit(99);
            ::unsetenv("DISPLAY"), ::unsetenv("WAYLAND_DISPLAY");
            ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
            std::freopen("out.txt", "w", stdout);
            std::freopen("err.txt", "w", stderr);
            std::vector<char*> words{const_cast<char*>("ropewalk")};
            for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
            words.push_back(nullptr);
            ::execv(ROPEWALK_PROGRAM, words.data());
            ::_exit(98);
        }
        auto start = Clock::now();
        if (signal != 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            start = Clock::now();
            ::kill(child, signal);
        }
        Ended ended;
        rusage used{};
        ::wait4(child, &ended.status, 0, &used);
        ended.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        for (const timeval& time : {used.ru_utime, used.ru_stime})
            ended.computing += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        ended.memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
        EXPECT_FALSE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGALRM) << arguments[0] << " hangs";
        return ended;
    }
    /// A file that begins and ends like this and repeats `filling` in between, and the exit code of `check`.
    struct LargeFile {
        std::string name, begin, filling, end;
        int code;
    };
    /// Writes a file of a size, checks it, and removes it.
    Ended check_large(const LargeFile& file, std::size_t size) {
        std::string block;
        while (block.size() < (1u << 20)) block += file.filling;
        {
            std::ofstream large(folder_.file(file.name), std::ios::binary);
            large << file.begin;
            for (std::size_t written = 0; written < size; written += block.size()) large << block;
            large << file.end;
        }
        const Ended ended = run_alone({"check", file.name});
        EXPECT_EQ(WEXITSTATUS(ended.status), file.code) << file.name << ": " << read("err.txt");
        std::filesystem::remove(folder_.file(file.name));
        return ended;
    }
    std::string array_header(const char* descr, std::size_t rows) {
        std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, 64), }}", descr, rows);
        header.resize(117, ' ');
        header += '\n';
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
    }
};

TEST_F(Limits, AFileTakesAtMostThreeTimesItsSize) {
    using namespace std::string_literals;
    constexpr std::size_t size = std::size_t{96} << 20;
    const LargeFile files[] = {{"bytes.npy", array_header("|u1", size / 64), std::string(64, '\7'), "", 0},
                               {"halves.npy", array_header("<f2", size / 128), std::string(64, '\0'), "", 0},
                               {"escaped.svg", "<svg><metadata id=\"ropewalk\">{", "&amp;", "</metadata></svg>", 6},
                               {"paths.svg", "<svg>", "<path d=\"M 0 0\"/>", "</svg>", 3},
                               {"utf16.pdf", "%PDF-1.5\n/Keywords (\xfe\xff\0{"s, "\0a"s, ")", 6},
                               {"large.json", "{\"schema\": 1, \"title\": \"", "x", "\"}", 6}};
    for (const LargeFile& file : files) EXPECT_LT(check_large(file, size).memory, 3 * size) << file.name;
}

TEST_F(Limits, AnArrayInAnArchiveTakesAtMostThreeTimesItsSize) {
    constexpr std::size_t size = std::size_t{128} << 20, row = 64 * sizeof(float);
    std::string header = array_header("<f4", size / row);
    header.replace(header.find(", 64), }"), 11, ", 1, 64), }");  // [heads, tokens, channels]
    const std::string bytes = little_endian(header.size() + size, 4);
    std::string zip = zip_of(
        {{"k.npy", array_header("<f4", 1) + std::string(row, '\0')}, {"q.npy", header, false, header.size() + size}});
    const std::size_t list = zip.find("PK\x01\x02");
    zip.replace(zip.rfind("PK\x03\x04") + 18, 4, bytes).replace(zip.rfind("PK\x01\x02") + 20, 4, bytes);
    zip.replace(zip.size() - 6, 4, little_endian(list + size, 4));
    // The checksum is that of the header alone, which is noticed when all is unpacked.
    const LargeFile stored{"stored.npz", zip.substr(0, list), std::string(64, '\0'), zip.substr(list), 0};
    EXPECT_LT(check_large(stored, size).memory, 3 * size);
    EXPECT_THAT(read("out.txt"), HasSubstr("CRC"));
}

TEST_F(Limits, AFigureThatIsHardToSearchIsReadWithinTwoSeconds) {
    const LargeFile files[] = {{"angles.svg", "<svg>", "<", "<metadata id=\"ropewalk\">{}</metadata>", 3},
                               {"comments.svg", "", "<!---->", "<svg/>", 3},
                               {"unfinished.svg", "<svg>", "<metadata id='", "", 3},
                               {"unclosed.svg", "<svg>", "<!--", "", 3},
                               {"declarations.svg", "<svg>", "<!", "", 3},
                               {"elements.svg", "<svg>", "<metadata id='a'>", "", 3},
                               {"octal.pdf", "%PDF-1.5\n/Keywords (", "\\053", ")", 6},
                               {"pairs.pdf", "%PDF-1.5\n/Keywords <feff", "d834dd1e", ">", 6},
                               {"keys.pdf", "%PDF-1.5\n/Keywords ({})", "Keywords", "", 3}};
    for (const LargeFile& file : files) EXPECT_LT(check_large(file, std::size_t{240} << 20).computing, 2) << file.name;
}

TEST_F(Limits, LineBreaksBeforeAFaultTakeLittleMemory) {
    constexpr std::size_t size = std::size_t{15} << 20;
    EXPECT_LT(check_large({"breaks.json", "{\"schema\": 1,", "\n", "x", 3}, size).memory, 10 * size);
}

TEST_F(Limits, AListWithMuchWhiteSpaceIsReadWithinTwoSeconds) {
    const std::string blanks(std::size_t{1} << 17, ' ');
    write("blanks.json", R"({"schema": 1, "view": {"figures": [{"id": "decay", "pinned": ")" + blanks +
                             "encoding.base=500 |" + blanks.substr(32) + "\"}]}}");
    const Ended ended = run_alone({"figure", "blanks.json", "decay", "-o", "a.svg"});
    EXPECT_EQ(WEXITSTATUS(ended.status), 0) << read("err.txt");
    EXPECT_LT(ended.computing, 2);
}

TEST_F(Limits, EveryCommandStopsSoonAfterASignalAndLeavesNothing) {
    write("slow.lesson",
          "title: a\nabout: b\n\n## s\nscene: million\nset: construction=gaussian seq_len=131072\n{min_weight(1)}\n");
    const std::vector<std::string> commands[] = {
        {"bench", "--only", "matrix"},
        {"check", "slow.lesson"},
        {"screenshot", "train-recall", "-o", "a.png"},
        {"figure", "train-recall", "training", "-o", "a.svg"},
        {"data", "million", "weights", "--set", "construction=gaussian", "--set", "seq_len=131072", "--cells", "64x64",
         "-o", "a.npy"},
        {"train", "train-recall", "-o", "model"},
    };
    std::signal(SIGHUP, SIG_DFL);                           // these tests may run under nohup
    constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};  // handled alike: each ends two of the commands
    for (std::size_t i = 0; i < std::size(commands); ++i) {
        const auto& command = commands[i];
        const int signal = signals[i % signals.size()];
        constexpr double most_seconds = 0.5;
        double seconds = infinity;  // the shortest of three, because others may keep the machine busy
        for (int tries = 0; tries < 3 && seconds > most_seconds; ++tries) {
            const Ended ended = run_alone(command, signal, 700);
            ASSERT_TRUE(WIFEXITED(ended.status)) << command[0];
            EXPECT_EQ(WEXITSTATUS(ended.status), 128 + signal) << command[0] << ": " << read("err.txt");
            seconds = std::min(seconds, ended.seconds);
        }
        EXPECT_LT(seconds, most_seconds) << command[0];
        for (const char* file : {"a.png", "a.svg", "a.npy", "model"}) EXPECT_FALSE(exists(file)) << file;
        for (const std::string& name : folder_.names()) EXPECT_THAT(name, Not(testing::EndsWith(".tmp")));
    }
}

/// The loader runs before any code of the program, so that the signal is sent when the program blocks it.
TEST_F(Limits, ASignalDuringTheStartIsNotLost) {
    const pid_t child = ::fork();
    if (child == 0) {
        set_deadline();
        if (::chdir(folder_.path().c_str()) != 0) ::_exit(99);
        ::execl(ROPEWALK_PROGRAM, "ropewalk", "screenshot", "train-recall", "-o", "a.png", nullptr);
        ::_exit(98);
    }
    const auto blocks_signal = [&] {
        std::ifstream status(fmt::format("/proc/{}/status", child));
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("State:\tZ"))
                return true;
            else if (line.starts_with("SigBlk:"))
                return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
        return true;  // it has ended
    };
    while (!blocks_signal()) std::this_thread::yield();
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_FALSE(exists("a.png"));
}

TEST_F(Limits, ALongTrainingBeginsWithAnEstimate) {
    const Ended ended = run_alone({"train", "train-recall", "--set", "construction.recipe.steps=100000", "--set",
                                   "construction.recipe.width=256"},
                                  SIGINT, 4000);  // ms; the first line is there much sooner
    ASSERT_TRUE(WIFEXITED(ended.status));
    EXPECT_EQ(WEXITSTATUS(ended.status), 130) << "it was training";
    EXPECT_THAT(read("err.txt"), testing::MatchesRegex("ropewalk: this training takes about [0-9]+ hours on two "
                                                       "cores\n(.|\n)*"));
}

TEST_F(Limits, AClosedTerminalDoesNotEndACommandUnderNohup) {
    const auto before = std::signal(SIGHUP, SIG_IGN);  // as nohup does
    const Ended ended = run_alone({"train", "train-recall", "--steps", "100"}, SIGHUP, 300);
    std::signal(SIGHUP, before);
    ASSERT_TRUE(WIFEXITED(ended.status));
    EXPECT_EQ(WEXITSTATUS(ended.status), 0) << read("err.txt");
    EXPECT_GT(ended.seconds, 0.05) << "it was still running";
}

TEST_F(Limits, ALessonThatTakesTooLongIsRefusedWithAnEstimate) {
    write("slow.lesson",
          "title: a\nabout: b\n\n## s\nscene: million\nset: construction=gaussian\n"
          "The row has {min_weight(1)}.\n");
    expect_refused("check slow.lesson", 6, "slow.lesson:4: this step would take about");
    std::string steps = "title: a\nabout: b\n\n";
    for (int i = 0; i < 20; ++i)
        steps += fmt::format(
            "## s{}\nscene: formats-bf16\nset: seq_len={} head_dim=256\n"
            "The errors are {{score_error(bf16)}} and {{cosine_error(fp16)}}.\n",
            i, 1'048'576 - i);
    write("formats.lesson", steps);
    expect_refused("check formats.lesson", 6, ": the steps up to this one would take about");
    write("test.lesson",
          "title: a\nabout: b\n\n## s\nscene: train-language\nset: construction.recipe.layers=8 "
          "construction.recipe.context=1024\nIt reaches {accuracy(16)}.\n");
    expect_refused("check test.lesson", 6, "test.lesson:4: this step would take about");
    const std::string wide =
        " --set construction.recipe.steps=1 --set construction.recipe.layers=16 --set "
        "construction.recipe.heads=8 --set construction.recipe.head_dim=64 --set head_dim=64 "
        "--set seq_len=65536";
    expect_refused("data train-recall head_atlas" + wide, 6, "'head_atlas' would take about");
    expect_refused("data train-recall model_logits --rows 0:1" + wide, 6, "this model would take about");
    expect_refused(
        "screenshot train-recall -o a.png --set construction.recipe.steps=100000 "
        "--set construction.recipe.width=256",
        6, "this window would take about");
    EXPECT_FALSE(exists("a.png"));
}

TEST_F(Limits, WithoutThreadsOrMemoryItSaysSo) {
#ifdef ROPEWALK_ADDRESS_SANITIZER
    GTEST_SKIP() << "the address sanitizer needs terabytes of addresses";
#endif
    const char* const no_thread = "ulimit -s 200000000000";  // a thread's stack would be larger than all addresses
    EXPECT_EQ(run("data barbero-fig2a inv_freq", "err.txt", no_thread).code, 0) << read("err.txt");
    const Ran without_threads = run("screenshot barbero-fig2a -o a.png", "err.txt", no_thread);
    EXPECT_EQ(without_threads.code, 6);
    EXPECT_EQ(without_threads.err,
              "ropewalk: no more threads can be started; raise the limit on processes (ulimit -u) or memory\n");
    const Ran without_memory = run("screenshot barbero-fig2a -o a.png", "err.txt", "ulimit -v 700000");
    EXPECT_EQ(without_memory.code, 5);
    EXPECT_THAT(without_memory.err, HasSubstr("the limit of 683 MB of memory (ulimit -v or -d) is too low"));
}

TEST_F(Limits, WithLittleMemoryACommandSucceedsOrSaysSo) {
#ifdef ROPEWALK_ADDRESS_SANITIZER
    GTEST_SKIP() << "the address sanitizer needs terabytes of addresses";
#endif
    for (const char* command : {"figure barbero-fig2a attention -o a.png", "figure barbero-fig2a decay -o a.pdf",
                                "data barbero-fig2a decay -o a.csv", "train train-back --steps 1"}) {
        std::map<int, int> count_of_code;
        for (int kilobytes = 50'000; kilobytes <= 170'000; kilobytes += 8'000) {
            const Ran ran = run(command, "err.txt", own_font_cache() + fmt::format("ulimit -v {}", kilobytes));
            if (ran.code == 127) continue;  // the libraries could not be loaded
            ++count_of_code[ran.code];
            EXPECT_TRUE(ran.code == 0 || ran.code == 6) << command << " in " << kilobytes << " kB: " << ran.code;
            if (ran.code == 6) {
                EXPECT_THAT(ran.err, HasSubstr("memory")) << command << " in " << kilobytes << " kB";
            }
        }
        EXPECT_GT(count_of_code[0], 0) << command;
        EXPECT_GT(count_of_code[6], 0) << command;
    }
}

TEST_F(Limits, ALowLimitOnTheStackIsRaisedOrReported) {
#ifdef ROPEWALK_ADDRESS_SANITIZER
    GTEST_SKIP() << "the address sanitizer asks for the stack's limit before the program raises it";
#endif
    for (const char* command : {"figure barbero-fig2a decay -o a.pdf", "data barbero-fig2a decay -o a.csv",
                                "train train-back --steps 1", "screenshot barbero-fig2a --size 1280x720 -o a.png"}) {
        const Ran raised = run(command, "err.txt", "ulimit -S -s 64");
        EXPECT_EQ(raised.code, 0) << command << ": " << raised.err;
        const Ran enough = run(command, "err.txt", "ulimit -S -s 64 && ulimit -H -s 512");
        EXPECT_EQ(enough.code, 0) << command << ": " << enough.err;
        const Ran refused = run(command, "err.txt", "ulimit -S -s 64 && ulimit -H -s 128");
        EXPECT_EQ(refused.code, 6) << command;
        EXPECT_EQ(refused.err, "ropewalk: the limit on the stack (ulimit -s) is too low; raise it to 256 kB\n");
    }
}

TEST_F(Limits, EscapeSequencesOfAFileDoNotReachTheTerminal) {
    write("a.json", "{\"schema\": 1, \"title\": \"a\\u001b[31m\\u202eb\"}");
    const Ran title = run("check a.json");
    EXPECT_EQ(title.code, 0) << title.err;
    EXPECT_THAT(title.out, HasSubstr("scene 'a\\x1b[31m\\u202eb'"));
    write("b.json", "{\"schema\": 1, \"experiment\": {\"mask\": \"\\u001b]0;x\\u0007\"}}");
    const Ran value = run("check b.json");
    EXPECT_EQ(value.code, 3);
    EXPECT_THAT(value.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(value.err, HasSubstr("\\x1b]0;x\\x07"));
    write("c.json", "{\"schema\": 1, \"experiment\": {\"mask\": \"" + std::string(100'000, 'x') + "\"}}");
    EXPECT_LT(run("check c.json").err.size(), 750u);
    write("d\x1b[31m.json", "{");
    EXPECT_THAT(run("check 'd\x1b[31m.json'").err, HasSubstr("d\\x1b[31m.json: "));
    EXPECT_THAT(run("check 'no\xff.json'").err, HasSubstr("no\uFFFD.json: "));
}

TEST_F(Limits, ALongSentenceLosesItsMiddleButNoListOfChoices) {
    std::string folder = "a", mask;
    for (int i = 0; i < 100; ++i) folder += "é", mask += "😀";
    std::filesystem::create_directories(folder_.file(folder + "/" + folder));
    const std::string file = folder + "/" + folder + "/s.json";
    write(file, "{\"schema\": 1, \"experiment\": {\"mask\": \"" + mask + mask + "\"}}");
    const std::string cut = run("check " + file).err;
    EXPECT_LT(cut.size(), 750u);
    EXPECT_THAT(cut, testing::StartsWith("ropewalk: aé"));
    EXPECT_THAT(cut, HasSubstr(" … "));
    EXPECT_THAT(cut, testing::EndsWith("it must be 'causal', 'none' or 'window'\n"));
    EXPECT_TRUE(is_utf8(cut));
    EXPECT_EQ(cut.find("\uFFFD"), std::string::npos);
    for (const char* command : {"figure barbero-fig2a nix -o a.svg", "data barbero-fig2a nix"})
        EXPECT_THAT(run(command).err, Not(HasSubstr(" … "))) << command;
}

TEST_F(Limits, TwoScreenshotsOfASceneHaveTheSameBytes) {
    for (const char* name : {"a.png", "b.png"}) {
        const Ran ran = run(fmt::format("screenshot p-rope -o {}", name));
        if (ran.code == 5) GTEST_SKIP() << ran.err;
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    EXPECT_TRUE(read("a.png") == read("b.png"));
}

TEST_F(Limits, ANulInAPathIsNoEnd) {
    write("q.npy", array_header("|u1", 1) + std::string(64, '\7'));
    write("s.json",
          R"({"schema": 1, "experiment": {"head_dim": 64, "seq_len": 1, "pairing": "half_split",
              "construction": {"id": "arrays", "q": "q.npy\u0000.png", "k": "q.npy"}}})");
    expect_refused("check s.json", 4, "q.npy\\x00.png: cannot be read: its name contains a NUL byte");
}

TEST_F(Limits, ANulInAFileDoesNotEndTheSentence) {
    using namespace std::string_literals;
    write("a.lesson", "title: a\nabout: b\n\n## s\nscene: p-rope\0xx\nText.\n"s);
    expect_refused("check a.lesson", 3, "unknown bundled scene 'p-rope\\x00xx'; `ropewalk list scenes` lists all");
    write("s.json", R"({"schema": 1, "experiment": {"mask": "causal\u0000xx"}})");
    expect_refused("check s.json", 3, "causal\\x00xx");
}

}  // namespace
}  // namespace ropewalk
