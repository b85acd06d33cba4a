// How layouts are chosen, kept, renamed and deleted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/figures/figure_titles.h"
#include "app/window/command_list.h"
#include "app/window/desk.h"

namespace ropewalk {
namespace {

/// "Attention, Decay curve, …": where there is nothing else to say of a layout.
std::string figures_of(const KeptLayouts& layouts, const std::string& name) {
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

std::vector<PaletteEntry> Desk::layout_entries() const {
    const KeptLayouts& kept = workbench_.layouts();
    std::vector<PaletteEntry> entries;
    for (const NamedLayout& own : own_layouts())
        if (!kept.has(own.name)) entries.push_back({.id = layout_id(own.name), .title = own.name, .about = own.about});
    for (const std::string& name : kept.names())
        entries.push_back({.id = layout_id(name), .title = name, .about = figures_of(kept, name), .keys = "kept"});
    return entries;
}

void Desk::open_layouts() {
    std::vector<PaletteEntry> entries = layout_entries();
    constexpr std::array of_layouts{Command::keep_layout, Command::rename_layout, Command::delete_layout,
                                    Command::restore_layout};
    for (const PaletteEntry& command : command_entries([&](Command each) { return obstacle_to(each); }))
        if (std::find(of_layouts.begin(), of_layouts.end(), command_of(command.id)) != of_layouts.end())
            entries.push_back(command);
    palette_.open("Layouts", std::move(entries), layout_id(workbench_.layouts().name_of(workbench_.view)));
}

void Desk::open_kept_layouts(Command command) {
    const bool renames = command == Command::rename_layout;
    std::vector<PaletteEntry> entries;
    for (const std::string& name : workbench_.layouts().names())
        entries.push_back({.id = (renames ? "rename_layout." : "delete_layout.") + name,
                           .title = name,
                           .about = figures_of(workbench_.layouts(), name)});
    palette_.open(renames ? "Rename a layout" : "Delete a layout", std::move(entries));
}

void Desk::ask_layout_name(const std::string& renamed) {
    renamed_layout_ = renamed;
    name_card_.ask({.title = renamed.empty() ? "Keep this layout" : fmt::format("Rename '{}'", renamed),
                    .name = renamed,
                    .taken = workbench_.layouts().names()});
}

}  // namespace ropewalk
