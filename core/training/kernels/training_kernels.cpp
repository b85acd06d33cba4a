#include <algorithm>

#include "core/training/kernels/sequence.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/training/kernels/training_kernels.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/training/kernels/sequence-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {

SequenceScore read_here(const SequenceTask<float>& task) {
    return read_one(task);
}
SequenceScore train_here(const SequenceTask<float>& task, const GradientTask<float>& gradient) {
    return train_one(task, gradient);
}

/// Up to 16 numbers, the others 0.
HWY_INLINE Lanes<float> load_some(const float* from, int count) {
    if (count == lane_count) {
        Lanes<float> x;
        for (int i = 0; i < vectors<float>; ++i) x.part[i] = hn::LoadU(Tag<float>{}, from + i * vector_lanes<float>);
        return x;
    }
    alignas(64) float numbers[lane_count] = {};
    std::copy_n(from, count, numbers);
    return Lanes<float>::load(numbers);
}
HWY_INLINE void store_some(Lanes<float> x, int count, float* to) {
    if (count == lane_count) {
        for (int i = 0; i < vectors<float>; ++i) hn::StoreU(x.part[i], Tag<float>{}, to + i * vector_lanes<float>);
        return;
    }
    alignas(64) float numbers[lane_count];
    x.store(numbers);
    std::copy_n(numbers, count, to);
}

/// AdamW's numbers in all lanes.
struct AdamConstants {
    Lanes<float> first_decay, second_decay, first_rest, second_rest, first_correction, second_correction, epsilon,
        minus_rate, weight_decay;

    explicit HWY_INLINE AdamConstants(const AdamTask& task)
        : first_decay(Lanes<float>::all(task.first_decay)),
          second_decay(Lanes<float>::all(task.second_decay)),
          first_rest(Lanes<float>::all(1 - task.first_decay)),
          second_rest(Lanes<float>::all(1 - task.second_decay)),
          first_correction(Lanes<float>::all(task.first_correction)),
          second_correction(Lanes<float>::all(task.second_correction)),
          epsilon(Lanes<float>::all(task.epsilon)),
          minus_rate(Lanes<float>::all(-task.rate)),
          weight_decay(Lanes<float>::all(task.weight_decay)) {}
};

/// Updates `count` ≤ 16 numbers of a row, the first of which are at `flat` in the parameters and at `padded` in the
/// padded weights.
HWY_INLINE void update_some(const AdamTask& task, const AdamConstants& c, std::size_t flat, std::size_t padded,
                            int count) {
    auto gradient = Lanes<float>::load(task.gradients[0] + padded);
    for (std::size_t i = 1; i < task.gradients.size(); ++i)
        gradient = gradient + Lanes<float>::load(task.gradients[i] + padded);
    const auto first = fma(c.first_decay, load_some(task.first_moments + flat, count), c.first_rest * gradient);
    const auto second =
        fma(c.second_decay, load_some(task.second_moments + flat, count), c.second_rest * gradient * gradient);
    const auto before = load_some(task.parameters + flat, count);
    const auto step = first * c.first_correction / (square_root(second * c.second_correction) + c.epsilon);
    const auto after = fma(c.minus_rate, fma(c.weight_decay, before, step), before);
    store_some(first, count, task.first_moments + flat);
    store_some(second, count, task.second_moments + flat);
    store_some(after, count, task.parameters + flat);
    after.store(task.plain + padded);
}

/// Copies updated rows to the transposed weights.
void transpose_rows(const AdamTask& task) {
    const TensorPlace& place = task.place;
    const int first = place.rows.at(task.first_row), last = task.first_row + task.rows - 1;
    const bool is_block =
        task.rows == lane_count && first % lane_count == 0 && place.rows.at(last) == first + lane_count - 1;
    for (int column = 0; column < task.columns;) {
        const int block = place.columns.block, count = std::min(lane_count, block - column % block);
        if (is_block)
            transpose_block(task.plain + place.plain(task.first_row, column),
                            task.transposed + place.transposed(task.first_row, column));
        else
            for (int row = task.first_row; row <= last; ++row)
                for (int i = 0; i < count; ++i)
                    task.transposed[place.transposed(row, column + i)] = task.plain[place.plain(row, column + i)];
        column += count;
    }
}

void update_here(const AdamTask& task) {
    const AdamConstants constants(task);
    const PaddedBlocks& columns = task.place.columns;
    for (int row = task.first_row; row < task.first_row + task.rows; ++row)
        for (int column = 0; column < task.columns;) {
            const int count = std::min(lane_count, columns.block - column % columns.block);
            const std::size_t flat = static_cast<std::size_t>(row) * static_cast<std::size_t>(task.columns) +
                                     static_cast<std::size_t>(column);
            update_some(task, constants, flat, task.place.plain(row, column), count);
            column += count;
        }
    if (task.place.has_transposed) transpose_rows(task);
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::training {

HWY_EXPORT(read_here);
HWY_EXPORT(train_here);
HWY_EXPORT(update_here);

SequenceScore read_sequence(const SequenceTask<float>& task) {
    return HWY_DYNAMIC_DISPATCH(read_here)(task);
}
SequenceScore train_sequence(const SequenceTask<float>& task, const GradientTask<float>& gradient) {
    return HWY_DYNAMIC_DISPATCH(train_here)(task, gradient);
}
void update(const AdamTask& task) {
    HWY_DYNAMIC_DISPATCH(update_here)(task);
}

}  // namespace ropewalk::training
#endif
