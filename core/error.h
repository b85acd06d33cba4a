// Three kinds of errors: a programmer's (ensure), a user's value or file (InputError, LimitError) and the environment's
// (IoError, DisplayError). Each message is one sentence that says what is wrong and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace ropewalk {

/// The exit status of the program; the same for every command.
enum class ExitCode { done = 0, internal = 1, usage = 2, input = 3, io = 4, display = 5, limit = 6 };

/// Returns the sentence with every NUL of a foreign text written as \x00: an exception's sentence ends at the first.
inline std::string without_nul(const std::string& sentence) {
    std::string shown;
    for (const char c : sentence) {
        if (c == '\0')
            shown += "\\x00";
        else
            shown += c;
    }
    return shown;
}

/// An error that the user can act on; `code` is the exit status on the command line.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& sentence) : std::runtime_error(without_nul(sentence)), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

/// The errors of one exit status.
template <ExitCode exit_code>
struct ErrorOf : Error {
    explicit ErrorOf(const std::string& sentence) : Error(exit_code, sentence) {}
};
using UsageError = ErrorOf<ExitCode::usage>;      // a command line that cannot be understood: an unknown name or path
using InputError = ErrorOf<ExitCode::input>;      // a value or a file's content: malformed, unsupported, out of range
using IoError = ErrorOf<ExitCode::io>;            // a file that could not be read or written
using DisplayError = ErrorOf<ExitCode::display>;  // no display, or no usable OpenGL
using LimitError = ErrorOf<ExitCode::limit>;      // a request beyond a stated limit

/// Thrown when the result is no longer wanted. Not an error: only `Worker` and callers that pass a `Cancel` see it.
struct Cancelled {};

/// Throws std::logic_error with the sentence if `condition` is false, also in release builds: the program has a bug.
inline void ensure(bool condition, const char* sentence) {
    if (!condition) throw std::logic_error(sentence);
}

}  // namespace ropewalk
