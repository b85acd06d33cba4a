// Subsets of font files, for embedding.
#pragma once

#include <set>
#include <string>

namespace ropewalk {

/// Returns an OpenType file with only the glyphs of these characters and without tables for typesetting. The same
/// characters give the same bytes. Throws IoError if the font cannot be read.
std::string font_subset(const std::string& path, const std::set<char32_t>& characters);

}  // namespace ropewalk
