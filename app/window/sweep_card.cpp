#include "app/window/sweep_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

constexpr double card_width = 440, card_height = 452;

}  // namespace

bool SweepCard::open(const Experiment& experiment, const std::string& path) {
    const auto sweep = sweep_over(experiment, path);
    if (!sweep) return false;
    if (sweep->path != sweep_.path) sweep_ = *sweep;
    usual_ = *sweep;
    walk_fields(experiment, [&](const std::string& field_path, const Field& field, const auto&) {
        if (field_path == path) label_ = field.label, unit_ = field.unit;
    });
    return open_ = true;
}

Page SweepCard::page(const Workbench& workbench) const {
    const PageStyle& style = workbench.preferences.film;
    const View& view = workbench.view;
    if (figure_ < view.panels()) return workbench.page_of({{view.figures[static_cast<std::size_t>(figure_)]}}, style);
    return workbench.page_of_all(style);
}

void SweepCard::draw_end(Ui& ui, Workbench& workbench, const char* id, const char* label, double& value, double usual) {
    const WidgetState widget =
        slider(ui,
               {.control = {.id = id, .label = label, .help = {.title = label, .text = "An end of the sweep."}},
                .unit = unit_,
                .least = usual_.from,
                .greatest = usual_.to,
                .logarithmic = usual_.spacing == Spacing::logarithmic,
                .default_value = usual},
               value);
    if (!widget.rejected.empty()) workbench.tell(widget.rejected, Notice::Kind::error);
}

SweepCard::Wish SweepCard::draw(Ui& ui, Workbench& workbench, const Rect& area) {
    if (!open_) return Wish::none;
    const double width = std::min<double>(ui.px(card_width), area.width),
                 height = std::min<double>(ui.px(card_height), area.height);
    const Card card(ui, "sweep",
                    {std::round(area.centre().x - width / 2), std::round(area.centre().y - height / 2),
                     std::max(1.0, std::round(width)), std::max(1.0, std::round(height))});
    section(ui, "Sweep " + label_);
    draw_end(ui, workbench, "sweep.from", "From", sweep_.from, usual_.from);
    draw_end(ui, workbench, "sweep.to", "To", sweep_.to, usual_.to);
    const ControlsState state = group_controls(
        ui, sweep_, "sweep.", [](std::string_view path) { return path != "sweep.from" && path != "sweep.to"; });
    if (!state.rejected.empty()) workbench.tell(state.rejected, Notice::Kind::error);
    section(ui, "Film");
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < workbench.view.figures.size(); ++i)
        titles.push_back(title_among(workbench.view.figures, i));
    std::vector<Entry> figures;
    for (const std::string& title : titles) figures.push_back({title});
    figures.push_back({"All figures"});
    figure_ = std::min(figure_, static_cast<int>(figures.size()) - 1);
    combo(ui,
          {.id = "sweep.figure",
           .label = "Shows",
           .help = {.title = "Shows", .text = "What a film shows. In the window all figures play."}},
          figures, figure_);
    PageStyle& style = workbench.preferences.film;
    const ControlsState of_page = group_controls(ui, style, "film.", [](std::string_view path) {
        return path == "film.width" || path == "film.height" || path == "film.scale" || path == "film.theme";
    });
    if (!of_page.rejected.empty()) workbench.tell(of_page.rejected, Notice::Kind::error);
    const auto complaint = sweep_.check();
    note(ui, complaint ? *complaint
                       : fmt::format("{} steps, {} s, {:.0f} × {:.0f} pixels. In the window it plays over and over "
                                     "until Esc or Space stops it; undo goes back to where it began.",
                                     sweep_.steps, readable(sweep_.steps / sweep_.per_second, 3),
                                     style.width * PageStyle::px_per_mm * style.scale,
                                     style.height * PageStyle::px_per_mm * style.scale));
    Wish wish = Wish::none;
    const auto wished = [&](const char* id, const char* label, const char* help, ButtonLook look) {
        return button(ui, {.id = id, .label = label, .help = {.title = label, .text = help}, .enabled = !complaint},
                      look);
    };
    if (wished("sweep.play", "Play", "In the window, over and over.", ButtonLook::chosen)) wish = Wish::play;
    ImGui::SameLine();
    if (wished("sweep.film", "Export …", "As GIF or MP4, or as numbered pictures.", ButtonLook::filled))
        wish = Wish::film;
    ImGui::SameLine();
    if (button(ui, {.id = "sweep.cancel", .label = "Cancel"}) || card.clicked_outside() || ui.take_key(Key::escape))
        close();
    if (!complaint && ui.take_key(Key::enter)) wish = Wish::play;
    if (wish != Wish::none) close();
    return wish;
}

}  // namespace ropewalk
