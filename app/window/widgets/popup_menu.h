// A list of actions over everything else: the menus of the menu bar, and what a right click offers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/widgets/widgets.h"

namespace ropewalk {

struct MenuEntry {
    std::string id;
    std::string title;
    std::string keys{};
    Help help{};
    bool enabled = true;
    bool is_on = false;         // marked with a tick
    bool starts_group = false;  // a line is above it
};

/// What opened a menu. A key selects its first entry, and moving the pointer selects only afterwards.
enum class OpenedBy { pointer, key };

class PopupMenu {
  public:
    bool is_open() const { return is_open_; }
    void open(OpenedBy by);
    void close() { is_open_ = false; }

    struct Answer {
        std::optional<std::size_t> chosen{};
        int sideways = 0;              // −1 or 1 if the left or the right arrow was pressed
        bool clicked_outside = false;  // which closes the menu
    };
    /// Draws the entries below `corner` (device pixels), within the window. Arrows, Home, End and the first letters of
    /// titles select; Enter, Space and a click choose and close it; Escape closes it. Call while it is open.
    Answer draw(Ui& ui, std::string_view id, Point corner, std::span<const MenuEntry> entries);

  private:
    void take_keys(Ui& ui, std::span<const MenuEntry> entries, Answer& answer);
    void draw_entry(Ui& ui, const MenuEntry& entry, int index, Answer& answer);

    bool is_open_ = false, leads_by_key_ = false;
    int selected_ = -1;  // −1: none
};

}  // namespace ropewalk
