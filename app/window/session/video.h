// A page for every step of a sweep, as numbered images or as a video.
#pragma once

#include <functional>
#include <string>

#include "app/figures/page/page.h"
#include "app/figures/page/sweep.h"

namespace ropewalk {

/// Returns the page at a step: its experiment, or the figure of the swept panel, has the step's value.
Page page_at(const Page& page, const Sweep& sweep, int step);

/// Writes the pages of a sweep. A name that ends in .png stands for "name-001.png", "name-002.png" …; ffmpeg makes .gif
/// and .mp4 from such images. All images share the same axis and colour ranges. Reports the completed fraction, from 0
/// to 1, to `progress`. Returns a sentence about what was written. Throws IoError, also if ffmpeg is missing or fails,
/// and Cancelled; neither leaves an unfinished file.
std::string write_video(const Page& page, const Sweep& sweep, const std::string& path, Evaluator& evaluator,
                        const std::function<void(double)>& progress, const Cancel& cancel);

bool has_video_maker();

/// Throws IoError if the export cannot succeed: a video without ffmpeg, or an image whose name is taken.
void require_video(const Sweep& sweep, const std::string& path);

}  // namespace ropewalk
