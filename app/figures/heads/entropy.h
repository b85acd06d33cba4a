// The concentration of each row of attention.
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct EntropyFigure : FigureDefaults {
    static constexpr auto id = "entropy", title = "Entropy of rows";
    static constexpr auto summary =
        "Entropy of every row with ln(i + 1), that of equal weights; largest weight and its gap to the second.";
    static constexpr auto table_shape = "[rows, 4]";
    int rows = 256;

    bool operator==(const EntropyFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "rows",
                .label = "Rows",
                .min = 1,
                .max = 65536,
                .slider_max = 4096,
                .logarithmic = true,
                .help = "Maximum number of rows to sample, evenly spaced and including the last."},
          s.rows);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    Badge badge(const FigureInput& input) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    RowStatisticsQuestion question(const Experiment& experiment) const {
        return {.rows = std::min(rows, experiment.seq_len)};
    }
};

}  // namespace ropewalk
