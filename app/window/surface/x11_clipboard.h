// Reads the clipboard of an X display. GLFW waits without a limit for the program that owns it, so one that hangs would
// freeze the window.
#pragma once

#include <string>

namespace ropewalk {

/// Returns the window that owns the clipboard; 0 if there is none.
unsigned long x11_clipboard_owner(void* display);

/// Returns the text on the clipboard; empty if it holds none. Throws IoError if the owner does not answer within a
/// second, or if the text has more than 1 MiB. Call only if another program owns the clipboard.
std::string x11_clipboard_text(void* display);

}  // namespace ropewalk
