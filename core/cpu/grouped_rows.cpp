#include "core/cpu/grouped_rows.h"

#include <algorithm>
#include <cmath>

namespace ropewalk::cpu {
namespace {

/// Euclidean length of the longest of the rows of a group, [head_dim, key_group].
template <class T>
double greatest_length_of(const T* group, int head_dim) {
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
    : row(static_cast<std::size_t>(head_dim)),
      group(hwy::AllocateAligned<T>(static_cast<std::size_t>(head_dim) * key_group)) {
    if (!group) throw std::bad_alloc();
}

template <class T>
void GroupedRows<T>::prepare(const RowSource& source, int seq_len, int head_dim, Keeping keeping) {
    if (!(source == source_) || seq_len != seq_len_ || head_dim != head_dim_) lengths_.clear();
    source_ = source;
    seq_len_ = seq_len;
    head_dim_ = head_dim;
    const std::size_t entries = static_cast<std::size_t>(groups()) * key_group * head_dim;
    const bool keeps = keeping == Keeping::if_there_is_room && entries * sizeof(T) <= most_bytes;
    rows_.resize(keeps ? entries : 0);
    const std::size_t kept_groups = keeps ? static_cast<std::size_t>(groups()) : 0;
    if (lengths_.size() != kept_groups) lengths_.assign(kept_groups, -1);
}

template <class T>
typename GroupedRows<T>::Group GroupedRows<T>::read(int group, Scratch& scratch) {
    T* const to = are_kept() ? rows_.values.get() + std::ptrdiff_t{group} * key_group * head_dim_ : scratch.group.get();
    if (are_kept() && lengths_[group] >= 0) return {to, lengths_[group]};
    for (int place = 0; place < key_group; ++place) {
        source_.read(std::min(group * key_group + place, seq_len_ - 1), scratch.row);
        for (int channel = 0; channel < head_dim_; ++channel)
            to[channel * key_group + place] = static_cast<T>(scratch.row[channel]);
    }
    const double length = greatest_length_of(to, head_dim_);
    if (are_kept()) lengths_[group] = length;
    return {to, length};
}

template <class T>
double GroupedRows<T>::greatest_length(int first_group, int groups) const {
    const auto first = lengths_.begin() + first_group;
    return *std::max_element(first, first + groups);
}

void ListedRows::prepare(const RowSource& source, int head_dim, std::span<const int> tokens) {
    if (source == source_ && head_dim == head_dim_ &&
        std::equal(tokens.begin(), tokens.end(), tokens_.begin(), tokens_.end()))
        return;
    source_ = source;
    head_dim_ = head_dim;
    tokens_.assign(tokens.begin(), tokens.end());
    const std::size_t entries = tokens.size() * static_cast<std::size_t>(head_dim);
    rows_.resize(entries * sizeof(double) <= most_bytes ? entries : 0);
    is_read_.assign(tokens.size(), 0);
}

void ListedRows::read(int index, std::span<double> row) {
    const auto kept = rows_.begin() + std::ptrdiff_t{index} * head_dim_;
    if (!rows_.empty() && is_read_[index]) {
        std::copy_n(kept, head_dim_, row.begin());
        return;
    }
    source_.read(tokens_[index], row);
    if (rows_.empty()) return;
    std::copy(row.begin(), row.end(), kept);
    is_read_[index] = 1;
}

template class GroupedRows<float>;
template class GroupedRows<double>;

}  // namespace ropewalk::cpu
