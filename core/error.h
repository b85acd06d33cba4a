// The three kinds of errors, never mixed: a programmer's (ensure), a user's value or file (InputError, LimitError) and
// the world's (IoError, DisplayError). Each message is one sentence that says what is wrong and what would do.
#pragma once

#include <stdexcept>
#include <string>

namespace ropewalk {

/// What the program ends with; the same for every sub-command.
enum class ExitCode { done = 0, internal = 1, usage = 2, input = 3, io = 4, display = 5, limit = 6 };

/// An error that a person can act on; `code` is the exit status it leads to on the command line.
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
/// More was asked for than a stated limit allows.
struct LimitError : Error {
    explicit LimitError(const std::string& sentence) : Error(ExitCode::limit, sentence) {}
};

/// The work was no longer wanted. Not an error: only `Worker` and callers that passed a `Cancel` see it.
struct Cancelled {};

/// An always-on assertion: a breach is a bug of ours and throws std::logic_error with the sentence.
inline void ensure(bool condition, const char* sentence) {
    if (!condition) throw std::logic_error(sentence);
}

}  // namespace ropewalk
