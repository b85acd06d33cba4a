// PNG files in memory.
#pragma once

#include <string>

#include "app/plot/canvas.h"

namespace ropewalk {

struct PngOptions {
    std::string scene;  // iTXt chunk "ropewalk", unless empty
    double scale = 1;   // pixels per logical pixel, which determines the size on paper
};

/// Throws LimitError if the image is empty or larger than PNG allows.
std::string encode_png(const Image& image, const PngOptions& options);

}  // namespace ropewalk
