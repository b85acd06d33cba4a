#include "tests/window/robot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>
#include <vector>

#include "app/window/widgets/widgets.h"
#include "core/error.h"
#include "core/text/utf8.h"
#include "tests/window/parse_key.h"

namespace ropewalk {
namespace {

constexpr int most_scrolls = 300;

/// Seconds after which a second click is not a double-click.
constexpr double between_clicks = 0.35;

constexpr Key modifier_keys[] = {Key::left_control, Key::left_alt, Key::left_shift, Key::left_super};

std::vector<Key> keys_of(std::string_view name) {
    const auto press = parse_key(name);
    if (!press) throw InputError(fmt::format("'{}' is not a key; write keys like Ctrl+Shift+Z", name));
    const bool held[] = {press->modifiers.control, press->modifiers.alt, press->modifiers.shift,
                         press->modifiers.super};
    std::vector<Key> keys;
    for (std::size_t i = 0; i < std::size(modifier_keys); ++i)
        if (held[i]) keys.push_back(modifier_keys[i]);
    keys.push_back(press->key);
    return keys;
}

}  // namespace

void Robot::push(Event event) {
    gui_.surface().events().push(std::move(event));
}

void Robot::settle() {
    gui_.settle();
    do frame_();
    while (gui_.timeout() == 0);
}

void Robot::rest(double seconds) {
    for (const double end = ImGui::GetTime() + seconds; ImGui::GetTime() < end;) frame_();
}

Point Robot::place(std::string_view widget, double x, double y) {
    const RegisteredWidget* found = gui_.ui().registry.find(widget);
    if (!found) {
        settle();
        found = gui_.ui().registry.find(widget);
    }
    if (!found) throw InputError(fmt::format("there is no widget '{}' in the window", widget));
    for (int step = 0; !found->visible; ++step) {
        if (step == most_scrolls || !scroll_towards(*found))
            throw InputError(fmt::format("the widget '{}' is not visible and cannot be scrolled to", widget));
        found = gui_.ui().registry.find(widget);
        if (!found) throw InputError(fmt::format("the widget '{}' disappeared while scrolling to it", widget));
    }
    const Rect& rect = found->rect;
    return {std::floor(rect.x + x * (rect.width - 1)), std::floor(rect.y + y * (rect.height - 1))};
}

bool Robot::scroll_towards(const RegisteredWidget& hidden) {
    const std::string_view list = std::string_view(hidden.id).substr(0, hidden.id.find_last_of("./") + 1);
    std::vector<Point> neighbours;
    for (const RegisteredWidget& widget : gui_.ui().registry.all())
        if (widget.visible && widget.id.starts_with(list)) neighbours.push_back(widget.rect.centre());
    if (neighbours.empty()) return false;
    const Point at = neighbours[neighbours.size() / 2];
    const double steps = hidden.rect.y < at.y ? 1 : -1;
    push(MouseMoved{at.x, at.y});
    push(MouseWheel{0, steps});
    settle();
    return true;
}

void Robot::hover(std::string_view widget, double x, double y) {
    const Point at = place(widget, x, y);
    push(MouseMoved{at.x, at.y});
    settle();
}

void Robot::click(std::string_view widget, double x, double y, int button) {
    hover(widget, x, y);
    push(MouseButton{button, true});
    push(MouseButton{button, false});
    rest(between_clicks);
    settle();
}

void Robot::double_click(std::string_view widget, double x, double y) {
    hover(widget, x, y);
    for (const bool down : {true, false, true, false}) push(MouseButton{0, down});
    rest(between_clicks);
    settle();
}

void Robot::drag(std::string_view widget, double from_x, double to_x, double from_y, double to_y) {
    constexpr int moves = 10;
    hover(widget, from_x, from_y);
    const Point from = place(widget, from_x, from_y), to = place(widget, to_x, to_y);
    push(MouseButton{0, true});
    settle();
    for (int i = 1; i <= moves; ++i) {
        const double t = static_cast<double>(i) / moves;
        push(MouseMoved{std::round(from.x + t * (to.x - from.x)), std::round(from.y + t * (to.y - from.y))});
        frame_();
    }
    push(MouseButton{0, false});
    settle();
}

void Robot::wheel(std::string_view widget, double steps) {
    hover(widget);
    push(MouseWheel{0, steps});
    settle();
}

void Robot::key_down(std::string_view name) {
    for (const Key key : keys_of(name)) push(KeyChanged{key, true});
    settle();
}

void Robot::key_up(std::string_view name) {
    const std::vector<Key> keys = keys_of(name);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) push(KeyChanged{*key, false});
    settle();
}

void Robot::key(std::string_view name) {
    key_down(name);
    key_up(name);
}

void Robot::type(std::string_view utf8) {
    while (!utf8.empty()) push(CharacterTyped{take_character(utf8)});
    settle();
}

void Robot::expect(std::string_view widget, std::string_view value) {
    settle();
    const RegisteredWidget* found = gui_.ui().registry.find(widget);
    if (!found) throw InputError(fmt::format("there is no widget '{}' in the window", widget));
    if (found->value != value)
        throw InputError(fmt::format("'{}' shows '{}' where '{}' is expected", widget, found->value, value));
}

}  // namespace ropewalk
