// Runs the program as a user calls it, in a temporary folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/io/files.h"
#include "tests/temporary_folder.h"

namespace ropewalk {

struct Ran {
    int code = 0;
    std::string out, err;
};

class CommandLine : public testing::Test {
  protected:
    /// Runs `ropewalk ARGUMENTS` through a shell, in the temporary folder, without a display, after a shell command.
    Ran run(const std::string& arguments, const std::string& errors_to = "err.txt", const std::string& before = ":") {
        const std::string command = "cd '" + folder_.path() + "' && " + before +
                                    " && env -u DISPLAY -u WAYLAND_DISPLAY XDG_CONFIG_HOME=\"$PWD\" "
                                    "XDG_STATE_HOME=\"$PWD\" " ROPEWALK_PROGRAM " " +
                                    arguments + " >out.txt 2>" + errors_to + " </dev/null";
        const int status = std::system(command.c_str());
        EXPECT_TRUE(WIFEXITED(status)) << arguments;
        return {WEXITSTATUS(status), read("out.txt"), errors_to == "err.txt" ? read("err.txt") : ""};
    }
    std::string read(const std::string& name) { return read_file(folder_.file(name), 1u << 28); }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(folder_.file(name), std::ios::binary) << text;
    }
    bool exists(const std::string& name) { return std::filesystem::exists(folder_.file(name)); }

    /// Expects a failure: the exit code, one line on stderr that contains `sentence`, and nothing on stdout.
    void expect_refused(const std::string& arguments, int code, const std::string& sentence) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, code) << arguments << ": " << ran.err;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_THAT(ran.err, testing::StartsWith("ropewalk: "));
        EXPECT_THAT(ran.err, testing::HasSubstr(sentence));
        EXPECT_EQ(ran.out, "");
    }

    TemporaryFolder folder_;
};

}  // namespace ropewalk
