// What a command of the shell prints.
#pragma once

#include <cstdio>
#include <string>

namespace ropewalk {

/// Runs a command and returns what it writes to standard output.
inline std::string output_of(const std::string& command) {
    std::string output;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    while (const std::size_t got = pipe ? std::fread(buffer, 1, sizeof buffer, pipe) : 0) output.append(buffer, got);
    if (pipe) ::pclose(pipe);
    return output;
}

}  // namespace ropewalk
