#include "app/window/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "app/figures/page/figure_titles.h"
#include "app/figures/parts/text/readout_text.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr int longest_with_matrix = 8192;                             // tokens
constexpr double readout_height = 56, min_height_with_readout = 400;  // logical pixels

/// Returns the words for a symbol that is the whole label of a readout's item.
std::string_view in_words(std::string_view label) {
    constexpr std::pair<std::string_view, std::string_view> symbols[] = {
        {"i", "query i"}, {"j", "key j"}, {"r", "distance r"}, {"t", "pair t"}, {"g", "contribution g"}};
    for (const auto& [symbol, words] : symbols)
        if (symbol == label) return words;
    return label;
}

bool is_pair(const ReadoutItem& item) {
    return item.label == "t" || item.label == "pair";
}
bool is_place(const ReadoutItem& item) {
    return item.label == "i" || item.label == "j" || item.label == "r" || item.label == "step" || is_pair(item);
}

struct MainItems {
    std::vector<ReadoutItem> list;
    bool has_place = true;  // the first value and its place are among them
};

/// Returns at most seven items for large type: measured values first, then their place. Items take room by importance:
/// the first value and its place, its pair, then the other values.
MainItems main_items(const std::string& readout, const std::function<bool(const ReadoutItem&)>& takes_room) {
    constexpr std::ptrdiff_t most = 7;
    std::vector<ReadoutItem> items = items_of_readout(readout);
    MainItems kept;
    std::stable_partition(items.begin(), items.end(), std::not_fn(is_place));
    const auto rank = [&](std::size_t i) { return is_pair(items[i]) ? 1 : i == 0 || is_place(items[i]) ? 0 : 2; };
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    std::set<std::size_t> shown;
    for (const std::size_t i : order)
        if (std::ssize(shown) < most && takes_room(items[i]))
            shown.insert(i);
        else if (rank(i) == 0)
            kept.has_place = false;
    for (const std::size_t i : shown) kept.list.push_back(std::move(items[i]));
    return kept;
}

/// Returns the first item of a readout with a value before and after a change; a place only if no other item has both.
std::optional<ReadoutItem> changed_item(const std::string& readout) {
    std::vector<ReadoutItem> items = items_of_readout(readout);
    std::stable_partition(items.begin(), items.end(), std::not_fn(is_place));
    const auto found = std::find_if(items.begin(), items.end(), [](const ReadoutItem& item) {
        return !item.label.empty() && item.value.find(" → ") != item.value.npos;
    });
    return found == items.end() ? std::nullopt : std::optional(*found);
}

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

Panels::Answer Panels::draw(Ui& ui, Session& session, Player& player, const Emphasis& emphasis, const Rect& area) {
    const View& view = session.document.view;
    PanelPlaces shown = emphasis.alone ? PanelPlaces{{*emphasis.alone, area}}
                                       : arrangement_.draw(ui, session.document, emphasis.by_lesson, area);
    Rect& main = shown.front().second;
    const bool has_readout = main.height >= ui.px(min_height_with_readout);
    if (has_readout) main.height -= ui.px(readout_height);
    const Rect below_main{main.x, main.bottom(), main.width, ui.px(readout_height)};
    panels_.resize(view.figures.size());
    ask(ui, session, shown);
    Answer answer;
    picks_ = false;
    std::optional<std::pair<int, PanelChange>> change;
    std::optional<int> carried, let_go;
    for (const auto& [index, rect] : shown) {
        if (is_pointed_at(rect)) under_pointer_ = index;  // not while a menu is over it
        PanelContext panel{ui, session, player, index, rect, wants_options_ == index};
        at(index).draw(panel, emphasis.lights(id_of(panel.figure())));
        const PanelEvents& events = panel.events;
        if (events.is_exported) answer.exported = index;
        picks_ |= events.is_pointed_at && !events.changes_head;
        if (events.is_pointed_at || answer.readout.empty()) answer.readout = events.readout;
        if (!events.swept.empty()) answer.swept = {index, events.swept};
        if (events.is_carried) carried = index;
        if (events.is_let_go) let_go = index;
        if (events.change != PanelChange::none) change = {index, events.change};
        if (is_pointed_at(rect) && ImGui::IsMouseReleased(ImGuiMouseButton_Right) && !takes_brush(panel.figure()))
            answer.context = compat::point(ImGui::GetIO().MousePos);
    }
    const auto is_under_pointer = [&](const auto& each) { return each.first == under_pointer_; };
    if (std::none_of(shown.begin(), shown.end(), is_under_pointer)) under_pointer_ = shown.front().first;
    wants_options_.reset();
    if (change) this->change(ui, session, change->first, change->second);
    if (carried) show_carried(ui, view, *carried, shown);
    if (let_go) exchange(ui, session, *let_go, shown);
    if (session.document.before() || session.document.reference()) answer.compared = changed_item(answer.readout);
    if (has_readout && draw_readout(ui, answer.readout, below_main)) answer.readout.clear();
    return answer;
}

