// What a window that is killed leaves for the next start.
#include "tests/cli/command_line_fixture.h"
#include "tests/xvfb.h"

namespace ropewalk {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class EndedWindow : public CommandLine {
  protected:
    /// Starts a window with 77 tokens, waits until it has saved its session and does this to it, as process $pid.
    /// Returns the session that it leaves.
    std::string session_after(const std::string& what) {
        const Xvfb server("");
        if (server.display().empty()) return not_tried_ = "Xvfb does not start";
        const std::string window =
            "env -u WAYLAND_DISPLAY XDG_CONFIG_HOME=\"$PWD\" XDG_STATE_HOME=\"$PWD\" DISPLAY=" + server.display() +
            " " ROPEWALK_PROGRAM " p-rope --set seq_len=77 2>window.txt";
        run("--version", "err.txt",
            "{ " + window +
                " & pid=$!; for i in $(seq 200); do sleep 0.1; ls ropewalk/desk-*.json >/dev/null 2>&1 && break; "
                "kill -0 $pid || break; done; " +
                what + "; wait $pid; cat ropewalk/desk-*.json >session.txt; true; } 2>shell.txt");
        if (read("window.txt").find("cannot open a window") != std::string::npos) not_tried_ = read("window.txt");
        return read("session.txt");
    }

    std::string not_tried_;
};

TEST_F(EndedWindow, KeepsSettingsThatWereNeverChanged) {
    const std::string session = session_after("kill -9 $pid");
    if (!not_tried_.empty()) GTEST_SKIP() << not_tried_;
    EXPECT_THAT(session, AnyOf(HasSubstr("\"seq_len\": 77"), HasSubstr("\"seq_len\":77")));
}

TEST_F(EndedWindow, SavesItsSessionBeforeASignalEndsIt) {
    const std::string session = session_after("rm -r ropewalk; kill $pid");
    if (!not_tried_.empty()) GTEST_SKIP() << not_tried_;
    EXPECT_THAT(session, AnyOf(HasSubstr("\"seq_len\": 77"), HasSubstr("\"seq_len\":77")));
}

}  // namespace
}  // namespace ropewalk
