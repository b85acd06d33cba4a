// One row of the matrix: the attention of the cursor's query.
#pragma once

#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"

namespace ropewalk {

enum class RowQuantity { weights, logits };
template <>
struct EnumText<RowQuantity> {
    static constexpr std::array<EnumName, 2> names{{{"weights", "Weights"}, {"logits", "Logits"}}};
};

struct AttentionRowFigure : FigureDefaults {
    static constexpr auto id = "attention_row", title = "Attention of one query";
    static constexpr auto summary = "Weights or logits of the cursor's query over all its keys.";
    static constexpr auto table_shape = "[seq_len, 3]: key, logit, weight";
    RowQuantity quantity = RowQuantity::weights;

    bool operator==(const AttentionRowFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "quantity",
                .label = "Quantity",
                .help = "Weights sum to 1 over the row. Logits are the input of the softmax."},
          s.quantity);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {RowQuestion{}}; }

    /// Returns the divergence from the reference's row, Σ p ln(p/p_ref) in nats.
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;

    /// Returns the distance handles, at query − distance.
    std::vector<Handle> handles(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    const char* value_name() const { return quantity == RowQuantity::weights ? "weight" : "logit"; }

    /// Returns the row's values up to the last visible key.
    Curve visible_values(const Results& results, FigureMemo& memo) const;
};

}  // namespace ropewalk
