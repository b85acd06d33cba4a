// The formula of the current head in one line, with live numbers. The part under the pointer is explained, and
// highlighted where it is set and shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/parts/text/readout_text.h"
#include "app/lessons/formula.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class FormulaBar {
  public:
    static constexpr double height = 30;  // logical pixels

    /// Draws in the upper part of `room` (device pixels) and requests its numbers from the session. At the right end
    /// are the numbers before and after a change, if there are any. Returns the rest of `room`.
    Rect draw(Ui& ui, Session& session, const Rect& room, const std::optional<ReadoutItem>& compared);

    /// The paths of fields and the ids of figures that belong to a part of the formula.
    struct Lit {
        std::vector<std::string> controls, figures;

        bool operator==(const Lit&) const = default;
    };
    /// Returns what belongs to the part under the pointer.
    const Lit& lit() const { return lit_; }

  private:
    /// Draws the clauses that fit, one after another.
    void draw_clauses(Ui& ui, const Rect& strip, const Results* results);
    /// Draws the numbers before and after a change at the right end of `strip`. Returns their width in device pixels.
    static double draw_compared(Ui& ui, const ReadoutItem& item, const Rect& strip);
    double draw_part(Ui& ui, const FormulaPart& part, Point left_middle, const Rect& strip, const Results* results);

    Experiment of_;           // the head of `formula_`
    bool of_masked_ = false;  // whether `formula_` is for a masked cell
    std::vector<FormulaClause> formula_;
    Lit lit_;
    const FormulaPart* pointed_ = nullptr;  // in this frame
};

}  // namespace ropewalk
