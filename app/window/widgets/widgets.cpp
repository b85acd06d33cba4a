#include "app/window/widgets/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "core/numbers/numbers.h"
#include "core/text/number.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr Color shade{8, 10, 16};

/// Returns the number; 1e400, which no double holds, becomes infinite.
std::optional<double> plain_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    if (const auto value = number_of<double>(text); value && std::isfinite(*value)) return value;
    const auto wide = number_of<long double>(text);
    return wide && std::isfinite(*wide) ? std::optional(static_cast<double>(*wide)) : std::nullopt;
}

/// Returns the text without blanks and underscores, with ASCII signs.
std::string simplified(std::string_view written) {
    std::string text;
    while (!written.empty()) {
        const char32_t c = take_character(written);
        if (c == U'−')
            text += '-';
        else if (c != U' ' && c != U'_' && c != U'\u00a0' && c != U'\u2009' && c != U'\u202f')
            text += utf8_of(c);
    }
    return text;
}

/// Returns what was meant by "0,5", as it should be written; empty for other texts.
std::string as_decimal(std::string_view written) {
    std::string text = simplified(written);
    const std::size_t mark = text.find(',');
    if (mark == text.npos) return {};
    constexpr std::size_t thousands = 4;  // a comma and three digits, which may be an integer
    if (text.size() - mark == thousands && text.substr(0, mark) != "0" && text.substr(0, mark) != "-0") return {};
    text[mark] = '.';
    return plain_number(text) ? text : std::string();
}

void draw_paragraphs(Ui& ui, std::string_view text, Color color) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double width = static_cast<double>(ImGui::GetContentRegionAvail().x) / ui.scale;
    for (const std::string& line : paragraphs(text, width, text_size, Weight::regular)) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ui.fonts.draw(list, compat::point(at), line, {.size = text_size, .color = color, .down = Align::start});
        ImGui::Dummy({0, std::round(ui.px(paragraph_line)) - ImGui::GetStyle().ItemSpacing.y});
    }
    ImGui::Dummy({0, 0});
}

/// Begins a bare window as large as the display.
void begin_over_all(const char* id, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin(id, nullptr,
                 flags | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(2);
}

/// Returns as many of the values, from the first, as fit into `width` logical pixels.
std::string fitting_values(const Ui& ui, std::string_view all, double width) {
    constexpr std::string_view separator = " · ";
    std::string text(all);
    for (std::size_t end = text.size(); fitted(ui, text, width) != text; text = text.substr(0, end) + " · …") {
        end = text.rfind(separator, end - 1);
        if (end == text.npos) return fitted(ui, all, width);
    }
    return text;
}

}  // namespace

std::optional<double> parse_number(std::string_view written) {
    std::string text = simplified(written);
    if (text == "∞" || text == "inf") return infinity;
    if (text == "-∞" || text == "-inf") return -infinity;
    if (const std::size_t sign = text.find_first_of("^/"); sign != text.npos) {
        const auto left = plain_number(std::string_view(text).substr(0, sign)),
                   right = plain_number(std::string_view(text).substr(sign + 1));
        if (!left || !right || (text[sign] == '/' && *right == 0)) return std::nullopt;
        const double value = text[sign] == '^' ? std::pow(*left, *right) : *left / *right;
        return std::isnan(value) ? std::nullopt : std::optional(value);
    }
    double unit = 1;
    if (text.ends_with('k') || text.ends_with('K')) unit = 1e3;
    if (text.ends_with('M')) unit = 1e6;
    if (unit != 1) text.pop_back();
    const auto value = plain_number(text);
    return value ? std::optional(*value * unit) : std::nullopt;
}

std::string wanted_number(std::string_view written, NumberKind kind, double example) {
    if (kind == NumberKind::whole) return fmt::format("it must be a whole number such as {}", example);
    const std::string meant = as_decimal(written);
    return fmt::format("it must be a number such as {}", meant.empty() ? fmt::format("{:.6g}", example) : meant);
}

