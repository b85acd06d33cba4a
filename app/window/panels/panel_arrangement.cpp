#include "app/window/panels/panel_arrangement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figures/page/figure_titles.h"
#include "app/figures/page/placed_figures.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

// All lengths are in logical pixels.
constexpr double narrow_width = 860;      // beside the sidebar; if narrower, the other figures share one panel
constexpr double one_column = 460;        // if narrower still, all are in one column
constexpr double max_upper_share = 0.88;  // of the height
constexpr double min_lower_pair = 200;
constexpr double column_gap = 32, row_gap = 24, shared_gap = 12;
constexpr double min_shared_width = 200, min_shared_height = 140;  // of panels that share a place
constexpr double square_less = 52;                                 // a square plot's panel is wider than high by this

bool has_square_at(const View& view, int place) {
    return view.panels_in(place).size() == 1 && is_square(view.figure(place));
}

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

/// Returns the largest share of a column's height for the main figure: what is below it keeps `min_below`.
double max_upper_share_of(const Ui& ui, const View& view, const Rect& column, double min_below) {
    constexpr double usual = 0.6;  // the main figure may have more than half
    const double height = std::max(1.0, column.height), leaves_enough = std::max(usual, 1 - ui.px(min_below) / height);
    const double max = std::min(max_upper_share, leaves_enough);
    // A higher panel of a square plot would have unused space.
    return has_square_at(view, 0) ? std::min(max, (column.width - ui.px(square_less)) / height) : max;
}

/// Returns what a border's splitter is called, where it usually is, and the range that keeps both sides readable.
SplitterSpec splitter_at(Border border, const Ui& ui, const View& view, const Rect& area) {
    const bool divides_width = border == Border::right || border == Border::bottom_columns;
    constexpr std::array ids{"split.right", "split.bottom", "split.right_rows", "split.bottom_columns"};
    Shares shares{.min = 0.3, .max = 0.85};
    const auto between = [&](int first, int second, double enough, double length) {
        return shares_beside_square(has_square_at(view, first), has_square_at(view, second), enough, length);
    };
    if (border == Border::right_rows)
        shares = between(1, 2, area.width - ui.px(square_less), area.height);
    else if (border == Border::bottom_columns)
        shares = between(3, 4, area.height + ui.px(square_less), area.width);
    else if (border == Border::bottom)
        shares.max = max_upper_share_of(ui, view, area, min_lower_pair);
    return {.id = ids[static_cast<std::size_t>(border)],
            .vertical = divides_width,
            .area = area,
            .gap = divides_width ? column_gap : row_gap,
            .default_fraction = Layout{}.share_at(border),
            .min = shares.min,
            .max = std::max(shares.min, shares.max)};
}

SplitterState split_at(Border border, Ui& ui, Document& document, const Rect& area) {
    Layout layout = document.view.layout;
    double& share = layout.share_at(border);
    const SplitterState split = splitter(ui, splitter_at(border, ui, document.view, area), share);
    if (split.changed) document.resize([&](Layout& changed) { changed.share_at(border) = share; });
    if (split.is_let_go) document.end_gesture();
    return split;
}

/// Divides a place between two panels; without the splitter between them, each would have one of `halves`.
SplitterState split_place(Ui& ui, Document& document, const std::pair<int, Rect>& place,
                          const std::vector<Rect>& halves) {
    const bool are_beside = halves[0].y == halves[1].y;
    const double readable = ui.px(are_beside ? min_shared_width : min_shared_height),
                 both = are_beside ? halves[0].width + halves[1].width : halves[0].height + halves[1].height,
                 min = std::max(Layout::min_share, readable / both);
    const std::string id = fmt::format("split.place{}", place.first);
    double share = document.view.layout.share_in(place.first);
    const SplitterState split = splitter(
        ui, {.id = id, .vertical = are_beside, .area = place.second, .gap = shared_gap, .min = min, .max = 1 - min},
        share);
    if (split.changed) document.resize([&](Layout& layout) { layout.set_share_in(place.first, share); });
    if (split.is_let_go) document.end_gesture();
    return split;
}

std::vector<int> places_from(int first, int end) {
    std::vector<int> places;
    for (int place = first; place < end; ++place) places.push_back(place);
    return places;
}

}  // namespace

PanelPlaces PanelArrangement::draw(Ui& ui, Document& document, const std::string& lit, const Rect& area) {
    bring_to_front(document, lit);
    const PanelPlaces places = divide(ui, document, area);
    PanelPlaces shown;
    for (const auto& place : places) add_panels_in(ui, document, place, places, shown);
    return shown;
}

