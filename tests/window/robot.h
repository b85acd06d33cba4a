// Drives the window as a user does, through the event queue, finding widgets in the registry.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/window/widgets/gui.h"

namespace ropewalk {

/// Every action runs frames until its events are processed and the window has settled. A missing widget, or an
/// expectation that is not met, throws InputError with a sentence.
class Robot {
  public:
    /// `frame` builds and ends one frame.
    Robot(Gui& gui, std::function<void()> frame) : gui_(gui), frame_(std::move(frame)) {}

    // Where in a widget: fractions of its rectangle.
    void hover(std::string_view widget, double x = 0.5, double y = 0.5);
    void click(std::string_view widget, double x = 0.5, double y = 0.5, int button = 0);
    void double_click(std::string_view widget, double x = 0.5, double y = 0.5);
    /// Presses at the first place and releases at the second, in ten moves.
    void drag(std::string_view widget, double from_x, double to_x, double from_y = 0.5, double to_y = 0.5);
    void wheel(std::string_view widget, double steps);
    /// "Ctrl+Z"
    void key(std::string_view name);
    void key_down(std::string_view name);
    void key_up(std::string_view name);
    void type(std::string_view utf8);
    /// Throws InputError if the widget does not show this value.
    void expect(std::string_view widget, std::string_view value);
    /// Runs frames for this many seconds of the window's time, for example for a tooltip.
    void rest(double seconds);
    /// Runs frames until the window has settled.
    void settle();

  private:
    /// Turns the wheel one step over a visible widget of the same list. Returns false if there is none.
    bool scroll_towards(const RegisteredWidget& hidden);
    Point place(std::string_view widget, double x, double y);
    void push(Event event);

    Gui& gui_;
    std::function<void()> frame_;
};

}  // namespace ropewalk
