// The header of a panel: its title, its badge and its buttons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/figures/page/figure_titles.h"
#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/panels/distance_player.h"
#include "app/window/panels/figure_panel.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr const char* fault_mark = "!";  // if there is no space for words
constexpr double around_badge = 20, pin_width = 44, chevron_width = 26, menu_width = 40, carry_slack = 6;

/// Returns as many of the badge's clauses as fit, possibly none. Numbers are never cut.
std::string whole_clauses(const Ui& ui, std::string text, double room) {
    while (fitted(ui, text, room) != text) {
        const std::size_t end = text.find_last_of(",;");
        if (end == std::string::npos) return {};
        text.resize(end);
    }
    return text;
}

/// The part of a title that is cut last: what distinguishes it from others of its kind, including the words before it
/// if that is just a number.
struct LastingTitle {
    std::string words, number;
    bool is_distinctive = false;  // the words distinguish the title, so they are only cut if nothing else helps

    explicit LastingTitle(const std::string& whole) : words(distinction_of(whole)) {
        is_distinctive = words != whole;
        if (!is_distinctive || words.find_first_not_of("0123456789") != std::string::npos) return;
        number = std::string(title_separator) + words;
        words = whole.substr(0, whole.size() - number.size());
        is_distinctive = false;
    }
    std::string min() const {
        const std::size_t end = is_distinctive ? std::string::npos : words.find(' ');
        return (end == std::string::npos ? words : words.substr(0, end) + "…") + number;
    }
    std::string in(double room, const TextStyle& style, const Canvas& canvas) const {
        return elided(words, room - canvas.measure(number, style.size, style.weight).width, style, canvas) + number;
    }
};

std::string readable_speed(double speed) {
    return readable(speed) + "×";
}

}  // namespace

Help FigurePanel::pin_help() {
    return {.title = "Pin the curve", .text = "Keep the current curve for comparison. Click its name to remove it."};
}

void FigurePanel::draw_header(Ui& ui, Session& session, const Rect& rect) {
    Figure& figure = session.document.view.figure(index_);
    const float y = static_cast<float>(rect.y) + ui.px(3),
                right = static_cast<float>(rect.right()) - ui.px(card_padding);
    const double left = rect.x / ui.scale + card_padding - 6,
                 room = rect.right() / ui.scale - card_padding - menu_width - left;
    ImGui::SetCursorScreenPos({ui.px(left), y});
    const ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const TextStyle title_style{.size = ui.theme->title_size, .weight = Weight::semibold};
    const std::string whole = title_among(session.document.view.figures, static_cast<std::size_t>(index_));
    const LastingTitle lasting(whole);
    const auto width_of = [&](const std::string& text, double size, Weight weight) {
        return canvas.measure(text, size, weight).width;
    };
    // A short badge is worth more than the title's last words, but only its first clause has to fit.
    const double min_title = width_of(lasting.min(), title_style.size, title_style.weight) + 1,
                 whole_title = width_of(whole, title_style.size, title_style.weight) + 1;
    const bool pins = can_pin(figure, session.document.experiment());
    const auto badge_beside = [&](double title_width, double of_pin) {
        return whole_clauses(ui, badge_.brief, room - chevron_width - title_width - around_badge - of_pin);
    };
    const double of_pin = pins ? pin_width : 0;
    std::string brief = badge_beside(whole_title, 0);
    if (brief != badge_.brief) {  // if it fits, it is worth more than the button, which is also in the menu
        brief.clear();
        for (const double title_width : {whole_title, min_title})
            for (const double taken : {of_pin, 0.0})
                if (brief.empty()) brief = badge_beside(title_width, taken);
    }
    if (brief.empty() && badge_.is_fault) brief = fault_mark;
    const double remark = brief.empty() ? 0 : width_of(brief, text_size, Weight::regular) + around_badge,
                 for_title = std::max(room - chevron_width - remark, badge_.is_fault ? 0 : min_title);
    const double title_room = std::min(room - chevron_width, for_title);
    std::string title = elided(whole, title_room, title_style, canvas);
    if (title != whole) title = lasting.in(title_room, title_style, canvas);
    if (button(ui,
               {.id = name_ + ".figure",
                .label = title,
                .help = {.title = whole, .text = "Click to choose another figure. Drag onto another panel to swap."}},
               ButtonLook::chooser) &&
        !is_carried_)
        ImGui::OpenPopup("figure");
    follow_title(ui);
    ImGui::SameLine(0, 0);
    bool on_button = false;
    double end = left + room;
    const auto add = [&](const Control& control, ButtonLook look) {
        bool is_pressed = false;
        end = draw_header_button(ui, control, look, end - 4, on_button, is_pressed);
        return is_pressed;
    };
    if (session.document.view.maximised() == index_ &&
        add({.id = name_ + ".restore",
             .label = "Restore",
             .help = {.title = "Restore", .text = "Show all figures again (Esc or Ctrl+M)."}},
            ButtonLook::quiet))
        maximise(ui, session.document.view);
    const double before_pin = end - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - pin_width;
    if (pins && before_pin >= remark &&
        add({.id = name_ + ".pin", .label = "Pin", .help = pin_help()}, ButtonLook::quiet))
        pin_curve(session, index_);
    if (is_played(figure)) {
        const double right_of_play = end - 4;
        events_.is_played = add({.id = name_ + ".play",
                                 .label = ui.plays_distance ? "Pause" : "Play",
                                 .help = {.title = "Animate the distance",
                                          .text = "Move the cursor along its row (Space). + and − change the speed; "
                                                  "you can also drag the track below."}},
                                ButtonLook::quiet);
        if (end < right_of_play) end = draw_speed(ui, end, on_button);
    }
    if (proposal_ && !drawing_ &&
        add({.id = name_ + ".use",
             .label = "Apply",
             .help = {.title = "Apply", .text = "Set the queries and keys to the fitted head."}},
            ButtonLook::filled))
        session.document.draw({index_, figure, figure, "Apply"}, proposal_->experiment, Gesture::complete);
    on_button |=
        draw_badge(ui, session, end - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - around_badge);
    ImGui::SetCursorScreenPos({right - ui.px(menu_width - 14), y});
    if (button(ui, {.id = name_ + ".menu", .label = "⋯", .help = {.title = "Options and export"}}, ButtonLook::quiet))
        ImGui::OpenPopup("menu");
    on_button |= ImGui::IsItemHovered();
    // The first click of a double-click on the title opens the list of figures, and the second one closes it.
    if (!on_button && ImGui::IsMouseDoubleClicked(0) &&
        (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) || ImGui::IsPopupOpen("figure")) &&
        Rect{rect.x, rect.y, rect.width, ui.px(header_height)}.contains(compat::point(ImGui::GetIO().MousePos)))
        maximise(ui, session.document.view);
    choose_figure(ui, session, {ui.px(left), static_cast<double>(y) + ui.px(row_height)});
    show_menu(ui, session, rect);
}

