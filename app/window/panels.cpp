#include "app/window/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/row.h"
#include "app/window/splitter.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

/// As many of the remark's clauses as there is room for, if any: a number is either there or not.
std::string whole_clauses(const Ui& ui, std::string text, double room) {
    while (fitted(ui, text, room) != text) {
        const std::size_t comma = text.rfind(", ");
        if (comma == std::string::npos) return {};
        text.resize(comma);
    }
    return text;
}

constexpr double card_radius = 6, card_padding = 10, header_height = 30, menu_width = 40;
constexpr double narrow_width = 860;  // logical pixels beside the sidebar below which the other figures share one panel
constexpr double column_width = 460;  // and below which all stand in one column
constexpr PlotPixels first_look{64, 64};  // before it is known how much room the labels leave
constexpr double click_slack = 4;         // logical pixels that a click may move
constexpr double fewest_tokens = 4;       // that can be zoomed to

ImVec2 top_left(const Rect& rect) {
    return {static_cast<float>(rect.x), static_cast<float>(rect.y)};
}
ImVec2 extent(const Rect& rect) {
    return {static_cast<float>(std::max(1.0, rect.width)), static_cast<float>(std::max(1.0, rect.height))};
}

Stretch zoomed(const Stretch& shown, double at, double factor, int seq_len) {
    const double size = std::clamp((shown.high - shown.low) * factor, std::min<double>(fewest_tokens, seq_len),
                                   static_cast<double>(seq_len));
    if (size >= seq_len) return {};
    const double low = std::clamp(at - (at - shown.low) * size / (shown.high - shown.low), 0.0, seq_len - size);
    return {low, low + size};
}

Stretch shifted(const Stretch& shown, double by, int seq_len) {
    const double size = shown.high - shown.low;
    if (size >= seq_len) return {};
    const double low = std::clamp(shown.low + by, 0.0, seq_len - size);
    return {low, low + size};
}

}  // namespace

PanelRequest Panels::draw(Ui& ui, Workbench& workbench, const Rect& area) {
    PanelRequest request;
    readout_.clear();
    View& view = workbench.view;
    panels_.resize(view.figures.size());
    const auto maximised = view.maximised();
    const std::vector<std::pair<int, Rect>> shown =
        maximised ? std::vector{std::pair{*maximised, area}} : with_duplicates(ui, view, arrange(ui, workbench, area));
    if (workbench.check()) {
        Needs needs;
        for (const auto& [index, rect] : shown)
            add_needs(needs, needs_of(workbench.view.figures[static_cast<std::size_t>(index)], workbench.experiment(),
                                      pixels_of(ui, index)));
        workbench.ask(needs);
    }
    for (const auto& [index, rect] : shown) {
        if (rect.contains(compat::point(ImGui::GetIO().MousePos))) under_pointer_ = index;
        draw_panel(ui, workbench, index, rect, request);
    }
    if (const auto change = std::exchange(change_, nullptr)) {
        change(view);
        ui.wake_after = 0;
    }
    return request;
}

std::vector<std::pair<int, Rect>> Panels::with_duplicates(const Ui& ui, const View& view,
                                                          const std::vector<std::pair<int, Rect>>& places) {
    const double gap = std::round(ui.px(8));
    std::vector<std::pair<int, Rect>> shown;
    for (const auto& [place, rect] : places) {
        std::vector<int> sharing;
        for (int panel = 0; panel < view.panels(); ++panel)
            if (view.place_of(panel) == place) sharing.push_back(panel);
        const auto count = static_cast<double>(sharing.size());
        const bool across = rect.width > 1.4 * rect.height;  // figures are a little wider than high
        const double size = ((across ? rect.width : rect.height) - gap * (count - 1)) / count;
        for (std::size_t i = 0; i < sharing.size(); ++i) {
            const double from = std::round(static_cast<double>(i) * (size + gap)),
                         length = std::max(1.0, std::floor(size));
            shown.emplace_back(sharing[i], across ? Rect{rect.x + from, rect.y, length, rect.height}
                                                  : Rect{rect.x, rect.y + from, rect.width, length});
        }
    }
    return shown;
}

