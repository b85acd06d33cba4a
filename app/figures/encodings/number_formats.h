// Rounding errors of number formats in the angles and in this head's scores.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct NumberFormatsFigure : FigureDefaults {
    static constexpr auto id = "number_formats", title = "Number formats";
    static constexpr auto summary =
        "Rounding errors when positions, frequencies, angles, tables and products each use their own number format; "
        "below, the cursor's row.";
    static constexpr auto table_shape = "[seq_len, 5]";
    NumberFormat positions = NumberFormat::fp32, frequencies = NumberFormat::fp32, angles = NumberFormat::fp32,
                 table_format = NumberFormat::fp32, products = NumberFormat::fp32;

    bool operator==(const NumberFormatsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "positions",
                .label = "Positions m",
                .help = "bf16 has 8 significant bits: it distinguishes only 641 of the positions below 2048."},
          s.positions);
        f(Field{.name = "frequencies",
                .label = "Frequencies wₜ",
                .help = "Format in which the frequencies are stored."},
          s.frequencies);
        f(Field{.name = "angles",
                .label = "Angles m·wₜ",
                .help = "Format of the product. Its error reaches 0.03 rad in fp32 at position 1 000 000, and half a "
                        "radian in fp16 beyond 1024."},
          s.angles);
        f(Field{.name = "table", .label = "Cos, sin table", .help = "Format in which cosines and sines are stored."},
          s.table_format);
        f(Field{.name = "products",
                .label = "Products",
                .help = "Format of queries, keys, their rotated values and the score. Dot products are summed at "
                        "higher precision."},
          s.products);
    }

    /// Returns the same number of cells for every plot size, so that the axes do not depend on the resolution.
    Needs needs(const Experiment& experiment, PlotPixels) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    /// Returns the name among other figures of its kind: "fp16", "bf16 positions, else fp32".
    std::optional<std::string> own_name() const;
    Badge badge(const FigureInput& input) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    static bool overflows(const FormatEffect& effect);
    NumberFormatQuestion question(int cells) const;
    /// Returns the answer to this figure's question, for any number of cells.
    std::shared_ptr<const FormatEffect> effect_of(const Results& results) const;
};

}  // namespace ropewalk
