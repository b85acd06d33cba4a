#include "tests/faults/without_memory.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <span>
#include <string>

#include "tests/faults/fault.h"

namespace ropewalk {
namespace {

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

}  // namespace

void end_without_memory() {
    stop_failing();
    const std::string functions = functions_on_stack();
    static const std::regex of_a_library("nlohmann\\S*7destroyE|CLI6Option10check_name");
    if (std::regex_search(functions, of_a_library)) ::_exit(died_in_a_library);
    std::fputs(functions.c_str(), stderr);
    std::abort();
}

}  // namespace ropewalk
