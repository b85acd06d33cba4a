// The table of all commands: what each is called, which keys it has and what it does. Shortcuts, the bar and the
// palette are made from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/main_window/window_parts.h"
#include "app/window/surface/keys.h"

namespace ropewalk {

/// The reason why a command is unavailable, as the rest of a sentence; empty if it is available.
using Obstacle = std::optional<std::string>;

struct Command {
    const char* id;
    const char* title;
    KeyPress keys[4] = {};  // any of them; the first is shown where there is room for one
    const char* help;
    void (*run)(WindowParts& window);
    Obstacle (*obstacle)(const WindowParts& window) = nullptr;  // null: always available
    bool (*is_on)(const WindowParts& window) = nullptr;         // null: while the palette shows its list
    bool in_bar = false;
    const char* title_in_bar = nullptr;  // if it differs from `title`
    bool is_travel = false;              // undo or redo: unavailable during a drag

    Obstacle obstacle_in(const WindowParts& window) const { return obstacle ? obstacle(window) : std::nullopt; }
    /// Returns whether its button is highlighted: what it opens is open, or what it sets is set.
    bool is_on_in(const WindowParts& window) const;
    const char* bar_title() const { return title_in_bar ? title_in_bar : title; }
    /// Returns all its shortcuts, such as "Ctrl+Shift+Z, Ctrl+Y"; may be empty.
    std::string shortcuts() const;
    /// Returns what it does and, if there is an obstacle, why it is unavailable.
    std::string help_in(const WindowParts& window) const;
};

/// Returns all commands, in the order of the palette and the bar.
std::span<const Command> commands();
/// Returns the command with this id; null if there is none.
const Command* find_command(std::string_view id);

/// Runs a command that is available.
void run(const Command& command, WindowParts& window);
/// Runs the command, or shows why it is unavailable.
void run_if_possible(const Command& command, WindowParts& window);

/// Begins or ends the presentation: only figures, formula and lesson, in large text.
void present(WindowParts& window, bool presents);

}  // namespace ropewalk
