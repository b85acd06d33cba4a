// app/window/widgets: the controls, and the Ui that they share. Each is in a row: a dim label at the left, the control
// over the rest of the width; or the label above it. All are registered, so that the robot, lessons and
// tests find them by id or label.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/widgets/ui.h"
#include "core/fields/fields.h"

namespace ropewalk {

/// The parts of a tooltip, each in its own paragraph; empty parts are left out.
struct Help {
    std::string title{}, text{}, range{}, source{};
};

/// What all rows have in common.
struct Control {
    std::string_view id;     // unique, as "encoding.base"
    std::string_view label;  // empty: the control has the whole row
    Help help = {};
    bool enabled = true;
    bool hides_label = false;  // where labels are above their controls, because a heading says the same
};

/// What happened to a widget in this frame.
struct WidgetState {
    bool changed = false;     // the value has changed
    bool held = false;        // the mouse button is down on it, or a number is being typed
    bool committed = false;   // a change is complete: released, typed, stepped, chosen or reset
    bool reset = false;       // the label was double-clicked, and the default was set
    bool context = false;     // a menu of actions was asked for: right-click, ⋯, Shift+F10 or the menu key
    Key left_by = Key::none;  // Enter or Escape, if it ended an edit of text
    std::string rejected;     // an error sentence if what was typed is not a number
};

struct SliderSpec {
    Control control;
    std::string_view unit = {};
    double min = 0, max = 1;   // of the track; the owner validates typed numbers beyond it
    bool logarithmic = false;  // from 0: the logarithm of 1 + value
    bool integer = false;
    int step = 1;                        // of integers, counted from `min`
    std::span<const double> marks = {};  // drawn as ticks; the handle snaps to them
    double default_value = 0;
    std::function<double(double)> snapped{};  // returns the nearest valid value
    double named_value = nan;                 // is shown as `name` instead of the number and the unit
    std::string_view name = {};
    double named_place = nan;  // slider position of the named value, if not its own; this number means the named value
};

/// Draws a track with its value to the right, below its label if `ui.labels_above`. Drag or click the track; click the
/// value, Ctrl+click the track or press Enter to type; double-click the label to reset; arrow keys step while it is
/// focused or under the pointer (Shift: ten steps, or the next power of two on a logarithmic track of whole numbers).
/// Dragged values are rounded to the precision of a pixel. Where only one value is possible, there is no track.
WidgetState slider(Ui& ui, const SliderSpec& spec, double& value);

struct Entry {
    std::string_view title;
    std::string_view description = {};
    bool enabled = true;
};

/// Draws a few choices side by side.
WidgetState segmented(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen,
                      int default_choice = 0);
/// Draws a list of choices, with one line of description each.
WidgetState combo(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen, int default_choice = 0);
WidgetState checkbox(Ui& ui, const Control& control, bool& value, bool default_value = false);
/// Draws a line of text. Enter, Tab or a click elsewhere commits it; Escape restores it. `hint` is shown while it is
/// empty; `at_rest`, if not empty, is shown instead of the text while it is not edited. If it `follows`, every
/// keystroke changes the text, and Escape changes it back.
WidgetState text_input(Ui& ui, const Control& control, std::string& text, std::string_view hint = {},
                       std::string_view at_rest = {}, bool follows = false);

/// Draws a heading with a line below it, and space above unless it is the first in its window.
void section(Ui& ui, std::string_view title);
/// Draws a heading that a click, Space or Enter folds or unfolds; Left folds and Right unfolds it, as in a tree. A
/// folded one shows `hint` beside its title. Returns whether to draw its contents.
bool folding_section(Ui& ui, std::string_view title, std::string_view hint, bool is_open);
/// Draws dim text, wrapped to the width.
void note(Ui& ui, std::string_view text);
/// Draws an error text, likewise.
void complaint(Ui& ui, std::string_view text);
/// The look of a button: on a background; on the accent's background, for a toggle that is on; without background until
/// hovered; likewise as a warning; and likewise in heading type, small or large, with an arrow head once hovered, for a
/// list.
enum class ButtonLook { filled, chosen, quiet, warning, chooser, main_chooser };
/// Returns the size of text (em, logical pixels) on a button of this look, and the button's height.
double text_size_of(ButtonLook look);
double height_of(ButtonLook look);
/// Draws a small button at ImGui's cursor, as wide as its label plus `around` (logical pixels, both sides together).
/// Returns whether it was pressed.
bool button(Ui& ui, const Control& control, ButtonLook look = ButtonLook::filled, double around = 20);

/// Hides the widget's tooltip until it is pointed at again, because a press or drag needs a free view.
void hush_tooltip(Ui& ui, std::string_view id);
/// What a tooltip explains. That of an entry of a list is beside the list, so that it covers no other entry.
enum class TooltipOf { widget, entry };
/// Shows a wrapped tooltip beside `anchor` (device pixels) once the pointer has rested on `id`. Call while the pointer
/// is on it.
void tooltip(Ui& ui, std::string_view id, const Help& help, const Rect& anchor, TooltipOf of = TooltipOf::widget);

/// Keeps tooltips below a line (device pixels) while it exists, so that what is above stays visible.
class TooltipsBelow {
  public:
    TooltipsBelow(Ui& ui, double line) : ui_(ui), before_(std::exchange(ui.tooltips_from, line)) {}
    ~TooltipsBelow() { ui_.tooltips_from = before_; }
    TooltipsBelow(const TooltipsBelow&) = delete;
    TooltipsBelow& operator=(const TooltipsBelow&) = delete;

  private:
    Ui& ui_;
    double before_;
};

/// Shows beside the row of this widget why its new value was refused, until the next key or click. No tooltip is shown
/// meanwhile.
void refuse(Ui& ui, std::string_view id, std::string sentence);

/// The undecorated surface of the whole window, which contains everything else. Its scope ends before Gui::end_frame.
class Root {
  public:
    Root();
    ~Root();
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;

  private:
    Unwinding unwinding_;
};

/// A surface over everything else, which gets all input from the mouse meanwhile. Its scope ends before that of Root.
class Overlay {
  public:
    /// `dimming` is the opacity of the shade over the rest of the window.
    Overlay(Ui& ui, const char* id, double dimming = 0);
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

  private:
    Layer layer_;
    Unwinding unwinding_;
};

/// Returns a rectangle of this size in the middle of `area`, shrunk if it does not fit; device pixels.
Rect in_the_middle(const Rect& area, double width, double height);

/// A card over everything else, which is dimmed and gets no mouse input meanwhile. Its content scrolls if it is higher
/// than the card. It ends with its scope.
class Card {
  public:
    static constexpr double usual_dimming = 0.38;

    Card(Ui& ui, const char* id, const Rect& rect, double dimming = usual_dimming);
    ~Card();
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;

    /// Returns whether the mouse was pressed outside the card.
    bool clicked_outside() const { return clicked_outside_; }
    /// Draws the button Cancel. Returns whether it, Escape or a click outside closes the card.
    bool draw_cancel(std::string_view button_id) const;

  private:
    Ui& ui_;
    Overlay overlay_;
    Unwinding unwinding_;
    bool clicked_outside_ = false;
};

/// Parses a number as users type it: "10k", "1e4", "10 000", "500_000", "2^20", "1/3", "−3", "∞". A number beyond
/// the range of a double becomes infinite. Returns nothing if it is not a number.
std::optional<double> parse_number(std::string_view text);
/// Returns the advice for a text that is not a number: "it must be a number such as 0.5". Suggests the number that
/// "0,5" means, otherwise `example`.
std::string wanted_number(std::string_view written, NumberKind kind, double example);

}  // namespace ropewalk
