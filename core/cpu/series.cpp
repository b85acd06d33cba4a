#include "core/cpu/series.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cpu/vector_math.h"
#include "core/error.h"

namespace ropewalk::cpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t block_size = 4096;  // values that are summed relative to one reference
constexpr double reference_slack = 600;   // exp(±600) and sums of 2³⁰ of them are ordinary doubles

/// One block of a series, and what precedes it.
struct Block {
    std::span<const double> values;
    double greatest_before = -infinity, greatest = -infinity;  // before the block; up to its end
    double sum = 0;                                            // Σ exp(value − greatest) in the block
    double log_sum_before = -infinity;

    /// Whether every prefix that ends in the block has its greatest value near `greatest`.
    bool shares_reference() const { return greatest - std::max(greatest_before, values.front()) <= reference_slack; }
};

/// Log-sums of the prefixes that end in a block, one after the other, moving the reference with the greatest value.
std::vector<double> sum_with_moving_reference(const Block& block) {
    std::vector<double> log_sums;
    double greatest = block.greatest_before;
    double sum = greatest == -infinity ? 0 : std::exp(block.log_sum_before - greatest);
    for (const double value : block.values) {
        if (value > greatest) {
            sum = sum * std::exp(greatest - value) + 1;
            greatest = value;
        } else {
            sum += std::exp(value - greatest);
        }
        log_sums.push_back(greatest + std::log(sum));
    }
    return log_sums;
}

template <class Value>
struct Windows {
    std::size_t size = 0, width = 0;
    Value nothing, outside;  // neutral; what places before the series count as
};

/// Van Herk's and Gil and Werman's two sweeps: the series is cut every `width` places, so that each window is the end
/// of one piece and the beginning of the next. Calls store(u, value of the window that ends at u).
template <class Value, class Load, class Combine, class Store>
void sweep_windows(const Windows<Value>& windows, const Cancel& cancel, Load load, Combine combine, Store store) {
    const std::size_t piece = windows.width, pieces = (windows.size + piece - 1) / piece;
    const std::size_t task_pieces = std::max<std::size_t>(1, 16384 / piece);
    tbb::parallel_for(std::size_t{0}, (pieces + task_pieces - 1) / task_pieces, [&](std::size_t task) {
        cancel.check();
        std::vector<Value> ends(piece, windows.outside);  // of the preceding piece, from each place on
        for (std::size_t p = task * task_pieces; p < std::min(pieces, (task + 1) * task_pieces); ++p) {
            const std::size_t begin = p * piece, end = std::min(begin + piece, windows.size);
            if (p > 0) {
                Value value = windows.nothing;
                for (std::size_t i = piece - 1; i > 0; --i) ends[i] = value = combine(load(begin - piece + i), value);
            }
            Value value = windows.nothing;
            for (std::size_t i = begin; i < end; ++i) {
                value = combine(value, load(i));
                store(i, i + 1 - begin == piece ? value : combine(ends[i + 1 - begin], value));
            }
        }
    });
}

}  // namespace

PrefixLogSums prefix_log_sums(const SeriesTask& series, std::size_t kept_begin) {
    const std::span<const double> values = series.values;
    const Cancel& cancel = series.cancel;
    const std::size_t kept = values.size() - kept_begin;
    PrefixLogSums prefixes{.kept_begin = kept_begin,
                           .greatest = series.workspace.take<double>(kept),
                           .log_sum = series.workspace.take<double>(kept)};
    std::vector<Block> blocks((values.size() + block_size - 1) / block_size);
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        blocks[b].values = values.subspan(b * block_size, std::min(block_size, values.size() - b * block_size));
        blocks[b].greatest = greatest_of(blocks[b].values);
    });
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        blocks[b].greatest_before = blocks[b - 1].greatest;
        blocks[b].greatest = std::max(blocks[b].greatest, blocks[b].greatest_before);
    }
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        Block& block = blocks[b];
        double exponentials[block_size];
        exp_minus(block.values, block.greatest, exponentials);
        double greatest = block.greatest_before;
        for (std::size_t i = 0; i < block.values.size(); ++i) {
            block.sum += exponentials[i];
            greatest = std::max(greatest, block.values[i]);
            if (const std::size_t k = b * block_size + i; k >= kept_begin) {
                prefixes.greatest[k - kept_begin] = greatest;
                prefixes.log_sum[k - kept_begin] = block.sum;  // of the block only; finished below
            }
        }
    });
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        const Block& before = blocks[b - 1];
        blocks[b].log_sum_before =
            before.greatest + std::log(std::exp(before.log_sum_before - before.greatest) + before.sum);
    }
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        const Block& block = blocks[b];
        const std::size_t begin = std::max(b * block_size, kept_begin), end = b * block_size + block.values.size();
        if (begin >= end) return;
        if (block.shares_reference()) {
            const double carry = std::exp(block.log_sum_before - block.greatest);
            log_plus({prefixes.log_sum.data() + begin - kept_begin, end - begin}, carry, block.greatest);
            return;
        }
        const std::vector<double> log_sums = sum_with_moving_reference(block);
        std::copy(log_sums.end() - static_cast<std::ptrdiff_t>(end - begin), log_sums.end(),
                  prefixes.log_sum.data() + begin - kept_begin);
    });
    return prefixes;
}