void FigurePanel::follow_title(const Ui& ui) {
    events_.is_let_go = is_carried_ && ImGui::IsItemDeactivated();
    if (!ImGui::IsItemActive()) is_carried_ = false;
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    is_carried_ |= ImGui::IsItemActive() && std::hypot(moved.x, moved.y) > ui.px(carry_slack);
    events_.is_carried = is_carried_;
}

bool FigurePanel::draw_badge(Ui& ui, Session& session, double room) {
    Figure& figure = session.document.view.figure(index_);
    const auto fits = [&](const std::string& text) { return fitted(ui, text, room) == text; };
    const bool takes_brief = !fits(badge_.text) && !badge_.brief.empty();
    std::string shown = whole_clauses(ui, takes_brief ? badge_.brief : badge_.text, room);
    if (shown.empty() && badge_.is_fault && fits(fault_mark)) shown = fault_mark;
    if (shown.empty()) return false;
    if (button(ui, {.id = name_ + ".badge", .label = shown, .help = {.title = badge_.title, .text = badge_.help}},
               badge_.is_fault ? ButtonLook::warning : ButtonLook::quiet)) {
        const Figure before = figure;
        click_badge(figure);
        session.document.set_options(index_, before, Gesture::complete);
    }
    return ImGui::IsItemHovered();
}

double FigurePanel::draw_header_button(Ui& ui, const Control& control, ButtonLook look, double right,
                                       bool& is_pointed_at, bool& is_pressed) {
    constexpr double around = 16;
    const double left = right - measure_text(control.label, text_size, Weight::regular).width - around;
    const ImVec2 before = ImGui::GetCursorScreenPos();
    if (static_cast<double>(before.x) / ui.scale > left) return right;  // it does not fit beside the title
    ImGui::SetCursorScreenPos({ui.px(left), before.y});
    is_pressed = button(ui, control, look, around);
    is_pointed_at |= ImGui::IsItemHovered();
    ImGui::SetCursorScreenPos(before);
    return left;
}

double FigurePanel::draw_speed(Ui& ui, double right, bool& is_pointed_at) {
    const std::string id = name_ + ".speed", label = readable_speed(ui.play_speed);
    const Control control{
        .id = id,
        .label = label,
        .help = {.title = "Speed",
                 .text = "Set the speed of the animation. Click for a list, or use the wheel or + and −.",
                 .range = fmt::format("{} tokens/s along this row", readable(ui.play_rate * ui.play_speed))}};
    bool is_pressed = false;
    const double left = draw_header_button(ui, control, ButtonLook::quiet, right, is_pointed_at, is_pressed);
    if (left == right) return right;
    const float wheel = ImGui::GetIO().MouseWheel;
    const Rect box{ui.px(left), static_cast<double>(ImGui::GetCursorScreenPos().y), ui.px(right - left),
                   ui.px(row_height)};
    if (wheel != 0 && ImGui::IsWindowHovered() && box.contains(compat::point(ImGui::GetIO().MousePos)))
        events_.speed = ui.play_speed * std::exp2(std::round(static_cast<double>(wheel)));
    if (is_pressed) ImGui::OpenPopup("speed");
    if (!ImGui::IsPopupOpen("speed")) return left;
    std::vector<std::string> titles, rates;
    std::vector<Entry> entries;
    std::vector<double> speeds;  // all those that the wheel and the keys can reach
    for (double speed = DistancePlayer::slowest; speed <= DistancePlayer::fastest; speed *= 2) speeds.push_back(speed);
    for (const double speed : speeds) {
        titles.push_back(readable_speed(speed));
        rates.push_back(readable(ui.play_rate * speed) + " tokens/s");
    }
    for (std::size_t i = 0; i < speeds.size(); ++i) entries.push_back({titles[i], rates[i]});
    const auto current = std::lower_bound(speeds.begin(), speeds.end(), ui.play_speed);
    int chosen = static_cast<int>(std::min(current, speeds.end() - 1) - speeds.begin());
    const int before = chosen;
    open_list(ui, control, "speed", box, entries, chosen);
    if (chosen != before) events_.speed = speeds[static_cast<std::size_t>(chosen)];
    return left;
}

}  // namespace ropewalk
