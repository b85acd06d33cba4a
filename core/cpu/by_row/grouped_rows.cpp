#include "core/cpu/by_row/grouped_rows.h"

#include <algorithm>
#include <cmath>

namespace ropewalk::cpu {
namespace {

/// Returns the Euclidean length of the longest row of a group, [head_dim, key_group].
template <class T>
double max_length_of(const T* group, int head_dim) {
    double squares[key_group] = {};
    for (int channel = 0; channel < head_dim; ++channel)
        for (int place = 0; place < key_group; ++place) {
            const auto entry = static_cast<double>(group[channel * key_group + place]);
            squares[place] += entry * entry;
        }
    return std::sqrt(*std::max_element(squares, squares + key_group));
}

}  // namespace

template <class T>
GroupedRows<T>::Scratch::Scratch(int head_dim)
    : row(static_cast<std::size_t>(head_dim)), group(large_array<T>(static_cast<std::size_t>(head_dim) * key_group)) {}

template <class T>
void GroupedRows<T>::prepare(const RowSource& source, int seq_len, int head_dim, Keeping keeping) {
    const bool is_cached = keeping == Keeping::while_there_is_room;
    const bool is_another = !(source == source_) || seq_len != seq_len_ || head_dim != head_dim_;
    if (is_cached == has_lengths() && !is_another) return;
    slots_.clear();
    lengths_.clear();
    source_ = source;
    seq_len_ = seq_len;
    head_dim_ = head_dim;
    const std::size_t group_entries = static_cast<std::size_t>(key_group) * head_dim, all = is_cached ? groups() : 0,
                      group_bytes = group_entries * sizeof(T);
    rows_.resize(cached_bytes(all * group_bytes) / group_bytes * group_entries);
    slots_.assign(all, -1);
    lengths_.assign(all, 0);
    taken_ = 0;
}

template <class T>
typename GroupedRows<T>::Group GroupedRows<T>::read(int group, Scratch& scratch) {
    const std::size_t group_entries = static_cast<std::size_t>(key_group) * head_dim_;
    const auto cached_at = [&](int slot) { return rows_.values.get() + slot * group_entries; };
    if (has_lengths() && slots_[group] >= 0) return {cached_at(slots_[group]), lengths_[group]};
    const bool may_keep = has_lengths() && taken_ * group_entries < rows_.size;
    const int slot = may_keep ? taken_++ : 0;
    const bool is_cached = may_keep && slot * group_entries < rows_.size;
    T* const to = is_cached ? cached_at(slot) : scratch.group.get();
    for (int place = 0; place < key_group; ++place) {
        source_.read(std::min(group * key_group + place, seq_len_ - 1), scratch.row);
        for (int channel = 0; channel < head_dim_; ++channel) {
            const int half = channel % 2 * (head_dim_ / 2);
            to[(half + channel / 2) * key_group + place] = static_cast<T>(scratch.row[channel]);
        }
    }
    const double length = max_length_of(to, head_dim_);
    if (has_lengths()) lengths_[group] = length;
    if (is_cached) slots_[group] = slot;
    return {to, length};
}

void ListedRows::prepare(const RowSource& source, int head_dim, std::span<const int> tokens) {
    if (source == source_ && head_dim == head_dim_ &&
        std::equal(tokens.begin(), tokens.end(), tokens_.begin(), tokens_.end()))
        return;
    tokens_.clear();  // if this throws, no row is marked as known
    source_ = source;
    head_dim_ = head_dim;
    const std::size_t entries = tokens.size() * static_cast<std::size_t>(head_dim);
    rows_.resize(entries * sizeof(double) <= most_bytes ? entries : 0);
    is_read_.assign(tokens.size(), 0);
    tokens_.assign(tokens.begin(), tokens.end());
}

void ListedRows::read(int index, std::span<double> row) {
    const auto cached = rows_.begin() + std::ptrdiff_t{index} * head_dim_;
    if (!rows_.empty() && is_read_[index]) {
        std::copy_n(cached, head_dim_, row.begin());
        return;
    }
    source_.read(tokens_[index], row);
    if (rows_.empty()) return;
    std::copy(row.begin(), row.end(), cached);
    is_read_[index] = 1;
}

template class GroupedRows<float>;
template class GroupedRows<double>;

}  // namespace ropewalk::cpu
