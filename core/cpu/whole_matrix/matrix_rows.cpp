#include "core/cpu/whole_matrix/matrix_rows.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/whole_matrix/matrix_rows.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/kernels/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Floats{}));
constexpr int line = 64 / sizeof(float);  // floats in a cache line
// With several groups together, a burst would fill the queue to the second-level cache; with one group it is faster.
constexpr Pace pace = most_groups_together > 1 ? Pace::spread : Pace::burst;
constexpr int chains = 4;      // vectors reduced in parallel
constexpr int run_steps = 16;  // vectors of a chain summed in float before the sum is added in double
static_assert(panel_width<float> % key_group == 0);

/// Multiplies all groups with one stretch of a panel before the next, so that keys are loaded from memory once and are
/// in the first-level cache when needed.
void multiply_block(const RowBlock& block) {
    const Floats d;
    constexpr int width = panel_width<float>;
    const int panels_seen_whole = block.first_row / width;
    for (int row = 0; row < block.groups * key_group; ++row)
        hn::Store(hn::Set(d, -std::numeric_limits<float>::infinity()), d, block.max[row].lanes);
    for (int panel = 0; panel < block.panels; ++panel) {
        const int first_group = std::max(0, panel * width - block.first_row) / key_group;  // that sees a key
        const float* const keys = block.keys + std::ptrdiff_t{panel} * block.head_dim * width;
        for (int begin = 0; begin < block.head_dim; begin += stretch) {
            const int end = std::min(begin + stretch, block.head_dim), channels = std::min(stretch, block.head_dim);
            const float* const next = keys + end * width;  // of the panel or, after the last stretch, after it
            for_groups_together(first_group, block.groups, [&](int group, auto together) HWY_ATTR {
                const int parts = (block.groups - first_group + together - 1) / together,
                          part = (group - first_group) / together, share = (width + parts - 1) / parts;
                const Fetch<pace, float> fetch(next + part * share * channels, share, channels);
                float* const logits = block.logits + group * key_group * block.stride + panel * width;
                multiply_stretch<together>(block.head_dim, begin, keys,
                                           block.queries + std::ptrdiff_t{group} * block.head_dim * key_group, logits,
                                           block.stride, fetch, [](Vector sum) HWY_ATTR { return sum; });
                if (end < block.head_dim || panel >= panels_seen_whole) return;
                for (int row = 0; row < together * key_group; ++row) {
                    float* const max = block.max[group * key_group + row].lanes;
                    Vector most = hn::Load(d, max);
                    for (int v = 0; v < width; v += lanes)
                        most = hn::Max(most, hn::Load(d, logits + row * block.stride + v));
                    hn::Store(most, d, max);
                }
            });
        }
    }
}

/// Returns how many entries of a row are written: the visible ones and the masked ones up to the end of their cache
/// line. A partly written line must first be read from memory: at N = 4096 this was a third of the time of softmax and
/// stores.
HWY_INLINE int written_entries(const RowOut& out) {
    const auto end = reinterpret_cast<std::uintptr_t>(out.entries + out.visible) / sizeof(float);
    return std::min(out.length, out.visible + static_cast<int>(-end % line));
}

/// Writes a row, some vectors at a time: out = factor · values.
template <Stores stores>
class Writer {
  public:
    Writer() = default;
    HWY_INLINE Writer(const float* values, float factor, float* out, int count)
        : values_(values), factor_(factor), out_(out), count_(count) {
        // Streaming stores begin at an aligned address.
        const auto misplaced = static_cast<int>(reinterpret_cast<std::uintptr_t>(out_) / sizeof(float) % lanes);
        const int first = stores == Stores::cached || misplaced == 0 ? 0 : std::min(count_, lanes - misplaced);
        for (; at_ < first; ++at_) out_[at_] = factor_ * values_[at_];
    }

