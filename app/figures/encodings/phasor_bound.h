// The bound behind RoPE's "long-term decay", with the value that it bounds (Su et al. 2021, arXiv:2104.09864, eq.
// 35–37).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

enum class PhasorBoundPart { both, factor, bounds };
template <>
struct EnumText<PhasorBoundPart> {
    static constexpr std::array<EnumName, 3> names{
        {{"both", "Both"}, {"factor", "Decay factor"}, {"bounds", "Abel's bounds"}}};
};

struct PhasorBoundFigure : CurveFigure<PhasorBoundFigure> {
    static constexpr auto id = "phasor_bound", title = "Decay bound";
    static constexpr auto summary =
        "RoFormer's decay factor (2/d)·Σ|Sⱼ|, and Abel's two bounds with the |Σ| they bound. The bounds fall overall; "
        "a score need not.";
    static constexpr auto table_shape = "[distances, 5]";
    static constexpr bool has_row_per_x = true;
    PhasorBoundPart part = PhasorBoundPart::both;
    AxisScale axis = AxisScale::logarithmic;
    int distances = 0;

    bool operator==(const PhasorBoundFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "part",
                .label = "Show",
                .help =
                    "Decay factor: (2/d)·Σ|Sⱼ| as in RoFormer's Fig. 2. Abel's bounds: the magnitude of this head's "
                    "sum with its two bounds."},
          s.part);
        f(Field{.name = "axis", .label = "Distance axis", .help = "A logarithmic axis starts at distance 1."}, s.axis);
        f(Field{.name = "distances",
                .label = "Distances",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .logarithmic = false,
                .min_means = "sequence",
                .help = "Length of the axis, at most the sequence; 0: all of it."},
          s.distances);
        zoom_fields(s, f);
    }

    int count(const Experiment& experiment) const {
        return distances > 0 ? std::min(distances, experiment.seq_len) : experiment.seq_len;
    }

    Needs needs(const Experiment& experiment, PlotPixels) const {
        return {PartialSumsQuestion{.count = count(experiment)}, AbelQuestion{.count = count(experiment)}};
    }

    std::string readout(const FigureInput& input) const {
        const int last = count(input.experiment());
        std::string text = fmt::format("r = {}", readable(input.cursor.distance()));
        const auto at = static_cast<std::size_t>(std::max(input.cursor.distance(), 0));
        if (const auto sums = input.results.find(PartialSumsQuestion{.count = last}); sums && at < sums->size())
            text += "   (2/d)·Σ|Sⱼ| = " + readable((*sums)[at]);
        if (const auto bounds = input.results.find(AbelQuestion{.count = last});
            bounds && *bounds && at < (*bounds)->magnitude.size())
            text += "   |Σ| = " + ordered({(*bounds)->magnitude[at], (*bounds)->weighted[at], (*bounds)->max[at]});
        return text;
    }

    DataTable table(const Results& results) const {
        const int last = count(results.request.experiment);
        const auto sums = results.find(PartialSumsQuestion{.count = last});
        const AbelBounds bounds = results.find(AbelQuestion{.count = last})->value_or(AbelBounds{});
        return table_of_columns({{"distance", counted(sums->size())},
                                 {"mean_partial_sum", *sums},
                                 {"magnitude", bounds.magnitude},
                                 {"weighted_bound", bounds.weighted},
                                 {"greatest_bound", bounds.max}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const int last = count(input.experiment());
        const auto sums = input.results.find(PartialSumsQuestion{.count = last});
        const auto bounds = input.results.find(AbelQuestion{.count = last});
        CurvePlot upper, lower;
        upper.x = lower.x = distance_axis(axis == AxisScale::logarithmic ? 1.0 : 0.0, std::max(last - 1.0, 2.0), axis);
        upper.y = {.title = "$(2/d)\\sum|S_j|$", .low = 1, .high = 0};
        lower.y = {
            .title = "$|\\sum h_t\\exp(\\mathrm{i}rw_t)|$", .low = 1, .high = 0, .scale = AxisScale::logarithmic};
        lower.share = 1.35;
        if (sums) upper.series = {{.values = sums, .color = theme.series[0], .is_compared = true}};
        if (bounds && *bounds)
            lower.series = {
                {.label = "max|Δh|·Σ|Sⱼ|", .values = SharedNumbers(bounds, (*bounds)->max), .color = theme.series[3]},
                {.label = "true value",
                 .values = SharedNumbers(bounds, (*bounds)->magnitude),
                 .color = theme.series[0],
                 .is_compared = true},
                {.label = "Σ|Sⱼ||Δhⱼ|",  // may equal the true value everywhere, as with all ones
                 .values = SharedNumbers(bounds, (*bounds)->weighted),
                 .color = theme.series[1],
                 .dash = 5}};
        if (!sums) upper.message = still_computing;
        if (!bounds) lower.message = still_computing;
        if (bounds && !*bounds)
            lower.message = "Abel's bounds need an encoding that rotates; this one adds waves to q and k.";
        if (part == PhasorBoundPart::factor) return {upper};
        if (part == PhasorBoundPart::bounds) return {lower};
        return {upper, lower};
    }

    /// Returns "0.49 ≤ 0.5321 ≤ 10.23", with = between equal numbers and enough digits to distinguish others.
    static std::string ordered(std::initializer_list<double> values) {
        constexpr double rounding = 1e-7;
        constexpr int few = 4, most = 8;
        const double largest = std::max(values);
        const auto are_equal = [&](double a, double b) { return !(std::abs(a - b) > rounding * largest); };
        const auto are_distinct = [&](int digits) {
            return std::adjacent_find(values.begin(), values.end(), [&](double a, double b) {
                       return !are_equal(a, b) && readable(a, digits) == readable(b, digits);
                   }) == values.end();
        };
        int digits = few;
        while (digits < most && !are_distinct(digits)) ++digits;
        std::string text;
        for (auto value = values.begin(); value != values.end(); ++value) {
            if (value != values.begin()) text += are_equal(value[-1], *value) ? " = " : " ≤ ";
            text += readable(*value, digits);
        }
        return text;
    }
};

}  // namespace ropewalk
