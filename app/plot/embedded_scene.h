// The scene that an exported figure carries, read back: the other half of export.h.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// The JSON text inside a PNG (iTXt "ropewalk"), an SVG (<metadata id="ropewalk">) or a PDF (Keywords). `name` is what
/// errors call the file. InputError if it is none of these, is cut short, or carries no scene.
std::string embedded_scene(std::string_view bytes, const std::string& name);

}  // namespace ropewalk
