// One sequence through the whole network, forward and backward. Included once per instruction set.
#if defined(ROPEWALK_CORE_TRAINING_SEQUENCE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_TRAINING_SEQUENCE_INL_H
#undef ROPEWALK_CORE_TRAINING_SEQUENCE_INL_H
#else
#define ROPEWALK_CORE_TRAINING_SEQUENCE_INL_H
#endif

#include <algorithm>
#include <cstddef>

#include "core/training/kernels/attention-inl.h"
#include "core/training/kernels/layers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {

/// A sequence's pass through the network.
template <class T>
class SequencePass {
  public:
    explicit SequencePass(const SequenceTask<T>& task)
        : task_(task),
          shape_(task.network.shape),
          weights_(task.network.layout),
          at_(task.network.activations),
          plain_(task.network.plain),
          transposed_(task.network.transposed) {}

    /// Computes everything up to the logits.
    void forward() {
        embed(layer(0) + at_.x);
        for (int i = 0; i < shape_.layers; ++i) {
            const LayerWeights& weights = weights_.layers[i];
            T *const here = layer(i), *const middle = here + at_.middle;
            T* const next = i + 1 < shape_.layers ? layer(i + 1) + at_.x : task_.memory + at_.last;
            normalize(norm(here + at_.x, weights.before_attention, here + at_.factors), task_.memory + at_.normed);
            apply(weights.query_key_value, task_.memory + at_.normed, false, here + at_.query_key_value);
            for (int h = 0; h < shape_.heads; ++h) {
                task_.cancel.check();
                attend(head(i, h));
            }
            copy(here + at_.x, middle);
            apply(weights.output, here + at_.mixed, true, middle);
            if (shape_.has_mlp()) {
                normalize(norm(middle, weights.before_mlp, here + at_.middle_factors), task_.memory + at_.normed);
                apply(weights.gate_up, task_.memory + at_.normed, false, here + at_.gate_up);
                gate_hidden(hidden_count(), here + at_.gate_up, here + at_.gate_up + hidden_count(),
                            here + at_.hidden_values);
            }
            copy(middle, next);
            if (shape_.has_mlp()) apply(weights.down, here + at_.hidden_values, true, next);
        }
        T* const memory = task_.memory;
        normalize(norm(memory + at_.last, weights_.last_norm, memory + at_.last_factors), memory + at_.normed);
        apply(weights_.output, memory + at_.normed, false, memory + at_.logits);
    }

    /// Computes the gradients, given that of the logits in their place.
    void backward(const GradientTask<T>& task) {
        T *const memory = task_.memory, *const stream = memory + at_.stream_gradient,
                 *const branch = memory + at_.branch_gradient, *const channels = memory + at_.channel_gradient,
                 *const mixed = memory + at_.mixed_gradient;
        std::fill_n(stream, static_cast<std::size_t>(at_.tokens) * static_cast<std::size_t>(at_.width), T{0});
        step_back(task, weights_.output, memory + at_.logits, memory + at_.normed, branch);
        norm_back(task, memory + at_.last, weights_.last_norm, memory + at_.last_factors, branch, stream);
        for (int i = shape_.layers - 1; i >= 0; --i) {
            const LayerWeights& weights = weights_.layers[i];
            T* const here = layer(i);
            if (shape_.has_mlp()) {
                step_back(task, weights.down, stream, here + at_.hidden_values, channels);
                gate_hidden_backward(hidden_count(), channels, here + at_.gate_up, here + at_.gate_up + hidden_count());
                // The norms' outputs are computed again, which takes less time than it would take memory to keep them.
                scale_rows(norm(here + at_.middle, weights.before_mlp, here + at_.middle_factors), memory + at_.normed);
                step_back(task, weights.gate_up, here + at_.gate_up, memory + at_.normed, branch);
                norm_back(task, here + at_.middle, weights.before_mlp, here + at_.middle_factors, branch, stream);
            }
            step_back(task, weights.output, stream, here + at_.mixed, mixed);
            for (int h = 0; h < shape_.heads; ++h) {
                task_.cancel.check();
                head_back(task, i, h, mixed, channels);
            }
            scale_rows(norm(here + at_.x, weights.before_attention, here + at_.factors), memory + at_.normed);
            step_back(task, weights.query_key_value, channels, memory + at_.normed, branch);
            norm_back(task, here + at_.x, weights.before_attention, here + at_.factors, branch, stream);
        }
        embed_back(task, stream);
    }

  private:
    T* layer(int i) const { return task_.memory + at_.layer_stride * static_cast<std::size_t>(i); }
    std::size_t hidden_count() const {
        return static_cast<std::size_t>(at_.tokens) * static_cast<std::size_t>(at_.hidden);
    }
    std::ptrdiff_t entry(int panel, int rows, int row) const {
        return (std::ptrdiff_t{panel} * rows + row) * lane_count;
    }

