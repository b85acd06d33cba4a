// Reads and writes a view as the "view" member of a scene.
#pragma once

#include <string>

#include "app/figures/page/view.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

/// Returns the scene's view. Missing members take their defaults; unknown keys are added to the scene's warnings.
/// Throws InputError with file and JSON pointer for invalid values.
View read_view(Scene& scene);

/// Reads a figure. Drops an invalid zoom, with a warning. Throws InputError if anything else is invalid.
Figure read_figure(const JsonValue& json, Warnings& warnings);

/// Reads figures and layout only, from a scene's "view" or an object of the same form.
void read_arrangement(const JsonValue& json, Arrangement& arrangement, Warnings& warnings);
nlohmann::json json_of(const Arrangement& arrangement);

/// Stores the view in the scene. Unknown keys are kept.
void write_view(const View& view, Scene& scene);

/// Sets options of a figure, each written "name=value". Throws UsageError and InputError as `--set` does.
void set_options(Figure& figure, const std::vector<std::string>& settings);

/// Returns the view's first figure with this `id`, or one with default options. Throws UsageError if there is no such
/// figure.
Figure figure_called(const std::string& id, const View& view);
/// Replaces the view's first figure of the same kind, or else the second panel's.
void put_in_view(const Figure& figure, View& view);

}  // namespace ropewalk
