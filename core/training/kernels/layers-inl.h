// What a network does between its attention layers, forward and backward: linear layers, norms, the MLP's activation,
// the loss. Included once per instruction set.
#if defined(ROPEWALK_CORE_TRAINING_LAYERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_TRAINING_LAYERS_INL_H
#undef ROPEWALK_CORE_TRAINING_LAYERS_INL_H
#else
#define ROPEWALK_CORE_TRAINING_LAYERS_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <span>

#include "core/numbers/portable_math.h"
#include "core/training/kernels/products-inl.h"
#include "core/training/kernels/sequence.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {

/// out = x M, or out += x M, for rows x of `inner` numbers in panels and a matrix M with rows of `width` numbers.
template <class T>
HWY_INLINE void multiply_in_panels(const T* x, int tokens, int inner, const T* matrix, int width, bool adds, T* out) {
    const std::ptrdiff_t panel = std::ptrdiff_t{tokens} * lane_count;
    multiply<Left::by_rows>(MatrixProduct<T>{.left = x,
                                             .left_row_block = block_size,
                                             .left_inner_block = panel,
                                             .right = matrix,
                                             .right_panel = std::ptrdiff_t{inner} * lane_count,
                                             .out = out,
                                             .out_panel = panel,
                                             .row_blocks = tokens / lane_count,
                                             .panels = width / lane_count,
                                             .inner_blocks = inner / lane_count,
                                             .adds = adds});
}

/// out = x Wᵀ, or out += x Wᵀ, for rows x in panels; `transposed` has all linear layers transposed.
template <class T>
HWY_INLINE void apply_linear(const T* transposed, const PaddedLinear& linear, int tokens, const T* x, bool adds,
                             T* out) {
    multiply_in_panels(x, tokens, linear.in, transposed + linear.offset, linear.out, adds, out);
}

/// Writes the gradient with respect to x, given that with respect to x Wᵀ.
template <class T>
HWY_INLINE void input_gradient(const T* plain, const PaddedLinear& linear, int tokens, const T* out_gradient,
                               T* x_gradient) {
    multiply_in_panels(out_gradient, tokens, linear.out, plain + linear.offset, linear.in, false, x_gradient);
}

/// Writes or adds the gradient with respect to W.
template <class T>
HWY_INLINE void weight_gradient(const GradientTask<T>& task, const PaddedLinear& linear, int tokens,
                                const T* out_gradient, const T* x) {
    const std::ptrdiff_t panel = std::ptrdiff_t{tokens} * lane_count;
    multiply<Left::transposed>(MatrixProduct<T>{.left = out_gradient,
                                                .left_row_block = panel,
                                                .left_inner_block = block_size,
                                                .right = x,
                                                .right_panel = panel,
                                                .out = task.gradient + linear.offset,
                                                .out_panel = std::ptrdiff_t{linear.out} * lane_count,
                                                .row_blocks = linear.out / lane_count,
                                                .panels = linear.in / lane_count,
                                                .inner_blocks = tokens / lane_count,
                                                .adds = task.adds});
}

/// An RMSNorm over rows in panels: x · factor · weights, with factor = (mean x² + ε)^(−½) of each row.
template <class T>
struct NormTask {
    int tokens = 0, width = 0, channels = 0;  // padded; channels that count in the mean
    const T *x = nullptr, *weights = nullptr;
    T* factors = nullptr;

    std::ptrdiff_t at(int token, int panel) const { return (std::ptrdiff_t{panel} * tokens + token) * lane_count; }
    int panels() const { return width / lane_count; }
};

/// Writes x · factor · weights, given the factors.
template <class T>
void scale_rows(const NormTask<T>& norm, T* out) {
    for (int p = 0; p < norm.panels(); ++p) {
        const auto weights = Lanes<T>::load(norm.weights + p * lane_count);
        for (int token = 0; token < norm.tokens; ++token)
            (Lanes<T>::load(norm.x + norm.at(token, p)) * Lanes<T>::all(norm.factors[token]) * weights)
                .store(out + norm.at(token, p));
    }
}

template <class T>
void normalize(const NormTask<T>& norm, T* out) {
    constexpr T epsilon = static_cast<T>(1e-6);
    for (int token = 0; token < norm.tokens; ++token) {
        auto squares = Lanes<T>::all(0);
        for (int p = 0; p < norm.panels(); ++p) {
            const auto x = Lanes<T>::load(norm.x + norm.at(token, p));
            squares = fma(x, x, squares);
        }
        norm.factors[token] = 1 / std::sqrt(sum_of_lanes(squares) / static_cast<T>(norm.channels) + epsilon);
    }
    scale_rows(norm, out);
}

