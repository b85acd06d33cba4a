// A view to and from the "view" member of a scene.
#pragma once

#include <string>

#include "app/figures/page/view.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

/// The scene's view; what it leaves out takes its default. InputError with file and JSON pointer for what does not fit;
/// unknown keys are added to the scene's warnings.
View read_view(Scene& scene);

/// The same of figures and layout alone, from an object that is or is like that member.
void read_arrangement(const JsonValue& json, Arrangement& arrangement, Warnings& warnings);
nlohmann::json json_of(const Arrangement& arrangement);

/// Puts the view into the scene, keeping keys that were unknown.
void write_view(const View& view, Scene& scene);

/// Sets options of a figure, each written "name=value". UsageError and InputError as for `--set`.
void set_options(Figure& figure, const std::vector<std::string>& settings);

/// The first figure called `id` in the view, or one with its default options. UsageError if there is no such figure.
Figure figure_called(const std::string& id, const View& view);
/// Puts the figure where the first of its kind stands, or else in the place of the second panel.
void put_in_view(const Figure& figure, View& view);

}  // namespace ropewalk
