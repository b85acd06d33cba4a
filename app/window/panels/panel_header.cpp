#include "app/window/panels/panel_header.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/figures/page/figure_titles.h"
#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/surface/imgui_canvas.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr const char* fault_mark = "!";  // if there is no space for words
constexpr double around_badge = 20, chevron_width = 22, menu_width = 32, carry_slack = 6;

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

/// Returns the title, of this look, as it fits into `room` (logical pixels) beside the badge.
std::string fit_title(const Ui& ui, const std::string& whole, ButtonLook look, const Badge& badge, double room) {
    const ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const TextStyle style{.size = text_size_of(look), .weight = Weight::semibold};
    const LastingTitle lasting(whole);
    const auto width_of = [&](const std::string& text) {
        return canvas.measure(text, style.size, style.weight).width + 1;
    };
    // The title comes before the badge, of which only the first clause has to fit.
    const double min_title = width_of(lasting.min()), all = room - chevron_width;
    std::string brief = whole_clauses(ui, badge.brief, all - width_of(whole) - around_badge);
    if (brief.empty() && badge.is_fault) brief = fault_mark;
    const double for_badge = brief.empty() ? 0 : canvas.measure(brief, text_size, Weight::regular).width + around_badge;
    const double for_title = std::min(all, std::max(all - for_badge, badge.is_fault ? 0 : min_title));
    std::string title = elided(whole, for_title, style, canvas);
    if (title != whole) title = lasting.in(for_title, style, canvas);
    return title;
}

/// The buttons beside the title, from right to left, as long as they fit.
class HeaderButtons {
  public:
    /// `end` is the right edge in logical pixels.
    HeaderButtons(Ui& ui, double end) : ui_(ui), end_(end) {}

    /// Returns the logical pixels left between the title and the buttons.
    double room() const { return end_ - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui_.scale; }
    double end() const { return end_; }
    /// Returns whether the last button was drawn, and whether the pointer is on any.
    bool has_drawn() const { return has_drawn_; }
    bool are_pointed_at() const { return are_pointed_at_; }

    /// Draws the next button if there is space for it. Returns whether it was pressed.
    bool add(const Control& control, double gap = 4, ButtonLook look = ButtonLook::quiet) {
        constexpr double around = 16;
        end_ -= gap;
        const double width = measure_text(control.label, text_size, Weight::regular).width + around;
        has_drawn_ = width <= room();
        if (!has_drawn_) return false;
        end_ -= width;
        const ImVec2 before = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({ui_.px(end_), before.y});
        const bool is_pressed = button(ui_, control, look, around);
        are_pointed_at_ |= ImGui::IsItemHovered();
        ImGui::SetCursorScreenPos(before);
        return is_pressed;
    }

  private:
    Ui& ui_;
    double end_;
    bool has_drawn_ = false, are_pointed_at_ = false;
};

std::string readable_speed(double speed) {
    return readable(speed) + "×";
}

/// Draws the list of the animation's speeds while it is open.
void choose_speed(const PanelContext& panel, const Control& control, const Rect& box) {
    std::vector<double> speeds;  // all those that the wheel and the keys can reach
    std::vector<std::string> titles, rates;
    for (double speed = DistancePlayer::slowest; speed <= DistancePlayer::fastest; speed *= 2) {
        speeds.push_back(speed);
        titles.push_back(readable_speed(speed));
        rates.push_back(readable(panel.player.rate_at(speed)) + " tokens/s");
    }
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < speeds.size(); ++i) entries.push_back({titles[i], rates[i]});
    const auto current = std::lower_bound(speeds.begin(), speeds.end(), panel.player.speed());
    const int before = static_cast<int>(std::min(current, speeds.end() - 1) - speeds.begin());
    int chosen = before;
    open_list(panel.ui, control, "speed", box, entries, chosen);
    if (chosen != before) panel.player.set_speed(speeds[static_cast<std::size_t>(chosen)]), panel.ui.wake_after = 0;
}

