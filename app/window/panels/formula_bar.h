// The formula of the present head in one line, with its live numbers; what the pointer is on is explained, and lit
// where it is set and shown.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/formula.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class FormulaBar {
  public:
    static constexpr double height = 30;  // logical pixels

    /// Draws in the upper part of `room` (device pixels) and asks the workbench for its numbers; what it leaves.
    Rect draw(Ui& ui, Session& session, const Rect& room);

    /// Fields and figures of what the pointer is on.
    const std::vector<std::string>& lit_controls() const { return lit_controls_; }
    const std::vector<std::string>& lit_figures() const { return lit_figures_; }

  private:
    /// The clauses that fit, one after another.
    void draw_clauses(Ui& ui, const Rect& strip, const Results* results);
    double draw_part(Ui& ui, const FormulaPart& part, Point left_middle, const Rect& strip, const Results* results);

    Experiment of_;           // whose formula is kept
    bool of_masked_ = false;  // cell
    std::vector<FormulaClause> formula_;
    std::vector<std::string> lit_controls_, lit_figures_;
    const FormulaPart* pointed_ = nullptr;  // in this frame
};

}  // namespace ropewalk
