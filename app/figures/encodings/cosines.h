// cos(r·w) of every pair at single distances (Hong et al. 2024, Fig. 2).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/parts/tables/frequency_formula.h"

namespace ropewalk {

struct CosinesFigure : CurveFigure<CosinesFigure> {
    static constexpr auto id = "cosines", title = "Cosines";
    static constexpr auto summary =
        "cos(r·wₜ) of every pair at the cursor's distance and at marked ones. Slow pairs form a smooth curve; fast "
        "pairs look random.";
    static constexpr auto table_shape = "[d/2, 1 + distances]";
    static constexpr bool has_row_per_x = true;
    static constexpr bool is_played = true;
    std::vector<double> marked{0};

    bool operator==(const CosinesFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "marked",
                .label = "Marked",
                .min = 0,
                .max = 1 << 24,
                .help = "Distances to show besides the cursor's. 0: none."},
          s.marked);
        zoom_fields(s, f);
    }

    std::optional<std::string> check() const {
        if (auto sentence = check_ranges()) return sentence;
        for (const double distance : marked)
            if (distance != std::floor(distance))
                return fmt::format("marked has {}; distances must be whole numbers", text_of(distance));
        if (marked.size() <= most_marked) return std::nullopt;
        return fmt::format("marked has {} distances; it must have at most {}", marked.size(), most_marked);
    }

    Depicted depicted() const { return Depicted::encoding; }
    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    std::string readout(const FigureInput& input) const {
        const int distance = input.results.request.cursor.distance();
        const auto cosines = cosines_at(*input.results.problem, distance);
        const std::size_t pair = pair_at_cursor(input, cosines.size());
        return fmt::format("r = {}   pair {}   cos(r·w) = {}", readable(distance), pair, readable(cosines[pair]));
    }

    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }

    DataTable table(const Results& results) const {
        const auto pairs = static_cast<std::size_t>(results.problem->lowered.pairs());
        std::vector<std::pair<std::string, std::vector<double>>> columns{{"pair", counted(pairs)}};
        for (const double distance : distances(results))
            columns.emplace_back(fmt::format("distance_{}", distance), cosines_at(*results.problem, distance));
        DataTable table = table_of_columns(columns);
        const std::string tokens = fmt::format("np.array([{}])", fmt::join(distances(results), ", "));
        table.formula =
            frequency_formula(results.request.experiment,
                              fmt::format("r = {}  # positions\n"
                                          "data = np.column_stack([np.arange(len(w)), np.cos(np.outer(w, r))])",
                                          in_positions(tokens, results.problem->step())));
        return table;
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        CurvePlot plot{.x = pair_axis(input), .y = {.title = "$\\cos(r\\cdot w_t)$", .low = -1.08, .high = 1.08}};
        for (const double distance : distances(input.results)) {
            const auto cosines = cosines_at(*input.results.problem, distance);
            const bool is_first = plot.series.empty();
            plot.series.push_back({.label = "$r$ = " + readable(distance),
                                   .points = points_of(counted(cosines.size()), cosines),
                                   .color = input.theme.series[plot.series.size()],
                                   .as_dots = true,
                                   .is_compared = is_first});
        }
        std::reverse(plot.series.begin(), plot.series.end());  // the cursor's distance on top
        for (const Mark& mark : marks_to_drag(handles(input), input)) plot.marks.push_back(mark);
        return {plot};
    }

  private:
    static constexpr std::size_t most_marked = std::tuple_size_v<decltype(Theme::series)> - 1;

    /// Returns the cursor's distance and the marked ones.
    std::vector<double> distances(const Results& results) const {
        std::vector<double> all{static_cast<double>(results.request.cursor.distance())};
        std::copy_if(marked.begin(), marked.end(), std::back_inserter(all), [](double r) { return r > 0; });
        return all;
    }

    static std::vector<double> cosines_at(const Problem& problem, double distance) {
        std::vector<double> cosines;
        const auto positions = static_cast<std::int64_t>(distance) * problem.step();
        for (const long double w : problem.lowered.inv_freq)
            cosines.push_back(std::cos(angle_of(phase_at(positions, phase_of(w)))));
        return cosines;
    }
};

}  // namespace ropewalk
