#include "core/cpu/key_store.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace ropewalk::cpu {
namespace {

constexpr int task_groups = 16;

/// Of the pair that is damped most.
double most_nepers_per_token(const Problem& problem) {
    double most = 0;
    for (int pair = 0; pair < problem.lowered.pairs(); ++pair)
        most = std::max(most, problem.lowered.nepers_over(pair, problem.positions.stride));
    return most;
}

}  // namespace

template <class T>
void KeyStore<T>::prepare(const Problem& problem, int keys) {
    reader_.prepare(problem);
    KeyOrigin origin = KeyOrigin::of(problem);
    if (!(origin == origin_)) loaded_ = {};
    greatest_length_ = 0;
    origin_ = std::move(origin);
    keys_ = keys;

    const std::size_t key_bytes = sizeof(T) * problem.head_dim() * (reader_.has_far() ? 2 : 1);
    const std::size_t all_bytes = key_bytes * problem.seq_len;
    const int most_keys = static_cast<int>(std::max<std::size_t>(kept_bytes(all_bytes) / key_bytes, 1));
    stretch_ = (most_keys + key_group - 1) / key_group * key_group;
    if (const double nepers = most_nepers_per_token(problem); nepers * stretch_ > most_nepers)
        stretch_ = static_cast<int>(most_nepers / nepers) / key_group * key_group;
    ensure(stretch_ > 0, "damping must leave something of a pair over a few tokens");
    const std::size_t entries = static_cast<std::size_t>(stretch_) * problem.head_dim();
    const std::size_t far_entries = reader_.has_far() ? entries : 0;
    if (entries != near_.size || far_entries != far_.size) loaded_ = {};
    near_.resize(entries);
    far_.resize(far_entries);
}

template <class T>
template <class PlaceOf>
double KeyStore<T>::turn_groups(int count, int first_key, const Cancel& cancel, PlaceOf place_of) {
    const int tasks = (count + task_groups - 1) / task_groups;
    std::vector<double> greatest_lengths(static_cast<std::size_t>(tasks));
    tbb::parallel_for(0, tasks, [&](int task) {
        cancel.check();
        typename KeyReader<T>::Scratch scratch(origin_.lowered.head_dim());
        double& greatest_length = greatest_lengths[task];
        for (int i = task * task_groups; i < std::min(count, (task + 1) * task_groups); ++i) {
            const Place place = place_of(i);
            greatest_length =
                std::max(greatest_length, reader_.read(place.group, first_key, scratch, {place.near}, {place.far}));
        }
    });
    return *std::max_element(greatest_lengths.begin(), greatest_lengths.end());
}

template <class T>
KeyRange<T> KeyStore<T>::load(int begin, const Cancel& cancel) {
    const int end = std::min(begin + stretch_, keys_);
    const int first_group = begin / key_group, groups = (end - begin + key_group - 1) / key_group;
    if (loaded_.near && loaded_.begin == begin &&
        (loaded_.end == end || (loaded_.end > end && reader_.has_lengths()))) {
        const double longest = reader_.has_lengths() ? reader_.greatest_length(first_group, groups) : loaded_length_;
        greatest_length_ = std::max(greatest_length_, longest);
        return {begin, end, loaded_.near, loaded_.far};
    }
    loaded_ = {};
    loaded_length_ = turn_groups(groups, begin, cancel, [&](int i) -> Place {
        const std::ptrdiff_t offset = std::ptrdiff_t{i} * key_group * origin_.lowered.head_dim();
        return {first_group + i, near_.values.get() + offset, reader_.has_far() ? far_.values.get() + offset : nullptr};
    });
    greatest_length_ = std::max(greatest_length_, loaded_length_);
    return loaded_ = {.begin = begin, .end = end, .near = near_.values.get(), .far = far_.values.get()};
}

template <class T>
const T* KeyStore<T>::load_some(std::span<const int> groups, const Cancel& cancel) {
    const std::size_t group_entries = static_cast<std::size_t>(key_group) * origin_.lowered.head_dim();
    some_.resize(groups.size() * group_entries);
    const double longest = turn_groups(static_cast<int>(groups.size()), 0, cancel, [&](int i) -> Place {
        return {groups[i], some_.values.get() + i * group_entries, nullptr};
    });
    greatest_length_ = std::max(greatest_length_, longest);
    return some_.values.get();
}

template class KeyStore<float>;
template class KeyStore<double>;

}  // namespace ropewalk::cpu