/// Adds the gradient with respect to x to `x_gradient`, and writes or adds that with respect to the weights, given that
/// with respect to the norm's output. `x_gradient` may have been copied from elsewhere before.
template <class T>
void normalize_backward(const NormTask<T>& norm, const T* out_gradient, const GradientTask<T>& task,
                        const PaddedLinear& weights_place, T* row_sums, T* x_gradient) {
    for (int token = 0; token < norm.tokens; ++token) {
        auto sum = Lanes<T>::all(0);
        for (int p = 0; p < norm.panels(); ++p)
            sum = fma(Lanes<T>::load(out_gradient + norm.at(token, p)) * Lanes<T>::load(norm.weights + p * lane_count),
                      Lanes<T>::load(norm.x + norm.at(token, p)), sum);
        const T factor = norm.factors[token];
        row_sums[token] = -sum_of_lanes(sum) * (factor * factor * factor) / static_cast<T>(norm.channels);
    }
    for (int p = 0; p < norm.panels(); ++p) {
        const auto weights = Lanes<T>::load(norm.weights + p * lane_count);
        T* const weight_gradients = task.gradient + weights_place.offset + p * lane_count;
        auto sum = task.adds ? Lanes<T>::load(weight_gradients) : Lanes<T>::all(0);
        for (int token = 0; token < norm.tokens; ++token) {
            const auto x = Lanes<T>::load(norm.x + norm.at(token, p));
            const auto scaled = Lanes<T>::load(out_gradient + norm.at(token, p)) * Lanes<T>::all(norm.factors[token]);
            sum = fma(scaled, x, sum);
            const auto before = Lanes<T>::load(x_gradient + norm.at(token, p));
            fma(scaled, weights, fma(x, Lanes<T>::all(row_sums[token]), before)).store(x_gradient + norm.at(token, p));
        }
        sum.store(weight_gradients);
    }
}

/// h = silu(g) · u. Replaces g and u by the derivatives of h with respect to them.
template <class T>
void gate_hidden(std::size_t count, T* gates, T* ups, T* hidden) {
    const auto one = Lanes<T>::all(1), least = Lanes<T>::all(-80), most = Lanes<T>::all(80);
    for (std::size_t i = 0; i < count; i += lane_count) {
        const auto g = Lanes<T>::load(gates + i), u = Lanes<T>::load(ups + i);
        const auto minus = max(least, Lanes<T>::all(0) - max(g, Lanes<T>::all(0) - most));
        const auto sigmoid = reciprocal(one + exp(minus));
        const auto silu = g * sigmoid;
        (silu * u).store(hidden + i);
        (u * fma(silu, one - sigmoid, sigmoid)).store(gates + i);
        silu.store(ups + i);
    }
}

/// Replaces the derivatives by gradients: each times that of h.
template <class T>
void gate_hidden_backward(std::size_t count, const T* hidden_gradient, T* gates, T* ups) {
    for (std::size_t i = 0; i < count; i += lane_count) {
        const auto gradient = Lanes<T>::load(hidden_gradient + i);
        (gradient * Lanes<T>::load(gates + i)).store(gates + i);
        (gradient * Lanes<T>::load(ups + i)).store(ups + i);
    }
}

/// Returns a sequence's score from its logits, in panels over its padded tokens. Replaces them by their gradient if
/// `loss_weight` is not 0.
template <class T>
SequenceScore score(const SequenceTask<T>& task, T loss_weight, T* logits) {
    const int tokens = task.network.activations.tokens, vocabulary = task.network.shape.vocabulary,
              panels = task.network.activations.vocabulary / lane_count;
    const auto rest = first_lanes<T>(vocabulary - (panels - 1) * lane_count);
    const auto least = Lanes<T>::all(-80);
    SequenceScore score;
    for (int token = 0; token < tokens; ++token) {
        const auto at = [&](int panel)
                            HWY_ATTR { return logits + (std::ptrdiff_t{panel} * tokens + token) * lane_count; };
        const int target = token < static_cast<int>(task.targets.size()) ? task.targets[token] : -1;
        if (target < 0) {
            for (int p = 0; p < panels && loss_weight != 0; ++p) Lanes<T>::all(0).store(at(p));
            continue;
        }
        const auto lowest = (Lanes<T>::all(1) - rest) * Lanes<T>::all(static_cast<T>(-1e30));
        fma(rest, Lanes<T>::load(at(panels - 1)), lowest).store(at(panels - 1));
        auto largest = Lanes<T>::load(at(0));
        for (int p = 1; p < panels; ++p) largest = max(largest, Lanes<T>::load(at(p)));
        const T top = max_of_lanes(largest), chosen = at(target / lane_count)[target % lane_count];
        bool is_first = chosen == top;
        for (int c = 0; c < target && is_first; ++c) is_first = at(c / lane_count)[c % lane_count] < top;
        score.correct += is_first ? 1 : 0;
        auto sums = Lanes<T>::all(0);
        for (int p = 0; p < panels; ++p) {
            auto power = exp(max(Lanes<T>::load(at(p)) - Lanes<T>::all(top), least));
            if (p == panels - 1) power = power * rest;
            power.store(at(p));
            sums = sums + power;
        }
        const T sum = sum_of_lanes(sums);
        score.loss += portable_log(static_cast<double>(sum)) - static_cast<double>(chosen - top);
        if (loss_weight == 0) continue;
        const auto factor = Lanes<T>::all(loss_weight / sum);
        for (int p = 0; p < panels; ++p) (Lanes<T>::load(at(p)) * factor).store(at(p));
        at(target / lane_count)[target % lane_count] -= loss_weight;
    }
    return score;
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