    void copy(const T* from, T* to) const {
        if (from != to)
            std::copy_n(from, static_cast<std::size_t>(at_.tokens) * static_cast<std::size_t>(at_.width), to);
    }
    void apply(const PaddedLinear& linear, const T* x, bool adds, T* out) const {
        apply_linear(transposed_, linear, at_.tokens, x, adds, out);
    }
    NormTask<T> norm(const T* x, const PaddedLinear& weights, T* factors) const {
        return {at_.tokens, at_.width, shape_.width, x, plain_ + weights.offset, factors};
    }

    /// Writes the gradient of a linear layer's weights and of its input `x`.
    void step_back(const GradientTask<T>& task, const PaddedLinear& linear, const T* out_gradient, const T* x,
                   T* x_gradient) const {
        weight_gradient(task, linear, at_.tokens, out_gradient, x);
        input_gradient(plain_, linear, at_.tokens, out_gradient, x_gradient);
    }
    void norm_back(const GradientTask<T>& task, const T* x, const PaddedLinear& weights, T* factors,
                   const T* out_gradient, T* x_gradient) const {
        normalize_backward(norm(x, weights, factors), out_gradient, task, weights, task_.memory + at_.row_sums,
                           x_gradient);
    }

    Head<T> head(int i, int h) const {
        const HeadKind kind = shape_.kind(i, h);
        const std::size_t channels = static_cast<std::size_t>(h) * at_.part_stride,
                          all = static_cast<std::size_t>(at_.tokens) * static_cast<std::size_t>(at_.channels);
        T* const inputs = layer(i) + at_.query_key_value + channels;
        Head<T> head{task_, task_.network.positions.parts(kind)};
        if (kind == HeadKind::gated) head.gate = sigmoid(plain_[weights_.layers[i].gates.offset + h]);
        head.queries = inputs, head.keys = inputs + all, head.values = inputs + 2 * all;
        head.weights = layer(i) + at_.weights + at_.head_weights * static_cast<std::size_t>(h);
        head.mixed = layer(i) + at_.mixed + channels;
        return head;
    }
    static T sigmoid(T x) {
        alignas(64) T powers[lane_count];
        exp(Lanes<T>::all(std::clamp<T>(-x, -80, 80))).store(powers);
        return 1 / (1 + powers[0]);
    }
    void head_back(const GradientTask<T>& task, int i, int h, const T* mixed, T* channels) const {
        const std::size_t offset = static_cast<std::size_t>(h) * at_.part_stride,
                          all = static_cast<std::size_t>(at_.tokens) * static_cast<std::size_t>(at_.channels);
        const T gate = attend_backward(
            head(i, h), {mixed + offset, channels + offset, channels + all + offset, channels + 2 * all + offset});
        if (!shape_.has_gates()) return;
        T& total = task.gradient[weights_.layers[i].gates.offset + h];
        total = task.adds ? total + gate : gate;
    }

    void embed(T* x) const {
        for (int panel = 0; panel < at_.width / lane_count; ++panel)
            for (int token = 0; token < at_.tokens; ++token) {
                const bool is_real = token < static_cast<int>(task_.tokens.size());
                const auto row = is_real ? Lanes<T>::load(plain_ + weights_.embedding.offset +
                                                          entry(panel, shape_.vocabulary, task_.tokens[token]))
                                         : Lanes<T>::all(0);
                row.store(x + entry(panel, at_.tokens, token));
            }
    }
    void embed_back(const GradientTask<T>& task, const T* x_gradient) const {
        T* const gradient = task.gradient + weights_.embedding.offset;
        if (!task.adds)
            std::fill_n(gradient, static_cast<std::size_t>(at_.width) * static_cast<std::size_t>(shape_.vocabulary),
                        T{0});
        for (int panel = 0; panel < at_.width / lane_count; ++panel)
            for (int token = 0; token < static_cast<int>(task_.tokens.size()); ++token) {
                T* const to = gradient + entry(panel, shape_.vocabulary, task_.tokens[token]);
                (Lanes<T>::load(to) + Lanes<T>::load(x_gradient + entry(panel, at_.tokens, token))).store(to);
            }
    }

    const SequenceTask<T>& task_;
    const NetworkShape& shape_;
    const WeightLayout& weights_;
    const ActivationLayout& at_;
    const T *plain_, *transposed_;
};

template <class T>
SequenceScore read_one(const SequenceTask<T>& task) {
    SequencePass<T> pass(task);
    pass.forward();
    return score(task, T{0}, task.memory + task.network.activations.logits);
}

template <class T>
SequenceScore train_one(const SequenceTask<T>& task, const GradientTask<T>& gradient) {
    SequencePass<T> pass(task);
    pass.forward();
    const SequenceScore result = score(task, gradient.loss_weight, task.memory + task.network.activations.logits);
    pass.backward(gradient);
    return result;
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
