// Reads the clipboard of an X display. GLFW waits for its owner for ever, so that a program that hangs would freeze the
// window.
#pragma once

#include <string>

namespace ropewalk {

/// Returns the window that owns the clipboard; 0 if there is none.
unsigned long x11_clipboard_owner(void* display);

/// Returns the text on the clipboard; empty if it holds none. Throws IoError if its owner does not answer within a
/// second, as this program would not, or if the text has more than 1 MiB.
std::string x11_clipboard_text(void* display);

}  // namespace ropewalk
