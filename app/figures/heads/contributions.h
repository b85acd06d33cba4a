// Each pair's contribution to the score at the cursor, and the running sum (Hong et al. 2024, eq. 8–13).
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>

#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"

namespace ropewalk {

struct ContributionsFigure : FigureDefaults {
    static constexpr auto id = "contributions", title = "Contributions";
    static constexpr auto summary =
        "What each pair contributes to the score at the cursor (gₜ), and the running sum. Dots mark up to five "
        "dominant pairs.";
    static constexpr auto table_shape = "[d/2]";

    bool operator==(const ContributionsFigure&) const = default;

    template <class S, class F>
    static void fields(S&, F&&) {}

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {ContributionsQuestion{}}; }
    Badge badge(const FigureInput& input) const;

    /// Draws bars above and, if it fits, their running sum below. On a common axis, the sum of many small contributions
    /// would flatten them.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }
    DataTable table(const Results& results) const;

  private:
    static constexpr double min_height_of_two = 150, mark_radius = 3;  // logical pixels

    /// The contributions and their running sum; empty without an answer.
    struct Sums {
        std::vector<double> parts, running;

        explicit Sums(const std::shared_ptr<const std::vector<double>>& answer) {
            if (!answer) return;
            parts = *answer;
            running.resize(parts.size());
            std::partial_sum(parts.begin(), parts.end(), running.begin());
        }
    };

    /// Returns an axis that includes zero and the range, with room for a dot at either end of a plot of this height.
    static Axis y_axis(const ValueRange& range, double height);

    /// Returns the pairs whose |g| is matched by at most four others. Values closer than 1 % count as equal, and values
    /// below 10⁻⁹ of the largest do not count.
    static std::vector<std::size_t> dominant_pairs(const std::vector<double>& parts);
};

}  // namespace ropewalk
