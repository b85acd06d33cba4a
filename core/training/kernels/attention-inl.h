// The attention of one head over one sequence, forward and backward. Included once per instruction set.
#if defined(ROPEWALK_CORE_TRAINING_ATTENTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_TRAINING_ATTENTION_INL_H
#undef ROPEWALK_CORE_TRAINING_ATTENTION_INL_H
#else
#define ROPEWALK_CORE_TRAINING_ATTENTION_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/training/kernels/products-inl.h"
#include "core/training/kernels/sequence.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {

/// One head of one layer: its inputs and what it leaves for the backward pass. Attention weights are in blocks of 16 ×
/// 16, [blocks of queries, blocks of keys, 16, 16], of which those after the diagonal are not used.
template <class T>
struct Head {
    const SequenceTask<T>& task;
    const std::vector<LogitPart<T>>& parts;
    T gate = 0;  // σ of the learned number
    const T *queries = nullptr, *keys = nullptr, *values = nullptr;
    T *weights = nullptr, *mixed = nullptr;

    const ActivationLayout& at() const { return task.network.activations; }
    T* memory(std::size_t offset) const { return task.memory + offset; }
    int blocks() const { return at().tokens / lane_count; }
    std::ptrdiff_t panel() const { return std::ptrdiff_t{at().tokens} * lane_count; }
    int panels() const { return at().head / lane_count; }
    T scale() const { return 1 / std::sqrt(static_cast<T>(task.network.shape.head_dim)); }
    T share(const LogitPart<T>& part) const {
        using Weight = typename LogitPart<T>::Weight;
        return part.weight == Weight::one ? 1 : part.weight == Weight::gate ? gate : 1 - gate;
    }
    bool is_simple() const {
        const LogitPart<T>& part = parts[0];
        return parts.size() == 1 && part.is_everywhere() && part.bias_slope == 0 && !part.damping;
    }
};

/// Writes factor · (encoded rows), or of the adjoint: its gradient with respect to the rows, for which waves count
/// nothing. With `adds`, adds it to `to`.
template <class T>
HWY_INLINE void encode(const Head<T>& head, const SideTables<T>& side, bool adjoint, T factor, bool adds,
                       const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
    const PositionTables<T>& positions = head.task.network.positions;
    const std::ptrdiff_t panel = head.panel();
    const auto factors = Lanes<T>::all(factor), sign = Lanes<T>::all(adjoint ? T{-1} : T{1});
    alignas(64) T turned[lane_count];
    for (int p = 0; p < head.panels(); ++p)
        for (std::ptrdiff_t i = p * panel; i < (p + 1) * panel; i += lane_count) {
            Lanes<T> x = Lanes<T>::load(from + i);
            if (side.cosines) {
                Lanes<T> partner;
                const int* const partners = positions.partners().data() + p * lane_count;
                if (positions.panels_rotate()) {
                    partner = Lanes<T>::load(from + i + (partners[0] / lane_count - p) * panel);
                } else {
                    for (int lane = 0; lane < lane_count; ++lane)
                        turned[lane] =
                            from[i + (partners[lane] / lane_count - p) * panel + partners[lane] % lane_count];
                    partner = Lanes<T>::load(turned);
                }
                const auto part = sign * partner * Lanes<T>::load(side.sines + i);
                x = fma(x, Lanes<T>::load(side.cosines + i), part);
            }
            if (side.waves && !adjoint) x = x + Lanes<T>::load(side.waves + i);
            x = x * factors;
            if (adds) x = x + Lanes<T>::load(to + i);
            x.store(to + i);
        }
}

/// Returns 1 where the distance of a query and the keys of a block is within a part's range, and 0 elsewhere.
template <class T>
HWY_INLINE Lanes<T> within(const LogitPart<T>& part, int query, int first_key) {
    // Key j is within if query − end < j ≤ query − first.
    const auto lanes_up_to = [&](std::int64_t last) HWY_ATTR {
        return static_cast<int>(std::clamp<std::int64_t>(last - first_key + 1, 0, lane_count));
    };
    const int end = lanes_up_to(std::int64_t{query} - std::max(part.first, 0));
    const int begin = lanes_up_to(std::int64_t{query} - part.end);
    return first_lanes<T>(end) - first_lanes<T>(std::min(begin, end));
}

/// Returns query − key for the keys of a block.
template <class T>
HWY_INLINE Lanes<T> distances(int query, int first_key) {
    alignas(64) T lanes[lane_count];
    for (int i = 0; i < lane_count; ++i) lanes[i] = static_cast<T>(query - first_key - i);
    return Lanes<T>::load(lanes);
}