Workspace::Array<double> sliding_sums(const SeriesTask& series, int width) {
    Workspace::Array<double> sums = series.workspace.take<double>(series.values.size());
    sweep_windows<double>(
        {.size = series.values.size(), .width = static_cast<std::size_t>(width), .nothing = 0, .outside = 0},
        series.cancel, [&](std::size_t i) { return series.values[i]; },
        [](double earlier, double later) { return earlier + later; },
        [&](std::size_t i, double sum) { sums[i] = sum; });
    return sums;
}

SlidingExtremes sliding_extremes(const SeriesTask& series, int width, Outside outside) {
    const std::size_t size = series.values.size();
    SlidingExtremes extremes{.greatest = series.workspace.take<double>(size),
                             .least = series.workspace.take<double>(size)};
    struct Range {
        double greatest, least;
    };
    const Range nothing{-infinity, infinity}, before{outside.greatest, outside.least};
    sweep_windows<Range>(
        {.size = size, .width = static_cast<std::size_t>(width), .nothing = nothing, .outside = before}, series.cancel,
        [&](std::size_t i) {
            return Range{series.values[i], series.values[i]};
        },
        [](Range a, Range b) {
            return Range{std::max(a.greatest, b.greatest), std::min(a.least, b.least)};
        },
        [&](std::size_t i, Range range) { extremes.greatest[i] = range.greatest, extremes.least[i] = range.least; });
    return extremes;
}

RectangleSums::RectangleSums(const SeriesTask& series, std::int64_t first)
    : first_(first), twice_summed_(series.workspace.take<Integer>(series.values.size())) {
    const std::span<const double> values = series.values;
    double greatest = 0;
    for (const double value : values) greatest = std::max(greatest, std::abs(value));
    ensure(std::isfinite(greatest), "logits must be finite");
    // Scaled values stay below 2⁶¹, and sums of sums over 2²¹ places below 2¹⁰³.
    const int exponent = std::max(greatest > 0 ? std::ilogb(greatest) + 1 : 0, -900);
    quantum_ = std::ldexp(1.0, exponent - 61);
    const double per_quantum = std::ldexp(1.0, 61 - exponent);
    Integer once = 0, twice = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % block_size == 0) series.cancel.check();
        once += static_cast<Integer>(std::int64_t{std::llrint(values[i] * per_quantum)});
        twice += once;
        twice_summed_[i] = twice;
    }
}

double RectangleSums::sum(Interval rows, Interval columns) const {
    const auto corner = [&](int row, int column) { return twice_summed(std::int64_t{row} - 1 - column); };
    const Integer total = corner(rows.end, columns.begin) - corner(rows.begin, columns.begin) -
                          corner(rows.end, columns.end) + corner(rows.begin, columns.end);
    const bool negative = total >> 127 != 0;
    const Integer magnitude = negative ? Integer{0} - total : total;
    const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude >> 64)), 64) +
                         static_cast<double>(static_cast<std::uint64_t>(magnitude));
    return (negative ? -value : value) * quantum_;
}

}  // namespace ropewalk::cpu
