#include "app/window/widgets/row.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <sstream>
#include <vector>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/icons.h"
#include "core/numbers/numbers.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr double tooltip_width = 300, tooltip_delay = 0.45, more_width = 24;
constexpr Point tooltip_padding{12, 10};  // logical pixels
constexpr double small_text = 11;         // logical pixels
constexpr int measuring_frames = 2;       // number of frames in which ImGui measures a new tooltip before showing it

ImVec2 low(const Rect& rect) {
    return compat::vector({rect.x, rect.y});
}
ImVec2 high(const Rect& rect) {
    return compat::vector({rect.right(), rect.bottom()});
}

/// Moves ImGui's own glyphs, which are quads with a texture, to whole pixels, as Fonts::draw does.
void snap_glyphs(ImDrawList& list, int first_vertex) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (int i = first_vertex; i < list.VtxBuffer.Size; ++i) {
        const ImDrawVert& vertex = list.VtxBuffer[i];
        if ((vertex.uv.x == white.x && vertex.uv.y == white.y) || i + 3 >= list.VtxBuffer.Size) continue;
        const float shift = std::round(vertex.pos.x) - vertex.pos.x;
        for (int corner_index = 0; corner_index < 4; ++corner_index) list.VtxBuffer[i + corner_index].pos.x += shift;
        i += 3;
    }
}

/// A paragraph of a tooltip; logical pixels.
struct HelpText {
    std::string_view text;
    double size;
    Weight weight;
    Color color;
};
constexpr double below_line = 3, below_paragraph = 3;  // logical pixels

void draw(Ui& ui, const HelpText& paragraph) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto& [text, size, weight, color] = paragraph;
    for (const std::string& line : paragraphs(text, tooltip_width, size, weight)) {
        const TextExtent extent = measure_text(line, size, weight);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ui.fonts.draw(list, compat::point(at), line,
                      {.size = size, .color = color, .weight = weight, .across = Align::start, .down = Align::start});
        ImGui::Dummy({ui.px(extent.width), ui.px(extent.height() + below_line) - ImGui::GetStyle().ItemSpacing.y});
    }
    ImGui::Dummy({0, ui.px(below_paragraph) - ImGui::GetStyle().ItemSpacing.y});
}

/// Returns the height of a tooltip, device pixels.
float height_of(const Ui& ui, std::span<const HelpText> tooltip) {
    double height = 2 * tooltip_padding.y;
    for (const auto& [text, size, weight, color] : tooltip) {
        for (const std::string& line : paragraphs(text, tooltip_width, size, weight))
            height += measure_text(line, size, weight).height() + below_line;
        height += below_paragraph;
    }
    return std::ceil(ui.px(height));
}

/// Returns the tooltip's position: right of the widget, else below it, or further down if it would hide the formula, or
/// above it at the window's lower edge. It is within the window.
ImVec2 tooltip_place(const Ui& ui, const Rect& anchor, float height) {
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const float width = ui.px(tooltip_width + 30), gap = ui.px(14);
    const ImVec2 beside = compat::vector({anchor.right() + gap, anchor.y});
    const ImVec2 below = compat::vector({anchor.x, anchor.bottom() + ui.px(4)});
    const bool is_beside = beside.x + width <= room.x && ui.tooltips_from == 0;
    const ImVec2 place = is_beside ? beside : below;
    const bool is_above = !is_beside && place.y + height > room.y && ui.tooltips_from == 0;
    const float y = is_above ? compat::vector({0, anchor.y}).y - height - ui.px(4)
                             : std::max(place.y, static_cast<float>(ui.tooltips_from));
    return {std::max(0.0f, std::min(place.x, room.x - width)), std::max(0.0f, std::min(y, room.y - height))};
}

/// Returns the width of a tooltip, device pixels.
float width_of(const Ui& ui, std::span<const HelpText> tooltip) {
    double width = 0;
    for (const auto& [text, size, weight, color] : tooltip)
        for (const std::string& line : paragraphs(text, tooltip_width, size, weight))
            width = std::max(width, measure_text(line, size, weight).width);
    return std::ceil(ui.px(width + 2 * tooltip_padding.x));
}

