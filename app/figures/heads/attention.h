// The attention matrix: scores, logits or weights of rows i (queries) against columns j (keys).
#pragma once

#include "app/figures/parts/cells/attention_choices.h"
#include "app/figures/parts/cells/divergence_track.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct AttentionFigure : FigureDefaults {
    static constexpr auto id = "attention", title = "Attention";
    static constexpr bool is_square = true;
    static constexpr auto summary = "The matrix of scores, logits or weights: rows are queries, columns are keys.";
    static constexpr bool has_color_bar = true;
    Quantity quantity = Quantity::weights;
    Pooling pooling = Pooling::abs_max;
    RangeMode range = RangeMode::automatic;
    double range_low = 0, range_high = 1;
    bool without_first_key = false;
    Against against = Against::nothing;
    MapChoice colors = MapChoice::automatic;
    TokenRange rows, columns;

    bool operator==(const AttentionFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "quantity",
                .label = "Quantity",
                .help = "Scores: rotated q·k. Logits: scaled, with bias and softcap, divided by the temperature, "
                        "masked. Weights: "
                        "softmax of each row over all its keys."},
          s.quantity);
        f(Field{.name = "pooling",
                .label = "Pooling",
                .help = "How a cell combines its entries: largest magnitude (sign kept) never hides a diagonal. "
                        "Differences of scores and logits use the mean."},
          s.pooling);
        f(Field{.name = "range",
                .label = "Colour range",
                .help = "Auto: the values of the whole matrix, centred on 0 if signed. ±: symmetric about 0. 1–99 %: "
                        "between these percentiles of what is shown. Locked: stays as it is."},
          s.range);
        f(Field{.name = "range_low",
                .label = "Locked from",
                .in_controls = false,
                .min = -1e300,
                .max = 1e300,
                .help = "Lower end of a locked range."},
          s.range_low);
        f(Field{.name = "range_high",
                .label = "Locked to",
                .in_controls = false,
                .min = -1e300,
                .max = 1e300,
                .help = "Upper end of a locked range."},
          s.range_high);
        f(Field{.name = "without_first_key",
                .label = "Ignore key 0",
                .help = "Exclude key 0, a common attention sink, from the colour range."},
          s.without_first_key);
        f(Field{.name = "against",
                .label = "Show",
                .help = "Difference: current value minus the reference's (press R to set it). The KL divergence Σ p "
                        "ln(p/p_ref) of each row is beside the matrix."},
          s.against);
        f(Field{.name = "colors",
                .label = "Colours",
                .help = "Auto: diverging for scores and logits, viridis for weights."},
          s.colors);
        f(Field{.name = "rows", .label = "Rows", .in_controls = false, .help = "Queries shown."}, s.rows);
        f(Field{.name = "columns", .label = "Columns", .in_controls = false, .help = "Keys shown."}, s.columns);
    }

    std::optional<std::string> check() const;

    std::optional<Part> shown_part() const { return Part{rows, columns}; }
    void show(const Part& shown) { rows = shown.rows, columns = shown.columns; }
    bool compares() const { return against == Against::reference; }
    bool draws_reference() const { return compares(); }
    bool draws_this_reference(const FigureInput& input) const { return has_divergence_track(input); }

    /// Selects the next pooling that changes the picture.
    void badge_clicked();

    /// Locks the range that was shown before.
    void adopt(const AttentionFigure& before, const FigureInput& input);

    bool is_signed() const { return quantity == Quantity::scores || quantity == Quantity::logits; }

    ViewQuestion question(const Experiment& experiment, PlotPixels pixels) const;

    /// Returns the question for the whole matrix if the figure is zoomed to a part and the colours depend on the rest.
    std::optional<ViewQuestion> whole_question(const Experiment& experiment, PlotPixels pixels) const;

    /// Returns the content needed for the colours; for short sequences all content, so that a change of quantity or
    /// pooling shows at once.
    CellContent content(int seq_len) const;

    /// Returns the view's question and the contributions, which give the value at the cursor where cells pool entries.
    Needs needs(const Experiment& experiment, PlotPixels pixels) const;

    std::optional<Needs> needs_beside(const Experiment& experiment, PlotPixels pixels,
                                      const Experiment& reference) const;

    /// Returns "max of 8 × 8 entries per cell", the error of a preview, or a summary of the difference; empty if every
    /// entry has its own cell.
    Badge badge(const FigureInput& input) const;

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    /// Returns the cursor's entry and its value or, until that is known, the pooled value of its cell.
    std::string readout(const FigureInput& input) const;

    /// Returns [cells down, cells across], starting at the first visible row and column.
    DataTable table(const Results& results) const;

  private:
    /// Returns the view of the visible part whose cells are nearest to the requested size, or else the newest view of
    /// the same quantity.
    std::shared_ptr<const AttentionView> view_in(const Results& results, std::optional<PlotPixels> pixels) const;

    std::shared_ptr<const AttentionView> view_of(const FigureInput& input) const;

    /// Returns the answer to `whole_question`, or null.
    std::shared_ptr<const AttentionView> whole_view_in(const Results& results) const;

    /// Returns the pooling to use in place of largest magnitude. Weights are never negative, so max is the same. For
    /// differences of signed values it is the mean: the entries of largest magnitude differ between heads, but the
    /// difference of the means is the mean difference.
    Pooling effective_pooling() const;

    /// Returns the requested pooling or, until it is available, one that is.
    Pooling shown_pooling(const AttentionView& view) const;

    SharedNumbers values_of(const std::shared_ptr<const AttentionView>& view, Pooling pooled,
                            const FigureInput& input) const;

    /// Returns the value of the cursor's entry: its cell's value, or else the sum of its contributions, with the row's
    /// exact softmax denominator. Returns nullopt if the row was not sampled or the contributions belong to another
    /// entry.
    std::optional<double> entry_value(const AttentionView& view, const FigureInput& input) const;

    const PooledGrid& grid(const AttentionView& view) const { return is_signed() ? view.logits : view.weights; }

    /// Returns the reference's view with the same cells, if there is one.
    std::shared_ptr<const AttentionView> reference_of(const AttentionView& view, const FigureInput& input) const;

    /// Returns the reference's view if the difference from it is shown; null while the reference itself is shown.
    std::shared_ptr<const AttentionView> compared_with(const AttentionView& view, const FigureInput& input) const;

    HeatMap heat_map(const std::shared_ptr<const AttentionView>& view, const FigureInput& input) const;

    ColorScale color_scale(const std::shared_ptr<const AttentionView>& view, const FigureInput& input) const;

    PlotOptions plot_options(const FigureInput& input, const HeatMap& map) const;

    std::optional<ColorBar> color_bar(const FigureInput& input, const HeatMap& map) const;
};

}  // namespace ropewalk
