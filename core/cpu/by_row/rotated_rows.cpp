#include "core/cpu/by_row/rotated_rows.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace ropewalk::cpu {
static_assert(key_group == rotation_lanes);
constexpr int longest_run = 16;  // groups rotated by angle addition before sines are computed again

int far_tokens(const Problem& problem) {
    // All values beyond ± seq_len are equivalent.
    return static_cast<int>(std::clamp<std::int64_t>(problem.first_far(), -problem.seq_len, problem.seq_len));
}

RowReader::RowReader(const Problem& problem, Side side, double factor)
    : problem_(problem),
      source_(side == Side::query ? problem.inputs.q : problem.inputs.k),
      near_(problem.lowered, side == Side::query ? problem.lowered.near.query : problem.lowered.near.key, factor) {
    if (const auto& far = problem.lowered.far)
        far_.emplace(problem.lowered, side == Side::query ? far->maps.query : far->maps.key, factor);
    if (!problem.lowered.rotates())
        for (int channel = 0; channel < problem.head_dim(); ++channel) unit_.push_back(channel % 2 == 0 ? 1 : 0);
}

double RowReader::rotate(int token, Scratch& scratch) const {
    if (unit_.empty()) {
        rotate_row(near_, problem_.position(token), scratch.row, scratch.near);
    } else {
        const std::vector<int>& waves = problem_.lowered.added_waves;
        const std::size_t pairs = waves.size() / 2;
        rotate_row(near_, problem_.position(token), unit_, scratch.far);  // cosines, then sines
        for (std::size_t channel = 0; channel < waves.size(); ++channel) {
            const auto wave = static_cast<std::size_t>(waves[channel]);
            scratch.near[channel % 2 * pairs + channel / 2] =
                near_.factor * scratch.row[channel] + scratch.far[(1 - wave % 2) * pairs + wave / 2];
        }
    }
    if (far_) rotate_row(*far_, problem_.position(token), scratch.row, scratch.far);
    double squared = 0;
    for (const double entry : scratch.near) squared += entry * entry;
    return std::sqrt(squared);
}

GroupRotator::GroupRotator(const Problem& problem, const PositionMap& map, double factor)
    : problem_(problem), rotation_(problem.lowered, map, factor) {
    if (!problem.lowered.positions && rotation_.map.group == 1) even_.emplace(rotation_, problem.positions.stride);
}

template <class T>
void GroupRotator::rotate(int group, const T* rows, RotatedRows<T> out, Run& run) const {
    const auto position = [&](int place) {
        return problem_.position(std::min(group * key_group + place, problem_.seq_len - 1));
    };
    if (!even_) {
        std::int64_t positions[key_group];
        for (int place = 0; place < key_group; ++place) positions[place] = position(place);
        return rotate_rows<T>(rotation_, positions, rows, out);
    }
    if (group != run.next_group || group % longest_run == 0) even_->begin(rotation_, position(0), run.turns);
    even_->rotate<T>(run.turns, rows, out);
    run.next_group = group + 1;
}
template void GroupRotator::rotate(int, const float*, RotatedRows<float>, Run&) const;
template void GroupRotator::rotate(int, const double*, RotatedRows<double>, Run&) const;

}  // namespace ropewalk::cpu
