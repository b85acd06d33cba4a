// The lessons' panel: a step with its prose, prediction and task, or the list of lessons. It replaces the controls
// until the user explores; then it is between the controls and the figures if it fits there, else above the controls.
#pragma once

#include <string>

#include "app/window/lessons/tutor.h"
#include "app/window/widgets/prose.h"

namespace ropewalk {

/// What the panel shares the window with: the sidebar's controls, or only the figures of a presentation.
enum class Surroundings { controls, presented };

class LessonPanel {
  public:
    explicit LessonPanel(Tutor& tutor) : tutor_(tutor) {}

    /// Returns whether the lesson replaces the controls, in a window with this much room (device pixels).
    bool is_focused(const Ui& ui, const Rect& room) const;
    /// Draws the panel at the left of `room` in place of the controls. Returns the rest of `room`.
    Rect draw_focused(Ui& ui, const Rect& room);
    /// Draws the panel beside the figures, if it is open and `room` is wide enough for both. `foot` is kept free below
    /// it (device pixels). In a presentation without such room it is below them. Returns the rest of `room`.
    Rect draw_beside(Ui& ui, const Rect& room, Surroundings surroundings, double foot = 0);
    /// Draws the panel above the controls in their column, if it is open and does not fit beside figures `room` wide.
    /// Returns the rest of `column`.
    Rect draw_above(Ui& ui, const Rect& column, double room);

    /// Draws the ring around the control that the step points at, within the sidebar's card (device pixels), into the
    /// current window. Call after the controls were drawn, outside their child window.
    void draw_ring(Ui& ui, const Rect& sidebar) const;
    /// Scrolls to that control once. Call inside the controls' child window.
    void bring_into_sight(const Ui& ui);
    /// Returns the figure that the step points at; empty if there is none.
    std::string lit_figure() const;
    /// Returns the path of the control that the step points at; empty if there is none, or not before its question is
    /// answered.
    std::string pointed_control() const;
    /// Returns the path of the control that the step is about; empty if there is none.
    std::string control_of_step() const;

  private:
    /// What the panel is drawn on: a card, or the window's own background.
    enum class Ground { card, window };
    void draw(Ui& ui, const Rect& card, Ground ground);
    void draw_header(Ui& ui, const Rect& card);
    /// Draws a dot for each step from `x` (device pixels) on; each leads to its step.
    void draw_dots(Ui& ui, double x, double y);
    /// Draws the step's title, which stays above its prose, at a point (device pixels), wrapped at `width` logical
    /// pixels. Returns the height that it takes, in device pixels.
    double draw_title(Ui& ui, Point at, double width) const;
    void draw_list(Ui& ui);
    void draw_step(Ui& ui);
    void draw_expectation(Ui& ui, int index, const Results* results, const ProseStyle& explanation);
    void draw_task(Ui& ui, const Results* results);
    /// Draws the lesson's source below its last step.
    void draw_source(Ui& ui);
    void draw_footer(Ui& ui, const Rect& footer);
    /// Draws a paragraph at ImGui's cursor, registered under `id`, and leaves space below it (logical pixels).
    void say(Ui& ui, const std::string& id, const Paragraph& paragraph, const ProseStyle& style, const Results* results,
             double below);
    /// Makes a word show its meaning: under the pointer, and from a click or Enter until the next one.
    static void link(Ui& ui, const std::string& id, const PlacedTerm& place);
    /// Returns a name of the current step, to notice when it changes.
    std::string place() const;

    Tutor& tutor_;
    bool explores_ = false;  // all controls are shown beside the lesson
    double size_ = 16;       // of running text, logical pixels
    bool is_dense_ = false;  // less space between the parts, in a low window
    static constexpr double usual_above = 0.62;

    double above_ = usual_above;      // its share of the column when above the controls
    float scroll_ = 0;                // of the prose, logical pixels
    float text_width_ = 0;            // of its child window, device pixels
    bool is_laid_out_again_ = false;  // its lines may break elsewhere than in the last frame
    bool shows_news_ = false;         // what the user's last action has added is in sight
    std::string shown_;               // the step that was drawn last,
    int told_ = 0;                    // and its last explanation: of an answer, from 1, or of its task
    std::string pointed_;             // the step whose control was scrolled into view
};

}  // namespace ropewalk
