#include "core/cpu/rotated_rows.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace ropewalk::cpu {
namespace {

constexpr std::size_t most_key_bytes = std::size_t{64} << 20;  // of turned keys held at a time
constexpr int task_groups = 16;
static_assert(key_group == rotation_lanes);

/// Of the pair that is damped most.
double most_nepers_per_token(const Problem& problem) {
    double most = 0;
    for (int pair = 0; pair < problem.lowered.pairs(); ++pair)
        most = std::max(most, problem.lowered.nepers_over(pair, problem.positions.stride));
    return most;
}

/// Multiplies a row, laid out as `rotate_row` does, by what undoes the damping over `distance`.
void undamp(const Lowered& lowered, std::int64_t distance, std::span<double> row) {
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double factor = lowered.left_over(pair, -distance);
        row[pair] *= factor;
        row[lowered.pairs() + pair] *= factor;
    }
}

}  // namespace

int far_tokens(const Problem& problem) {
    // stride · tokens ≥ window, from the least number of tokens on; beyond ± seq_len all numbers mean the same.
    const std::int64_t window = problem.lowered.far->window, stride = problem.positions.stride;
    const std::int64_t remainder = window % stride, tokens = (window - remainder) / stride + (remainder > 0 ? 1 : 0);
    return static_cast<int>(std::clamp<std::int64_t>(tokens, -problem.seq_len, problem.seq_len));
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

double RowReader::turn(int token, Scratch& scratch) const {
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

GroupTurner::GroupTurner(const Problem& problem, const PositionMap& map, double factor)
    : problem_(problem), rotation_(problem.lowered, map, factor) {
    if (!problem.lowered.positions && rotation_.group == 1) turns_.emplace(rotation_, problem.positions.stride);
}

template <class T>
void GroupTurner::turn(int group, const T* rows, TurnedRows<T> out) const {
    std::int64_t positions[key_group];
    for (int place = 0; place < key_group; ++place)
        positions[place] = problem_.position(std::min(group * key_group + place, problem_.seq_len - 1));
    if (turns_)
        rotate_evenly<T>(rotation_, *turns_, positions[0], rows, out);
    else
        rotate_rows<T>(rotation_, positions, rows, out);
}
template void GroupTurner::turn(int, const float*, TurnedRows<float>) const;
template void GroupTurner::turn(int, const double*, TurnedRows<double>) const;

template <class T>
void KeyStore<T>::prepare(const Problem& problem, int keys) {
    problem_ = &problem;
    reader_.emplace(problem, RowReader::Side::key, 1);
    near_turner_.emplace(problem, problem.lowered.near.key, 1);
    far_turner_.reset();
    if (const auto& far = problem.lowered.far) far_turner_.emplace(problem, far->maps.key, 1);
    Origin origin{problem.inputs.k, problem.seq_len, problem.lowered, problem.positions};
    if (!(origin == origin_)) loaded_ = {};
    greatest_length_ = 0;
    origin_ = std::move(origin);
    keys_ = keys;

    const std::size_t key_bytes = sizeof(T) * problem.head_dim() * (reader_->has_far() ? 2 : 1);
    const int most_keys = static_cast<int>(std::clamp<std::size_t>(most_key_bytes / key_bytes, 1, problem.seq_len));
    stretch_ = (most_keys + key_group - 1) / key_group * key_group;
    if (const double nepers = most_nepers_per_token(problem); nepers * stretch_ > most_nepers)
        stretch_ = static_cast<int>(most_nepers / nepers) / key_group * key_group;
    ensure(stretch_ > 0, "damping must leave something of a pair over a few tokens");
    const std::size_t entries = static_cast<std::size_t>(stretch_) * problem.head_dim();
    const std::size_t far_entries = reader_->has_far() ? entries : 0;
    if (entries != near_.size || far_entries != far_.size) loaded_ = {};
    near_.resize(entries);
    far_.resize(far_entries);

    // Rows that are all the same, or that are not only turned, are read again each time.
    const bool keeps_rows =
        problem.lowered.rotates() && problem.lowered.damping.empty() && !problem.inputs.k.is_constant();
    rows_.prepare(problem.inputs.k, problem.seq_len, problem.head_dim(),
                  keeps_rows ? GroupedRows<T>::Keeping::while_there_is_room : GroupedRows<T>::Keeping::none);
}

/// One row at a time, with waves and damping.
template <class T>
void KeyStore<T>::turn_in_double(const Place& place, int first_key, RowReader::Scratch& scratch,
                                 double& greatest_length) const {
    for (int lane = 0; lane < key_group; ++lane) {
        const int key = std::min(place.group * key_group + lane, problem_->seq_len - 1);
        greatest_length = std::max(greatest_length, reader_->read(key, scratch));
        if (!problem_->lowered.damping.empty())
            undamp(problem_->lowered, problem_->position(key) - problem_->position(first_key), scratch.near);
        for (int channel = 0; channel < problem_->head_dim(); ++channel) {
            place.near[channel * key_group + lane] = static_cast<T>(scratch.near[channel]);
            if (place.far) place.far[channel * key_group + lane] = static_cast<T>(scratch.far[channel]);
        }
    }
}

template <class T>
template <class PlaceOf>
double KeyStore<T>::turn_groups(int count, int first_key, const Cancel& cancel, PlaceOf place_of) {
    const bool only_turns = problem_->lowered.rotates() && problem_->lowered.damping.empty();
    const int tasks = (count + task_groups - 1) / task_groups;
    std::vector<double> greatest_lengths(static_cast<std::size_t>(tasks));
    tbb::parallel_for(0, tasks, [&](int task) {
        cancel.check();
        RowReader::Scratch scratch(problem_->head_dim());
        typename GroupedRows<T>::Scratch group_scratch(problem_->head_dim());
        double& greatest_length = greatest_lengths[task];
        for (int i = task * task_groups; i < std::min(count, (task + 1) * task_groups); ++i) {
            const Place place = place_of(i);
            if (only_turns) {
                const auto as_they_come = rows_.read(place.group, group_scratch);
                greatest_length = std::max(greatest_length, as_they_come.greatest_length);
                near_turner_->turn<T>(place.group, as_they_come.rows, {place.near});
                if (place.far) far_turner_->turn<T>(place.group, as_they_come.rows, {place.far});
            } else {
                turn_in_double(place, first_key, scratch, greatest_length);
            }
        }
    });
    return *std::max_element(greatest_lengths.begin(), greatest_lengths.end());
}

template <class T>
KeyRange<T> KeyStore<T>::load(int begin, const Cancel& cancel) {
    const int end = std::min(begin + stretch_, keys_);
    const int head_dim = problem_->head_dim(), first_group = begin / key_group,
              groups = (end - begin + key_group - 1) / key_group;
    if (loaded_.near && loaded_.begin == begin && (loaded_.end == end || (loaded_.end > end && rows_.has_lengths()))) {
        const double longest = rows_.has_lengths() ? rows_.greatest_length(first_group, groups) : loaded_length_;
        greatest_length_ = std::max(greatest_length_, longest);
        return {begin, end, loaded_.near, loaded_.far};
    }
    loaded_ = {};
    loaded_length_ = turn_groups(groups, begin, cancel, [&](int i) -> Place {
        const std::ptrdiff_t offset = std::ptrdiff_t{i} * key_group * head_dim;
        return {first_group + i, near_.values.get() + offset, far_turner_ ? far_.values.get() + offset : nullptr};
    });
    greatest_length_ = std::max(greatest_length_, loaded_length_);
    return loaded_ = {.begin = begin, .end = end, .near = near_.values.get(), .far = far_.values.get()};
}

template <class T>
const T* KeyStore<T>::load_some(std::span<const int> groups, const Cancel& cancel) {
    const std::size_t group_entries = static_cast<std::size_t>(key_group) * problem_->head_dim();
    some_.resize(groups.size() * group_entries);
    const double longest = turn_groups(static_cast<int>(groups.size()), 0, cancel, [&](int i) -> Place {
        return {groups[i], some_.values.get() + i * group_entries, nullptr};
    });
    greatest_length_ = std::max(greatest_length_, longest);
    return some_.values.get();
}

template <class T>
QueryPanels<T>::QueryPanels(const Task& task, std::span<const int> rows, int numbers) {
    const RowReader reader(task.problem, RowReader::Side::query, 1);
    const int head_dim = task.problem.head_dim(),
              count = (static_cast<int>(rows.size()) + panel_rows_ - 1) / panel_rows_;
    const std::size_t panel_entries = static_cast<std::size_t>(panel_rows_) * head_dim;
    const std::size_t panel_cells = static_cast<std::size_t>(panel_rows_) * numbers;
    task.as_they_come.prepare(task.problem.inputs.q, head_dim, rows);
    near_ = task.workspace.template take<T>(count * panel_entries);
    if (reader.has_far()) far_ = task.workspace.template take<T>(count * panel_entries);
    if (!task.problem.lowered.damping.empty()) damped_ = task.workspace.template take<T>(count * panel_entries);
    cells_ = task.workspace.template take<T>(count * panel_cells);
    panels_.resize(static_cast<std::size_t>(count));
    std::vector<double> greatest_lengths(static_cast<std::size_t>(count));
    tbb::parallel_for(0, count, [&](int p) {
        task.cancel.check();
        const std::span<const int> own =
            rows.subspan(p * panel_rows_, std::min<std::size_t>(panel_rows_, rows.size() - p * panel_rows_));
        T* const near = near_.data() + p * panel_entries;
        T* const far = far_ ? far_.data() + p * panel_entries : nullptr;
        RowReader::Scratch scratch(head_dim);
        for (int lane = 0; lane < panel_rows_; ++lane) {
            // Lanes without a row repeat the last one, already in the scratch space.
            if (lane < static_cast<int>(own.size())) {
                task.as_they_come.read(p * panel_rows_ + lane, scratch.row);
                greatest_lengths[p] = std::max(greatest_lengths[p], reader.turn(own[lane], scratch));
            }
            for (int channel = 0; channel < head_dim; ++channel) {
                near[channel * panel_rows_ + lane] = static_cast<T>(scratch.near[channel]);
                if (far) far[channel * panel_rows_ + lane] = static_cast<T>(scratch.far[channel]);
            }
        }
        panels_[p].near = near;
        panels_[p].far = far;
        panels_[p].cells = cells_.data() + p * panel_cells;
        start(panels_[p], own);
    });
    for (const double length : greatest_lengths) greatest_length_ = std::max(greatest_length_, length);
}

template <class T>
void QueryPanels<T>::damp(const Problem& problem, int first_key, const Cancel& cancel) {
    if (!damped_) return;
    const int pairs = problem.lowered.pairs();
    tbb::parallel_for(std::size_t{0}, panels_.size(), [&](std::size_t p) {
        cancel.check();
        const std::size_t begin = p * 2 * pairs * panel_rows_;
        for (int lane = 0; lane < panel_rows_; ++lane) {
            const int row = static_cast<int>(panels_[p].rows[lane]);
            // Before the first key of a stretch a causal query sees none of it.
            const bool sees = problem.mask == Mask::none || row >= first_key;
            const std::int64_t distance = problem.position(row) - problem.position(first_key);
            for (int pair = 0; pair < pairs; ++pair) {
                const T factor = sees ? static_cast<T>(problem.lowered.left_over(pair, distance)) : 0;
                for (const int channel : {pair, pairs + pair}) {
                    const std::size_t at = begin + static_cast<std::size_t>(channel) * panel_rows_ + lane;
                    damped_[at] = factor * near_[at];
                }
            }
        }
        panels_[p].near = damped_.data() + begin;
    });
}

template class KeyStore<float>;
template class KeyStore<double>;
template class QueryPanels<float>;
template class QueryPanels<double>;

}  // namespace ropewalk::cpu
