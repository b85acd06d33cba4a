// The lessons' own panel: a step with its prose, prediction and task, or the list of lessons. It stands between the
// controls and the figures where there is room for it, else above the controls.
#pragma once

#include <string>

#include "app/window/lessons/tutor.h"
#include "app/window/widgets/prose.h"

namespace ropewalk {

/// What there is room for in a window: whether the controls are drawn.
enum class Surroundings { controls, presented };

class LessonPanel {
  public:
    explicit LessonPanel(Tutor& tutor) : tutor_(tutor) {}

    /// Beside the figures, if the panel is open and `room` is wide enough for both, with `foot` free below it (device
    /// pixels); what it leaves.
    Rect draw_beside(Ui& ui, const Rect& room, Surroundings surroundings, double foot = 0);
    /// Above the controls in their column, if it is open and does not stand beside figures `room` wide; what it leaves.
    Rect draw_above(Ui& ui, const Rect& column, double room);

    /// The ring around the control that the step points at, within the sidebar's card (device pixels), drawn into the
    /// current window; call when the controls were drawn, outside their child window.
    void draw_ring(Ui& ui, const Rect& sidebar) const;
    /// Scrolls to that control once, inside the controls' child window.
    void bring_into_sight(const Ui& ui);
    /// The figure that the step points at, and the path of the control; empty if it points at none.
    std::string lit_figure() const;
    std::string pointed_control() const;

  private:
    void draw(Ui& ui, const Rect& card);
    void draw_header(Ui& ui, const Rect& card);
    void draw_dots(Ui& ui, const Rect& card);
    void draw_list(Ui& ui);
    void draw_step(Ui& ui);
    void draw_expectation(Ui& ui, int index, const Results* results, const ProseStyle& explanation);
    void draw_task(Ui& ui, const Results* results);
    void draw_footer(Ui& ui, const Rect& footer);
    /// A paragraph at ImGui's cursor, registered under `id`, and the space below it (logical pixels).
    void say(Ui& ui, const std::string& id, const Paragraph& paragraph, const ProseStyle& style, const Results* results,
             double below);
    /// Names the step in front, to see when another one comes.
    std::string place() const;

    Tutor& tutor_;
    static constexpr double usual_above = 0.75;

    double above_ = usual_above;  // its share of the column where it stands above the controls
    float scroll_ = 0;            // of what is told, logical pixels
    std::string shown_;           // the place that was drawn last,
    int told_ = 0;                // and how much of its explanations
    std::string pointed_;         // the place whose control was brought into sight
};

}  // namespace ropewalk
