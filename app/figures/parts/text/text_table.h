// A small table of text, for figures whose numbers are meant to be read.
#pragma once

#include <string>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/theme.h"

namespace ropewalk {

/// A table of text. The first column is aligned left, the others right.
struct TextTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes{};  // below it, if they fit
};

/// Returns the minimum height of a table with `rows` rows, including the heading.
double table_height(std::size_t rows, const Theme& theme);

/// Draws the table inside the rect, with smaller text if that is needed to show all of it. Dots replace rows that still
/// do not fit; text too wide for its column ends in an ellipsis.
void draw_text_table(const TextTable& table, const Theme& theme, Canvas& canvas, const Rect& rect);

}  // namespace ropewalk