std::vector<std::pair<int, Rect>> Panels::arrange(Ui& ui, Workbench& workbench, const Rect& area) {
    Layout& layout = workbench.view.layout;
    const auto split_rows = [&](const Rect& column) {
        return splitter(ui,
                        {.id = "split.bottom",
                         .vertical = false,
                         .area = column,
                         .default_fraction = Layout{}.upper,
                         .least = 0.3,
                         .greatest = 0.88},
                        layout.upper);
    };
    if (area.width < column_width * ui.scale) {  // all below each other; the matrix needs no more height than width
        const double room = std::max(0.3, (area.width - ui.px(2 * header_height)) / std::max(1.0, area.height));
        const auto rows = splitter(ui,
                                   {.id = "split.bottom",
                                    .vertical = false,
                                    .area = area,
                                    .default_fraction = Layout{}.upper,
                                    .least = 0.3,
                                    .greatest = std::min(0.88, room)},
                                   layout.upper);
        const auto [tab, rect] = draw_tabs(ui, workbench, rows.second, std::array{1, 2, 3, 4});
        return {{0, rows.first}, {tab, rect}};
    }
    const bool is_narrow = area.width < narrow_width * ui.scale;
    const auto columns = splitter(ui,
                                  {.id = "split.right",
                                   .area = area,
                                   .default_fraction = Layout{}.main,
                                   .least = is_narrow ? 0.35 : 0.3,
                                   .greatest = is_narrow ? 0.8 : 0.85},
                                  layout.main);
    if (is_narrow) {
        const auto left = split_rows(columns.first);
        const auto [tab, rect] = draw_tabs(ui, workbench, columns.second, std::array{1, 2, 4});
        return {{0, left.first}, {3, left.second}, {tab, rect}};
    }
    const auto right = splitter(ui,
                                {.id = "split.right_rows",
                                 .vertical = false,
                                 .area = columns.second,
                                 .default_fraction = Layout{}.right_split,
                                 .least = 0.15,
                                 .greatest = 0.85},
                                layout.right_split);
    const auto left = split_rows(columns.first);
    const auto below = splitter(ui,
                                {.id = "split.bottom_columns",
                                 .area = left.second,
                                 .default_fraction = Layout{}.bottom_split,
                                 .least = 0.15,
                                 .greatest = 0.85},
                                layout.bottom_split);
    return {{0, left.first}, {1, right.first}, {2, right.second}, {3, below.first}, {4, below.second}};
}

std::pair<int, Rect> Panels::draw_tabs(Ui& ui, const Workbench& workbench, const Rect& area,
                                       std::span<const int> tabs) {
    constexpr double gap = 4, around_label = 20;
    if (std::find(tabs.begin(), tabs.end(), tab_) == tabs.end()) tab_ = tabs.front();
    const auto count = static_cast<double>(tabs.size());
    const double width = (area.width / ui.scale - (count - 1) * gap) / count;
    double x = area.x;
    for (const int index : tabs) {
        const char* title = title_of(workbench.view.figures[static_cast<std::size_t>(index)]);
        ImGui::SetCursorScreenPos({static_cast<float>(std::round(x)), static_cast<float>(area.y)});
        const std::string label = fitted(ui, title, std::max(0.0, width - around_label));
        if (button(ui, {.id = fmt::format("tab{}", index), .label = label, .help = {.title = title}},
                   index == tab_ ? ButtonLook::chosen : ButtonLook::quiet))
            tab_ = index;
        x += ui.px(width + gap);
    }
    const double used = std::round(ui.px(row_height + gap));
    return {tab_, {area.x, area.y + used, area.width, std::max(1.0, area.height - used)}};
}

PlotPixels Panels::pixels_of(const Ui& ui, int index) const {
    const Rect& plot = panels_[static_cast<std::size_t>(index)].frame.plot;
    if (plot.width < 1 || plot.height < 1) return first_look;
    // In steps of 8, so that a label that grows by a digit does not ask for another picture.
    const auto whole = [&](double length) { return std::max(64, static_cast<int>(length * ui.scale) / 8 * 8); };
    return {whole(plot.width), whole(plot.height)};
}

