#include "app/window/main_window/commands.h"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk {

std::string Command::shortcuts() const {
    std::string all;
    for (const KeyPress& press : keys)
        if (press.key != Key::none) all += (all.empty() ? "" : ", ") + name_of(press.key, press.modifiers);
    return all;
}

std::string Command::help_given(const Obstacle& why) const {
    return why ? fmt::format("{}\nUnavailable: {}.", help, *why) : help;
}

bool Command::is_on_in(const WindowParts& window) const {
    const Palette& palette = window.cards.palette;
    return is_on ? is_on(window) : palette.is_open() && palette.title() == title;
}

std::vector<const Command*> commands_of(Menu menu) {
    std::vector<const Command*> own;
    for (const Command& command : commands())
        if (command.menu == menu) own.push_back(&command);
    return own;
}

const Command* find_command(std::string_view id) {
    const std::span<const Command> all = commands();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Command& command) { return command.id == id; });
    return found == all.end() ? nullptr : &*found;
}

void run(const Command& command, WindowParts& window) {
    command.run(window);
    window.gui.settle();
}

void run_if_possible(const Command& command, WindowParts& window) {
    if (const Obstacle obstacle = command.obstacle_in(window))
        window.session.notices.notify(fmt::format("{}: {}", command.title, *obstacle));
    else
        run(command, window);
}

}  // namespace ropewalk
