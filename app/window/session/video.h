// A page at every step of a sweep, as numbered pictures or as a film.
#pragma once

#include <functional>
#include <string>

#include "app/figures/page/page.h"
#include "app/figures/page/sweep.h"

namespace ropewalk {

/// The page at a step: its experiment, or the figure of the swept panel, has the step's value.
Page page_at(const Page& page, const Sweep& sweep, int step);

/// Writes it: a name that ends in .png stands for "name-001.png", "name-002.png" …; .gif and .mp4 are made by ffmpeg
/// from such pictures. Axes and scales of colours have one range in all of them. Tells how much is done, from 0 to 1.
/// Returns a sentence about what was written. Throws IoError, also where ffmpeg is not there or fails, and Cancelled;
/// nothing half-written is left.
std::string write_film(const Page& page, const Sweep& sweep, const std::string& path, Evaluator& evaluator,
                       const std::function<void(double)>& progress, const Cancel& cancel);

/// Whether films can be made here, not only pictures.
bool has_film_maker();

/// Throws IoError where that has no chance: a film without ffmpeg, or pictures of which one has the name of a file.
void require_film(const Sweep& sweep, const std::string& path);

}  // namespace ropewalk
