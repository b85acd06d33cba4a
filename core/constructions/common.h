// What constructions share: their context, rotation by whole tokens, and common fields.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/constructions/head_inputs.h"
#include "core/encodings/lowered_encoding.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"
#include "core/numbers/random.h"

namespace ropewalk {

/// What a construction may depend on. `lowered` is the experiment's encoding. A build that takes long reports its
/// progress and throws Cancelled if `cancel` requests it.
struct BuildContext {
    Shape shape;
    const LoweredEncoding& lowered;
    const Cancel& cancel;
    const Progress& progress;
};

/// What a construction may say beyond its fields; each construction derives from it and redefines what it needs.
struct ConstructionDefaults {
    static constexpr auto source = "";
    /// Whether the files behind it leave open how channels pair up, so that the scene must state the pairing.
    static constexpr bool needs_stated_pairing = false;
    /// Whether all queries are equal and all keys are equal, whatever the fields.
    static constexpr bool has_constant_rows = false;
    /// Whether the rows depend on the experiment's seed.
    static constexpr bool depends_on_seed = false;

    /// Returns a sentence if the construction rejects the shape.
    std::optional<std::string> check(const Shape&) const { return std::nullopt; }
    /// Returns one line to show beside its controls.
    std::string note(const Shape&) const { return {}; }

    bool operator==(const ConstructionDefaults&) const = default;
};

/// Writes a head's channels of one token, [head_dim], to `row` in pair order.
template <class Number>
void read_in_pairs(const PairLayout& layout, const Number* channels, std::span<double> row) {
    for (int pair = 0; pair < layout.head_dim / 2; ++pair) {
        row[2 * pair] = static_cast<double>(channels[layout.first(pair)]);
        row[2 * pair + 1] = static_cast<double>(channels[layout.second(pair)]);
    }
}

/// Returns a row [head_dim] in pair order that is (x, y) in every pair.
inline std::vector<double> every_pair(const Shape& shape, double x, double y) {
    std::vector<double> row(static_cast<std::size_t>(shape.head_dim));
    for (int channel = 0; channel < shape.head_dim; ++channel) row[channel] = channel % 2 == 0 ? x : y;
    return row;
}

/// Returns R^tokens · row: `row` rotated as the experiment rotates it over this many tokens, without attention scaling.
inline std::vector<double> rotated(std::vector<double> row, int tokens, const BuildContext& context) {
    rotate(row, context.lowered, PositionMap{}, std::int64_t{tokens} * context.shape.positions.stride);
    return row;
}

/// Scales `row` to the squared length `norm_squared`.
inline void scale_to(double norm_squared, std::span<double> row) {
    double sum = 0;
    for (const double entry : row) sum += entry * entry;
    for (double& entry : row) entry *= std::sqrt(norm_squared / sum);
}

/// Fills `row` with independent normal numbers of this standard deviation.
inline void draw_normal(const RandomKey& key, double deviation, std::span<double> row) {
    fill_gaussian(key, row);
    for (double& entry : row) entry *= deviation;
}

/// Returns the field for the number of samples behind the mean and σ of the decay curve.
constexpr Field samples_field(const char* help) {
    return {.name = "samples",
            .label = "Samples",
            .min = 1,
            .max = 10'000,
            .slider_max = 1000,
            .logarithmic = true,
            .meaning = Meaning::samples,
            .help = help};
}

inline constexpr Field layer_field{
    .name = "layer", .label = "Layer", .min = 0, .max = 1023, .slider_max = 31, .help = "Layer of the head, from 0."};
inline constexpr Field head_field{
    .name = "head", .label = "Head", .min = 0, .max = 4095, .slider_max = 31, .help = "Which query head, from 0."};
/// Returns a field that numbers `count` things from 0, with a slider that ends at the last; unchanged if there are
/// none.
constexpr Field with_slider_over(int count, Field field) {
    if (count > 0) field.slider_max = count - 1, field.ends_at_slider = true;
    return field;
}
/// Returns the field for an entry of arrays with a batch axis.
constexpr Field batch_field(bool advanced) {
    return {.name = "batch",
            .label = "Batch entry",
            .advanced = advanced,
            .min = 0,
            .max = 65'535,
            .slider_max = 31,
            .help = "Which entry of an array with a batch axis, from 0."};
}

inline constexpr Field norm_squared_field{
    .name = "norm_squared",
    .label = "Norm ‖ψ‖²",
    .min = 0,
    .max = 1e12,
    .slider_min = 0.1,
    .slider_max = 1e4,
    .logarithmic = true,
    .help = "Squared length of the vector, shared equally by all pairs: the largest score."};

}  // namespace ropewalk
