// A sweep: one number takes a series of values while everything else stays fixed.
#pragma once

#include <optional>
#include <string>

#include "app/figures/figures.h"

namespace ropewalk {

enum class Spacing { linear, logarithmic };
template <>
struct EnumText<Spacing> {
    static constexpr std::array<EnumName, 2> names{{{"linear", "Linear"}, {"logarithmic", "Logarithmic"}}};
};

struct Sweep {
    static constexpr int most_steps = 1000;

    std::string path{};          // of the number in the experiment, as in --set
    std::optional<int> panel{};  // if set, `path` is an option of this panel's figure
    double from = 0, to = 1;
    int steps = 48;
    Spacing spacing = Spacing::linear;
    double per_second = 12;  // steps

    bool operator==(const Sweep&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "from", .label = "From", .min = -1e12, .max = 1e12, .help = "The first value."}, s.from);
        f(Field{.name = "to", .label = "To", .min = -1e12, .max = 1e12, .help = "The last value."}, s.to);
        f(Field{.name = "steps",
                .label = "Steps",
                .min = 2,
                .max = most_steps,
                .slider_max = 240,
                .help = "Number of values, including both ends."},
          s.steps);
        f(Field{.name = "spacing",
                .label = "Spacing",
                .help = "Linear: equal differences. Logarithmic: equal ratios; needs positive values."},
          s.spacing);
        f(Field{.name = "per_second",
                .label = "Speed",
                .unit = "per s",
                .min = 1,
                .max = 60,
                .help = "Steps per second, in the window and in a video."},
          s.per_second);
    }

    /// Returns a sentence if the sweep has no values.
    std::optional<std::string> check() const;
    /// Returns value number `step`, 0 … steps − 1.
    double value(int step) const;
};

/// Returns the range of a field's slider for a head of this shape. Distances and positions extend to the end of the
/// sequence, pairs to the last one.
ValueRange slider_range(const Field& field, NumberKind kind, const Shape& shape);

/// Returns a sweep over the useful range of the number at `path` in `s`, logarithmic where its slider is, or nullopt if
/// there is no such number. A minimum with a special meaning (`min_means`) is left out.
std::optional<Sweep> sweep_over(const ConstGroupRef& s, const Shape& shape, const std::string& path);

/// Returns the experiment at a step of a sweep over one of its numbers, rounded and clamped to its range. Returns the
/// experiment unchanged if it could not be computed with that value.
Experiment experiment_at(const Experiment& experiment, const Sweep& sweep, int step);
/// Returns the figure at a step of a sweep over one of its options.
Figure figure_at(const Figure& figure, const Experiment& experiment, const Sweep& sweep, int step);

}  // namespace ropewalk
