#include "app/window/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/page/figure_titles.h"
#include "app/figures/page/placed_figures.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double narrow_width =
    860;  // logical pixels beside the sidebar; if narrower, the other figures share one panel
constexpr double column_width = 460;      // if narrower still, all are in one column
constexpr double max_upper_share = 0.88;  // of the height
constexpr double min_lower_panel = 160,
                 min_lower_pair = 200;  // logical pixels; with two panels the legends take more rows
constexpr double tab_row = 28;
constexpr double min_shared_width = 200, min_shared_height = 140;  // of panels that share a place; logical pixels
constexpr double square_less = 52;  // a square plot's panel is wider than high by this, in logical pixels

/// The range of the splitter between two panels, as shares of a length. A panel with a square plot uses at most
/// `enough` of the length, so the other one gets the rest.
struct Shares {
    double min = 0.15, max = 0.85;
};
Shares shares_beside_square(bool first_is_square, bool second_is_square, double enough, double length) {
    Shares shares;
    const double share = std::clamp(enough / std::max(1.0, length), shares.min, shares.max);
    if (first_is_square && !second_is_square) shares.max = share;
    if (second_is_square && !first_is_square) shares.min = 1 - share;
    return shares;
}

/// Returns the panel at `place` if it is not `panel`.
std::optional<std::pair<int, Rect>> other_at(Point place, int panel, const std::vector<std::pair<int, Rect>>& shown) {
    for (const auto& other : shown)
        if (other.first != panel && other.second.contains(place)) return other;
    return std::nullopt;
}

}  // namespace