bool Panels::draw_readout(Ui& ui, const std::string& readout, const Rect& rect) {
    constexpr double label = 13, value = 22, gap = 28, left = 12;  // logical pixels
    const Theme& theme = *ui.theme;
    ui.registry.add({.id = "readout", .label = "", .rect = rect, .value = readout});
    const auto width_of = [&](const std::string& text, double size) {
        return ui.px(measure_text(text, size, Weight::semibold).width);
    };
    const auto width_of_item = [&](const ReadoutItem& item) {
        const auto [before, now] = before_and_now(item);
        return std::max(width_of(std::string(in_words(item.label)), label), width_of(before + now, value));
    };
    double free = rect.width - ui.px(left);
    const auto takes_room = [&](const ReadoutItem& item) {
        const double width = width_of_item(item);
        if (width > free) return false;
        free -= width + ui.px(gap);
        return true;
    };
    double x = rect.x + ui.px(left);
    const MainItems items = main_items(readout, takes_room);
    for (const ReadoutItem& item : items.list) {
        const auto [before, now] = before_and_now(item);
        const std::string title(in_words(item.label));
        const double width = width_of_item(item);
        ui.registry.add({.id = "readout." + item.label,
                         .label = title,
                         .rect = {x, rect.y, width, rect.height},
                         .value = before + now});
        ImDrawList& list = *ImGui::GetWindowDrawList();
        ui.fonts.draw(list, {x, rect.y + ui.px(8)}, title, {.size = label, .color = theme.text_dim});
        const double baseline = rect.y + ui.px(40);
        ui.fonts.draw(list, {x, baseline}, before,
                      {.size = value, .color = theme.text_dim, .weight = Weight::semibold});
        ui.fonts.draw(list, {x + width_of(before, value), baseline}, now,
                      {.size = value, .color = before.empty() ? theme.text : theme.accent, .weight = Weight::semibold});
        x += width + ui.px(gap);
    }
    return items.has_place;
}

void Panels::ask(const Ui& ui, Session& session, const PanelPlaces& shown) {
    const Document& document = session.document;
    if (!document.fault().empty()) return;
    const Experiment *const reference = document.reference(), *const before = document.before();
    Needs needs, of_reference, of_before;
    for (const auto& [index, rect] : shown) {
        const Figure& figure = document.view.figure(index);
        const PlotPixels pixels = at(index).pixels(ui);
        add_needs(needs, needs_of(figure, document.experiment(), pixels, reference));
        if (reference) add_needs(of_reference, needs_of(figure, *reference, pixels));
        if (before) add_needs(of_before, needs_of(figure, *before, pixels));
    }
    session.computation.ask(needs);
    if (reference) session.computation.ask(Other::reference, of_reference);
    if (!before) return;
    // A matrix takes time and memory, and is only seen while Shift is held; the readout needs it, too.
    const bool can_be_seen = session.other_on_shift() == Other::before;
    if (!can_be_seen || (!ui.modifiers.shift && before->seq_len > longest_with_matrix))
        std::erase_if(of_before, [](const Question& each) { return std::holds_alternative<ViewQuestion>(each); });
    session.computation.ask(Other::before, of_before);
}

void Panels::change(Ui& ui, Session& session, int panel, PanelChange change) {
    switch (change) {
        case PanelChange::none: return;
        case PanelChange::duplicate: duplicate(session, panel); break;
        case PanelChange::close: close(session, panel); break;
        case PanelChange::make_main: make_main(session, panel); break;
    }
    ui.wake_after = 0;
}

void Panels::make_main(Session& session, int panel) {
    const std::string title = title_among(session.document.view.figures, static_cast<std::size_t>(panel));
    session.document.rearrange("Make " + title + " the main figure", [&](Arrangement& changed) {
        changed.exchange(0, panel);
        changed.layout.maximised = -1;
    });
}

void Panels::close(Session& session, int panel) {
    session.document.rearrange("Close " + title_among(session.document.view.figures, static_cast<std::size_t>(panel)),
                               [&](Arrangement& changed) { changed.close(panel); });
}

void Panels::add(Session& session, Figure figure) {
    session.document.rearrange(std::string("Add ") + title_of(figure),
                               [&](Arrangement& changed) { changed.add(std::move(figure)); });
}

void Panels::duplicate(Session& session, int panel) {
    session.document.rearrange(
        "Duplicate " + title_among(session.document.view.figures, static_cast<std::size_t>(panel)),
        [&](Arrangement& changed) { changed.duplicate(panel); });
}

}  // namespace ropewalk
