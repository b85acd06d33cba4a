// The caption of a page, on the page or as a file of its own.
#pragma once

#include <string>

#include "app/figures/page/page.h"
#include "app/figures/parts/text/caption.h"

namespace ropewalk {

/// Returns the cursor that a figure depends on ("query 8, key 0"), unless it shows the matrix, and its badge.
std::string particulars(const Figure& figure, const FigureInput& input);
/// Returns the parameters of the head, as far as the figures depend on them, and how the reference differs from it.
std::string caption_of(const Page& page, const FigureInput& input, TrainingDetail detail = TrainingDetail::brief);

/// Returns the titles, parameters and particulars as text, or within \\caption{…}. `has_areas` adds what lines and
/// areas of dense curves are. Requires a kind of file.
std::string caption_file_text(const Page& page, const FigureInput& input, CaptionFile kind, bool has_areas = false);
/// Returns the name of the caption's file beside that of a figure: "decay.caption.tex" for "decay.pdf".
std::string caption_path(const std::string& figure_path, CaptionFile kind);

/// Returns the parameters with relations, in LaTeX as formulas: "base $\\theta = 10\\,000$" for "base θ 10 000".
std::string with_formulas(std::string_view parameters, CaptionFile kind);

/// Returns the text in LaTeX: special characters escaped, symbols as mathematics.
std::string in_latex(std::string_view text);

}  // namespace ropewalk