/// Returns the position beside a list's entry, where it covers no other entry: right of it, or left of it if there is
/// no room. Nothing if there is no room on either side.
std::optional<ImVec2> place_beside_list(const Ui& ui, const Rect& anchor, std::span<const HelpText> shown) {
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const float width = width_of(ui, shown), gap = ui.px(14),
                y = std::max(0.0f, std::min(static_cast<float>(anchor.y), room.y - height_of(ui, shown)));
    const float right = static_cast<float>(anchor.right()) + gap, left = static_cast<float>(anchor.x) - gap - width;
    if (right + width <= room.x) return ImVec2{right, y};
    return left >= 0 ? std::optional(ImVec2{left, y}) : std::nullopt;
}

/// Shows paragraphs beside a widget. Returns the tooltip's rectangle.
Rect show_tooltip(Ui& ui, const Rect& anchor, std::span<const HelpText> shown, TooltipOf of = TooltipOf::widget) {
    const auto beside = of == TooltipOf::entry ? place_beside_list(ui, anchor, shown) : std::nullopt;
    ImGui::SetNextWindowPos(beside ? *beside : tooltip_place(ui, anchor, height_of(ui, shown)));
    ImGui::PushStyleVar(
        ImGuiStyleVar_WindowPadding,
        {ui.px(tooltip_padding.x), ui.px(tooltip_padding.y)});  // also over lists, which have other padding
    ImGui::BeginTooltip();
    ImGui::PopStyleVar();
    for (const HelpText& each : shown) draw(ui, each);
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::EndTooltip();
    return rect_of(corner, {corner.x + size.x, corner.y + size.y});
}

/// Shows beside a row why its new value was refused.
void draw_refusal(Ui& ui, const Rect& anchor) {
    const Interaction& interaction = ui.interaction;
    if (ImGui::GetFrameCount() <= interaction.refused_frame + measuring_frames) ui.wake_after = 0;
    show_tooltip(ui, anchor, std::array{HelpText{interaction.refusal, text_size, Weight::regular, ui.theme->warning}});
    ui.registry.add({.id = "refusal", .label = "", .rect = anchor, .value = interaction.refusal});
}

}  // namespace

Row::Row(Ui& ui, const Control& control, double control_width) : ui_(ui), control_(control) {
    ImGui::PushID(control.id.data(), control.id.data() + control.id.size());
    ImGui::BeginDisabled(!control.enabled);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x), height = std::round(ui.px(row_height));
    if (ui.labels_above && control_width > 0) {
        const float right = at.x + width, beside = std::max(at.x + 1, right - std::round(ui.px(control_width)));
        add_label(rect_of(at, {beside, at.y + height}), std::round(ui.px(more_width)));
        rect_ = rect_of({beside, at.y}, {right, at.y + height});
    } else if (ui.labels_above) {
        const float label = std::round(ui.px(ui.is_large ? large_label_line : label_line)),
                    above = control.hides_label ? 0 : label + (ui.is_large ? 0 : std::round(ui.px(below_label)));
        if (!control.hides_label)
            add_label(rect_of(at, {at.x + width, at.y + label}), ui.is_large ? 0 : std::round(ui.px(more_width)));
        rect_ = rect_of({at.x, at.y + above}, {at.x + width, at.y + above + height});
        label_above_ = static_cast<double>(above);
    } else {
        const float beside =
            control.label.empty() ? 0 : std::min(std::round(ui.px(ui.label_width)), std::max(1.0f, 0.42f * width));
        if (!control.label.empty()) add_label(rect_of(at, {at.x + beside, at.y + height}), 0);
        rect_ = rect_of({at.x + beside, at.y}, {std::max(at.x + width, at.x + beside + 1), at.y + height});
    }
}