WidgetState text_input(Ui& ui, const Control& control, std::string& text, std::string_view hint,
                       std::string_view at_rest, bool follows) {
    WidgetState state;
    Row row(ui, control);
    row.item(row.rect());
    const bool is_wanted = ui.interaction.wants_editing == control.id;
    if (is_wanted) ui.interaction.wants_editing.clear(), ui.interaction.focused = control.id;
    const bool is_asked = ImGui::IsItemClicked() || (row.takes_keys() && ui.take_shortcut(Key::enter, {}));
    const bool start = is_wanted || (is_asked && ui.interaction.editing != control.id);
    ImGui::SetItemAllowOverlap();
    Interaction& interaction = ui.interaction;
    if (interaction.submitted == control.id && interaction.submitted_over != text)
        interaction.is_unaccepted = false;  // the text has changed in another way, such as by undo
    bool is_unaccepted = interaction.is_unaccepted && interaction.submitted == control.id;
    const bool is_edited = start || interaction.editing == control.id;
    const auto resting = [&](std::string_view shown) {  // not cut in the middle of a character
        constexpr double padding = 16;
        return is_edited ? std::string(shown) : fitted(ui, shown, row.rect().width / ui.scale - padding);
    };
    const TextEdit edit = edit_text(ui, control.id, row.rect(),
                                    is_unaccepted                    ? resting(interaction.submitted_text)
                                    : !is_edited && !at_rest.empty() ? resting(at_rest)
                                                                     : resting(text),
                                    hint, start);
    const bool is_done = edit.done || (is_unaccepted && edit.left_by == Key::enter);  // it may be valid now
    if (is_done) {
        interaction.submitted = control.id;
        interaction.submitted_text = edit.text;
        interaction.submitted_over = std::exchange(text, edit.text);
    }
    if (is_done || edit.left_by == Key::escape) is_unaccepted = interaction.is_unaccepted = false;
    if (is_unaccepted && !edit.active) outline(ui, row.rect(), ui.theme->warning);
    state.changed = state.committed = is_done;
    if (follows && edit.active && edit.text != text) text = edit.text, state.changed = true;
    state.held = edit.active;
    state.left_by = edit.left_by;
    state.context = row.asks_for_menu();
    row.finish(is_unaccepted ? interaction.submitted_text : text);
    return state;
}

void section(Ui& ui, std::string_view title) {
    const bool first = ImGui::GetCursorPosY() <= ImGui::GetStyle().WindowPadding.y + 1;
    if (!first) ImGui::Dummy({0, ui.px(6)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = std::max(1.0f, std::round(ui.px(1)));
    const Rect rect = rect_of(at, {at.x + width, at.y + std::round(ui.px(24))});
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {rect.x, rect.y + ui.px(9)}, title,
                  {.size = ui.theme->title_size, .color = ui.theme->text, .weight = Weight::semibold});
    fill(ui, {rect.x, rect.bottom() - line, rect.width, line}, ui.theme->panel_border, 0);
    ImGui::Dummy({width, static_cast<float>(rect.height) + ui.px(2)});
}

bool folding_section(Ui& ui, std::string_view title, std::string_view hint, bool is_open) {
    const Theme& theme = *ui.theme;
    const bool first = ImGui::GetCursorPosY() <= ImGui::GetStyle().WindowPadding.y + 1;
    const std::string id = fmt::format("group.{}", title);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x), line = std::max(1.0f, std::round(ui.px(1))),
                above = first ? 0 : std::round(ui.px(6));
    if (!first) fill(ui, rect_of({at.x, at.y + above}, {at.x + width, at.y + above + line}), theme.panel_border, 0);
    const Rect rect = rect_of({at.x, at.y + above + line}, {at.x + width, at.y + above + line + std::round(ui.px(28))});
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    bool is_pressed = compat::invisible_button(id.c_str(), compat::vector({rect.width, rect.height}));
    const bool is_hovered = ImGui::IsItemHovered();
    if (is_hovered) ui.point_at(id);
    if (is_pressed) ui.interaction.focused = id;
    if (ui.gives_keys_to(id) && !ImGui::IsAnyItemActive()) {
        is_pressed = is_pressed || ui.take_shortcut(Key::enter, {}) || ui.take_shortcut(Key::space, {});
        if (ui.take_shortcut(Key::left, {})) is_pressed = is_open;
        if (ui.take_shortcut(Key::right, {})) is_pressed = !is_open;
    }
    come_into_sight(ui, id, rect);
    if (is_pressed) is_open = !is_open;
    if (is_hovered) fill(ui, rect, theme.control_hovered);
    if (ui.interaction.focused == id) focus_ring(ui, rect);
    draw_chevron(ui, {rect.x + ui.px(7), rect.centre().y}, theme.text_dim, !is_open);
    const double size = theme.title_size, left = rect.x + ui.px(18);
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {left, rect.centre().y}, title,
                  {.size = size, .color = theme.text, .weight = Weight::semibold, .down = Align::middle});
    const double taken = left - rect.x + ui.px(measure_text(std::string(title), size, Weight::semibold).width + 12);
    if (!is_open) {
        const std::string shown = fitting_values(ui, hint, (rect.width - taken) / ui.scale - 4);
        text_in(ui, {rect.x, rect.y, rect.width - ui.px(4), rect.height}, shown, theme.text_faint, Align::end);
        ui.registry.add({.id = id + ".hint", .label = "", .rect = rect, .value = shown});
    }
    ui.registry.add({.id = id,
                     .label = std::string(title),
                     .rect = rect,
                     .value = is_open ? "open" : "folded",
                     .visible = middle_is_in_sight(rect),
                     .takes_focus = true});
    return is_open;
}

void note(Ui& ui, std::string_view text) {
    draw_paragraphs(ui, text, ui.theme->text_dim);
}
void complaint(Ui& ui, std::string_view text) {
    draw_paragraphs(ui, text, ui.theme->warning);
}

