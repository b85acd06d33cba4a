// Canvases that end in files. Deterministic: the same drawing gives the same bytes.
#pragma once

#include <functional>
#include <string>

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

/// PNG bytes of an image, with an iTXt chunk "ropewalk" that holds `scene` unless it is empty.
std::string png_bytes(const Image& image, const std::string& scene);

}  // namespace ropewalk
