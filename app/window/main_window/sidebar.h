// The window's controls: all of them in the sidebar, or, in a presentation, the one that the lesson points at.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/lessons/lesson_panel.h"
#include "app/window/main_window/field_menu.h"
#include "app/window/main_window/window_parts.h"
#include "app/window/widgets/controls.h"

namespace ropewalk {

class Sidebar {
  public:
    explicit Sidebar(WindowParts& window) : window_(window) {}

    /// Draws the controls at the left of `work`, in a column that can be resized, below the lesson if that does not fit
    /// beside the figures. Highlights the controls at the paths `lit`. Returns the rest of `work`.
    Rect draw(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& work);
    /// Draws large sliders for the fields at these paths, side by side.
    void draw_strip(Ui& ui, const std::vector<std::string>& paths, const Rect& rect);
    /// Returns whether the menu of a control is open, and draws it over the rest of the window.
    bool has_menu() const { return menu_.is_open(); }
    void draw_menu(Ui& ui) { menu_.draw(ui, window_); }
    /// Draws the control at one path, on a card of `pointed_height`.
    void draw_pointed_control(Ui& ui, const std::string& path, const Rect& rect);
    /// Returns the height in device pixels that `draw_pointed_control` needs.
    double pointed_height(const Ui& ui) const {
        constexpr double usual = 72;  // logical pixels, until one was drawn
        return pointed_height_ > 0 ? pointed_height_ : ui.px(usual);
    }
    /// Returns whether a control is being dragged, typed into or chosen from.
    bool is_held() const { return is_held_; }

    /// Ends a change by a control that is no longer drawn. Call once per frame, after drawing.
    void release_hidden();

  private:
    /// Where controls are drawn. Several places may be drawn in one frame.
    enum class Place { column, pointed, strip };
    /// Says what a model's head was trained with, where the experiment differs, and offers to restore it.
    void draw_badge(Ui& ui);
    /// Says how far the training of the head's model is, and draws the buttons that control it.
    void draw_training(Ui& ui);
    void draw_controls(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& rect);
    /// Scrolls the column by as much as its focused control has moved in it, so that the control stays under the
    /// pointer when others above it appear or disappear. The column's widgets are those from `first` on.
    void hold_focused(Ui& ui, std::size_t first);
    /// Draws controls of the experiment and takes over what they change.
    void edit_experiment(Ui& ui, Place place, const std::function<ControlsState(Experiment& edited)>& draw);

    WindowParts& window_;
    FieldMenu menu_;
    bool is_held_ = false;
    int scenes_opened_ = 0;                                     // when the column was drawn last
    Place held_in_ = Place::column;                             // where the held control is, if one is held,
    bool was_drawn_ = false;                                    // and whether that place was drawn in this frame
    double pointed_height_ = 0;                                 // device pixels
    std::optional<std::pair<std::string, double>> held_place_;  // id of the focused control and its y in the column
};

}  // namespace ropewalk
