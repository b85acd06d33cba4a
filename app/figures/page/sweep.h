// One number that runs through its values while everything else stands still.
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

    std::string path{};          // of the number below the experiment, as behind --set,
    std::optional<int> panel{};  // or below the options of this panel's figure
    double from = 0, to = 1;
    int steps = 48;
    Spacing spacing = Spacing::linear;
    double per_second = 12;  // steps

    bool operator==(const Sweep&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "from", .label = "From", .min = -1e12, .max = 1e12, .help = "The first value."}, s.from);
        f(Field{.name = "to", .label = "To", .min = -1e12, .max = 1e12, .help = "The last value."}, s.to);
        f(Field{.name = "steps",
                .label = "Steps",
                .min = 2,
                .max = most_steps,
                .slider_max = 240,
                .help = "How many values there are, both ends among them."},
          s.steps);
        f(Field{.name = "spacing",
                .label = "Spacing",
                .help = "Linear: equal differences. Logarithmic: equal ratios, of positive values."},
          s.spacing);
        f(Field{.name = "per_second",
                .label = "Speed",
                .unit = "per s",
                .min = 1,
                .max = 60,
                .help = "Steps in a second, in the window and in a film."},
          s.per_second);
    }

    /// A sentence if it has no values.
    std::optional<std::string> check() const;
    /// Value number `step`, 0 … steps − 1.
    double value(int step) const;
};

/// What a slider moves through, of a head of this shape. Distances and positions reach as far as the sequence does, and
/// what counts pairs to the last one.
ValueRange slider_range(const Field& field, NumberKind kind, const Shape& shape);

/// A sweep over the useful range of the number at `path` below `s`, logarithmic where its slider is; nothing if there
/// is none. A least value that stands for something else is left out.
std::optional<Sweep> sweep_over(const ConstGroupRef& s, const Shape& shape, const std::string& path);

/// The experiment at a step of a sweep over one of its numbers: that one rounded and kept in its range, the rest as it
/// is. Unchanged where it could not be computed.
Experiment experiment_at(const Experiment& experiment, const Sweep& sweep, int step);
/// The same of a figure of this experiment and one of its options.
Figure figure_at(const Figure& figure, const Experiment& experiment, const Sweep& sweep, int step);

}  // namespace ropewalk
