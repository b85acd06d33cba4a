#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/models/run/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/models/run/layer_kernels.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/kernels/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
constexpr int width = panel_width<float>;

void normalize_here(const PanelNorm& norm) {
    double sums[width] = {}, squares[width] = {};
    float factors[width], means[width] = {};
    const auto channels = static_cast<double>(norm.channels);
    if (norm.subtracts_mean) {
        for (std::int64_t c = 0; c < norm.channels; ++c)
            for (int i = 0; i < width; ++i) sums[i] += static_cast<double>(norm.in[c * width + i]);
        for (int i = 0; i < width; ++i) means[i] = static_cast<float>(sums[i] / channels);
    }
    for (std::int64_t c = 0; c < norm.channels; ++c)
        for (int i = 0; i < width; ++i) {
            const double x =
                static_cast<double>(norm.in[c * width + i]) - (norm.subtracts_mean ? sums[i] / channels : 0);
            squares[i] += x * x;
        }
    for (int i = 0; i < width; ++i)
        factors[i] = static_cast<float>(1 / std::sqrt(squares[i] / channels + norm.epsilon));
    for (std::int64_t c = 0; c < norm.channels; ++c) {
        const float weight = norm.weight[c], bias = norm.bias ? norm.bias[c] : 0;
        for (int i = 0; i < width; ++i)
            norm.out[c * width + i] = (norm.in[c * width + i] - means[i]) * factors[i] * weight + bias;
    }
}

HWY_INLINE hn::Vec<F> silu(hn::Vec<F> x) {
    const F d;
    const auto one = hn::Set(d, 1.0f);
    return hn::Div(x, hn::Add(one, hn::Exp(d, hn::Neg(hn::Max(x, hn::Set(d, -87.0f))))));
}

HWY_INLINE hn::Vec<F> gelu_tanh(hn::Vec<F> x) {
    const F d;
    const auto inner =
        hn::Mul(hn::Set(d, 0.7978845608028654f), hn::MulAdd(hn::Mul(hn::Set(d, 0.044715f), x), hn::Mul(x, x), x));
    return hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), hn::Add(hn::Set(d, 1.0f), hn::Tanh(d, inner)));
}

void activate_here(GateKind kind, std::span<float> values, const float* factors) {
    const F d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < values.size(); i += lanes) {  // whole vectors: panels are multiples of their lanes
        auto x = hn::Load(d, values.data() + i);
        if (kind == GateKind::silu) {
            x = silu(x);
        } else if (kind == GateKind::gelu_tanh) {
            x = gelu_tanh(x);
        } else {
            HWY_ALIGN float each[hn::MaxLanes(d)];
            hn::Store(x, d, each);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                each[lane] = 0.5f * each[lane] * (1 + std::erf(each[lane] * (1 / std::numbers::sqrt2_v<float>)));
            x = hn::Load(d, each);
        }
        if (factors) x = hn::Mul(x, hn::Load(d, factors + i));
        hn::Store(x, d, values.data() + i);
    }
}

/// Multiplies groups of four rows, [groups, columns, 4] with `group_stride` numbers between groups, with one panel.
HWY_INLINE void multiply_groups(int groups, int columns, const float* rows, std::ptrdiff_t group_stride,
                                const float* panel, float* out) {
    for (int begin = 0; begin < columns; begin += stretch)
        for (int group = 0; group < groups; ++group)
            multiply_stretch<1>(columns, begin, panel, rows + group * group_stride, out + group * key_group * width,
                                width, NoFetch(), [](hn::Vec<F> sum) HWY_ATTR { return sum; });
}

/// Returns whether a query of the panel sees a key.
HWY_INLINE bool sees(const PanelAttention& a, int lane, int key) {
    const int distance = a.first_query + lane - key;
    return distance >= 0 && (a.window == 0 || distance < a.window);
}

/// Replaces the scores of one key by logits, −∞ where masked, and updates the largest logit of each query.
HWY_INLINE void to_logits(const PanelAttention& a, int key, float* row, float* largest) {
    for (int i = 0; i < width; ++i) {
        const int distance = a.first_query + i - key;
        row[i] = row[i] * a.scale - a.bias_per_token * static_cast<float>(distance);
    }
    const F d;
    constexpr int lanes = width / register_vectors;
    for (int v = 0; a.softcap > 0 && v < register_vectors; ++v) {
        const auto cap = hn::Set(d, a.softcap);
        hn::Store(hn::Mul(cap, hn::Tanh(d, hn::Div(hn::Load(d, row + v * lanes), cap))), d, row + v * lanes);
    }
    for (int i = 0; i < width; ++i) {
        row[i] = sees(a, i, key) ? row[i] : -std::numeric_limits<float>::infinity();
        largest[i] = std::max(largest[i], row[i]);
    }
}