/// Writes the scores of a damped part for one block of queries: every pair's term has a factor of its distance.
template <class T>
void damped_scores(const Head<T>& head, const T* damping, int block, const T* queries, const T* keys, T* scores) {
    const int channels = head.at().head;
    for (int r = 0; r < lane_count; ++r) {
        const int query = block * lane_count + r;
        for (int key = 0; key < (block + 1) * lane_count; ++key) {
            auto sum = Lanes<T>::all(0);
            for (int p = 0; p < head.panels() && key <= query; ++p) {
                const auto q = Lanes<T>::load(queries + p * head.panel() + query * lane_count);
                const auto k = Lanes<T>::load(keys + p * head.panel() + key * lane_count);
                sum = fma(q * k, Lanes<T>::load(damping + (query - key) * channels + p * lane_count), sum);
            }
            scores[key / lane_count * block_size + r * lane_count + key % lane_count] = sum_of_lanes(sum);
        }
    }
}

/// Adds to the gradients of the encoded queries and keys of a damped part, all zero before.
template <class T>
void damped_gradients(const Head<T>& head, const T* damping, const T* scores, const T* queries, const T* keys,
                      T* query_gradient, T* key_gradient) {
    const int tokens = head.at().tokens, channels = head.at().head;
    for (int query = 0; query < tokens; ++query)
        for (int key = 0; key <= query; ++key) {
            const auto score =
                Lanes<T>::all(scores[(query / lane_count * head.blocks() + key / lane_count) * block_size +
                                     query % lane_count * lane_count + key % lane_count]);
            for (int p = 0; p < head.panels(); ++p) {
                const std::ptrdiff_t q = p * head.panel() + query * lane_count, k = p * head.panel() + key * lane_count;
                const auto factor = score * Lanes<T>::load(damping + (query - key) * channels + p * lane_count);
                fma(factor, Lanes<T>::load(keys + k), Lanes<T>::load(query_gradient + q)).store(query_gradient + q);
                fma(factor, Lanes<T>::load(queries + q), Lanes<T>::load(key_gradient + k)).store(key_gradient + k);
            }
        }
}

/// Replaces one block of queries' logits by weights.
template <class T>
HWY_INLINE void softmax_rows(int block, T* logits) {
    constexpr T lowest = -1e30f, negligible = -50;
    for (int r = 0; r < lane_count; ++r) {
        T* const row = logits + r * lane_count;
        T* const last = row + block * block_size;
        const auto seen = first_lanes<T>(r + 1);
        // Masked lanes become very low: seen · logit + (1 − seen) · lowest.
        fma(seen, Lanes<T>::load(last), (Lanes<T>::all(1) - seen) * Lanes<T>::all(lowest)).store(last);
        auto largest = Lanes<T>::load(last);
        for (int b = 0; b < block; ++b) largest = max(largest, Lanes<T>::load(row + b * block_size));
        const auto top = Lanes<T>::all(max_of_lanes(largest));
        auto sum = Lanes<T>::all(0);
        for (int b = 0; b <= block; ++b) {
            const auto less = Lanes<T>::load(row + b * block_size) - top;
            // Negligible weights are 0: products with them would be slow denormal numbers.
            const auto weight = where_at_least(less, negligible, exp(max(less, Lanes<T>::all(negligible))));
            weight.store(row + b * block_size);
            sum = sum + weight;
        }
        const auto factor = Lanes<T>::all(1 / sum_of_lanes(sum));
        for (int b = 0; b <= block; ++b) (Lanes<T>::load(row + b * block_size) * factor).store(row + b * block_size);
    }
}

/// Writes the scores of a part for one block of queries.
template <class T>
HWY_INLINE void part_scores(const Head<T>& head, const LogitPart<T>& part, int block, const T* queries, const T* keys,
                            T* scores) {
    if (part.damping) return damped_scores(head, part.damping, block, queries, keys, scores);
    multiply<Left::by_rows>(MatrixProduct<T>{.left = queries + block * block_size,
                                             .left_inner_block = head.panel(),
                                             .right = keys,
                                             .right_panel = std::ptrdiff_t{head.at().head} * lane_count,
                                             .out = scores,
                                             .out_panel = block_size,
                                             .row_blocks = 1,
                                             .panels = block + 1,
                                             .inner_blocks = head.panels()});
}