double text_size_of(ButtonLook look) {
    constexpr double heading = 16, main_heading = 22;
    return look == ButtonLook::chooser ? heading : look == ButtonLook::main_chooser ? main_heading : text_size;
}

double height_of(ButtonLook look) {
    return std::max(row_height, std::ceil(1.4 * text_size_of(look)));
}

bool button(Ui& ui, const Control& control, ButtonLook look, double around) {
    const Theme& theme = *ui.theme;
    const bool is_heading = look == ButtonLook::chooser || look == ButtonLook::main_chooser;
    const Weight weight = is_heading ? Weight::semibold : Weight::regular;
    const double size_of_text = text_size_of(look),
                 width = measure_text(control.label, size_of_text, weight).width + around + (is_heading ? 6 : 0);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{std::round(ui.px(width)), std::round(ui.px(height_of(look)))};
    ImGui::PushID(control.id.data(), control.id.data() + control.id.size());
    ImGui::BeginDisabled(!control.enabled);
    const bool is_clicked = compat::invisible_button("button", size);
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive(),
               is_pointed_at = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    ImGui::EndDisabled();
    ImGui::PopID();
    const Rect rect = rect_of(at, {at.x + size.x, at.y + size.y});
    const bool is_quiet = is_heading || look == ButtonLook::quiet || look == ButtonLook::warning,
               is_chosen = look == ButtonLook::chosen;
    if (!is_quiet || hovered || held)
        fill(ui, rect,
             is_chosen && control.enabled ? theme.accent
             : held                       ? theme.control_active
             : hovered                    ? theme.control_hovered
                                          : theme.control);
    const Color color = !control.enabled              ? theme.text_faint
                        : is_chosen                   ? theme.accent_text
                        : look == ButtonLook::quiet   ? theme.text_dim
                        : look == ButtonLook::warning ? theme.warning
                                                      : theme.text;
    const Point middle{rect.centre().x - (is_heading ? ui.px(7) : 0), rect.centre().y};
    ui.fonts.draw(
        *ImGui::GetWindowDrawList(), middle, control.label,
        {.size = size_of_text, .color = color, .weight = weight, .across = Align::middle, .down = Align::middle});
    if (is_heading && (hovered || held)) draw_chevron(ui, {rect.right() - ui.px(11), rect.centre().y}, theme.text_dim);
    const KeyPlace place = control.enabled ? key_place(ui, control.id, rect) : KeyPlace{};
    ui.registry.add({std::string(control.id), std::string(control.label), rect, is_chosen ? "on" : "",
                     middle_is_in_sight(rect), place.takes_focus});
    if (hovered && held)
        hush_tooltip(ui, control.id);
    else if (is_pointed_at)
        tooltip(ui, control.id, control.help, rect);
    return is_clicked || place.is_pressed;
}

Root::Root() {
    // The clear colour is the background: a window's own would be blended over every pixel.
    begin_over_all("root", ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

Root::~Root() {
    if (!unwinding_) ImGui::End();
}

Rect in_the_middle(const Rect& area, double width, double height) {
    width = std::max(1.0, std::round(std::min(width, area.width)));
    height = std::max(1.0, std::round(std::min(height, area.height)));
    return {std::round(area.centre().x - width / 2), std::round(area.centre().y - height / 2), width, height};
}

Overlay::Overlay(Ui& ui, const char* id, double dimming) : layer_(ui.registry) {
    ImGui::PushStyleColor(ImGuiCol_WindowBg, compat::color_vector(shade.with_alpha(dimming)));
    begin_over_all(id, 0);
    ImGui::PopStyleColor();
}

Overlay::~Overlay() {
    if (!unwinding_) ImGui::End();
}

void raised_background(const Ui& ui, const Rect& rect, double rounding) {
    for (double reach = 14; reach > 0; reach -= 1)  // its shadow
        fill(ui, rect.inset(-ui.px(reach)), shade.with_alpha(0.018), rounding + reach);
    fill(ui, rect, ui.theme->panel, rounding);
    outline(ui, rect, ui.theme->panel_border, rounding);
}

Card::Card(Ui& ui, const char* id, const Rect& rect, double dimming) : ui_(ui), overlay_(ui, id, dimming) {
    clicked_outside_ = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowAppearing() &&
                       !rect.contains(compat::point(ImGui::GetIO().MousePos));
    raised_background(ui, rect, 6);
    ui.registry.add({.id = fmt::format("card.{}", id), .label = "", .rect = rect});
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {std::round(ui.px(12)), std::round(ui.px(10))});
    compat::begin_child("card", compat::vector({rect.width, rect.height}),
                        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
}

bool Card::draw_cancel(std::string_view button_id) const {
    return button(ui_, {.id = button_id, .label = "Cancel"}) || clicked_outside_ || ui_.take_key(Key::escape);
}

Card::~Card() {
    if (!unwinding_) ImGui::EndChild();
}

}  // namespace ropewalk
