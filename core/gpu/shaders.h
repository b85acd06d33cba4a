// The sources of the shaders: the files of shaders/, embedded into the program.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace ropewalk {

/// By file name, as in "attention_scan.comp".
extern const std::map<std::string_view, std::string_view> embedded_shaders;

/// Returns the text of the file `name` in `folder` if there is one, otherwise the embedded one. Throws IoError if the
/// file cannot be read.
std::string shader_source(std::string_view name, const std::filesystem::path& folder = {});

}  // namespace ropewalk