/// Writes or adds share · (scores − bias) to a block of queries' logits, within the part's range of distances.
template <class T>
HWY_INLINE void combine(const Head<T>& head, const LogitPart<T>& part, int block, const T* scores, bool adds,
                        T* logits) {
    const auto share = Lanes<T>::all(head.share(part)), slope = Lanes<T>::all(-part.bias_slope);
    for (int b = 0; b <= block; ++b)
        for (int r = 0; r < lane_count; ++r) {
            const int query = block * lane_count + r;
            const std::ptrdiff_t i = b * block_size + r * lane_count;
            auto logit = Lanes<T>::load(scores + i);
            if (part.bias_slope != 0) logit = fma(slope, distances<T>(query, b * lane_count), logit);
            if (!part.is_everywhere()) logit = logit * within(part, query, b * lane_count);
            logit = logit * share;
            (adds ? Lanes<T>::load(logits + i) + logit : logit).store(logits + i);
        }
}

/// Computes a head's attention weights and its mix of values.
template <class T>
void attend(const Head<T>& head) {
    const ActivationLayout& at = head.at();
    for (std::size_t p = 0; p < head.parts.size(); ++p) {
        const std::size_t offset = p * at.part_stride;
        encode(head, head.parts[p].query, false, head.scale(), false, head.queries, head.memory(at.queries + offset));
        T* const keys = head.memory(head.parts[p].damping ? at.transposed + offset : at.keys);
        encode(head, head.parts[p].key, false, T{1}, false, head.keys, keys);
        if (!head.parts[p].damping) transpose(keys, at.tokens, at.head, head.memory(at.transposed + offset));
    }
    for (int block = 0; block < head.blocks(); ++block) {
        T* const row = head.weights + static_cast<std::ptrdiff_t>(at.weight_row_stride) * block;
        for (std::size_t p = 0; p < head.parts.size(); ++p) {
            const T* const queries = head.memory(at.queries + p * at.part_stride);
            const T* const keys = head.memory(at.transposed + p * at.part_stride);
            T* const scores = head.is_simple() ? row : head.memory(at.block_row);
            part_scores(head, head.parts[p], block, queries, keys, scores);
            if (!head.is_simple()) combine(head, head.parts[p], block, scores, p > 0, row);
        }
        softmax_rows(block, row);
        multiply<Left::by_rows>(MatrixProduct<T>{.left = row,
                                                 .left_inner_block = block_size,
                                                 .right = head.values,
                                                 .right_panel = head.panel(),
                                                 .out = head.mixed + block * block_size,
                                                 .out_panel = head.panel(),
                                                 .row_blocks = 1,
                                                 .panels = head.panels(),
                                                 .inner_blocks = block + 1});
    }
}

/// The gradients of a head, by what they are with respect to: the mix of values is given, the others are written.
template <class T>
struct HeadGradients {
    const T* mixed = nullptr;
    T *queries = nullptr, *keys = nullptr, *values = nullptr;
};

/// Multiplies the transposed lower triangle of blocks with rows: out_j = Σ_{i ≥ j} weights_ij · rows_i.
template <class T>
HWY_INLINE void multiply_transposed_triangle(const Head<T>& head, const T* weights, const T* rows, T* out) {
    const std::ptrdiff_t row_stride = std::ptrdiff_t{head.blocks()} * block_size;
    for (int block = 0; block < head.blocks(); ++block)
        multiply<Left::transposed>(MatrixProduct<T>{.left = weights + block * (row_stride + block_size),
                                                    .left_inner_block = row_stride,
                                                    .right = rows + block * block_size,
                                                    .right_panel = head.panel(),
                                                    .out = out + block * block_size,
                                                    .out_panel = head.panel(),
                                                    .row_blocks = 1,
                                                    .panels = head.panels(),
                                                    .inner_blocks = head.blocks() - block});
}

/// Writes the gradient with respect to the logits, weight · (gradient of the weight − their mean), to `logit_gradient`.
template <class T>
HWY_INLINE void logit_gradients(const Head<T>& head, const T* mixed_gradient) {
    const ActivationLayout& at = head.at();
    const std::ptrdiff_t row_stride = std::ptrdiff_t{head.blocks()} * block_size;
    T* const values = head.memory(at.transposed);
    transpose(head.values, at.tokens, at.head, values);
    for (int block = 0; block < head.blocks(); ++block) {
        T* const row = head.memory(at.logit_gradient) + block * row_stride;
        multiply<Left::by_rows>(MatrixProduct<T>{.left = mixed_gradient + block * block_size,
                                                 .left_inner_block = head.panel(),
                                                 .right = values,
                                                 .right_panel = std::ptrdiff_t{at.head} * lane_count,
                                                 .out = row,
                                                 .out_panel = block_size,
                                                 .row_blocks = 1,
                                                 .panels = block + 1,
                                                 .inner_blocks = head.panels()});
        for (int r = 0; r < lane_count; ++r) {
            auto sum = Lanes<T>::all(0);
            for (int p = 0; p < head.panels(); ++p) {
                const std::ptrdiff_t i = p * head.panel() + (block * lane_count + r) * lane_count;
                sum = fma(Lanes<T>::load(mixed_gradient + i), Lanes<T>::load(head.mixed + i), sum);
            }
            const auto mean = Lanes<T>::all(sum_of_lanes(sum));
            const T* const weights = head.weights + block * row_stride;
            for (int b = 0; b <= block; ++b) {
                const std::ptrdiff_t i = b * block_size + r * lane_count;
                (Lanes<T>::load(weights + i) * (Lanes<T>::load(row + i) - mean)).store(row + i);
            }
        }
    }
}

