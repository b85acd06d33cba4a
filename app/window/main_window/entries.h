// The lists that the palette shows: commands, scenes, layouts, steps and sessions, and what choosing an entry
// does.
#pragma once

#include <string>
#include <vector>

#include "app/window/main_window/commands.h"

namespace ropewalk {

/// Returns the entry of a command, with its keys and why it is unavailable, if it is.
PaletteEntry entry_of(const Command& command, const WindowParts& window);
/// Returns entries for the recent and the bundled scenes.
std::vector<PaletteEntry> scene_entries(const WindowParts& window);
/// Returns the id of the open scene's entry.
std::string current_scene(const WindowParts& window);

// Each of these opens the palette with a list.
void open_commands(WindowParts& window);  // and all else that can be found by typing
void open_scenes(WindowParts& window);
void open_shortcuts(WindowParts& window);
void open_history(WindowParts& window);
void open_recoverable(WindowParts& window);
void open_layouts(WindowParts& window);
void open_figures(WindowParts& window);  // to add one
void open_sweeps(WindowParts& window);   // to choose a field
void open_glossary(WindowParts& window);
void open_about(WindowParts& window);
void open_explanation(WindowParts& window);  // of the figure under the pointer, with the terms that it needs

/// Opens the palette with the saved layouts, as entries whose ids begin with `prefix`.
void open_saved_layouts(WindowParts& window, const char* title, const std::string& prefix);

/// Shows in the figures what the selected entry of the palette would set.
void preview_selected(WindowParts& window);
/// Runs or opens the entry with this id.
void follow(const std::string& id, WindowParts& window);

}  // namespace ropewalk
