// Reads the scene that export.h embeds in exported figures.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// Returns the JSON text inside a PNG (iTXt "ropewalk"), an SVG (<metadata id="ropewalk">, also if another program has
/// saved it again) or a PDF (Keywords). Errors name the file `name`. Throws InputError if the file has another format,
/// is incomplete or contains no scene.
std::string embedded_scene(std::string_view bytes, const std::string& name);

}  // namespace ropewalk
