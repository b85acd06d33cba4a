// Choosing, saving, renaming and deleting layouts.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/figures/page/figure_titles.h"
#include "app/window/command_list.h"
#include "app/window/main_window.h"

namespace ropewalk {
namespace {

/// Returns a description such as "Attention, Decay curve.", for layouts without one.
std::string figures_of(const SavedLayouts& layouts, const std::string& name) {
    try {
        std::string titles;
        const Arrangement arrangement = layouts.find(name);
        for (std::size_t i = 0; i < arrangement.figures.size(); ++i)
            titles += (titles.empty() ? "" : ", ") + title_among(arrangement.figures, i);
        return titles + ".";
    } catch (const InputError& unreadable) {
        return unreadable.what();
    }
}

std::string layout_id(const std::string& name) {
    return "layout." + name;
}

}  // namespace

std::vector<PaletteEntry> MainWindow::layout_entries() const {
    const SavedLayouts& saved = session_.layouts.saved();
    std::vector<PaletteEntry> entries;
    for (const NamedLayout& own : built_in_layouts())
        if (!saved.has(own.name)) entries.push_back({.id = layout_id(own.name), .title = own.name, .about = own.about});
    for (const std::string& name : saved.names())
        entries.push_back({.id = layout_id(name), .title = name, .about = figures_of(saved, name), .keys = "saved"});
    return entries;
}

void MainWindow::open_layouts() {
    std::vector<PaletteEntry> entries = layout_entries();
    constexpr std::array of_layouts{Command::save_layout, Command::rename_layout, Command::delete_layout,
                                    Command::restore_layout};
    for (const PaletteEntry& command : command_entries([&](Command each) { return obstacle_to(each); }))
        if (std::find(of_layouts.begin(), of_layouts.end(), command_of(command.id)) != of_layouts.end())
            entries.push_back(command);
    palette_.open("Layouts", std::move(entries), layout_id(session_.layouts.saved().name_of(session_.document.view)));
}

void MainWindow::open_saved_layouts(Command command) {
    const bool renames = command == Command::rename_layout;
    std::vector<PaletteEntry> entries;
    for (const std::string& name : session_.layouts.saved().names())
        entries.push_back({.id = (renames ? "rename_layout." : "delete_layout.") + name,
                           .title = name,
                           .about = figures_of(session_.layouts.saved(), name)});
    palette_.open(renames ? "Rename a layout" : "Delete a layout", std::move(entries));
}

void MainWindow::ask_layout_name(const std::string& renamed) {
    renamed_layout_ = renamed;
    name_card_.ask({.title = renamed.empty() ? "Save layout" : fmt::format("Rename '{}'", renamed),
                    .name = renamed,
                    .taken = session_.layouts.saved().names()});
}

}  // namespace ropewalk
