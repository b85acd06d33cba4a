#include "app/window/main_window/context_menu.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/window/main_window/commands.h"
#include "app/window/main_window/menu_bar.h"

namespace ropewalk {
namespace {

/// The commands by id; an empty one begins a group.
constexpr std::string_view offered[] = {"fit",       "zoom_in",       "pin", "",          "copy_image",
                                        "copy_plot", "export_figure", "",    "make_main", "maximise",
                                        "duplicate", "close_panel",   "",    "options"};

}  // namespace

void ContextMenu::draw(Ui& ui, WindowParts& window) {
    if (!is_open()) return;
    std::vector<std::pair<const Command*, bool>> commands;  // and whether each begins a group
    bool begins_group = false;
    for (const std::string_view id : offered) {
        if (id.empty())
            begins_group = true;
        else if (const Command* command = find_command(id))
            commands.emplace_back(command, std::exchange(begins_group, false));
    }
    std::vector<std::string> titles;
    for (const auto& [command, begins] : commands) titles.push_back(menu_title_of(*command));
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        entries.push_back(menu_entry_of(*commands[i].first, window, titles[i]));
        entries.back().starts_group = commands[i].second;
    }
    const PopupMenu::Answer answer = popup_.draw(ui, "context", at_, entries);
    if (answer.chosen) run(*commands[*answer.chosen].first, window);
}

}  // namespace ropewalk
