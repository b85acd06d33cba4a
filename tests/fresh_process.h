// What a test of this program says in a process of its own: libraries read the environment only once.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/output_of.h"

namespace ropewalk {

/// To be called by a test that `said` runs.
inline void say(const std::string& answer) {
    std::printf("said: %s\n", answer.c_str());
}

/// What `test` of this program says under these settings of the environment; all of its output if it says nothing.
inline std::string said(const std::string& environment, const std::string& test) {
    const std::string command =
        fmt::format("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX {} '{}' --gtest_filter={} 2>&1", environment,
                    std::filesystem::read_symlink("/proc/self/exe").string(), test);
    const std::string output = output_of(command);
    const std::string mark = "said: ";
    const std::size_t begin = output.find(mark);
    if (begin == output.npos) return output;
    return output.substr(begin + mark.size(), output.find('\n', begin) - begin - mark.size());
}

}  // namespace ropewalk
