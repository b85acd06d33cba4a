// app/cli: the command line: one file per subcommand or two, and one table of options (parser.cpp), from which help and
// errors are made. Here: the entry point.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/page/page_style.h"
#include "app/figures/page/view.h"
#include "core/cancel.h"
#include "core/experiment/scene_io.h"
#include "core/stage_time.h"

namespace ropewalk {

/// The options of commands that open a scene. Each command uses those that apply.
struct CommonOptions {
    std::string scene;
    Settings settings;
    std::vector<std::string> options;  // of the figure
    std::string backend;
    int threads = 0;
    std::string shaders;  // folder whose files replace the embedded ones
    std::string theme;    // "light", "dark", or empty for the command's own default
    std::string output = "-";
    std::optional<std::pair<int, int>> size;  // px at 96 dpi
    std::optional<PageSize> mm;               // alternative to `size`, for a figure
    PageParts parts;                          // of a figure
    bool has_reference = true;                // compare a figure with the scene's reference
    Settings reference;                       // for a figure: the fields in which the reference differs from the scene
    double scale = 0;                         // 0: the display's scale, or 1
    std::string lessons;                      // folder whose files replace the embedded lessons
    std::string lesson;                       // id of the lesson to open
    std::optional<int> step;                  // of it, from 1; empty: the window's choice
    std::string frame_trace;                  // file for a record of the window's frames
};

/// The parts of the program that need a window library. `main` provides them, so commands do not depend on it.
struct WindowProgram {
    std::function<void(const CommonOptions&)> open;
    std::function<std::string(const CommonOptions&)> screenshot;         // the bytes of a PNG
    std::function<WindowTimes(const CommonOptions&, int frames)> times;  // of this many frames, without a display
};

/// Runs the program. Prints errors in one line on stderr. Returns the exit code: 0 success, 1 internal error, 2 usage,
/// 3 input rejected, 4 input/output failed, 5 no display, 6 limit exceeded, 130 or 143 after SIGINT or SIGTERM.
int run_command_line(int argc, char** argv, const WindowProgram& window, const Cancel& cancel);

}  // namespace ropewalk
