#include "app/window/surface/x11_guard.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/window/surface/xlib.h"
#include "core/error.h"

namespace ropewalk {
namespace {

/// Exits, because Xlib ends the process when its handler returns.
int lose_display(void*) {
    constexpr std::string_view sentence =
        "ropewalk: lost the connection to the display; the session can be recovered at the next start\n";
    std::fwrite(sentence.data(), 1, sentence.size(), stderr);
    std::_Exit(static_cast<int>(ExitCode::display));
}

int ignore_error(void*, void*) {
    return 0;
}

bool is_readable(std::string_view line) {
    constexpr std::string_view file = "file://";
    if (line.starts_with(file) && line.find('/', file.size()) == line.npos) return false;
    const auto is_digit = [&](std::size_t at) {
        return at < line.size() && std::isxdigit(static_cast<unsigned char>(line[at])) != 0;
    };
    for (std::size_t at = line.find('%'); at != line.npos; at = line.find('%', at + 1))
        if (!is_digit(at + 1) || !is_digit(at + 2) || line.substr(at, 3) == "%00") return false;
    return true;
}

}  // namespace

void guard_display() {
    using LostHandler = int (*)(void*);
    using ErrorHandler = int (*)(void*, void*);
    if (auto* const set = xlib<LostHandler(LostHandler)>("XSetIOErrorHandler")) set(lose_display);
    if (auto* const set = xlib<ErrorHandler(ErrorHandler)>("XSetErrorHandler")) set(ignore_error);
}

void hide_malformed_uris(std::span<char> list) {
    constexpr std::string_view breaks("\r\n\0", 3);
    const auto is_break = [&](char c) { return breaks.find(c) != breaks.npos; };
    for (auto line = list.begin(); line != list.end();) {
        const auto end = std::find_if(line, list.end(), is_break);
        if (line != end && !is_readable({&*line, static_cast<std::size_t>(end - line)})) *line = '#';
        line = std::find_if_not(end, list.end(), is_break);
    }
}

}  // namespace ropewalk

/// Stands in front of Xlib's function, which GLFW 3.3 calls by its name to read what is dropped on the window: nothing
/// else sees the list before GLFW's parser.
extern "C" __attribute__((visibility("default"))) int XGetWindowProperty(void* display, unsigned long window,
                                                                         unsigned long property, long offset,
                                                                         long length, int deletes, unsigned long type,
                                                                         unsigned long* found_type, int* format,
                                                                         unsigned long* count, unsigned long* left,
                                                                         unsigned char** data) {
    static const auto real = reinterpret_cast<decltype(&XGetWindowProperty)>(dlsym(RTLD_NEXT, "XGetWindowProperty"));
    static auto* const atom = ropewalk::xlib<unsigned long(void*, const char*, int)>("XInternAtom");
    static const unsigned long uri_list = atom ? atom(display, "text/uri-list", 0) : 0;
    const int result =
        real(display, window, property, offset, length, deletes, type, found_type, format, count, left, data);
    if (result == 0 && *data && *found_type == uri_list && *format == 8)
        ropewalk::hide_malformed_uris({reinterpret_cast<char*>(*data), *count});
    return result;
}
