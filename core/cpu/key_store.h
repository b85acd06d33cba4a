// The keys that a scan works on, read, turned and kept.
#pragma once

#include <span>

#include "core/cancel.h"
#include "core/cpu/key_reader.h"
#include "core/cpu/row_scan.h"

namespace ropewalk::cpu {

/// A problem in which keys are damped is scanned in stretches. Over one of them, damping is a factor of the key that
/// grows from 1 at its first key, and a factor of the query; neither product may leave the range of double.
constexpr double most_nepers = 460;  // over one stretch: a factor of 1e200

/// Keys in T, as many at a time as fit a limit on memory (and on damping, see most_nepers). What one problem has in
/// common with the one before is kept: rows while they come from the same source, turned rows while they are turned
/// alike.
template <class T>
class KeyStore {
  public:
    /// Makes ready for keys [0, keys) of the problem, which must outlive their use.
    void prepare(const Problem& problem, int keys);

    /// Keys that are held at a time; the last stretch may be shorter.
    int stretch() const { return stretch_; }
    /// Makes keys [begin, begin + stretch) ready, unless they are.
    KeyRange<T> load(int begin, const Cancel& cancel);
    /// These groups of keys, turned by the one regime there is, [groups, head_dim, key_group]. Nothing is damped.
    const T* load_some(std::span<const int> groups, const Cancel& cancel);
    /// Euclidean length of the longest key that was loaded since the problem was prepared.
    double greatest_length() const { return greatest_length_; }

  private:
    /// Where a group goes; `far` is null where there is one regime.
    struct Place {
        int group = 0;
        T *near = nullptr, *far = nullptr;
    };
    /// Turns `count` groups to their places, damped from the token `first_key` on. Returns the length of the longest.
    template <class PlaceOf>
    double turn_groups(int count, int first_key, const Cancel& cancel, PlaceOf place_of);

    KeyReader<T> reader_;
    KeyOrigin origin_;
    int keys_ = 0, stretch_ = 0;  // the latter a multiple of key_group
    KeyRange<T> loaded_;
    double loaded_length_ = 0;
    KeptNumbers<T> near_, far_, some_;
    double greatest_length_ = 0;
};

}  // namespace ropewalk::cpu
