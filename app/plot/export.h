// Canvases that write files. Deterministic: the same drawing gives the same bytes.
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
    double density = 1;                // logical pixels per px; above 1, text and lines are smaller
    bool serif = false;                // all text in the roman of the mathematical font
    double line_scale = 1;             // of the widths of lines
    Color background{};
    std::string title{};  // document title
    /// JSON of the scene, embedded unless empty: SVG <metadata>, PNG iTXt "ropewalk", PDF Keywords.
    std::string scene{};
};

/// The most pixels of an image. With their cells, these need a few gigabytes of memory.
constexpr double most_pixels = 8192 * 8192;
/// Throws LimitError if an image of this size in px would have too many pixels or none.
void require_image_size(double width, double height, double scale);

using Draw = std::function<void(Canvas& canvas)>;

/// Returns an SVG file with text as text (font-family Inter, DejaVu Sans, sans-serif) and images as pixelated PNG data
/// URIs.
std::string draw_svg(const ExportOptions& options, const Draw& draw);
/// Return a PDF or PNG file, written by Cairo; a PDF has embedded font subsets and a fixed creation date.
std::string draw_pdf(const ExportOptions& options, const Draw& draw);
std::string draw_png(const ExportOptions& options, const Draw& draw);
/// Returns the pixels of that PNG. Throws like `require_image_size`.
Image draw_image(const ExportOptions& options, const Draw& draw);

/// A file format of figures. This list is the only place that defines them.
struct FigureFormat {
    const char* id;  // file name extension
    bool is_vector;
    std::string (*draw)(const ExportOptions& options, const Draw& draw);
};
inline constexpr std::array<FigureFormat, 3> figure_formats{
    {{"png", false, draw_png}, {"svg", true, draw_svg}, {"pdf", true, draw_pdf}}};
/// Returns the format with this id. Throws UsageError if there is none.
const FigureFormat& figure_format(std::string_view id);
/// Returns "png, svg or pdf".
std::string any_figure_format();
/// Returns whether the file name has the extension of a figure.
bool is_figure_file(const std::string& path);

/// Returns an image as a PNG file, with `scene` in an iTXt chunk "ropewalk" unless it is empty. `scale` is the number
/// of pixels per px, which determines the size on paper. Throws LimitError if the image is empty or larger than PNG
/// allows.
std::string png_bytes(const Image& image, const std::string& scene, double scale = 1);

}  // namespace ropewalk