/// Copies the far scores of one key over the near ones, where the query is far.
HWY_INLINE void take_far(const PanelAttention& a, int key, const float* far, float* row) {
    for (int i = 0; i < width; ++i)
        if (a.first_query + i - key >= a.far_tokens) row[i] = far[i];
}

/// Returns the group of the first key.
HWY_INLINE int first_group(const PanelAttention& a) {
    return a.begin / key_group;
}

/// Fills in the scores of whole groups of keys.
void fill_scores(const PanelAttention& a) {
    const int groups = (a.end + key_group - 1) / key_group - first_group(a);
    const std::ptrdiff_t group_stride = std::ptrdiff_t{a.head_dim} * key_group;
    multiply_groups(groups, a.head_dim, a.keys + first_group(a) * group_stride, group_stride, a.queries, a.scores);
    if (!a.far_queries) return;
    HWY_ALIGN float far[key_group * width] = {};
    for (int group = 0; group < groups; ++group) {
        multiply_groups(1, a.head_dim, a.far_keys + (first_group(a) + group) * group_stride, group_stride,
                        a.far_queries, far);
        for (int row = 0; row < key_group; ++row) {
            const int at = group * key_group + row;
            take_far(a, first_group(a) * key_group + at, far + row * width, a.scores + at * width);
        }
    }
}

/// Replaces logits, [end − begin, width], by exp(logit − largest), 0 where masked. Adds them to the sums of each query,
/// and their products with logit − largest to `products`.
void exponentiate(const PanelAttention& a, const float* largest, float* logits, double* products) {
    const F d;
    constexpr int lanes = width / register_vectors;
    const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
    HWY_ALIGN float relative[width];
    for (int key = a.begin; key < a.end; ++key) {
        float* const row = logits + (key - a.begin) * width;
        for (int v = 0; v < register_vectors; ++v) {
            const auto logit = hn::Max(hn::Load(d, row + v * lanes), lowest);
            const auto less = hn::Max(hn::Sub(logit, hn::Load(d, largest + v * lanes)), hn::Set(d, -104.0f));
            hn::Store(less, d, relative + v * lanes);
            hn::Store(hn::Exp(d, less), d, row + v * lanes);
        }
        for (int i = 0; i < width; ++i) {
            row[i] = sees(a, i, key) ? row[i] : 0;
            a.sums[i] += static_cast<double>(row[i]);
            products[i] += static_cast<double>(row[i] * relative[i]);
        }
    }
}

void attend_here(const PanelAttention& a) {
    if (!a.has_scores) fill_scores(a);
    float* const logits = a.scores + (a.begin - first_group(a) * key_group) * width;
    HWY_ALIGN float largest[width];
    std::fill_n(largest, width, -std::numeric_limits<float>::infinity());
    for (int key = a.begin; key < a.end; ++key) to_logits(a, key, logits + (key - a.begin) * width, largest);
    // Lanes after the last token may see no key at all.
    for (float& logit : largest) logit = std::max(logit, std::numeric_limits<float>::lowest());
    double products[width] = {};
    std::fill_n(a.sums, width, 0.0);
    exponentiate(a, largest, logits, products);
    for (int i = 0; i < width; ++i) {
        a.sums[i] = std::max(a.sums[i], 1e-300);  // a lane after the last token may see no key
        a.entropies[i] = std::log(a.sums[i]) - products[i] / a.sums[i];
    }
    if (!a.values) return;
    const int groups = (a.head_dim + key_group - 1) / key_group;
    multiply_groups(groups, a.end - a.begin, a.values + std::ptrdiff_t{a.begin} * key_group, a.value_stride, logits,
                    a.out);
    for (int channel = 0; channel < a.head_dim; ++channel)
        for (int i = 0; i < width; ++i) {
            float& mixed = a.out[channel * width + i];
            mixed = static_cast<float>(static_cast<double>(mixed) / a.sums[i]);
        }
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(normalize_here);
HWY_EXPORT(activate_here);
HWY_EXPORT(attend_here);

void normalize(const PanelNorm& norm) {
    HWY_DYNAMIC_DISPATCH(normalize_here)(norm);
}

void activate(GateKind kind, std::span<float> values, const float* factors) {
    HWY_DYNAMIC_DISPATCH(activate_here)(kind, values, factors);
}

void attend(const PanelAttention& attention) {
    HWY_DYNAMIC_DISPATCH(attend_here)(attention);
}

}  // namespace ropewalk::cpu
#endif
