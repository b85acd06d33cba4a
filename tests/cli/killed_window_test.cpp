// What a window that is killed leaves for the next start.
#include "tests/cli/command_line_fixture.h"
#include "tests/xvfb.h"

namespace ropewalk {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

TEST_F(CommandLine, AKilledWindowKeepsSettingsThatWereNeverChanged) {
    const Xvfb server("");
    if (server.display().empty()) GTEST_SKIP() << "Xvfb does not start";
    const std::string window =
        "env -u WAYLAND_DISPLAY XDG_CONFIG_HOME=\"$PWD\" XDG_STATE_HOME=\"$PWD\" DISPLAY=" + server.display() +
        " " ROPEWALK_PROGRAM " p-rope --set seq_len=77 2>window.txt";
    run("--version", "err.txt",
        "{ " + window +
            " & pid=$!; for i in $(seq 200); do sleep 0.1; ls ropewalk/desk-*.json >/dev/null 2>&1 && break; "
            "kill -0 $pid || break; done; kill -9 $pid; wait $pid; cat ropewalk/desk-*.json >session.txt; true; } "
            "2>shell.txt");
    if (read("window.txt").find("ropewalk: ") != std::string::npos) GTEST_SKIP() << read("window.txt");
    EXPECT_THAT(read("session.txt"), AnyOf(HasSubstr("\"seq_len\": 77"), HasSubstr("\"seq_len\":77")));
}

}  // namespace
}  // namespace ropewalk