void PanelArrangement::bring_to_front(const Document& document, const std::string& lit) {
    const bool is_of_scene = std::exchange(scenes_opened_, document.scenes_opened()) == document.scenes_opened();
    if (!is_of_scene) fronts_ = {}, tab_ = 0;  // the author of the scene named these first
    for (int place = 0; place < document.view.places(); ++place) {
        const auto at = static_cast<std::size_t>(place);
        const std::size_t sharing = document.view.panels_in(place).size();
        if (is_of_scene && sharing > sharing_[at]) fronts_[at] = sharing - 1;
        sharing_[at] = sharing;
    }
    is_newly_lit_ = std::exchange(lit_, lit) != lit || !is_of_scene;
}

PanelPlaces PanelArrangement::divide(Ui& ui, Document& document, const Rect& area) {
    const View& view = document.view;
    const int count = view.places();
    if (count > 1 && area.width < one_column * ui.scale) {  // all below each other
        const auto rows = split_at(Border::bottom, ui, document, area);
        return {{0, rows.first},
                draw_tabs(ui, view, {"tab", rows.second, places_from(1, count), places_from(0, 1)}, tab_)};
    }
    if (count > 3 && area.width < narrow_width * ui.scale) {
        const auto columns = split_at(Border::right, ui, document, area);
        const auto left = split_at(Border::bottom, ui, document, columns.first);
        std::vector<int> others = places_from(1, count);
        std::erase(others, 3);
        return {{0, left.first},
                {3, left.second},
                draw_tabs(ui, view, {"tab", columns.second, others, std::vector{0, 3}}, tab_)};
    }
    const auto rects = places_in(count, area, [&](Border border, const Rect& rect) {
        const SplitterState split = split_at(border, ui, document, rect);
        return Sides{split.first, split.second};
    });
    PanelPlaces places;
    for (int place = 0; place < count; ++place) places.emplace_back(place, rects[static_cast<std::size_t>(place)]);
    return places;
}

void PanelArrangement::add_panels_in(Ui& ui, Document& document, const std::pair<int, Rect>& place,
                                     const PanelPlaces& places, PanelPlaces& shown) {
    const View& view = document.view;
    const std::vector<int> sharing = view.panels_in(place.first);
    Division division = division_of(view, place.first);
    division.share_of_first = Layout::usual_share;  // two panels fit if halves do
    const std::vector<Rect> parts = divided(place.second, division, std::round(ui.px(shared_gap)));
    const bool is_too_small = parts.size() > 1 && (parts.front().width < ui.px(min_shared_width) ||
                                                   parts.front().height < ui.px(min_shared_height));
    if (is_too_small) {
        std::vector<int> elsewhere;
        for (const auto& other : places)
            if (other.first != place.first) elsewhere.push_back(other.first);
        std::size_t& front = fronts_[static_cast<std::size_t>(place.first)];
        int chosen = sharing[std::min(front, sharing.size() - 1)];
        shown.push_back(
            draw_tabs(ui, view, {fmt::format("place{}.tab", place.first), place.second, sharing, elsewhere}, chosen));
        front = static_cast<std::size_t>(std::find(sharing.begin(), sharing.end(), chosen) - sharing.begin());
    } else if (sharing.size() == 2) {
        const SplitterState split = split_place(ui, document, place, parts);
        shown.insert(shown.end(), {{sharing[0], split.first}, {sharing[1], split.second}});
    } else {
        for (std::size_t i = 0; i < sharing.size(); ++i) shown.emplace_back(sharing[i], parts[i]);
    }
}

std::pair<int, Rect> PanelArrangement::draw_tabs(Ui& ui, const View& view, const Tabs& tabs, int& chosen) {
    constexpr double gap = 2, below = 4, around_label = 10;
    const auto& [id, area, panels, elsewhere] = tabs;
    if (panels.size() == 1) return {panels.front(), area};
    if (std::find(panels.begin(), panels.end(), chosen) == panels.end()) chosen = panels.front();
    const auto is_lit = [&](int panel) { return lit_ == id_of(view.figure(panel)); };
    if (is_newly_lit_ && std::none_of(elsewhere.begin(), elsewhere.end(), is_lit)) {
        // The figure that a lesson points at comes to the front.
        const auto lit = std::find_if(panels.begin(), panels.end(), is_lit);
        if (lit != panels.end()) chosen = *lit;
    }
    const double left = area.x / ui.scale, right = area.right() / ui.scale;
    double x = left, y = area.y / ui.scale;
    for (const int index : panels) {
        const std::string title = title_among(view.figures, static_cast<std::size_t>(index)),
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