void Panels::draw_panel(Ui& ui, Workbench& workbench, int index, const Rect& rect, PanelRequest& request) {
    Panel& panel = panels_[static_cast<std::size_t>(index)];
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index)];
    ImGui::PushID(index);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGuiCanvas canvas(list, ui.fonts, *ui.textures, {rect.x, rect.y});
    panel.origin = {rect.x, rect.y};
    const Rect card{0, 0, rect.width / ui.scale, rect.height / ui.scale};
    canvas.fill_rect(card, ui.theme->panel, card_radius);
    canvas.stroke_rect(card, {.color = ui.theme->panel_border}, card_radius);
    // Before the header, which shows what is found here.
    const auto results = workbench.results_for(
        workbench.check() ? needs_of(figure, workbench.experiment(), pixels_of(ui, index)) : Needs{});
    std::optional<FigureInput> input;
    if (results)
        input.emplace(FigureInput{.results = *results,
                                  .cursor = workbench.view.cursor.clamped(results->request.experiment),
                                  .cursor_shown = true,
                                  .theme = *ui.theme,
                                  .memo = memo_});
    panel.badge = input ? badge(figure, *input) : Badge{};
    draw_header(ui, workbench, index, rect, request);

    const Rect body{card_padding, header_height, card.width - 2 * card_padding,
                    card.height - header_height - card_padding};
    if (body.width < 40 || body.height < 40) {
        // too small for anything
    } else if (!input) {
        canvas.text(body.centre(), "computing …",
                    {.size = ui.theme->label_size, .color = ui.theme->text_faint, .across = Align::middle});
    } else {
        if (std::exchange(panel.of_scene, &workbench.scene()) != &workbench.scene()) panel.range.reset();
        if (auto* attention = std::get_if<AttentionFigure>(&figure)) lock_range(panel, *attention, *input);
        canvas.push_clip(body);
        panel.frame = ropewalk::draw(figure, *input, canvas, body);
        if (workbench.is_stale(*results)) canvas.fill_rect(body, ui.theme->panel.with_alpha(0.35));
        canvas.pop_clip();
        interact(ui, workbench, index, *input);
    }
    ImGui::PopID();
}

void Panels::draw_header(Ui& ui, Workbench& workbench, int index, const Rect& rect, PanelRequest& request) {
    Panel& panel = panels_[static_cast<std::size_t>(index)];
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index)];
    const std::string name = fmt::format("panel{}", index);
    const float y = static_cast<float>(rect.y) + ui.px(3),
                right = static_cast<float>(rect.right()) - ui.px(card_padding);
    const double left = rect.x / ui.scale + card_padding - 6,
                 room = rect.right() / ui.scale - card_padding - menu_width - left;
    ImGui::SetCursorScreenPos({ui.px(left), y});
    const ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const std::string title =
        elided(title_of(figure), room - 26, {.size = ui.theme->title_size, .weight = Weight::semibold}, canvas);
    if (button(ui,
               {.id = name + ".figure",
                .label = title,
                .help = {.title = title_of(figure), .text = "Click to show another figure in this panel."}},
               ButtonLook::chooser))
        ImGui::OpenPopup("figure");
    bool on_button = false;
    ImGui::SameLine(0, 0);
    const double badge_room = left + room - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - 20;
    if (const std::string shown = whole_clauses(ui, panel.badge.text, badge_room); !shown.empty()) {
        auto* attention = std::get_if<AttentionFigure>(&figure);
        if (button(
                ui,
                {.id = name + ".badge", .label = shown, .help = {.title = panel.badge.title, .text = panel.badge.help}},
                ButtonLook::quiet) &&
            attention)
            attention->pooling = static_cast<Pooling>((static_cast<int>(attention->pooling) + 1) % 3);
        on_button |= ImGui::IsItemHovered();
    }
    ImGui::SetCursorScreenPos({right - ui.px(menu_width - 14), y});
    if (button(ui, {.id = name + ".menu", .label = "⋯", .help = {.title = "Options and export"}}, ButtonLook::quiet))
        ImGui::OpenPopup("menu");
    on_button |= ImGui::IsItemHovered();
    // The first click on the title opens the list of figures, which the second one closes.
    if (!on_button && ImGui::IsMouseDoubleClicked(0) &&
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) &&
        Rect{rect.x, rect.y, rect.width, ui.px(header_height)}.contains(compat::point(ImGui::GetIO().MousePos)))
        change_ = [index](View& view) { view.toggle_maximised(index); };
    choose_figure(ui, name, {ui.px(left), static_cast<double>(y) + ui.px(row_height)}, figure);
    ImGui::SetNextWindowSize({ui.px(330), 0});
    ImGui::SetNextWindowPos({right + ui.px(card_padding), y + ui.px(header_height)}, ImGuiCond_Always, {1, 0});
    if (ImGui::BeginPopup("menu")) {
        draw_menu(ui, workbench, index, name, request);
        if (ui.take_shortcut(Key::escape, {})) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
}

