// CLEX: frequencies follow a differential equation in the extension t', whose right-hand side is NTK-aware scaling plus
// a trained network (Chen et al. 2023, arXiv:2310.16450, eq. 10–15; CLEX/clex_layer.py of the authors' code).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/encodings/common.h"
#include "core/fields/input_file.h"
#include "core/io/npy.h"
#include "core/memo.h"
#include "core/numbers/extrapolation.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

enum class ClexActivation { silu, tanh };
template <>
struct EnumText<ClexActivation> {
    static constexpr std::array<EnumName, 2> names{{{"silu", "SiLU"}, {"tanh", "tanh"}}};
};

/// d ln w/dt' = down(activation(up(ln w + ln w_NTK(t')))) − (4t/(d−2))/(2t' − 1) for pair t, from RoPE at t' = 1.
/// Without weights the network is 0, as before training, and the solution is NTK-aware scaling by 2t' − 1.
struct Clex : EncodingDefaults {
    static constexpr auto id = "clex", title = "CLEX", source = "Chen et al. 2023, arXiv:2310.16450";
    static constexpr auto summary =
        "Frequencies follow a differential equation in t' = ⌈N/L⌉: NTK scaling plus a trained network.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$ integrated to {seq_len} tokens";
    double base = 10'000;
    int original_length = 4096;
    int max_factor = 16;
    ArrayFile weights;
    ClexActivation activation = ClexActivation::silu;

    bool operator==(const Clex&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(original_length_field, s.original_length);
        f(Field{.name = "max_factor",
                .label = "Max t'",
                .unit = "×",
                .min = 1,
                .max = 64,
                .help = "Upper limit of t', the longest extension used in training."},
          s.max_factor);
        f(Field{.name = "weights",
                .label = "Weights",
                .help = "The trained network: a .npy file of shape [2, h, d/2] with ode_up_proj transposed, then "
                        "ode_down_proj. Without it the network is 0 and the solution has a closed form."},
          s.weights);
        f(Field{.name = "activation",
                .label = "Activation",
                .help = "Between the network's two layers. Used only with weights."},
          s.activation);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (auto sentence = check_base_can_change(shape)) return sentence;
        if (weights.path.empty()) return std::nullopt;
        if (!weights.content)
            return fmt::format(
                "encoding.weights is '{}', which could not be read; put the file back and press Enter in its field",
                weights.path);
        const auto& sizes = weights.content->shape;
        if (sizes.size() != 3 || sizes[0] != 2 || sizes[1] < 1 || sizes[2] != shape.pairs())
            return fmt::format("encoding.weights has shape [{}]; head_dim {} needs [2, h, {}]", fmt::join(sizes, ", "),
                               shape.head_dim, shape.pairs());
        for (const long double w : lower(shape).inv_freq)
            if (!(w < 1e300L))
                return fmt::format(
                    "encoding.weights is '{}', with which the frequencies diverge or take too long to compute; it "
                    "must be a network trained for {} times the training length",
                    weights.path, extension(shape));
        return std::nullopt;
    }

    /// Returns t' = ⌈N/L⌉, at most `max_factor`.
    int extension(const Shape& shape) const {
        return std::min((shape.seq_len - 1) / std::max(1, original_length) + 1, max_factor);
    }

    std::string note(const Shape& shape) const {
        const int t = extension(shape);
        return weights.content ? fmt::format("t' = {}, trained network", t)
                               : fmt::format("t' = {}, closed form: NTK-aware by {}", t, 2 * t - 1);
    }

    bool extend(double s, int trained) {
        original_length = trained, max_factor = std::max(max_factor, static_cast<int>(std::ceil(s)));
        return true;
    }

    std::optional<std::string> extended_title() const { return weights.content ? "CLEX, trained" : "CLEX, untrained"; }

    std::string numpy(const Shape& shape) const {
        if (weights.content) return {};
        return numpy_frequencies(base, fmt::format("base**(-2*t/d) * {}**(-2*t/(d - 2))", 2 * extension(shape) - 1));
    }

    LoweredEncoding lower(const Shape& shape) const {
        if (weights.content) return rotation_only(*known_frequencies(shape));
        return rotation_only(ntk_frequencies(base, 2.0L * extension(shape) - 1, shape.head_dim));
    }

  private:
    /// Returns the frequencies with the network's part. Keeps the latest: each check asks for them, too, on any thread.
    std::shared_ptr<const std::vector<long double>> known_frequencies(const Shape& shape) const {
        static std::mutex mutex;
        static Memo<std::pair<Clex, int>, std::vector<long double>> known(4);
        const std::lock_guard lock(mutex);
        return known.get({*this, extension(shape)}, [&] { return trained_frequencies(shape); });
    }

    /// Returns the frequencies with the network's part. NTK-aware scaling is used in closed form; the network's
    /// addition to it is integrated, one training length at a time. They are NaN if that takes too long.
    std::vector<long double> trained_frequencies(const Shape& shape) const {
        const auto start = rope_frequencies(base, shape.head_dim);
        std::vector<double> log_start, added(start.size());
        for (const long double w : start) log_start.push_back(static_cast<double>(std::log(w)));
        constexpr std::size_t most_products = 500'000'000;  // about 0.5 s; published networks need a tenth
        std::size_t slopes_left = most_products / weights.content->values.size();
        const auto slope = [&](double t, const std::vector<double>& so_far) {
            if (slopes_left == 0) return std::vector<double>(so_far.size(), nan);
            --slopes_left;
            return slope_of(t, log_start, so_far);
        };
        const int extension_reached = extension(shape);
        for (int t = 1; t < extension_reached; ++t) added = solved(slope, t, t + 1, std::move(added));
        auto inv_freq = ntk_frequencies(base, 2.0L * extension_reached - 1, shape.head_dim);
        for (std::size_t pair = 0; pair < added.size(); ++pair) inv_freq[pair] *= std::exp(added[pair]);
        return inv_freq;
    }

    /// Returns what the network adds to d ln w/dt' of every pair at t', where `added` is its integral so far. The
    /// network's input is built with base 10 000, whatever the model's base.
    std::vector<double> slope_of(double t, const std::vector<double>& log_start,
                                 const std::vector<double>& added) const {
        const std::size_t pairs = added.size(), hidden = static_cast<std::size_t>(weights.content->shape[1]);
        const double log_alpha = std::log(2 * t - 1), published_log_base = std::log(10'000.0),
                     d = 2.0 * static_cast<double>(pairs);
        std::vector<double> shown(pairs), slope(pairs);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const double twice = 2.0 * static_cast<double>(pair), scaled = twice / (d - 2) * log_alpha;
            shown[pair] = log_start[pair] - scaled + added[pair] - twice / d * published_log_base - scaled;
        }
        const double* up = weights.content->values.data();
        const double* down = up + hidden * pairs;
        for (std::size_t unit = 0; unit < hidden; ++unit, up += pairs, down += pairs) {
            double sum = 0;
            for (std::size_t pair = 0; pair < pairs; ++pair) sum += up[pair] * shown[pair];
            const double active = activation == ClexActivation::tanh ? std::tanh(sum) : sum / (1 + std::exp(-sum));
            for (std::size_t pair = 0; pair < pairs; ++pair) slope[pair] += active * down[pair];
        }
        return slope;
    }
};

}  // namespace ropewalk
