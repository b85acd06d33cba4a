// The sub-commands: one option table, read once, from which help and errors come.
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

/// What is said on the line of commands that open a scene; each takes the part that it can use.
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
    std::optional<PageSize> mm;               // in its place, of a figure
    PageParts parts;                          // of a figure
    bool has_reference = true;                // the scene's, in a figure
    Settings reference;                       // of a figure: what it is compared with has otherwise than the scene
    double scale = 0;                         // 0: the display's own, or 1
    std::string lessons;                      // folder whose files replace the embedded lessons
    std::string lesson;                       // id of the one to open
    std::optional<int> step;                  // of it, from 1; without it as the window likes
    std::string frame_trace;                  // file for a record of the window's frames
};

/// The parts of the program that need a window's library; main joins them, so that commands know nothing of it.
struct WindowProgram {
    std::function<void(const CommonOptions&)> open;
    std::function<std::string(const CommonOptions&)> screenshot;         // the bytes of a PNG
    std::function<WindowTimes(const CommonOptions&, int frames)> times;  // of so many, without a display
};

/// Runs the program. Errors are said in one line on stderr; the exit code is one of QUALITY's: 0 done, 1 internal
/// error, 2 usage, 3 input rejected, 4 input/output failed, 5 no display, 6 limit exceeded, 130 or 143 after SIGINT or
/// SIGTERM.
int run_command_line(int argc, char** argv, const WindowProgram& window, const Cancel& cancel);

}  // namespace ropewalk
