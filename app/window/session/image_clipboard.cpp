#include "app/window/session/image_clipboard.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "core/io/run_program.h"

namespace ropewalk {
namespace {

/// Returns the program and its arguments; empty if none is installed.
std::vector<std::string> copying_program() {
    if (std::getenv("WAYLAND_DISPLAY") && has_program("wl-copy")) return {"wl-copy", "--type", "image/png"};
    if (std::getenv("DISPLAY") && has_program("xclip"))
        return {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"};
    return {};
}

}  // namespace

bool has_image_clipboard() {
    return !copying_program().empty();
}

void copy_png(const std::string& png, const Cancel& cancel) {
    const std::vector<std::string> program = copying_program();
    if (program.empty()) throw IoError("Cannot copy an image. Install xclip or wl-clipboard.");
    // It ends at once; a copy of it keeps running to serve the clipboard.
    if (const int code = run_program(program, cancel, png); code != 0)
        throw IoError(fmt::format("{} could not copy the image (exit code {})", program.front(), code));
}

}  // namespace ropewalk