void Panels::draw_menu(Ui& ui, Workbench& workbench, int index, const std::string& name, PanelRequest& request) {
    View& view = workbench.view;
    Figure& figure = view.figures[static_cast<std::size_t>(index)];
    section(ui, title_of(figure));
    note(ui, std::visit([](const auto& f) { return f.summary; }, figure));
    const ControlsState state = figure_controls(ui, figure);
    if (!state.rejected.empty()) workbench.tell(state.rejected, Notice::Kind::error);
    section(ui, "Panel");
    const auto entry = [&](const char* id, const char* label, const char* help, bool enabled, auto change) {
        if (button(ui, {.id = name + id, .label = label, .help = {.title = label, .text = help}, .enabled = enabled})) {
            change_ = change;
            ImGui::CloseCurrentPopup();
        }
    };
    entry(".maximise", view.maximised() == index ? "Restore" : "Maximise",
          "Ctrl+M, or a double click on the title, does it too; Esc restores.", true,
          [index](View& changed) { changed.toggle_maximised(index); });
    ImGui::SameLine();
    entry(".duplicate", "Duplicate", "The same figure once more beside this one, for other options.",
          view.can_duplicate(), [index](View& changed) { changed.duplicate(index); });
    if (view.is_duplicate(index)) {
        ImGui::SameLine();
        entry(".close", "Close", "Takes this duplicate away.", true, [this, index](View& changed) {
            changed.close(index);
            panels_.erase(panels_.begin() + index);
        });
    }
    section(ui, "Export");
    for (const char* format : {"svg", "pdf", "png"}) {
        if (format != std::string_view("svg")) ImGui::SameLine();
        if (!button(ui, {.id = fmt::format("{}.export.{}", name, format), .label = fmt::format("as {} …", format)}))
            continue;
        request = {index, format};
        ImGui::CloseCurrentPopup();
    }
}

void Panels::choose_figure(Ui& ui, const std::string& name, Point below, Figure& figure) {
    const ChoiceRef choice(figure);
    const int shown = static_cast<int>(choice.index());
    int chosen = shown;
    if (open_list(ui, {.id = name + ".figure", .label = ""}, "figure", {below.x, below.y, 0, 0}, entries_of(choice),
                  chosen) &&
        chosen != shown)
        choice.choose(static_cast<std::size_t>(chosen));
}

void Panels::lock_range(Panel& panel, AttentionFigure& figure, const FigureInput& input) {
    if (figure.range != RangeMode::locked) {
        if (const auto shown = figure.shown_range(input)) panel.range = *shown;
    } else if (panel.range) {
        figure.range_low = panel.range->least;
        figure.range_high = panel.range->greatest;
        panel.range.reset();
    }
}