void Row::add_label(const Rect& label, double sign_width) {
    const auto add = [&](const char* id, const Rect& part) {
        ImGui::SetCursorScreenPos(low(part));
        const bool is_clicked = compat::invisible_button(id, compat::vector({part.width, part.height}));
        hovered_ = hovered_ || ImGui::IsItemHovered();
        asks_for_menu_ = asks_for_menu_ || ImGui::IsItemClicked(ImGuiMouseButton_Right);
        return is_clicked;
    };
    const Rect text{label.x, label.y, std::max(1.0, label.width - sign_width), label.height};
    if (sign_width > 0) {
        sign_ = {text.right(), label.y, sign_width, label.height};
        asks_for_menu_ = add("more", sign_);
    }
    add("label", text);
    label_double_clicked_ = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    const Theme& theme = *ui_.theme;
    const Color color = !control_.enabled ? theme.text_faint : hovered_ ? theme.text : theme.text_dim;
    const double size = ui_.is_large ? large_label : text_size;
    ui_.fonts.draw(*ImGui::GetWindowDrawList(), {text.x, text.centre().y},
                   fitted(ui_, control_.label, text.width / ui_.scale - label_gap, size),
                   {.size = size, .color = color, .down = Align::middle});
}

Row::~Row() {
    if (unwinding_) return;
    ImGui::EndDisabled();
    ImGui::PopID();
}

void Row::item(const Rect& part) {
    item_ = part;
    ImGui::SetCursorScreenPos(low(part));
    compat::invisible_button("control", {static_cast<float>(part.width), static_cast<float>(part.height)},
                             ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    hovered_ = hovered_ || ImGui::IsItemHovered();
    visible_ = middle_is_in_sight(part);
    if (hovered_) ui_.point_at(control_.id);
    if (ImGui::IsItemClicked()) ui_.interaction.focused = control_.id;
    asks_for_menu_ = asks_for_menu_ || ImGui::IsItemClicked(ImGuiMouseButton_Right);
    if (takes_keys() && !ImGui::IsAnyItemActive())
        asks_for_menu_ =
            asks_for_menu_ || ui_.take_shortcut(function_key(10), {.shift = true}) || ui_.take_shortcut(Key::menu, {});
    come_into_sight(ui_, control_.id, part);
}

void Row::finish(const std::string& value) {
    ui_.registry.add({.id = std::string(control_.id),
                      .label = std::string(control_.label),
                      .rect = item_,
                      .value = value,
                      .visible = visible_,
                      .takes_focus = control_.enabled,
                      .label_above = label_above_});
    if (sign_.width > 0)
        ui_.registry.add({.id = fmt::format("{}.more", control_.id),
                          .label = "",
                          .rect = sign_,
                          .visible = middle_is_in_sight(sign_)});
    if (sign_.width > 0 && hovered_) draw_icon(ui_, Icon::dots, sign_.centre(), ui_.theme->text_dim);
    if (ui_.interaction.focused == control_.id && ui_.interaction.editing != control_.id) focus_ring(ui_, item_);
    if (ui_.interaction.refused == control_.id)
        draw_refusal(ui_, rect_);
    else if (hovered_ && ImGui::IsAnyItemActive())
        hush_tooltip(ui_, control_.id);
    else if (hovered_)
        tooltip(ui_, control_.id, control_.help, rect_);
}

TextEdit edit_text(Ui& ui, std::string_view id, const Rect& rect, const std::string& before, std::string_view hint,
                   bool start) {
    Interaction& interaction = ui.interaction;
    const bool was_active = interaction.editing == id;
    TextEdit edit{.text = was_active && !start ? interaction.text : before};
    ImGui::SetCursorScreenPos(low(rect));
    ImGui::PushFont(ui.fonts.find(text_size, Weight::regular));
    const float padding = std::max(0.0f, std::floor((static_cast<float>(rect.height) - ImGui::GetFontSize()) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), padding});
    ImGui::SetNextItemWidth(static_cast<float>(rect.width));
    if (start) ImGui::SetKeyboardFocusHere();
    const bool is_left = was_active && std::any_of(ui.input.text_keys.begin(), ui.input.text_keys.end(),
                                                   [](const KeyPress& press) { return press.key == Key::tab; });
    if (is_left && ui.has_tab_from(id)) ImGui::SetWindowFocus(nullptr);
    // ImGui gives the focus only in the next frame, and until then loses what is typed. It replaces the text, of which
    // everything would be selected at first.
    std::string& early = interaction.typed_early;
    const bool has_no_focus_yet = start || (was_active && !interaction.has_focus);
    if (start) early.clear();
    if (has_no_focus_yet) {
        for (const char32_t character : ui.input.characters) early += utf8_of(character);
        ImGui::GetIO().InputQueueCharacters.resize(0);
        if (!early.empty()) edit.text = early;
    }
    const bool was_typed_early = has_no_focus_yet && !start && !early.empty();
    const auto to_end = [](ImGuiInputTextCallbackData* data) {
        data->ClearSelection();
        data->CursorPos = data->BufTextLen;
        return 0;
    };
    const int first_vertex = ImGui::GetWindowDrawList()->VtxBuffer.Size;
    if (start || !was_active) compat::forget_edits(ImGui::GetID("##text"));
    ImGui::InputTextWithHint("##text", std::string(hint).c_str(), &edit.text,
                             was_typed_early ? ImGuiInputTextFlags_CallbackAlways : ImGuiInputTextFlags_AutoSelectAll,
                             was_typed_early ? +to_end : nullptr);
    snap_glyphs(*ImGui::GetWindowDrawList(), first_vertex);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    edit.active = ImGui::IsItemActive();
    if (edit.active) outline(ui, rect, ui.theme->accent);
    if (edit.active || start) {
        interaction.editing = id;
        interaction.text = edit.text;
        interaction.has_focus = edit.active;
    } else if (was_active) {
        interaction.editing.clear();
        edit.done = edit.text != before;
        for (const KeyPress& press : ui.input.text_keys)
            if (press.key == Key::enter || press.key == Key::keypad_enter)
                edit.left_by = Key::enter;
            else if (press.key == Key::escape)
                edit.left_by = Key::escape;
    }
    return edit;
}

