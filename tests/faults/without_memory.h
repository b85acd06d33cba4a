// How a process of a test ends if it has no memory where nothing may be thrown.
#pragma once

namespace ropewalk {

constexpr int died_in_a_library = 63;  // exit code

/// Ends the process as `std::terminate` does, or with `died_in_a_library` where a library of Debian's must not throw
/// but allocates: nlohmann/json 3.11.2 in its destructor, CLI11 2.1 where it compares names.
[[noreturn]] void end_without_memory();

}  // namespace ropewalk
