#include "core/cpu/matrix_rows.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/matrix_rows.cpp"
#include "core/cpu/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Floats{}));
constexpr int chains = 4;      // vectors that are reduced side by side
constexpr int run_steps = 16;  // vectors of a chain that are summed in float before they are added up in double
static_assert(panel_width<float> % key_group == 0);

/// All groups meet one stretch of a panel before the next, which is fetched meanwhile: keys come from memory once, and
/// are in the first-level cache when they are wanted.
void multiply_block(const RowBlock& block) {
    constexpr int width = panel_width<float>;
    for (int panel = 0; panel < block.panels; ++panel) {
        const int first_group = std::max(0, panel * width - block.first_row) / key_group;  // that sees a key
        const float* const keys = block.keys + std::ptrdiff_t{panel} * block.head_dim * width;
        for (int begin = 0; begin < block.head_dim; begin += stretch) {
            const int next = std::min(begin + stretch, block.head_dim);  // of the panel or, after the last, behind it
            for (int group = first_group; group < block.groups; ++group) {
                prefetch(keys + next * width, std::min(stretch, block.head_dim) * width, group - first_group,
                         block.groups - first_group);
                multiply_stretch(block.head_dim, begin, keys,
                                 block.queries + std::ptrdiff_t{group} * block.head_dim * key_group,
                                 block.logits + group * key_group * block.stride + panel * width, block.stride,
                                 [](Vector sum) HWY_ATTR { return sum; });
            }
        }
    }
}

HWY_INLINE Vector greatest_of(const float* values, int vectors) {
    const Floats d;
    Vector greatest[chains];
    for (Vector& chain : greatest) chain = hn::Set(d, -std::numeric_limits<float>::infinity());
    int v = 0;
    for (; v + chains <= vectors; v += chains)
        for (int chain = 0; chain < chains; ++chain)
            greatest[chain] = hn::Max(greatest[chain], hn::Load(d, values + (v + chain) * lanes));
    for (; v < vectors; ++v) greatest[0] = hn::Max(greatest[0], hn::Load(d, values + v * lanes));
    return hn::MaxOfLanes(d, hn::Max(hn::Max(greatest[0], greatest[1]), hn::Max(greatest[2], greatest[3])));
}

/// A row on its way out, some vectors at a time: out = factor · values.
template <Stores stores>
class Writer {
  public:
    Writer() = default;
    Writer(const float* values, float factor, const RowOut& out)
        : values_(values), factor_(factor), out_(out.entries), count_(out.visible) {
        // Streams begin where a vector may.
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
    void finish() {
        write(count_);
        for (; at_ < count_; ++at_) out_[at_] = factor_ * values_[at_];
    }

  private:
    const float* values_ = nullptr;
    float factor_ = 1;
    float* out_ = nullptr;
    int count_ = 0, at_ = 0;
};

/// values = exp(values − reference), and their sum. Another row is written meanwhile: the one waits for arithmetic, the
/// other for memory.
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
void write_all(float* logits, std::ptrdiff_t stride, const RowsOut& all) {
    Writer<stores> before;
    for (const RowOut& out : all.rows) {
        const int vectors = (out.visible + lanes - 1) / lanes;
        float factor = 1;
        if (all.entries == MatrixEntries::weights) {
            std::fill(logits + out.visible, logits + vectors * lanes, -std::numeric_limits<float>::infinity());
            const Vector greatest = greatest_of(logits, vectors);
            factor = static_cast<float>(1 / exponentiate(logits, vectors, greatest, before));
        }
        before.finish();
        before = Writer<stores>(logits, factor, out);
        logits += stride;
    }
    before.finish();
}

void write_rows_kernel(float* logits, std::ptrdiff_t stride, const RowsOut& out) {
    if (out.stores == Stores::streaming)
        write_all<Stores::streaming>(logits, stride, out);
    else
        write_all<Stores::cached>(logits, stride, out);
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
void write_rows(float* logits, std::ptrdiff_t stride, const RowsOut& out) {
    HWY_DYNAMIC_DISPATCH(write_rows_kernel)(logits, stride, out);
}

}  // namespace ropewalk::cpu
#endif
