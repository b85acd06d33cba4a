// A figure as a file: evaluated at the resolution it is printed in, and drawn on its own page.
#pragma once

#include <string>

#include "app/figures/figures.h"

namespace ropewalk {

struct PageOptions {
    int width = 720, height = 560;  // px at 96 dpi
    double scale = 2;               // PNG: device pixels per px
    const Theme* theme = &light_theme();
    Cursor cursor;
    bool cursor_shown = false;
    std::string scene;                    // embedded
    std::optional<Experiment> reference;  // that the experiment is compared with
};

/// The bytes of a "png", "svg" or "pdf"; UsageError for another format. The same arguments give the same bytes.
std::string make_page(const Figure& figure, const Experiment& experiment, Evaluator& evaluator,
                      const std::string& format, const PageOptions& options, const Cancel& cancel);

}  // namespace ropewalk