std::string fitted(const Ui& ui, std::string_view utf8, double width, double size) {
    return elided(utf8, width, {.size = size, .color = {}},
                  ImGuiCanvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures));
}

std::vector<std::string> paragraphs(std::string_view utf8, double width, double size, Weight weight) {
    std::vector<std::string> lines;
    std::istringstream text{std::string(utf8)};
    for (std::string line; std::getline(text, line);) {
        auto wrapped_line = wrapped(words_of(line), width, size, weight);
        if (wrapped_line.empty()) wrapped_line.emplace_back();
        lines.insert(lines.end(), wrapped_line.begin(), wrapped_line.end());
    }
    return lines;
}

void fill(const Ui& ui, const Rect& rect, Color color, double corner_radius, ImDrawFlags corners) {
    compat::fill_rect(*ImGui::GetWindowDrawList(), low(rect), high(rect), compat::color(color), ui.px(corner_radius),
                      corners);
}

void panel_background(const Ui& ui, const Rect& rect) {
    constexpr double corner_radius = 6;
    fill(ui, rect, ui.theme->panel, corner_radius);
    outline(ui, rect, ui.theme->panel_border, corner_radius);
}

Rect ring_around(const Ui& ui, const Rect& widget, const Rect& card) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect inside = card.inset(ui.px(1));
    const double left = card.x + ui.px(6), right = widget.right() + ui.px(5);
    const Rect ring{left, widget.y - ui.px(3), right - left, widget.height + ui.px(6)};
    list.PushClipRect(compat::vector({inside.x, inside.y}), compat::vector({inside.right(), inside.bottom()}), true);
    fill(ui, ring, ui.theme->accent.with_alpha(0.10), 5);
    outline(ui, ring, ui.theme->accent, 5);
    list.PopClipRect();
    return ring;
}

void outline(const Ui& ui, const Rect& rect, Color color, double corner_radius) {
    compat::outline_rect(*ImGui::GetWindowDrawList(), low(rect), high(rect), compat::color(color), ui.px(corner_radius),
                         std::max(1.0f, std::round(ui.px(1))));
}

void focus_ring(const Ui& ui, const Rect& rect) {
    outline(ui, rect.inset(std::round(ui.px(1))), ui.theme->panel);  // for controls that are filled with the accent
    outline(ui, rect, ui.theme->accent.with_alpha(0.75));
}