/// Draws the animation's speed: a list of speeds, also changed by the mouse wheel.
void add_speed(const PanelContext& panel, HeaderButtons& buttons) {
    const double right = buttons.end(), speed = panel.player.speed();
    const std::string id = panel.id("speed"), label = readable_speed(speed);
    const Control control{
        .id = id,
        .label = label,
        .help = {.title = "Speed",
                 .text = "Set the speed of the animation. Click for a list, or use the wheel or + and −.",
                 .range = fmt::format("{} tokens/s along this row", readable(panel.player.rate_at(speed)))}};
    if (buttons.add(control, 0)) ImGui::OpenPopup("speed");
    if (!buttons.has_drawn()) return;
    const Ui& ui = panel.ui;
    const double wheel = static_cast<double>(ImGui::GetIO().MouseWheel), left = buttons.end();
    const Rect box{ui.px(left), static_cast<double>(ImGui::GetCursorScreenPos().y), ui.px(right - left),
                   ui.px(row_height)};
    if (wheel != 0 && is_pointed_at(box))
        panel.player.set_speed(speed * std::exp2(std::round(wheel))), panel.ui.wake_after = 0;
    if (ImGui::IsPopupOpen("speed")) choose_speed(panel, control, box);
}

void add_player(const PanelContext& panel, HeaderButtons& buttons) {
    if (buttons.add({.id = panel.id("play"),
                     .label = panel.player.plays_distance() ? "Pause" : "Play",
                     .help = {.title = "Animate the distance",
                              .text = "Move the cursor along its row (Space). + and − change the speed."}})) {
        panel.player.play_or_stop();
        panel.ui.wake_after = 0;
    }
    if (buttons.has_drawn()) add_speed(panel, buttons);
}

/// Draws the badge, if there is one and `room` for it (logical pixels). Returns whether the pointer is on it.
bool draw_badge(const PanelContext& panel, const Badge& badge, double room) {
    const auto fits = [&](const std::string& text) { return fitted(panel.ui, text, room) == text; };
    const bool takes_brief = !fits(badge.text) && !badge.brief.empty();
    std::string shown = whole_clauses(panel.ui, takes_brief ? badge.brief : badge.text, room);
    if (shown.empty() && badge.is_fault && fits(fault_mark)) shown = fault_mark;
    if (shown.empty()) return false;
    if (button(panel.ui, {.id = panel.id("badge"), .label = shown, .help = {.title = badge.title, .text = badge.help}},
               badge.is_fault ? ButtonLook::warning : ButtonLook::quiet)) {
        const Figure before = panel.figure();
        click_badge(panel.figure());
        panel.session.document.set_options(panel.index, before, Gesture::complete);
    }
    return ImGui::IsItemHovered();
}

constexpr double above_title = 3, around_title = 12;  // logical pixels

ButtonLook look_of_title(int panel) {
    return panel == 0 ? ButtonLook::main_chooser : ButtonLook::chooser;
}

}  // namespace

double PanelHeader::height(int panel) {
    constexpr double below_title = 6;
    return above_title + height_of(look_of_title(panel)) + below_title;
}

Help pin_help() {
    return {.title = "Pin the curve", .text = "Keep the current curve for comparison. Click its name to remove it."};
}

void pin_curve(Session& session, int panel) {
    Figure& figure = session.document.view.figure(panel);
    const Figure before = figure;
    pin(figure, session.document.experiment());
    session.document.draw({panel, before, figure, "Pin"}, session.document.experiment(), Gesture::complete);
}

