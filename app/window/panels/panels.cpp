#include "app/window/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/page/figure_titles.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

/// Returns the panel at `place` if it is not `panel`.
std::optional<std::pair<int, Rect>> other_at(Point place, int panel, const PanelPlaces& shown) {
    for (const auto& other : shown)
        if (other.first != panel && other.second.contains(place)) return other;
    return std::nullopt;
}

/// Draws the title of the dragged panel at the pointer, and highlights the panel below it.
void show_carried(const Ui& ui, const View& view, int carried, const PanelPlaces& shown) {
    constexpr double carried_radius = 6, right_of_pointer = 14, around = 8;
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    if (const auto target = other_at(pointer, carried, shown)) {
        fill(ui, target->second, ui.theme->accent.with_alpha(0.08), carried_radius);
        outline(ui, target->second, ui.theme->accent, carried_radius);
    }
    const std::string title = title_among(view.figures, static_cast<std::size_t>(carried));
    const double width = ui.px(measure_text(title, text_size, Weight::regular).width + 2 * around),
                 room = static_cast<double>(ImGui::GetIO().DisplaySize.x) - width;
    const Rect label{std::min(pointer.x + ui.px(right_of_pointer), room), pointer.y, width, ui.px(row_height)};
    fill(ui, label, ui.theme->control_active);
    text_in(ui, label, title, ui.theme->text, Align::middle);
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
}

/// Swaps the dragged panel with the one at the pointer, if there is one.
void exchange(Ui& ui, Session& session, int carried, const PanelPlaces& shown) {
    const auto target = other_at(compat::point(ImGui::GetIO().MousePos), carried, shown);
    if (!target) return;
    const auto title = [&](int panel) {
        return title_among(session.document.view.figures, static_cast<std::size_t>(panel));
    };
    session.document.rearrange(fmt::format("Swap {} and {}", title(carried), title(target->first)),
                               [&](Arrangement& changed) { changed.exchange(carried, target->first); });
    ui.wake_after = 0;
}

}  // namespace

Panels::Answer Panels::draw(Ui& ui, Session& session, Player& player, const LitFigures& lit, const Rect& area) {
    const View& view = session.document.view;
    const PanelPlaces shown = arrangement_.draw(ui, session.document, lit.by_lesson, area);
    panels_.resize(view.figures.size());
    ask(ui, session, shown);
    Answer answer;
    picks_ = false;
    std::optional<std::pair<int, PanelChange>> change;
    std::optional<int> carried, let_go;
    for (const auto& [index, rect] : shown) {
        if (rect.contains(compat::point(ImGui::GetIO().MousePos))) under_pointer_ = index;
        PanelContext panel{ui, session, player, index, rect};
        at(index).draw(panel, lit.contain(id_of(panel.figure())));
        const PanelEvents& events = panel.events;
        if (events.is_exported) answer.exported = index;
        picks_ |= events.is_pointed_at && !events.changes_head;
        if (events.is_pointed_at || answer.readout.empty()) answer.readout = events.readout;
        if (!events.swept.empty()) answer.swept = {index, events.swept};
        if (events.is_carried) carried = index;
        if (events.is_let_go) let_go = index;
        if (events.change != PanelChange::none) change = {index, events.change};
    }
    if (change) this->change(ui, session, change->first, change->second);
    if (carried) show_carried(ui, view, *carried, shown);
    if (let_go) exchange(ui, session, *let_go, shown);
    return answer;
}

void Panels::ask(const Ui& ui, Session& session, const PanelPlaces& shown) {
    const Document& document = session.document;
    if (!document.fault().empty()) return;
    const Experiment* reference = document.reference();
    Needs needs, of_reference;
    for (const auto& [index, rect] : shown) {
        const Figure& figure = document.view.figure(index);
        const PlotPixels pixels = at(index).pixels(ui);
        add_needs(needs, needs_of(figure, document.experiment(), pixels, reference));
        if (reference) add_needs(of_reference, needs_of(figure, *reference, pixels));
    }
    session.computation.ask(needs);
    if (reference) session.computation.ask_reference(of_reference);
}

void Panels::change(Ui& ui, Session& session, int panel, PanelChange change) {
    if (change == PanelChange::duplicate) {
        duplicate(session, panel);
    } else {
        const std::string title = title_among(session.document.view.figures, static_cast<std::size_t>(panel));
        session.document.rearrange("Close " + title, [&](Arrangement& changed) { changed.close(panel); });
        panels_.erase(panels_.begin() + panel);
    }
    ui.wake_after = 0;
}

void Panels::duplicate(Session& session, int panel) {
    session.document.rearrange(
        "Duplicate " + title_among(session.document.view.figures, static_cast<std::size_t>(panel)),
        [&](Arrangement& changed) { changed.duplicate(panel); });
}

}  // namespace ropewalk
