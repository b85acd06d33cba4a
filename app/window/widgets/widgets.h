// The controls. Each stands in a row: its label left and dim, the control right of it over the rest of the width. All
// register themselves, so that the robot, lessons and tests find them by id or label.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/widgets/ui.h"

namespace ropewalk {

/// What a tooltip says, each in its own paragraph; empty parts are left out.
struct Help {
    std::string title{}, text{}, range{}, source{};
};

/// What all rows have in common.
struct Control {
    std::string_view id;  // unique, as "encoding.base"
    std::string_view label;
    Help help = {};
    bool enabled = true;
};

/// What happened to a widget in this frame.
struct WidgetState {
    bool changed = false;     // the value is a new one
    bool held = false;        // the mouse button is down on it, or a number is being typed
    bool committed = false;   // a change is complete: released, typed, stepped, chosen or reset
    bool reset = false;       // the label was double-clicked: the default was put in
    bool context = false;     // right-clicked
    bool hovered = false;     // label or control
    Key left_by = Key::none;  // Enter or Escape, if that ended an edit of text
    std::string rejected;     // a sentence if what was typed is no number
};

struct SliderSpec {
    Control control;
    std::string_view unit = {};
    double min = 0, max = 1;  // of the track; a typed number may lie outside and is for the owner to validate
    bool logarithmic = false;
    bool integer = false;
    int step = 1;                        // of integers, counted from `least`
    std::span<const double> marks = {};  // drawn as ticks; the handle snaps to them
    double default_value = 0;
    std::function<double(double)> snapped{};  // a value to the nearest that there is
    double named_value = nan;                 // is shown by its name, in place of the number and the unit
    std::string_view name = {};
};

/// A track with its value to the right. Drag or click the track; click the value, Ctrl+click the track or press Enter
/// to type; double click the label to reset; arrow keys step while it is focused or under the pointer (Shift: ten
/// steps). Dragged values are rounded to what a pixel can tell apart.
WidgetState slider(Ui& ui, const SliderSpec& spec, double& value);

struct Entry {
    std::string_view title;
    std::string_view description = {};
    bool enabled = true;
};

/// Few choices, side by side.
WidgetState segmented(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen,
                      int default_choice = 0);
/// Many choices, in a list that opens and shows a line of description with each.
WidgetState combo(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen, int default_choice = 0);
WidgetState checkbox(Ui& ui, const Control& control, bool& value, bool default_value = false);
/// A line of text, committed by Enter, Tab or a click elsewhere; Escape restores what it was. `hint` stands in it while
/// it is empty, `at_rest`, if it is not empty, in the text's place while nobody edits it.
WidgetState text_input(Ui& ui, const Control& control, std::string& text, std::string_view hint = {},
                       std::string_view at_rest = {});

/// A heading with a line below it; space above unless it is the first in its window.
void section(Ui& ui, std::string_view title);
/// A line of dim text, wrapped to the width.
void note(Ui& ui, std::string_view text);
/// The same of something that went wrong.
void complaint(Ui& ui, std::string_view text);
/// How a button shows itself: on a ground; on the accent's, as a toggle that is on; without one until it is hovered;
/// so, in a heading's type, with an arrow head for the list that it opens.
enum class ButtonLook { filled, chosen, quiet, warning, chooser };
/// A small button as wide as its label and the room around it (logical pixels, both sides together), placed where
/// ImGui's cursor stands.
bool button(Ui& ui, const Control& control, ButtonLook look = ButtonLook::filled, double around = 20);

/// Who presses or drags something looks at what that does: no words on it until it is pointed at again.
void hush_tooltip(Ui& ui, std::string_view id);
/// A wrapped tooltip beside `anchor` (device pixels) once the pointer has rested on `id`; call while the pointer is on
/// it.
void tooltip(Ui& ui, std::string_view id, const Help& help, const Rect& anchor);

/// Says beside the row of this widget why its new value was refused, until the next key or click. No tooltip is shown
/// meanwhile.
void refuse(Ui& ui, std::string_view id, std::string sentence);

/// The window's whole surface, undecorated; everything else stands in it. Its scope ends before Gui::end_frame.
class Root {
  public:
    explicit Root(const Ui& ui);
    ~Root();
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;

  private:
    Unwinding unwinding_;
};

/// So large in the middle of an area, at most as large as that; device pixels.
Rect in_the_middle(const Rect& area, double width, double height);

/// A card over everything else, which is dimmed and takes no mouse while it is there. Its content scrolls if it is
/// higher than the card. Ends with its scope.
class Card {
  public:
    Card(Ui& ui, const char* id, const Rect& rect);
    ~Card();
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;

    /// The mouse went down beside it.
    bool clicked_outside() const { return clicked_outside_; }

  private:
    Layer layer_;
    Unwinding unwinding_;
    bool clicked_outside_ = false;
};

/// A number as a person types it: "10k", "1e4", "10 000", "500_000", "2^20", "−3", "∞"; nothing if it is none.
std::optional<double> parse_number(std::string_view text);

}  // namespace ropewalk
