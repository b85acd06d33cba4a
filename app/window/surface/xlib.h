// Functions of Xlib, whose header defines too many macros to be included.
#pragma once

#include <dlfcn.h>

namespace ropewalk {

/// Returns a function of Xlib if GLFW has loaded it; else null.
template <class Function>
Function* xlib(const char* name) {
    void* const library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

}  // namespace ropewalk