void come_into_sight(Ui& ui, std::string_view id, const Rect& rect) {
    if (ui.interaction.comes_into_sight != id) return;
    ui.interaction.comes_into_sight.clear();
    if (!middle_is_in_sight(rect)) ImGui::SetScrollHereY();
}

KeyPlace key_place(Ui& ui, std::string_view id, const Rect& rect) {
    return ui.registry.layer() == 0 ? KeyPlace{} : focus_place(ui, id, rect);
}

KeyPlace focus_place(Ui& ui, std::string_view id, const Rect& rect) {
    const bool has_focus = ui.gives_keys_to(id);
    if (has_focus) focus_ring(ui, rect);
    come_into_sight(ui, id, rect);
    const bool is_pressed = has_focus && !ImGui::IsAnyItemActive() &&
                            (ui.take_shortcut(Key::enter, {}) || ui.take_shortcut(Key::space, {}));
    return {.takes_focus = true, .is_pressed = is_pressed};
}

void text_in(const Ui& ui, const Rect& rect, std::string_view utf8, Color color, Align across, Weight weight,
             double size) {
    const double x = across == Align::start ? rect.x : across == Align::middle ? rect.centre().x : rect.right();
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {x, rect.centre().y}, utf8,
                  {.size = size, .color = color, .weight = weight, .across = across, .down = Align::middle});
}

void lines_in(const Ui& ui, Rect first, std::span<const std::string> lines, Color color, Align across) {
    for (const std::string& line : lines) {
        text_in(ui, first, line, color, across);
        first.y += first.height;
    }
}

void refuse(Ui& ui, std::string_view id, std::string sentence) {
    ui.interaction.refused = id;
    ui.interaction.is_unaccepted = ui.interaction.submitted == id;
    ui.interaction.refusal = std::move(sentence);
    ui.interaction.refused_frame = ImGui::GetFrameCount();
}

void hush_tooltip(Ui& ui, std::string_view id) {
    ui.interaction.hovered = id;
    ui.interaction.hovered_since = infinity;
    ui.interaction.hovered_frame = ImGui::GetFrameCount();
}

void tooltip(Ui& ui, std::string_view id, const Help& help, const Rect& anchor, TooltipOf of) {
    Interaction& interaction = ui.interaction;
    if ((help.title.empty() && help.text.empty()) || !interaction.refused.empty()) return;
    const int frame = ImGui::GetFrameCount();
    const bool is_pinned = interaction.pinned == id;
    if (!is_pinned && !interaction.pinned.empty()) return;
    if (interaction.hovered != id || interaction.hovered_frame < frame - 1) {
        interaction.hovered = id;
        interaction.hovered_since = ImGui::GetTime();
    }
    interaction.hovered_frame = frame;
    if (is_pinned) interaction.hovered_since = std::min(interaction.hovered_since, ImGui::GetTime() - tooltip_delay);
    if (!is_pinned && ImGui::IsMouseDown(ImGuiMouseButton_Left)) return hush_tooltip(ui, id);
    if (interaction.hovered_since == infinity) return;
    const double left = interaction.hovered_since + tooltip_delay - ImGui::GetTime();
    if (left > 0) {
        ui.wake_within(left + 0.01);
        return;
    }
    if (left > -0.05) ui.wake_after = 0;  // while ImGui measures it
    const Theme& theme = *ui.theme;
    std::vector<HelpText> shown;
    const auto add = [&](std::string_view text, double size, Weight weight, Color color) {
        if (!text.empty()) shown.push_back({text, size, weight, color});
    };
    add(help.title, text_size, Weight::semibold, theme.text);
    add(help.text, text_size, Weight::regular, theme.text);
    add(help.range, small_text, Weight::regular, theme.text_dim);
    add(help.source, small_text, Weight::regular, theme.text_dim);
    ui.registry.add({.id = "tooltip",
                     .label = "",
                     .rect = show_tooltip(ui, anchor, shown, of),
                     .value = fmt::format("{}\n{}\n{}", help.title, help.text, help.range)});
}

}  // namespace ropewalk
