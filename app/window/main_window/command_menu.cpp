#include "app/window/main_window/command_menu.h"

#include <fmt/format.h>

#include <utility>

namespace ropewalk {

void CommandMenu::open(std::vector<Item> items, const WindowParts& window, OpenedBy by) {
    items_ = std::move(items);
    entries_.clear();
    for (const auto& [command, starts_group] : items_) {
        const Obstacle obstacle = command->obstacle_in(window);
        entries_.push_back({.id = fmt::format("menu/{}", command->id),
                            .title = command->title + std::string(command->asks ? " …" : ""),
                            .keys = command->shortcut(),
                            .help = {.title = command->title, .text = command->help_given(obstacle)},
                            .enabled = !obstacle,
                            .is_on = command->is_on && command->is_on(window),
                            .starts_group = starts_group});
    }
    popup_.open(by);
}

int CommandMenu::draw(Ui& ui, std::string_view id, Point corner, WindowParts& window) {
    const PopupMenu::Answer answer = popup_.draw(ui, id, corner, entries_);
    if (answer.chosen) run(*items_[*answer.chosen].command, window);
    return answer.sideways;
}

}  // namespace ropewalk
