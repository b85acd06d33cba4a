// Three kinds of errors: a programmer's (ensure), a user's value or file (InputError, LimitError) and the environment's
// (IoError, DisplayError). Each message is one sentence that says what is wrong and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace ropewalk {

/// The exit status of the program; the same for every command.
enum class ExitCode { done = 0, internal = 1, usage = 2, input = 3, io = 4, display = 5, limit = 6 };

/// An error that the user can act on; `code` is the exit status on the command line.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

/// A command line that cannot be understood: an unknown name or path.
struct UsageError : Error {
    explicit UsageError(const std::string& sentence) : Error(ExitCode::usage, sentence) {}
};
/// A value or a file's content that is malformed, unsupported or out of range.
struct InputError : Error {
    explicit InputError(const std::string& sentence) : Error(ExitCode::input, sentence) {}
};
/// A file that could not be read or written.
struct IoError : Error {
    explicit IoError(const std::string& sentence) : Error(ExitCode::io, sentence) {}
};
/// No display, or no usable OpenGL.
struct DisplayError : Error {
    explicit DisplayError(const std::string& sentence) : Error(ExitCode::display, sentence) {}
};
/// A request beyond a stated limit.
struct LimitError : Error {
    explicit LimitError(const std::string& sentence) : Error(ExitCode::limit, sentence) {}
};

/// Thrown when the result is no longer wanted. Not an error: only `Worker` and callers that pass a `Cancel` see it.
struct Cancelled {};

/// Throws std::logic_error with the sentence if `condition` is false, also in release builds: the program has a bug.
inline void ensure(bool condition, const char* sentence) {
    if (!condition) throw std::logic_error(sentence);
}

}  // namespace ropewalk
