// What the commands of the table do, and when they are unavailable, as far as that is more than one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/window/main_window/commands.h"

namespace ropewalk {

Obstacle unless(bool can, std::string why);
Obstacle without_lesson(const WindowParts& window);
Obstacle before_first_step(const WindowParts& window);
Obstacle without_saved_layouts(const WindowParts& window);
Obstacle without_sessions(const WindowParts& window);
Obstacle with_most_panels(const WindowParts& window);
Obstacle on_main_panel(const WindowParts& window);
Obstacle with_one_panel(const WindowParts& window);
Obstacle without_animation(const WindowParts& window);
Obstacle without_curve(const WindowParts& window);
Obstacle without_heads(const WindowParts& window);
Obstacle without_recipe(const WindowParts& window);
Obstacle without_training(const WindowParts& window);

/// Returns the panel whose curve is to be pinned: the one under the pointer, or else the first that has a curve.
std::optional<int> panel_to_pin(const WindowParts& window);
/// Adds `by` to the number of the selected head or layer; at the ends, it stays.
void step_head(WindowParts& window, std::string_view path, int by);
/// Stops the animation and calls `way`: undo or redo.
void travel(WindowParts& window, void (Document::*way)());
/// Resets the zoom of every figure.
void show_all(View& view);
void toggle_maximised(WindowParts& window);
void switch_theme(Preferences& preferences);
/// Makes text larger by this many tenths of the usual size, without accumulating rounding errors.
void enlarge_text(Preferences& preferences, int tenths);
void copy_scene(WindowParts& window);
void copy_command_line(WindowParts& window);
void copy_numpy(WindowParts& window);
void copy_plot(WindowParts& window);
/// Begins or ends the presentation: only the main figure, formula, lesson and sliders, in large text.
void begin_presenting(WindowParts& window);
void end_presenting(WindowParts& window);

}  // namespace ropewalk