void Panels::interact(Ui& ui, Workbench& workbench, int index, const FigureInput& input) {
    Panel& panel = panels_[static_cast<std::size_t>(index)];
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index)];
    View& view = workbench.view;
    const Rect& outer = panel.frame.outer;
    const Rect device{panel.origin.x + outer.x * ui.scale, panel.origin.y + outer.y * ui.scale, outer.width * ui.scale,
                      outer.height * ui.scale};
    ImGui::SetCursorScreenPos(top_left(device));
    ImGui::InvisibleButton("plot", extent(device));
    ui.registry.add(
        {.id = fmt::format("panel{}.plot", index), .label = title_of(figure), .rect = device, .value = id_of(figure)});
    const ImGuiIO& io = ImGui::GetIO();
    const auto logical = [&](ImVec2 at) {
        return Point{(at.x - panel.origin.x) / ui.scale, (at.y - panel.origin.y) / ui.scale};
    };
    const Point pointer = logical(io.MousePos);
    if (ImGui::IsItemHovered()) ui.point_at("plot");
    auto* attention = std::get_if<AttentionFigure>(&figure);
    const int seq_len = input.experiment().seq_len;

    if (drag_handle(workbench, panel, handles_of(figure, input), pointer))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        panel.dragged = false;
        if (attention) panel.rows = attention->rows.within(seq_len), panel.columns = attention->columns.within(seq_len);
    }
    if (ImGui::IsItemActive()) {
        const Point start = logical(io.MouseClickedPos[0]);
        const Point moved{pointer.x - start.x, pointer.y - start.y};
        panel.dragged |= std::hypot(moved.x, moved.y) > click_slack;
        if (panel.dragged && attention) navigate(*attention, panel, seq_len, pointer, 0, moved);
    }
    const auto picked =
        ImGui::IsItemHovered() && !panel.dragged ? pick(figure, input, panel.frame, pointer) : std::nullopt;
    if (picked && !view.cursor_locked) view.cursor = *picked;
    if (ImGui::IsItemDeactivated()) {
        if (!panel.dragged && picked) view.cursor = *picked, view.cursor_locked = !view.cursor_locked;
        panel.dragged = false;
    }
    if (ImGui::IsItemHovered() && attention && panel.frame.plot.contains(pointer)) {
        if (io.MouseWheel != 0) {
            panel.rows = attention->rows.within(seq_len), panel.columns = attention->columns.within(seq_len);
            navigate(*attention, panel, seq_len, pointer, io.MouseWheel, {});
        }
        if (ImGui::IsMouseDoubleClicked(0)) attention->rows = attention->columns = {};
    }
    if (picked || (index == 0 && readout_.empty())) {
        FigureInput now = input;
        now.cursor = view.cursor.clamped(input.experiment());
        readout_ = ropewalk::readout(figure, now);
    }
}

bool Panels::drag_handle(Workbench& workbench, Panel& panel, std::span<const Handle> handles, Point pointer) {
    constexpr double reach = 6;  // logical pixels
    const auto near = std::find_if(handles.begin(), handles.end(), [&](const Handle& handle) {
        return std::abs(panel.frame.to_pixels(handle.at, 0).x - pointer.x) <= reach &&
               panel.frame.plot.contains(pointer);
    });
    const bool is_near = near != handles.end() && ImGui::IsItemHovered();
    if (ImGui::IsItemActivated() && is_near) panel.handle = near->path;
    if (ImGui::IsItemActive() && !panel.handle.empty()) {
        Experiment experiment = workbench.experiment();
        if (move_handle(experiment, panel.handle, panel.frame.x_at(pointer.x)))
            workbench.edit(experiment, Gesture::ongoing);
        panel.dragged = true;
    }
    if (ImGui::IsItemDeactivated() && !panel.handle.empty()) {
        panel.handle.clear();
        workbench.end_gesture();
    }
    return is_near || !panel.handle.empty();
}

void Panels::navigate(AttentionFigure& figure, const Panel& panel, int seq_len, Point pointer, double wheel,
                      Point moved) const {
    if (wheel != 0) {
        const double factor = std::pow(1.25, -wheel);
        figure.columns = zoomed(panel.columns, panel.frame.x_at(pointer.x) + 0.5, factor, seq_len);
        figure.rows = zoomed(panel.rows, panel.frame.y_at(pointer.y) + 0.5, factor, seq_len);
    } else {
        figure.columns = shifted(panel.columns,
                                 -moved.x / panel.frame.plot.width * (panel.columns.high - panel.columns.low), seq_len);
        figure.rows =
            shifted(panel.rows, -moved.y / panel.frame.plot.height * (panel.rows.high - panel.rows.low), seq_len);
    }
}

}  // namespace ropewalk
