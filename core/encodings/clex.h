// CLEX: frequencies follow a differential equation in the extension t', whose right-hand side is NTK-aware scaling plus
// a trained network (Chen et al. 2023, arXiv:2310.16450, eq. 10–15; CLEX/clex_layer.py of the authors' program).
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/array_file.h"
#include "core/encodings/common.h"

namespace ropewalk {

enum class ClexActivation { silu, tanh };
template <>
struct EnumText<ClexActivation> {
    static constexpr std::array<EnumName, 2> names{{{"silu", "SiLU"}, {"tanh", "tanh"}}};
};

/// d ln w/dt' = down(activation(up(ln w + ln w_NTK(t')))) − (4t/(d−2))/(2t' − 1) for pair t, from RoPE at t' = 1.
/// Without weights the network is 0, as it is before training, and the solution is NTK-aware scaling by 2t' − 1.
struct Clex {
    static constexpr auto id = "clex", title = "CLEX", source = "Chen et al. 2023, arXiv:2310.16450";
    static constexpr auto summary = "Frequencies flow with the extension t' = ⌈N/L⌉, by NTK scaling and a network.";
    double base = 10'000;
    int original_length = 4096;
    int max_factor = 16;
    ArrayFile weights;
    ClexActivation activation = ClexActivation::silu;

    bool operator==(const Clex&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(base_field, s.base);
        f(original_length_field, s.original_length);
        f(Field{.name = "max_factor",
                .label = "Greatest t'",
                .unit = "×",
                .least = 1,
                .greatest = 64,
                .help = "t' grows no further than this, the longest extension that was trained."},
          s.max_factor);
        f(Field{.name = "weights",
                .label = "Weights",
                .help = "The trained network: a .npy file of shape [2, h, d/2], ode_up_proj transposed and then "
                        "ode_down_proj. Without it the network is 0 and the solution a closed form."},
          s.weights);
        f(Field{.name = "activation",
                .label = "Activation",
                .help = "Between the network's two layers; counts where there are weights."},
          s.activation);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (auto sentence = check_base_can_change(shape)) return sentence;
        if (weights.path.empty()) return std::nullopt;
        if (!weights.content) return fmt::format("encoding.weights is '{}', which has not been read", weights.path);
        const auto& sizes = weights.content->shape;
        if (sizes.size() != 3 || sizes[0] != 2 || sizes[1] < 1 || sizes[2] != shape.pairs())
            return fmt::format("encoding.weights has shape [{}]; head_dim {} needs [2, h, {}]", fmt::join(sizes, ", "),
                               shape.head_dim, shape.pairs());
        for (const long double w : lower(shape).inv_freq)
            if (!(w < 1e300L))
                return fmt::format(
                    "encoding.weights is '{}', with which frequencies grow beyond all bounds; they must "
                    "be those of a network trained for {} times the context",
                    weights.path, extension(shape));
        return std::nullopt;
    }

    /// t': how many trained contexts the sequence fills, in whole ones.
    int extension(const Shape& shape) const { return std::min((shape.seq_len - 1) / original_length + 1, max_factor); }

    std::string note(const Shape& shape) const {
        const int t = extension(shape);
        return weights.content ? fmt::format("t' = {}, by the trained network", t)
                               : fmt::format("t' = {}, closed form: NTK-aware by {}", t, 2 * t - 1);
    }

    /// Sets out to stretch a context of `trained` tokens s times.
    void extend(double s, int trained) {
        original_length = trained, max_factor = std::max(max_factor, static_cast<int>(std::ceil(s)));
    }

    Lowered lower(const Shape& shape) const {
        if (weights.content) return rotation_only(trained_ladder(shape));
        return rotation_only(ntk_ladder(base, 2.0L * extension(shape) - 1, shape.head_dim));
    }

  private:
    /// The equation solved by the classical Runge–Kutta method in the published program's steps of 1/100.
    std::vector<long double> trained_ladder(const Shape& shape) const {
        constexpr int steps_per_context = 100;
        constexpr double step = 1.0 / steps_per_context;
        auto inv_freq = frequency_ladder(base, shape.head_dim);
        std::vector<double> start, moved(inv_freq.size());
        for (const long double w : inv_freq) start.push_back(static_cast<double>(std::log(w)));
        const std::vector<double> origin = start;
        const auto slope_at = [&](double t, const std::vector<double>& slope, double part) {
            for (std::size_t pair = 0; pair < start.size(); ++pair) moved[pair] = start[pair] + part * slope[pair];
            return slope_of(t, moved);
        };
        for (int i = 0; i < (extension(shape) - 1) * steps_per_context; ++i) {
            const double t = 1 + i * step;
            const auto k1 = slope_of(t, start), k2 = slope_at(t + step / 2, k1, step / 2),
                       k3 = slope_at(t + step / 2, k2, step / 2), k4 = slope_at(t + step, k3, step);
            for (std::size_t pair = 0; pair < start.size(); ++pair)
                start[pair] += step / 6 * (k1[pair] + 2 * k2[pair] + 2 * k3[pair] + k4[pair]);
        }
        for (std::size_t pair = 0; pair < start.size(); ++pair) inv_freq[pair] *= std::exp(start[pair] - origin[pair]);
        return inv_freq;
    }

    /// d ln w/dt' of every pair. What the network is shown is built with base 10 000, whatever the model's own.
    std::vector<double> slope_of(double t, const std::vector<double>& log_w) const {
        const std::size_t pairs = log_w.size(), hidden = static_cast<std::size_t>(weights.content->shape[1]);
        const double alpha = 2 * t - 1, published_log_base = std::log(10'000.0), d = 2.0 * static_cast<double>(pairs);
        std::vector<double> shown(pairs), slope(pairs);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const double twice = 2.0 * static_cast<double>(pair);
            shown[pair] = log_w[pair] - twice / d * published_log_base - twice / (d - 2) * std::log(alpha);
            slope[pair] = -2 * twice / ((d - 2) * alpha);
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
