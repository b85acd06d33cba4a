// Sums and extremes over windows of a series, for many widths.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/machine/workspace.h"
#include "core/numbers/numbers.h"
#include "core/series/vector_math.h"

namespace ropewalk {

/// The sum of a window's values; `Max` and `Min` are the other two folds.
struct Sum {
    static constexpr double nothing = 0;
    static double of(double a, double b) { return a + b; }
};
struct Max {
    static constexpr double nothing = -infinity;
    static double of(double a, double b) { return std::max(a, b); }
};
struct Min {
    static constexpr double nothing = infinity;
    static double of(double a, double b) { return std::min(a, b); }
};

/// Sum, max or min of any window that is not narrower than a given width. The series is cut into blocks no longer than
/// that, so a window is the end of one block, whole blocks and the beginning of another (van Herk 1992; Gil and Werman
/// 1993). Nothing is subtracted, so sums keep their relative accuracy however small a window's values are.
template <class Fold>
class WindowTable {
  public:
    /// A table for a series of `size` values, which `take` adds; `narrowest` ≥ 1. `outside` is the value at places
    /// before the series.
    WindowTable(std::size_t size, int narrowest, double outside, Workspace& workspace);

    /// Adds values[begin …] and does not refer to them afterwards. `begin` is a multiple of `longest_block`, and so is
    /// their number except at the series' end. Different threads may add different ranges.
    void take(std::size_t begin, std::span<const double> values);
    static constexpr std::size_t longest_block = 1024;

    /// Returns the fold of values[first … last]; `first` may be before the series.
    double of(std::int64_t first, std::int64_t last) const {
        const std::int64_t end = last + 1;
        return end <= 0 ? outside_ : joined(beginning_at(first), whole_between(first, end), end);
    }
    /// Returns the minimum width of a window.
    int shortest() const { return 1 << shift_; }
    /// Computes all windows of one width that end at first_last, first_last + 1, … …
    void fill(int width, std::int64_t first_last, std::span<double> out, const Cancel& cancel) const;

  private:
    /// A cut between two values: the folds of the values of its block before and after it.
    struct Cut {
        double before, after;
    };

    std::int64_t block_of(std::int64_t cut) const { return cut >> shift_; }
    /// Returns the index of an entry without values.
    std::int64_t no_block() const { return static_cast<std::int64_t>(whole_.size()) - 1; }
    /// Returns the part of a window in the block where it begins, which is not the block where it ends.
    double beginning_at(std::int64_t first) const {
        return first < 0 ? outside_ : cuts_[static_cast<std::size_t>(first)].after;
    }
    /// Returns the fold of a window's whole blocks.
    double whole_between(std::int64_t first, std::int64_t end) const {
        const std::int64_t begin_block = first < 0 ? 0 : block_of(first) + 1, end_block = block_of(end);
        // None or one: looked up in either case, because a branch would be unpredictable.
        double value = whole_[static_cast<std::size_t>(begin_block < end_block ? begin_block : no_block())];
        for (std::int64_t block = begin_block + 1; block < end_block; ++block)
            value = Fold::of(value, whole_[static_cast<std::size_t>(block)]);
        return value;
    }
    double joined(double beginning, double between, std::int64_t end) const {
        return Fold::of(Fold::of(beginning, between), cuts_[static_cast<std::size_t>(end)].before);
    }
    /// Adds `count` blocks of length `block`, the first of which begins at `begin`.
    template <int count>
    void take_blocks(std::size_t begin, const double* values, std::size_t block);

