// app/cli: the command line: one file per subcommand or two, and one table of options (parser.cpp), from which help and
// errors are made. Here: the entry point.
#pragma once

#include <functional>
#include <string>

#include "app/window_options.h"
#include "core/cancel.h"
#include "core/stage_time.h"

namespace ropewalk {

/// The parts of the program that need a window library. `main` provides them, so commands do not depend on it.
struct WindowProgram {
    std::function<void(const WindowOptions&)> open;
    /// Returns the bytes of a PNG. `accept` gets the scene once it is read, and may throw.
    std::function<std::string(const WindowOptions&, const std::function<void(const Scene&)>& accept)> screenshot;
    std::function<WindowTimes(const WindowOptions&, int frames)> times;  // of this many frames, without a display
};

/// The exit code of a command that was cancelled.
inline constexpr int cancelled_code = 130;

/// Runs the program. Prints errors in one line on stderr. Returns the exit code: 0 success, 1 internal error, 2 usage,
/// 3 input rejected, 4 input/output failed, 5 no display, 6 limit exceeded, 128 + a signal's number.
int run_command_line(int argc, char** argv, const WindowProgram& window, const Cancel& cancel);

}  // namespace ropewalk
