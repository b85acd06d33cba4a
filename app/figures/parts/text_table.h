// A small table of text, for figures whose numbers are best read.
#pragma once

#include <string>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/theme.h"

namespace ropewalk {

/// The first column is aligned left, the others right.
struct TextTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes{};  // below it, where there is room
};

/// What a table of so many rows, the heading among them, is high.
double table_height(std::size_t rows, const Theme& theme);

/// Within the rect, with smaller text where it takes that to show all; where even so rows find no room, dots stand for
/// them, and text too wide for its column is cut with an ellipsis.
void draw_text_table(const TextTable& table, const Theme& theme, Canvas& canvas, const Rect& rect);

}  // namespace ropewalk
