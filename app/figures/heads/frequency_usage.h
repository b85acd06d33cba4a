// How strongly queries and keys use each pair, per token (Barbero et al. 2024, section 4).
#pragma once

#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"

namespace ropewalk {

struct FrequencyUsageFigure : FigureDefaults {
    static constexpr auto id = "frequency_usage", title = "Frequency usage";
    static constexpr auto summary =
        "‖qₜ‖ and ‖kₜ‖ of every pair and token. Large norms show which frequencies the head uses.";
    static constexpr bool has_color_bar = true;

    bool operator==(const FrequencyUsageFigure&) const = default;

    template <class S, class F>
    static void fields(S&, F&&) {}

    Needs needs(const Experiment& experiment, PlotPixels pixels) const;

    /// Draws queries above keys, with one colour range and one set of labels.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    /// Returns the number of tokens that a cell averages; empty if it is one.
    Badge badge(const FigureInput& input) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input, Mark::Way::across); }

    /// Returns [2, cells, pairs]: ‖q‖ by cell of tokens and pair, then ‖k‖.
    DataTable table(const Results& results) const;

  private:
    static constexpr double gap = 6;  // between the halves, logical pixels

    static std::shared_ptr<const FrequencyUsage> usage_of(const FigureInput& input) { return usage_in(input.results); }
    static std::shared_ptr<const FrequencyUsage> usage_in(const Results& results);
    static int cells(const Experiment& experiment, PlotPixels pixels);

    struct Half {
        HeatMap map;
        PlotOptions options;
    };

    static Half half(const FigureInput& input, const Numbers& norms, const char* name, double max);
    static Frame draw_half(const Half& half, const FigureInput& input, Canvas& canvas, const Rect& rect);
};

}  // namespace ropewalk
