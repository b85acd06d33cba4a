// Images on the clipboard, which GLFW cannot put there: another program of the desktop does.
#pragma once

#include <string>

#include "core/cancel.h"

namespace ropewalk {

/// Returns whether a program that copies images is installed: wl-copy under Wayland, else xclip.
bool has_image_clipboard();
/// Copies a PNG. Throws IoError if the program fails, and Cancelled.
void copy_png(const std::string& png, const Cancel& cancel);

}  // namespace ropewalk
