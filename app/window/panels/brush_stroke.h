// A stroke drawn with the mouse, or a preset, until its results are known.
#pragma once

#include <optional>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

class BrushStroke {
  public:
    /// Forgets what belongs to another scene or another kind of figure. Call once per frame, first.
    void keep_for(const Figure& figure, int scenes_opened);
    /// Returns whether the consequences of a drawing are still awaited.
    bool is_ongoing() const { return ongoing_.has_value(); }
    /// Returns whether the mouse button is down for it.
    bool is_down() const { return ongoing_ && !ongoing_->is_over; }
    /// Returns whether it is not just a click.
    bool has_begun() const { return ongoing_ && ongoing_->has_begun; }
    /// Returns the figure's frame at the beginning of the current drawing; null if there is none, or for a preset.
    std::shared_ptr<const Frame> drawn_on() const { return ongoing_ ? ongoing_->frame : nullptr; }
    /// Returns the same of the last drawing whose consequences are known.
    const std::shared_ptr<const Frame>& was_drawn_on() const { return was_drawn_on_; }

    /// Begins a drawing if the mouse was pressed on a plot that can be drawn on.
    void begin(const PanelContext& panel, const Frame& frame);
    /// Draws along the mouse until its button is released. Returns whether the button is down for that.
    bool follow(const PanelContext& panel, const FigureInput& input);
    void take_preset(const PanelContext& panel, std::size_t preset, const FigureInput& input);
    /// Applies what follows from the drawing as soon as it is known, and ends it when it is complete. `input` answers
    /// all that the figure needs if it `is_known`.
    void apply(const PanelContext& panel, std::optional<Proposal>& proposal, bool is_known);

  private:
    struct Ongoing {
        Figure before;
        std::shared_ptr<const Frame> frame{};  // at that time; null if a preset was chosen
        Brush brush = Brush::draw;
        Point start{}, last{};   // of the pointer, logical pixels
        bool has_begun = false;  // it is not just a click
        bool is_over = false;    // the button was released
    };
    void move(const PanelContext& panel, const FigureInput& input);

    std::optional<Ongoing> ongoing_;
    std::shared_ptr<const Frame> was_drawn_on_;  // at the last drawing
    int scenes_opened_ = 0;                      // by then,
    std::size_t kind_ = 0;                       // and the kind of figure
};

}  // namespace ropewalk