    std::size_t size_ = 0;
    int shift_ = 0;
    double outside_ = 0;
    Workspace::Array<Cut> cuts_;      // [size + 1]
    Workspace::Array<double> whole_;  // of every block, and `nothing`
};

template <class Fold>
WindowTable<Fold>::WindowTable(std::size_t size, int narrowest, double outside, Workspace& workspace)
    : size_(size),
      shift_(static_cast<int>(std::bit_width(std::min(static_cast<std::size_t>(narrowest), longest_block))) - 1),
      outside_(outside),
      cuts_(workspace.take<Cut>(size + 1)),
      whole_(workspace.take<double>((size >> shift_) + 2)) {
    whole_[whole_.size() - 1] = Fold::nothing;
    if (size % (std::size_t{1} << shift_) == 0) cuts_[size] = {Fold::nothing, Fold::nothing};
}

template <class Fold>
void WindowTable<Fold>::take(std::size_t begin, std::span<const double> values) {
    // Every fold waits for the one before it, so several blocks at once cost no more than one.
    constexpr int several = 4;
    const std::size_t block = std::size_t{1} << shift_, whole = values.size() >> shift_;
    std::size_t done = 0;
    for (; done + several <= whole; done += several)
        take_blocks<several>(begin + done * block, values.data() + done * block, block);
    for (; done < whole; ++done) take_blocks<1>(begin + done * block, values.data() + done * block, block);
    const std::size_t rest = values.size() - whole * block;
    if (rest == 0) return;
    take_blocks<1>(begin + whole * block, values.data() + whole * block, rest);
    cuts_[begin + values.size()] = {whole_[(begin >> shift_) + whole], Fold::nothing};
}

template <class Fold>
template <int count>
void WindowTable<Fold>::take_blocks(std::size_t begin, const double* values, std::size_t block) {
    Cut* const cuts = cuts_.data() + begin;
    double before[count], after[count];
    std::fill_n(before, count, Fold::nothing);
    std::fill_n(after, count, Fold::nothing);
    for (std::size_t i = 0, j = block; i < block; ++i) {
        --j;
        for (int b = 0; b < count; ++b) {
            const std::size_t first = static_cast<std::size_t>(b) * block;
            cuts[first + i].before = before[b];
            before[b] = Fold::of(before[b], values[first + i]);
            cuts[first + j].after = after[b] = Fold::of(values[first + j], after[b]);
        }
    }
    std::copy_n(before, count, whole_.data() + (begin >> shift_));
}

template <class Fold>
void WindowTable<Fold>::fill(int width, std::int64_t first_last, std::span<double> out, const Cancel& cancel) const {
    const std::int64_t first_end = first_last + 1, end_of_all = first_end + static_cast<std::int64_t>(out.size());
    const std::int64_t begin_of_series = std::clamp<std::int64_t>(0, first_end, end_of_all);
    std::fill_n(out.data(), begin_of_series - first_end, outside_);
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(begin_of_series, end_of_all, 16384), [&](const auto& some) {
        cancel.check();
        for (std::int64_t end = some.begin(), next; end < some.end(); end = next) {
            const std::int64_t first = end - width;
            // Up to here all ends are in one block, and all beginnings are, too.
            const std::int64_t beginnings_part = first < 0 ? width : ((block_of(first) + 1) << shift_) + width;
            next = std::min({some.end(), (block_of(end) + 1) << shift_, beginnings_part});
            const double between = whole_between(first, end);
            for (std::int64_t e = end; e < next; ++e)
                out[static_cast<std::size_t>(e - first_end)] = joined(beginning_at(e - width), between, e);
        }
    });
}

/// All windows of one width, by the distance where they end; empty if not wanted.
struct ColumnWindows {
    int width = 0;
    Workspace::Array<double> sum, max, min;
};

/// Windows over a function of the distance, of the kinds that the cells need.
class DistanceWindows {
  public:
    /// Tables for the distances first … last. Smaller distances count as `outside` in extremes and as 0 in sums.
    DistanceWindows(std::int64_t first, std::int64_t last, const CellContent& wanted, int narrowest,
                    const Extremes& outside, Workspace& workspace)
        : first_(first), last_(last) {
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(0, last - first + 1));
        if (wanted.mean) sum_.emplace(size, narrowest, 0, workspace);
        if (wanted.max) max_.emplace(size, narrowest, outside.max, workspace);
        if (wanted.min) min_.emplace(size, narrowest, outside.min, workspace);
    }

    std::int64_t first() const { return first_; }
    std::int64_t last() const { return last_; }
    /// Adds values from this distance on, as WindowTable::take does; ignores distances outside the range.
    void take(std::int64_t distance, std::span<const double> values) {
        if (distance < first_ || distance > last_) return;
        const auto begin = static_cast<std::size_t>(distance - first_);
        values = values.first(std::min(values.size(), static_cast<std::size_t>(last_ - distance + 1)));
        if (sum_) sum_->take(begin, values);
        if (max_) max_->take(begin, values);
        if (min_) min_->take(begin, values);
    }

    /// Returns the minimum width of a window.
    int shortest() const { return sum_ ? sum_->shortest() : max_ ? max_->shortest() : min_ ? min_->shortest() : 1; }
    /// Returns the fold over the distances from … to.
    double sum(std::int64_t from, std::int64_t to) const { return sum_->of(from - first_, to - first_); }
    double max(std::int64_t from, std::int64_t to) const { return max_->of(from - first_, to - first_); }
    double min(std::int64_t from, std::int64_t to) const { return min_->of(from - first_, to - first_); }

    /// Returns the `count` windows that end at `lowest` and the distances after it.
    ColumnWindows columns(int width, std::int64_t lowest, std::size_t count, Workspace& workspace,
                          const Cancel& cancel) const {
        const auto filled = [&](const auto& table) {
            Workspace::Array<double> out;
            if (!table) return out;
            out = workspace.take<double>(count);
            table->fill(width, lowest - first_, out, cancel);
            return out;
        };
        return {.width = width, .sum = filled(sum_), .max = filled(max_), .min = filled(min_)};
    }

  private:
    std::int64_t first_ = 0, last_ = 0;
    std::optional<WindowTable<Sum>> sum_;
    std::optional<WindowTable<Max>> max_;
    std::optional<WindowTable<Min>> min_;
};

}  // namespace ropewalk
