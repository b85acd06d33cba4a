#include "app/window/command_list.h"

#include <fmt/format.h>

namespace ropewalk {
namespace {

struct GestureHelp {
    const char *what, *how;
};
constexpr GestureHelp gestures[] = {
    {"Move the cursor by one", "Arrows; with Shift by 10, with Ctrl by 100"},
    {"Point at a cell, a distance, a pair", "Hover; a click locks the cursor, Esc releases it"},
    {"Zoom the matrix", "Wheel at the pointer; double-click to fit"},
    {"Pan the matrix", "Drag"},
    {"Draw amplitudes or a target curve", "Drag across the plot; drag with the right button to erase"},
    {"Type a slider's value", "Ctrl+click, or Enter while the pointer is on it"},
    {"Sweep a field", "Right-click its slider: from, to and steps, played in the window or saved as a video"},
    {"Step a slider", "Arrows while the pointer is on it; with Shift ten steps"},
    {"Go to the next control", "Tab, or Shift+Tab to go back; arrows step it, Enter types or opens its list"},
    {"Answer a lesson's question", "1, 2, 3 …"},
    {"Reset a field", "Double-click its label"},
    {"Resize panels", "Drag between panels; double-click to reset"},
    {"Swap two panels", "Drag one by its title onto the other"},
    {"Show another figure in a panel", "Click its title"},
};

std::string id_of(const CommandInfo& info) {
    return std::string("command.") + info.id;
}

}  // namespace

std::string help_of(const CommandInfo& info, const Obstacle& obstacle) {
    return obstacle ? fmt::format("{}\nUnavailable: {}.", info.help, *obstacle) : info.help;
}

std::vector<PaletteEntry> command_entries(const std::function<Obstacle(Command)>& obstacle_to,
                                          std::span<const CommandInfo> of) {
    std::vector<PaletteEntry> entries;
    for (const CommandInfo& info : of) {
        std::string keys;
        for (const KeyPress& press : info.keys)
            if (press.key != Key::none) keys += (keys.empty() ? "" : ", ") + name_of(press.key, press.modifiers);
        const Obstacle obstacle = obstacle_to(info.command);
        entries.push_back({.id = id_of(info),
                           .title = info.label,
                           .about = help_of(info, obstacle),
                           .keys = keys,
                           .enabled = !obstacle});
    }
    return entries;
}

std::vector<PaletteEntry> key_entries() {
    std::vector<PaletteEntry> entries;
    for (const PaletteEntry& entry : command_entries([](Command) { return Obstacle(); }))
        if (!entry.keys.empty())
            entries.push_back({.id = entry.id, .title = entry.title, .about = entry.about, .keys = entry.keys});
    for (PaletteEntry& gesture : gesture_entries()) entries.push_back(std::move(gesture));
    return entries;
}

std::vector<PaletteEntry> gesture_entries() {
    std::vector<PaletteEntry> entries;
    for (const auto& [what, how] : gestures)
        entries.push_back({.id = {}, .title = what, .about = how, .enabled = false});
    return entries;
}

std::optional<Command> command_of(const std::string& id) {
    for (const CommandInfo& info : commands)
        if (id == id_of(info)) return info.command;
    return std::nullopt;
}

}  // namespace ropewalk