std::optional<int> Panels::draw(Ui& ui, Session& session, const Rect& area) {
    std::optional<int> exported;
    readout_.clear();
    play_pressed_ = picks_ = false;
    speed_chosen_.reset();
    swept_.reset();
    View& view = session.document.view;
    bring_to_front(ui, session);
    panels_.resize(view.figures.size());
    const auto maximised = view.maximised();
    const std::vector<std::pair<int, Rect>> shown =
        maximised ? std::vector{std::pair{*maximised, area}} : with_duplicates(ui, session, arrange(ui, session, area));
    if (session.document.fault().empty()) {
        const Experiment* reference = session.document.reference();
        Needs needs;
        for (const auto& [index, rect] : shown)
            add_needs(needs, needs_of(session.document.view.figure(index), session.document.experiment(),
                                      panels_[static_cast<std::size_t>(index)].pixels(ui), reference));
        session.computation.ask(needs);
        if (reference) {
            Needs of_reference;
            for (const auto& [index, rect] : shown)
                add_needs(of_reference, needs_of(session.document.view.figure(index), *reference,
                                                 panels_[static_cast<std::size_t>(index)].pixels(ui)));
            session.computation.ask_reference(of_reference);
        }
    }
    PanelChange change = PanelChange::none;
    int changed = 0;
    std::optional<int> carried, let_go;
    for (const auto& [index, rect] : shown) {
        if (rect.contains(compat::point(ImGui::GetIO().MousePos))) under_pointer_ = index;
        PanelEvents events = panels_[static_cast<std::size_t>(index)].draw(ui, session, index, rect);
        if (events.is_exported) exported = index;
        play_pressed_ |= events.is_played;
        if (events.speed) speed_chosen_ = events.speed;
        picks_ |= events.is_pointed_at && !events.changes_head;
        if (events.is_pointed_at || readout_.empty()) readout_ = events.readout;
        if (!events.swept.empty()) swept_ = {index, events.swept};
        if (events.is_carried) carried = index;
        if (events.is_let_go) let_go = index;
        if (events.change != PanelChange::none) change = events.change, changed = index;
    }
    if (change != PanelChange::none) this->change(ui, session, changed, change);
    if (carried) show_carried(ui, view, *carried, shown);
    if (let_go) exchange(ui, session, *let_go, shown);
    return exported;
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

void Panels::show_carried(const Ui& ui, const View& view, int carried, const std::vector<std::pair<int, Rect>>& shown) {
    constexpr double card_radius = 6, right_of_pointer = 14, around = 8;
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    if (const auto target = other_at(pointer, carried, shown)) {
        fill(ui, target->second, ui.theme->accent.with_alpha(0.08), card_radius);
        outline(ui, target->second, ui.theme->accent, card_radius);
    }
    const std::string title = title_among(view.figures, static_cast<std::size_t>(carried));
    const double width = ui.px(measure_text(title, text_size, Weight::regular).width + 2 * around),
                 room = static_cast<double>(ImGui::GetIO().DisplaySize.x) - width;
    const Rect label{std::min(pointer.x + ui.px(right_of_pointer), room), pointer.y, width, ui.px(row_height)};
    fill(ui, label, ui.theme->control_active);
    text_in(ui, label, title, ui.theme->text, Align::middle);
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
}

void Panels::exchange(Ui& ui, Session& session, int carried, const std::vector<std::pair<int, Rect>>& shown) {
    const auto target = other_at(compat::point(ImGui::GetIO().MousePos), carried, shown);
    if (!target) return;
    const auto title = [&](int panel) {
        return title_among(session.document.view.figures, static_cast<std::size_t>(panel));
    };
    session.document.rearrange(fmt::format("Swap {} and {}", title(carried), title(target->first)),
                               [&](Arrangement& changed) { changed.exchange(carried, target->first); });
    ui.wake_after = 0;
}

std::pair<Rect, Rect> Panels::split_in_two(Ui& ui, Layout& layout, int place, const Rect& rect,
                                           const std::vector<Rect>& halves) {
    const bool are_beside = halves[0].y == halves[1].y;
    const double readable = ui.px(are_beside ? min_shared_width : min_shared_height),
                 both = are_beside ? halves[0].width + halves[1].width : halves[0].height + halves[1].height,
                 min = std::max(Layout::min_share, readable / both);
    const std::string id = fmt::format("split.place{}", place);
    double share = layout.share_in(place);
    const SplitterState split =
        splitter(ui, {.id = id, .vertical = are_beside, .area = rect, .min = min, .max = 1 - min}, share);
    if (split.changed) layout.set_share_in(place, share);
    return {split.first, split.second};
}

std::vector<std::pair<int, Rect>> Panels::with_duplicates(Ui& ui, Session& session,
                                                          const std::vector<std::pair<int, Rect>>& places) {
    const double gap = std::round(ui.px(8));
    std::vector<std::pair<int, Rect>> shown;
    for (const auto& [place, rect] : places) {
        const std::vector<int> sharing = session.document.view.panels_in(place);
        Division division = division_of(session.document.view, place);
        division.share_of_first = Layout::usual_share;  // two panels fit if halves do
        const std::vector<Rect> parts = divided(rect, division, gap);
        const bool is_too_small = parts.size() > 1 && (parts.front().width < ui.px(min_shared_width) ||
                                                       parts.front().height < ui.px(min_shared_height));
        if (is_too_small) {
            std::vector<int> elsewhere;
            for (const auto& other : places)
                if (other.first != place) elsewhere.push_back(other.first);
            std::size_t& front = fronts_[static_cast<std::size_t>(place)];
            int chosen = sharing[std::min(front, sharing.size() - 1)];
            shown.push_back(
                draw_tabs(ui, session, {fmt::format("place{}.tab", place), rect, sharing, elsewhere}, chosen));
            front = static_cast<std::size_t>(std::find(sharing.begin(), sharing.end(), chosen) - sharing.begin());
        } else if (sharing.size() == 2) {
            const auto [first, second] = split_in_two(ui, session.document.view.layout, place, rect, parts);
            shown.insert(shown.end(), {{sharing[0], first}, {sharing[1], second}});
        } else {
            for (std::size_t i = 0; i < sharing.size(); ++i) shown.emplace_back(sharing[i], parts[i]);
        }
    }
    return shown;
}

std::vector<std::pair<int, Rect>> Panels::arrange(Ui& ui, Session& session, const Rect& area) {
    Layout& layout = session.document.view.layout;
    const auto has_square_at = [&](int place) {
        return session.document.view.panels_in(place).size() == 1 && is_square(session.document.view.figure(place));
    };
    const bool has_square = has_square_at(0);
    const auto split_rows = [&](const Rect& column, double max, double min_below) {
        constexpr double min = 0.3, usual = 0.6;  // the first figure keeps more than half
        if (has_square)                           // a higher panel would have unused space
            max = std::min(max, (column.width - ui.px(square_less)) / std::max(1.0, column.height));
        const double leaves_enough = std::max(usual, 1 - ui.px(min_below) / std::max(1.0, column.height));
        return splitter(ui,
                        {.id = "split.bottom",
                         .vertical = false,
                         .area = column,
                         .default_fraction = Layout{}.upper,
                         .min = min,
                         .max = std::max(min, std::min(max, leaves_enough))},
                        layout.upper);
    };
    if (area.width < column_width * ui.scale) {  // all below each other
        const auto rows = split_rows(area, max_upper_share, min_lower_panel + tab_row);
        const auto [tab, rect] =
            draw_tabs(ui, session, {"tab", rows.second, std::array{1, 2, 3, 4}, std::array{0}}, tab_);
        return {{0, rows.first}, {tab, rect}};
    }
    const bool is_narrow = area.width < narrow_width * ui.scale;
    const auto columns = splitter(ui,
                                  {.id = "split.right",
                                   .area = area,
                                   .default_fraction = Layout{}.main,
                                   .min = is_narrow ? 0.35 : 0.3,
                                   .max = is_narrow ? 0.8 : 0.85},
                                  layout.main);
    if (is_narrow) {
        const auto left = split_rows(columns.first, max_upper_share, min_lower_panel);
        const auto [tab, rect] =
            draw_tabs(ui, session, {"tab", columns.second, std::array{1, 2, 4}, std::array{0, 3}}, tab_);
        return {{0, left.first}, {3, left.second}, {tab, rect}};
    }
    const Shares of_right = shares_beside_square(has_square_at(1), has_square_at(2),
                                                 columns.second.width - ui.px(square_less), columns.second.height);
    const auto right = splitter(ui,
                                {.id = "split.right_rows",
                                 .vertical = false,
                                 .area = columns.second,
                                 .default_fraction = Layout{}.right_split,
                                 .min = of_right.min,
                                 .max = of_right.max},
                                layout.right_split);
    const auto left = split_rows(columns.first, max_upper_share, min_lower_pair);
    const Shares of_bottom = shares_beside_square(has_square_at(3), has_square_at(4),
                                                  left.second.height + ui.px(square_less), left.second.width);
    const auto below = splitter(ui,
                                {.id = "split.bottom_columns",
                                 .area = left.second,
                                 .default_fraction = Layout{}.bottom_split,
                                 .min = of_bottom.min,
                                 .max = of_bottom.max},
                                layout.bottom_split);
    return {{0, left.first}, {1, right.first}, {2, right.second}, {3, below.first}, {4, below.second}};
}

void Panels::bring_to_front(const Ui& ui, const Session& session) {
    const bool is_of_scene = std::exchange(of_scene_, session.document.open_scene()) == session.document.open_scene();
    if (!is_of_scene) fronts_ = {}, tab_ = 0;  // the author of the scene named these first
    for (int place = 0; place < panel_count; ++place) {
        const auto at = static_cast<std::size_t>(place);
        const std::size_t sharing = session.document.view.panels_in(place).size();
        if (is_of_scene && sharing > sharing_[at]) fronts_[at] = sharing - 1;
        sharing_[at] = sharing;
    }
    is_newly_lit_ = std::exchange(lit_, ui.lit_figure) != ui.lit_figure || !is_of_scene;
}

std::pair<int, Rect> Panels::draw_tabs(Ui& ui, const Session& session, const Tabs& tabs, int& chosen) {
    constexpr double gap = 2, below = 4, around_label = 10;
    const auto& [id, area, panels, elsewhere] = tabs;
    if (std::find(panels.begin(), panels.end(), chosen) == panels.end()) chosen = panels.front();
    const auto is_lit = [&](int panel) { return ui.lit_figure == id_of(session.document.view.figure(panel)); };
    if (is_newly_lit_ && std::none_of(elsewhere.begin(), elsewhere.end(), is_lit)) {
        // The figure that a lesson points at comes to the front.
        const auto lit = std::find_if(panels.begin(), panels.end(), is_lit);
        if (lit != panels.end()) chosen = *lit;
    }
    const double left = area.x / ui.scale, right = area.right() / ui.scale;
    double x = left, y = area.y / ui.scale;
    for (const int index : panels) {
        const std::string title = title_among(session.document.view.figures, static_cast<std::size_t>(index)),
                          label = fitted(ui, title, right - left - around_label);
        const double width = measure_text(label, text_size, Weight::regular).width + around_label;
        if (x > left && x + width > right) x = left, y += row_height + gap;
        ImGui::SetCursorScreenPos(compat::vector({std::round(ui.px(x)), std::round(ui.px(y))}));
        if (button(ui, {.id = fmt::format("{}{}", id, index), .label = label, .help = {.title = title}},
                   index == chosen ? ButtonLook::chosen : ButtonLook::quiet, around_label))
            chosen = index;
        x += width + gap;
    }
    const double used = std::round(ui.px(y + row_height + below)) - area.y;
    return {chosen, {area.x, area.y + used, area.width, std::max(1.0, area.height - used)}};
}

}  // namespace ropewalk
