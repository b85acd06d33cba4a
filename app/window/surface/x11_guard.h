// What other programs on an X display send, or their end in the middle of it, must not end this one.
#pragma once

#include <span>

namespace ropewalk {

/// Ends the program with a sentence if the connection to the display is lost, and ignores all other errors of the
/// display, such as that a window which dragged files here is gone. Xlib's own handlers would end the program. Call it
/// after every window that GLFW creates, because GLFW puts Xlib's handler back then.
void guard_display();

/// Turns every line of a text/uri-list that GLFW cannot read into a comment: a file without a path, which it would look
/// for beyond the end, and escapes that are no hexadecimal digits or that end the path.
void hide_malformed_uris(std::span<char> list);

}  // namespace ropewalk