/// Copies the logits' gradient within a part's range of distances, and 0 elsewhere. Returns Σ gradient · (−bias) over
/// the range.
template <class T>
T select_range(const Head<T>& head, const LogitPart<T>& part, const T* from, T* to) {
    const std::ptrdiff_t row_stride = std::ptrdiff_t{head.blocks()} * block_size;
    auto bias = Lanes<T>::all(0);
    for (int query = 0; query < head.at().tokens; ++query)
        for (int b = 0; b <= query / lane_count; ++b) {
            const std::ptrdiff_t i = query / lane_count * row_stride + b * block_size + query % lane_count * lane_count;
            const auto selected = Lanes<T>::load(from + i) * within(part, query, b * lane_count);
            bias = fma(selected, distances<T>(query, b * lane_count), bias);
            selected.store(to + i);
        }
    return -part.bias_slope * sum_of_lanes(bias);
}

/// Computes the gradients of a head. Returns the gradient with respect to the gate before σ.
template <class T>
T attend_backward(const Head<T>& head, const HeadGradients<T>& gradients) {
    using Weight = typename LogitPart<T>::Weight;
    const ActivationLayout& at = head.at();
    logit_gradients(head, gradients.mixed);
    multiply_transposed_triangle(head, head.weights, gradients.mixed, gradients.values);
    const std::ptrdiff_t row_stride = std::ptrdiff_t{head.blocks()} * block_size;
    T *const queries = head.memory(at.queries), *const keys = head.memory(at.keys);
    T* const encoded = head.memory(at.encoded_gradient);
    T* const key_gradient = head.memory(at.transposed);
    T gate_gradient = 0;
    for (const LogitPart<T>& part : head.parts) {
        const bool adds = &part != &head.parts[0];
        const T share = head.share(part);
        const T* logits = head.memory(at.logit_gradient);
        T share_gradient = 0;
        if (!part.is_everywhere() || (part.weight != Weight::one && part.bias_slope != 0)) {
            share_gradient = select_range(head, part, logits, head.memory(at.part_gradient));
            logits = head.memory(at.part_gradient);
        }
        encode(head, part.query, false, head.scale(), false, head.queries, queries);
        encode(head, part.key, false, T{1}, false, head.keys, keys);
        if (part.damping) {
            std::fill_n(encoded, at.part_stride, T{0});
            std::fill_n(key_gradient, at.part_stride, T{0});
            damped_gradients(head, part.damping, logits, queries, keys, encoded, key_gradient);
        } else {
            for (int block = 0; block < head.blocks(); ++block)
                multiply<Left::by_rows>(MatrixProduct<T>{.left = logits + block * row_stride,
                                                         .left_inner_block = block_size,
                                                         .right = keys,
                                                         .right_panel = head.panel(),
                                                         .out = encoded + block * block_size,
                                                         .out_panel = head.panel(),
                                                         .row_blocks = 1,
                                                         .panels = head.panels(),
                                                         .inner_blocks = block + 1});
            multiply_transposed_triangle(head, logits, queries, key_gradient);
        }
        encode(head, part.query, true, head.scale() * share, adds, encoded, gradients.queries);
        encode(head, part.key, true, share, adds, key_gradient, gradients.keys);
        if (part.weight == Weight::one) continue;
        auto sum = Lanes<T>::all(0);
        for (std::size_t i = 0; i < at.part_stride; i += lane_count)
            sum = fma(Lanes<T>::load(encoded + i), Lanes<T>::load(queries + i), sum);
        share_gradient += sum_of_lanes(sum);
        gate_gradient += part.weight == Weight::gate ? share_gradient : -share_gradient;
    }
    return gate_gradient * head.gate * (1 - head.gate);
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
