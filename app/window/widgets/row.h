// Shared parts of the widgets: the labelled row, text editing, tooltips, registration. For the widgets' own files.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/surface/compat.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

constexpr double row_height = 24, text_size = 13, paragraph_line = 19, control_rounding = 4, label_gap = 8,
                 label_line = 18, below_label = 3, large_label = 16,
                 large_label_line = 30;  // of a label above its control; logical pixels

/// A labelled row while its widget is drawn. It ends with its scope.
class Row {
  public:
    /// The label is above the control if `ui.labels_above`, with a sign for more actions while the row is hovered. A
    /// control of a given width (logical pixels) is then on the label's line, at its right end.
    Row(Ui& ui, const Control& control, double control_width = 0);
    ~Row();
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    /// Returns the control's area in device pixels.
    const Rect& rect() const { return rect_; }
    /// Returns the height of the label above it, in device pixels.
    double label_above() const { return label_above_; }
    bool label_double_clicked() const { return label_double_clicked_; }
    /// Returns whether the menu of the row's actions was asked for. Call after `item`.
    bool asks_for_menu() const { return asks_for_menu_; }
    /// Adds an invisible button over `part` of the row. Call once; ImGui's questions about the last item then refer to
    /// it.
    void item(const Rect& part);
    /// Returns whether arrow keys and Enter are for this widget.
    bool takes_keys() const { return ui_.gives_keys_to(control_.id); }
    /// Registers the widget with the value that it shows.
    void finish(const std::string& value);

  private:
    Ui& ui_;
    const Control& control_;
    Unwinding unwinding_;
    /// Adds the label, and the place of the sign for more actions, of this width at its right end.
    void add_label(const Rect& label, double sign_width);

    Rect rect_, item_, sign_;
    double label_above_ = 0;
    bool hovered_ = false, label_double_clicked_ = false, asks_for_menu_ = false, visible_ = true;
};

/// The state of a text edited in place.
struct TextEdit {
    bool active = false;
    bool done = false;        // the edit has ended, and `text` has changed
    Key left_by = Key::none;  // Enter or Escape, if it ended the edit
    std::string text;
};
TextEdit edit_text(Ui& ui, std::string_view id, const Rect& rect, const std::string& before, std::string_view hint,
                   bool start);

/// Draws the list of a choice, if ImGui's popup of this name is open, below a rectangle (device pixels) and at least as
/// wide. A click chooses and closes it, Enter accepts, and Escape restores what was chosen before the arrow keys.
/// Returns false if it is not open.
bool open_list(Ui& ui, const Control& control, const char* popup, const Rect& below, std::span<const Entry> entries,
               int& chosen);
/// Draws an arrow head pointing down, the sign of a list, or to the right, the sign of what is folded.
void draw_chevron(const Ui& ui, Point at, Color color, bool points_right = false);

/// Draws the sign of what is on or done; `size` in logical pixels.
void draw_tick(const Ui& ui, Point middle, Color color, double size = 17);

/// Returns the text, cut with an ellipsis to `width` logical pixels.
std::string fitted(const Ui& ui, std::string_view utf8, double width, double size = text_size);
/// Returns the lines of a text wrapped at `width` logical pixels; newlines stay.
std::vector<std::string> paragraphs(std::string_view utf8, double width, double size, Weight weight);

inline Rect rect_of(ImVec2 low, ImVec2 high) {
    return {static_cast<double>(low.x), static_cast<double>(low.y), static_cast<double>(high.x - low.x),
            static_cast<double>(high.y - low.y)};
}
/// Returns whether the pointer is on a part of the current window that is not a widget.
inline bool is_pointed_at(const Rect& rect) {
    return ImGui::IsWindowHovered() && rect.contains(compat::point(ImGui::GetIO().MousePos));
}
void fill(const Ui& ui, const Rect& rect, Color color, double corner_radius = control_rounding,
          ImDrawFlags corners = 0);
/// Draws the background of controls, a lesson or the formula.
void panel_background(const Ui& ui, const Rect& rect);
/// Draws the background, with its shadow, of what is above everything else.
void raised_background(const Ui& ui, const Rect& rect, double corner_radius);
/// Draws a ring around the row of a widget in the sidebar's card, to highlight it. Returns the ring's area.
Rect ring_around(const Ui& ui, const Rect& widget, const Rect& card);
void outline(const Ui& ui, const Rect& rect, Color color, double corner_radius = control_rounding);
/// The keyboard state of a button on a card, where commands' own shortcuts do not apply.
struct KeyPlace {
    bool takes_focus = false;
    bool is_pressed = false;  // by Enter or Space
};
/// Returns the keyboard state of the last drawn item, and marks it if it has the focus.
KeyPlace key_place(Ui& ui, std::string_view id, const Rect& rect);
/// The same, also outside cards.
KeyPlace focus_place(Ui& ui, std::string_view id, const Rect& rect);
/// Scrolls to the last drawn item if it was asked to come into sight.
void come_into_sight(Ui& ui, std::string_view id, const Rect& rect);
/// Draws the ring around the widget that has the keyboard focus.
void focus_ring(const Ui& ui, const Rect& rect);
/// Draws a text at half the height of `rect`.
void text_in(const Ui& ui, const Rect& rect, std::string_view utf8, Color color, Align across,
             Weight weight = Weight::regular, double size = text_size);
/// Draws lines below each other, each as high as `first`, which is the place of the first one.
void lines_in(const Ui& ui, Rect first, std::span<const std::string> lines, Color color, Align across);

}  // namespace ropewalk
