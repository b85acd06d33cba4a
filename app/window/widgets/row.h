// What the widgets share: the row with its label, text in a box, tooltips, registration. For the widgets' own files.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/window/surface/compat.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

constexpr double row_height = 23, text_size = 12, paragraph_line = 18, control_rounding = 4;  // logical pixels

/// A labelled row while its widget is drawn; ends with its scope.
class Row {
  public:
    Row(Ui& ui, const Control& control);
    ~Row();
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    /// Where the control stands; device pixels.
    const Rect& rect() const { return rect_; }
    bool label_double_clicked() const { return label_double_clicked_; }
    /// An invisible button over `part` of the row. Call once, after which ImGui's questions about the last item are
    /// about it.
    void item(const Rect& part);
    /// The pointer is over label or control.
    bool hovered() const { return hovered_; }
    /// Arrow keys and Enter are for this widget.
    bool takes_keys() const { return ui_.gives_keys_to(control_.id); }
    /// Registers the widget with what it shows.
    void finish(const std::string& value);

  private:
    Ui& ui_;
    const Control& control_;
    Unwinding unwinding_;
    Rect rect_, item_;
    bool hovered_ = false, label_double_clicked_ = false, visible_ = true;
};

/// Text in a box that is edited in place.
struct TextEdit {
    bool active = false;
    bool done = false;        // the edit has ended, and `text` differs from what it was
    Key left_by = Key::none;  // Enter or Escape, if that ended it
    std::string text;
};
TextEdit edit_text(Ui& ui, std::string_view id, const Rect& rect, const std::string& before, std::string_view hint,
                   bool start);

/// The list of a choice, if ImGui's popup of this name is open: below a rectangle (device pixels) and at least as wide.
/// A click chooses and closes it, Enter accepts and Escape takes back what the arrows chose.
/// False if it is not open.
bool open_list(Ui& ui, const Control& control, const char* popup, const Rect& below, std::span<const Entry> entries,
               int& chosen);
/// An arrow head that points down: there is a list to open.
void draw_chevron(const Ui& ui, Point at, Color color);

/// The text, cut with an ellipsis to `width` logical pixels.
std::string fitted(const Ui& ui, std::string_view utf8, double width, double size = text_size);
/// Its lines when wrapped at `width` logical pixels; newlines are kept.
std::vector<std::string> paragraphs(std::string_view utf8, double width, double size, Weight weight);

inline Rect rect_of(ImVec2 low, ImVec2 high) {
    return {static_cast<double>(low.x), static_cast<double>(low.y), static_cast<double>(high.x - low.x),
            static_cast<double>(high.y - low.y)};
}
void fill(const Ui& ui, const Rect& rect, Color color, double corner_radius = control_rounding,
          ImDrawFlags corners = 0);
/// The ground that controls, a lesson or the formula stand on.
void panel_ground(const Ui& ui, const Rect& rect);
/// A ring around the row of a widget in the sidebar's card, which says that it is meant; where it stands.
Rect ring_around(const Ui& ui, const Rect& widget, const Rect& card);
void outline(const Ui& ui, const Rect& rect, Color color, double corner_radius = control_rounding);
/// What a button is to the keyboard while it lies over the desk, where commands have keys of their own.
struct KeyPlace {
    bool takes_focus = false;
    bool is_pressed = false;  // by Enter or Space
};
/// Of the item that was drawn last; marks it if it has the focus.
KeyPlace key_place(Ui& ui, std::string_view id, const Rect& rect);
/// Around what has the keyboard's focus.
void focus_ring(const Ui& ui, const Rect& rect);
/// At half the height of `rect`.
void text_in(const Ui& ui, const Rect& rect, std::string_view utf8, Color color, Align across,
             Weight weight = Weight::regular);

}  // namespace ropewalk
