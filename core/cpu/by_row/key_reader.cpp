#include "core/cpu/by_row/key_reader.h"

#include <algorithm>

namespace ropewalk::cpu {
namespace {

/// Multiplies a row, in the layout of `rotate_row`, by the inverse of the damping over `distance`.
void undamp(const LoweredEncoding& lowered, std::int64_t distance, std::span<double> row) {
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double factor = lowered.left_over(pair, -distance);
        row[pair] *= factor;
        row[lowered.pairs() + pair] *= factor;
    }
}

bool only_rotates(const LoweredEncoding& lowered) {
    return lowered.rotates() && lowered.damping.empty();
}

}  // namespace

template <class T>
void KeyReader<T>::prepare(const Problem& problem) {
    problem_ = &problem;
    reader_.emplace(problem, RowReader::Side::key, 1);
    near_rotator_.emplace(problem, problem.lowered.near.key, 1);
    far_rotator_.reset();
    if (const auto& far = problem.lowered.far) far_rotator_.emplace(problem, far->maps.key, 1);
    // Rows that are all equal, or not only rotated, are read again each time.
    const bool keeps_rows = only_rotates(problem.lowered) && !problem.inputs.k.is_constant();
    rows_.prepare(problem.inputs.k, problem.seq_len, problem.head_dim(),
                  keeps_rows ? GroupedRows<T>::Keeping::while_there_is_room : GroupedRows<T>::Keeping::none);
}

template <class T>
double KeyReader<T>::read(int group, int first_key, Scratch& scratch, RotatedRows<T> near, RotatedRows<T> far) {
    if (only_rotates(problem_->lowered)) {
        const auto as_they_come = rows_.read(group, scratch.group);
        near_rotator_->rotate<T>(group, as_they_come.rows, near, scratch.near);
        if (far_rotator_) far_rotator_->rotate<T>(group, as_they_come.rows, far, scratch.far);
        return as_they_come.max_length;
    }
    // One row at a time, in double, with waves and damping.
    double max_length = 0;
    for (int lane = 0; lane < key_group; ++lane) {
        const int key = std::min(group * key_group + lane, problem_->seq_len - 1);
        max_length = std::max(max_length, reader_->read(key, scratch.row));
        if (!problem_->lowered.damping.empty())
            undamp(problem_->lowered, problem_->position(key) - problem_->position(first_key), scratch.row.near);
        for (int channel = 0; channel < problem_->head_dim(); ++channel) {
            near.values[channel * near.stride + lane] = static_cast<T>(scratch.row.near[channel]);
            if (far_rotator_) far.values[channel * far.stride + lane] = static_cast<T>(scratch.row.far[channel]);
        }
    }
    return max_length;
}

template class KeyReader<float>;
template class KeyReader<double>;

}  // namespace ropewalk::cpu
