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
    alignas(64) float numbers[lane_count];
    x.store(numbers);
    std::copy_n(numbers, count, to);
}

void update_here(const AdamTask& task) {
    const auto all = [](float x) HWY_ATTR { return Lanes<float>::all(x); };
    const auto first_decay = all(task.first_decay), second_decay = all(task.second_decay),
               first_rest = all(1 - task.first_decay), second_rest = all(1 - task.second_decay);
    const auto first_correction = all(task.first_correction), second_correction = all(task.second_correction),
               epsilon = all(task.epsilon), rate = all(-task.rate), weight_decay = all(task.weight_decay);
    const int block = task.place.columns.block;
    for (int row = task.first_row; row < task.first_row + task.rows; ++row)
        for (int column = 0; column < task.columns;) {
            const int count = std::min({lane_count, block - column % block, task.columns - column});
            const std::size_t padded = task.place.plain(row, column);
            auto gradient = Lanes<float>::load(task.gradients[0] + padded);
            for (std::size_t i = 1; i < task.gradients.size(); ++i)
                gradient = gradient + Lanes<float>::load(task.gradients[i] + padded);
            const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(task.columns) + column;
            const auto first = fma(first_decay, load_some(task.first_moments + at, count), first_rest * gradient);
            const auto second =
                fma(second_decay, load_some(task.second_moments + at, count), second_rest * gradient * gradient);
            const auto before = load_some(task.parameters + at, count);
            const auto step = first * first_correction / (square_root(second * second_correction) + epsilon);
            const auto after = fma(rate, fma(weight_decay, before, step), before);
            store_some(first, count, task.first_moments + at);
            store_some(second, count, task.second_moments + at);
            store_some(after, count, task.parameters + at);
            after.store(task.plain + padded);
            for (int i = 0; i < count && task.place.has_transposed; ++i)
                task.transposed[task.place.transposed(row, column + i)] = task.plain[padded + i];
            column += count;
        }
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
