// Gradual changes: for a moment, a figure is drawn between the results before a change and the new ones.
#pragma once

#include <memory>
#include <optional>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

class Blending {
  public:
    /// Takes the results to be drawn, and follows changes that are not made by a drag or an animation, unless
    /// `is_still`. Nothing waits for a blend: readouts, badges and handles are those of the new results at once.
    void follow(const PanelContext& panel, const std::shared_ptr<const Results>& results, bool is_still);
    /// Returns the results before the change while it is shown.
    const Results* from() const { return from_.get(); }
    /// Returns how far the change has come, from 0 to 1.
    double share() const { return share_; }

  private:
    std::shared_ptr<const Results> from_, to_;
    std::optional<Figure> figure_;  // that was drawn last
    double begun_ = 0, share_ = 1;  // s; 0 to 1
};

}  // namespace ropewalk
