// The table of all commands: what each is called, which keys it has and what it does. Shortcuts, menus, the
// toolbar and the palette are made from it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/main_window/window_parts.h"
#include "app/window/surface/keys.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// The reason why a command is unavailable, as the rest of a sentence; empty if it is available.
using Obstacle = std::optional<std::string>;

/// The menus of the menu bar.
enum class Menu { file, edit, view, figures, learn, help };
struct MenuTitle {
    Menu menu;
    const char* title;
    char letter;  // opens the menu with Alt
};
inline constexpr std::array menu_titles{MenuTitle{Menu::file, "File", 'F'},   MenuTitle{Menu::edit, "Edit", 'E'},
                                        MenuTitle{Menu::view, "View", 'V'},   MenuTitle{Menu::figures, "Figures", 'I'},
                                        MenuTitle{Menu::learn, "Learn", 'L'}, MenuTitle{Menu::help, "Help", 'H'}};
/// Returns the commands of a menu, in its order.
std::vector<const struct Command*> commands_of(Menu menu);

struct Command {
    const char* id;
    const char* title;
    Menu menu{};            // set by the table
    KeyPress keys[4] = {};  // any of them; the first is shown where there is room for one
    const char* help;
    void (*run)(WindowParts& window);
    Obstacle (*obstacle)(const WindowParts& window) = nullptr;  // null: always available
    bool (*is_on)(const WindowParts& window) = nullptr;         // null: while the palette shows its list
    bool starts_group = false;                                  // of its menu: a line is above it
    bool asks = false;       // its menu entry ends with an ellipsis, because a card opens
    int toolbar_group = 0;   // 0: not in the toolbar; lines are between the groups
    Icon icon = Icon::none;  // in the toolbar
    bool is_travel = false;  // undo or redo: unavailable during a drag
    bool by_remote = false;  // presentation remotes send its key, so that a presentation does not say why it cannot run

    Obstacle obstacle_in(const WindowParts& window) const { return obstacle ? obstacle(window) : std::nullopt; }
    /// Returns whether its button is highlighted: what it opens is open, or what it sets is set.
    bool is_on_in(const WindowParts& window) const;
    /// Returns its first shortcut; may be empty.
    std::string shortcut() const { return keys[0].key == Key::none ? "" : name_of(keys[0].key, keys[0].modifiers); }
    /// Returns all its shortcuts, such as "Ctrl+Shift+Z, Ctrl+Y"; may be empty.
    std::string shortcuts() const;
    /// Returns what it does and, if there is an obstacle, why it is unavailable.
    std::string help_given(const Obstacle& why) const;
    /// Returns the help of its button, with the first shortcut.
    Help help_of_button(const Obstacle& why) const {
        return {.title = title, .text = help_given(why), .range = shortcut()};
    }
};

/// Returns all commands, in the order of the palette and the menus.
std::span<const Command> commands();
/// Returns the command with this id; null if there is none.
const Command* find_command(std::string_view id);

/// Runs a command that is available.
void run(const Command& command, WindowParts& window);
/// Runs the command, or shows why it is unavailable.
void run_if_possible(const Command& command, WindowParts& window);

}  // namespace ropewalk
