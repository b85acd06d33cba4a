#include "app/window/main_window/context_menu.h"

#include <string_view>
#include <utility>
#include <vector>

namespace ropewalk {
namespace {

/// The commands by id; an empty one begins a group.
constexpr std::string_view offered[] = {
    "fit", "zoom_in",   "pin",      "",          "copy_image",  "copy_data", "copy_plot", "export_figure",
    "",    "make_main", "maximise", "duplicate", "close_panel", "",          "options",   "explain"};

}  // namespace

void ContextMenu::open(Point at, const WindowParts& window) {
    at_ = at;
    std::vector<CommandMenu::Item> items;
    bool begins_group = false;
    for (const std::string_view id : offered) {
        if (id.empty())
            begins_group = true;
        else if (const Command* command = find_command(id))
            items.push_back({command, std::exchange(begins_group, false)});
    }
    menu_.open(std::move(items), window, OpenedBy::pointer);
}

}  // namespace ropewalk
