// The scene that an exported figure carries, read back: the other half of export.h.
#pragma once

#include <string>
#include <string_view>

#include "core/scene_io.h"

namespace ropewalk {

/// Whether the file's name is that of a figure: .png, .svg or .pdf.
bool is_figure_file(const std::string& path);

/// The JSON text inside a PNG (iTXt "ropewalk"), an SVG (<metadata id="ropewalk">) or a PDF (Keywords). `name` is what
/// errors call the file. InputError if it is none of these, is cut short, or carries no scene.
std::string embedded_scene(std::string_view bytes, const std::string& name);

/// open_scene, or the scene inside a figure; `path` is then the figure's, and its arrays are looked for beside it.
Scene open_scene_or_figure(const std::string& file_or_name, const Settings& settings = {});

}  // namespace ropewalk
