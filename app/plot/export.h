// Canvases that end in files. Deterministic: the same drawing gives the same bytes.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "app/plot/canvas.h"

namespace ropewalk {

struct ExportOptions {
    double width = 720, height = 480;  // px at 96 dpi
    double scale = 1;                  // PNG: device pixels per px
    double density = 1;                // logical pixels of the drawing per px: above 1, text and lines come out smaller
    Color background{};
    std::string title{};  // document title
    /// JSON of the scene, embedded unless empty: SVG <metadata>, PNG iTXt "ropewalk", PDF Keywords.
    std::string scene{};
};

using Draw = std::function<void(Canvas& canvas)>;

/// Own writer: real text (font-family Inter, DejaVu Sans, sans-serif), images as pixelated PNG data URIs.
std::string draw_svg(const ExportOptions& options, const Draw& draw);
/// Cairo, embedded font subsets, fixed creation date.
std::string draw_pdf(const ExportOptions& options, const Draw& draw);
std::string draw_png(const ExportOptions& options, const Draw& draw);
/// The pixels of that PNG. LimitError if there are too many or none.
Image draw_image(const ExportOptions& options, const Draw& draw);

/// What figures are written as; others are found by these alone.
struct FigureFormat {
    const char* id;  // the ending of a file's name
    bool is_vector;
    std::string (*draw)(const ExportOptions& options, const Draw& draw);
};
inline constexpr std::array<FigureFormat, 3> figure_formats{
    {{"png", false, draw_png}, {"svg", true, draw_svg}, {"pdf", true, draw_pdf}}};
/// UsageError if there is none of this id.
const FigureFormat& figure_format(std::string_view id);
/// "png, svg or pdf"
std::string any_figure_format();
/// Whether the file's name ends as that of a figure.
bool is_figure_file(const std::string& path);

/// PNG bytes of an image, with an iTXt chunk "ropewalk" that holds `scene` unless it is empty.
std::string png_bytes(const Image& image, const std::string& scene);

}  // namespace ropewalk