void PanelHeader::draw(PanelContext& panel, const Badge& badge, const Proposal* proposal) {
    Ui& ui = panel.ui;
    const Rect& rect = panel.rect;
    const ButtonLook look = look_of_title(panel.index);
    const float top = static_cast<float>(rect.y) + ui.px(above_title),
                y = std::round(top + ui.px((height_of(look) - row_height) / 2));
    // The button's text, not its edge, is aligned with the content.
    const double left = rect.x / ui.scale + inset - around_title / 2, right = rect.right() / ui.scale - inset,
                 room = right - menu_width - left;
    const auto& figures = panel.session.document.view.figures;
    const auto which = static_cast<std::size_t>(panel.index);
    const std::string whole = title_among(figures, which);
    std::string title = fit_title(ui, whole, look, badge, room);
    if (title != whole) title = fit_title(ui, brief_title_among(figures, which), look, badge, room);
    ImGui::SetCursorScreenPos({ui.px(left), top});
    draw_title(panel, title, whole);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, y});
    HeaderButtons buttons(ui, left + room);
    if (panel.session.document.view.maximised() == panel.index &&
        buttons.add({.id = panel.id("restore"),
                     .label = "Restore",
                     .help = {.title = "Restore", .text = "Show all figures again (Esc or Ctrl+M)."}}))
        panel.toggle_maximised();
    if (is_played(panel.figure())) add_player(panel, buttons);
    if (proposal && buttons.add({.id = panel.id("use"),
                                 .label = "Apply",
                                 .help = {.title = "Apply", .text = "Set the queries and keys to the fitted head."}},
                                4, ButtonLook::filled))
        panel.session.document.draw({panel.index, panel.figure(), panel.figure(), "Apply"}, proposal->experiment,
                                    Gesture::complete);
    const bool on_badge = draw_badge(panel, badge, buttons.room() - around_badge);
    ImGui::SetCursorScreenPos({ui.px(right - menu_width + 4), y});
    if (button(ui, {.id = panel.id("menu"), .label = "⋯", .help = {.title = "Options and export"}},
               ButtonLook::quiet) ||
        panel.opens_options)
        ImGui::OpenPopup("menu");
    const bool on_button = on_badge || buttons.are_pointed_at() || ImGui::IsItemHovered();
    // The first click of a double-click on the title opens the list of figures, and the second one closes it.
    if (!on_button && ImGui::IsMouseDoubleClicked(0) &&
        (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) || ImGui::IsPopupOpen("figure")) &&
        Rect{rect.x, rect.y, rect.width, ui.px(height(panel.index))}.contains(compat::point(ImGui::GetIO().MousePos)))
        panel.toggle_maximised();
    choose_figure(panel, {ui.px(left), static_cast<double>(top) + ui.px(height_of(look))});
}

void PanelHeader::draw_title(PanelContext& panel, const std::string& title, const std::string& whole) {
    if (button(panel.ui,
               {.id = panel.id("figure"),
                .label = title,
                .help = {.title = whole, .text = "Click to choose another figure. Drag onto another panel to swap."}},
               look_of_title(panel.index), around_title) &&
        !is_carried_)
        ImGui::OpenPopup("figure");
    panel.events.is_let_go = is_carried_ && ImGui::IsItemDeactivated();
    if (!ImGui::IsItemActive()) is_carried_ = false;
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    is_carried_ |= ImGui::IsItemActive() && std::hypot(moved.x, moved.y) > panel.ui.px(carry_slack);
    panel.events.is_carried = is_carried_;
}

void PanelHeader::choose_figure(const PanelContext& panel, Point below) {
    Figure& figure = panel.figure();
    const ChoiceRef choice(figure);
    const int shown = static_cast<int>(choice.index());
    int chosen = shown;
    const bool is_open = open_list(panel.ui, {.id = panel.id("figure"), .label = ""}, "figure",
                                   {below.x, below.y, 0, 0}, entries_of(choice), chosen);
    if (is_open && !before_choice_) before_choice_ = figure, choice_of_ = panel.ui.subject;
    if (choice_of_ != panel.ui.subject) before_choice_.reset();  // of a scene that is no longer shown
    if (is_open && before_choice_ && chosen != shown) {
        if (chosen == static_cast<int>(before_choice_->index()))  // with its options
            figure = *before_choice_;
        else
            choice.choose(static_cast<std::size_t>(chosen));
    }
    if (is_open || !before_choice_) return;
    Figure shown_now = std::exchange(figure, std::move(*before_choice_));  // the state before the step
    before_choice_.reset();
    const std::string step = std::string("Show ") + title_of(shown_now);
    panel.session.document.rearrange(step,
                                     [&](Arrangement& changed) { changed.figure(panel.index) = std::move(shown_now); });
}

}  // namespace ropewalk