    HWY_INLINE void write(int vectors) {
        const Floats d;
        const Vector factors = hn::Set(d, factor_);
        const int end = std::min(at_ + vectors * lanes, count_ - lanes + 1);
        for (; at_ < end; at_ += lanes) {
            const Vector scaled = hn::Mul(factors, hn::LoadU(d, values_ + at_));
            if constexpr (stores == Stores::streaming)
                hn::Stream(scaled, d, out_ + at_);
            else
                hn::StoreU(scaled, d, out_ + at_);
        }
    }
    HWY_INLINE void finish() {
        write(count_);
        for (; at_ < count_; ++at_) out_[at_] = factor_ * values_[at_];
    }

  private:
    const float* values_ = nullptr;
    float factor_ = 1;
    float* out_ = nullptr;
    int count_ = 0, at_ = 0;
};

/// Computes values = exp(values − reference) and returns their sum. Writes another row at the same time, because one
/// waits for arithmetic and the other for memory.
template <Stores stores>
HWY_INLINE double exponentiate(float* values, int vectors, Vector reference, Writer<stores>& other) {
    const Floats d;
    const Vector origin = exponent_origin(d, reference);
    double sum = 0;
    for (int begin = 0; begin < vectors; begin += chains * run_steps) {
        const int end = std::min(begin + chains * run_steps, vectors);
        Vector sums[chains];
        for (Vector& chain : sums) chain = hn::Zero(d);
        const auto take = [&](int v, Vector& chain) HWY_ATTR {
            const Vector exponential = exp_from(d, hn::Load(d, values + v * lanes), origin);
            hn::Store(exponential, d, values + v * lanes);
            chain = hn::Add(chain, exponential);
        };
        int v = begin;
        for (; v + chains <= end; v += chains) {
            for (int chain = 0; chain < chains; ++chain) take(v + chain, sums[chain]);
            other.write(chains);
        }
        for (; v < end; ++v) take(v, sums[0]);
        const Vector run = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
        sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, run)));
    }
    return sum;
}

template <Stores stores>
void write_all(const RowBlock& block, std::span<const RowOut> rows, MatrixEntries entries) {
    const Floats d;
    constexpr int panel_vectors = panel_width<float> / lanes;
    const int vectors_seen_whole = block.first_row / panel_width<float> * panel_vectors;
    float* logits = block.logits;
    const RowMax* max_seen = block.max;
    Writer<stores> before;
    for (const RowOut& out : rows) {
        const int count = written_entries(out), vectors = (count + lanes - 1) / lanes;
        std::fill(logits + out.visible, logits + vectors * lanes, -std::numeric_limits<float>::infinity());
        float factor = 1;
        if (entries == MatrixEntries::weights) {
            Vector max = hn::Load(d, max_seen->lanes);
            for (int v = vectors_seen_whole; v < vectors; ++v) max = hn::Max(max, hn::Load(d, logits + v * lanes));
            factor = static_cast<float>(1 / exponentiate(logits, vectors, hn::MaxOfLanes(d, max), before));
        }
        before.finish();
        before = Writer<stores>(logits, factor, out.entries, count);
        logits += block.stride;
        ++max_seen;
    }
    before.finish();
    if constexpr (stores == Stores::streaming) hwy::FlushStream();  // makes the entries visible to other threads
}

void write_rows_kernel(const RowBlock& block, std::span<const RowOut> rows, MatrixEntries entries, Stores stores) {
    if (stores == Stores::streaming)
        write_all<Stores::streaming>(block, rows, entries);
    else
        write_all<Stores::cached>(block, rows, entries);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(multiply_block);
HWY_EXPORT(write_rows_kernel);

void multiply(const RowBlock& block) {
    HWY_DYNAMIC_DISPATCH(multiply_block)(block);
}
void write_rows(const RowBlock& block, std::span<const RowOut> rows, MatrixEntries entries, Stores stores) {
    HWY_DYNAMIC_DISPATCH(write_rows_kernel)(block, rows, entries, stores);
}

}  // namespace ropewalk::cpu
#endif
