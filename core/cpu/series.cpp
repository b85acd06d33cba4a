#include "core/cpu/series.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/cpu/vector_math.h"
#include "core/error.h"
#include "core/numbers.h"

namespace ropewalk::cpu {
namespace {

constexpr std::size_t block_size = 4096;  // values that are summed relative to one reference
constexpr double reference_slack = 600;   // exp(±600) and sums of 2³⁰ of them are ordinary doubles

/// One block of a series, and what precedes it.
struct Block {
    std::span<const double> values;
    double greatest_before = -infinity, greatest = -infinity;  // before the block; up to its end
    double reference = 0;                                      // `greatest`, or that of given exponentials
    double sum = 0;                                            // Σ exp(value − reference) in the block
    double log_sum_before = -infinity;
    std::size_t wanted_begin = 0, wanted_end = 0;  // places of the prefixes that end in the block

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

PrefixLogSums prefix_log_sums(const SeriesTask& series, std::span<const int> lasts) {
    return prefix_log_sums(series, {}, lasts);
}

Exponentials exponentials(const SeriesTask& series, int padding) {
    const std::span<const double> values = series.values;
    const std::size_t blocks = (values.size() + block_size - 1) / block_size;
    const auto block = [&](std::size_t b) {
        return values.subspan(b * block_size, std::min(block_size, values.size() - b * block_size));
    };
    std::vector<double> least(blocks), greatest(blocks);
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
        series.cancel.check();
        least[b] = least_of(block(b)), greatest[b] = greatest_of(block(b));
    });
    Exponentials all{.reference = greatest_of(greatest), .padding = padding, .values = {}};
    if (values.empty() || all.reference - least_of(least) > reference_slack) return {};
    all.values = series.workspace.take<double>(values.size() + static_cast<std::size_t>(padding));
    std::fill_n(all.values.data(), padding, 0.0);
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
        series.cancel.check();
        exp_minus(block(b), all.reference, all.values.data() + static_cast<std::size_t>(padding) + b * block_size);
    });
    return all;
}

PrefixLogSums prefix_log_sums(const SeriesTask& series, const Exponentials& exponentials, std::span<const int> lasts) {
    PrefixLogSums prefixes{.greatest = std::vector<double>(lasts.size()), .log_sum = std::vector<double>(lasts.size())};
    if (lasts.empty()) return prefixes;
    const std::span<const double> values = series.values.first(static_cast<std::size_t>(lasts.back()) + 1);
    const Cancel& cancel = series.cancel;
    std::vector<Block> blocks((values.size() + block_size - 1) / block_size);
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        Block& block = blocks[b];
        block.values = values.subspan(b * block_size, std::min(block_size, values.size() - b * block_size));
        if (!exponentials) block.greatest = greatest_of(block.values);
        const auto place = [&](std::size_t value) {
            return static_cast<std::size_t>(std::lower_bound(lasts.begin(), lasts.end(), static_cast<int>(value)) -
                                            lasts.begin());
        };
        block.wanted_begin = place(b * block_size);
        block.wanted_end = place(b * block_size + block.values.size());
    });
    const auto hand_on_greatest = [&] {
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (b > 0) blocks[b].greatest_before = blocks[b - 1].greatest;
            blocks[b].greatest = std::max(blocks[b].greatest, blocks[b].greatest_before);
        }
    };
    if (!exponentials) hand_on_greatest();
    for (Block& block : blocks) block.reference = exponentials ? exponentials.reference : block.greatest;
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        Block& block = blocks[b];
        double own[block_size];
        const double* exps = own;
        if (exponentials)
            exps = exponentials.values.data() + static_cast<std::size_t>(exponentials.padding) + b * block_size;
        else
            exp_minus(block.values, block.reference, own);
        double greatest = -infinity;
        std::size_t begin = 0;
        const auto take_up_to = [&](std::size_t end) {
            block.sum += sum_of({exps + begin, end - begin});
            greatest = std::max(greatest, greatest_of(block.values.subspan(begin, end - begin)));
            begin = end;
        };
        for (std::size_t w = block.wanted_begin; w < block.wanted_end; ++w) {
            take_up_to(static_cast<std::size_t>(lasts[w]) + 1 - b * block_size);
            prefixes.greatest[w] = greatest;  // of the block only, as the sum; finished below
            prefixes.log_sum[w] = block.sum;
        }
        take_up_to(block.values.size());
        if (exponentials) block.greatest = greatest;
    });
    if (exponentials) hand_on_greatest();
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        const Block& before = blocks[b - 1];
        blocks[b].log_sum_before =
            before.reference + std::log(std::exp(before.log_sum_before - before.reference) + before.sum);
    }
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
        cancel.check();
        const Block& block = blocks[b];
        const std::span own(prefixes.log_sum.data() + block.wanted_begin, block.wanted_end - block.wanted_begin);
        if (own.empty()) return;
        for (std::size_t w = block.wanted_begin; w < block.wanted_end; ++w)
            prefixes.greatest[w] = std::max(prefixes.greatest[w], block.greatest_before);
        if (exponentials || block.shares_reference()) {
            log_plus(own, std::exp(block.log_sum_before - block.reference), block.reference);
            return;
        }
        const std::vector<double> log_sums = sum_with_moving_reference(block);
        for (std::size_t w = block.wanted_begin; w < block.wanted_end; ++w)
            prefixes.log_sum[w] = log_sums[static_cast<std::size_t>(lasts[w]) - b * block_size];
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

WindowStatistics window_statistics(const SeriesTask& series, int width, const CellContent& wanted, Outside outside,
                                   std::optional<std::span<const std::size_t>> ends) {
    const std::span<const double> values = series.values;
    const auto room = [&](bool is_wanted) {
        return is_wanted ? series.workspace.take<double>(values.size()) : Workspace::Array<double>();
    };
    WindowStatistics windows{.width = width, .sum = {}, .greatest = room(wanted.greatest), .least = room(wanted.least)};
    constexpr std::size_t cost_of_sweep = 8;  // per value, against one value of a window that is looked at by itself
    if (ends && ends->size() * width <= cost_of_sweep * values.size()) {
        windows.sum = room(wanted.mean);
        tbb::parallel_for(std::size_t{0}, ends->size(), [&](std::size_t i) {
            if (i % 64 == 0) series.cancel.check();
            const std::size_t end = (*ends)[i], begin = end + 1 - std::min<std::size_t>(end + 1, width);
            const std::span<const double> window = values.subspan(begin, end + 1 - begin);
            const bool is_cut = window.size() < static_cast<std::size_t>(width);
            if (wanted.mean) windows.sum[end] = sum_of(window);
            if (wanted.greatest)
                windows.greatest[end] = std::max(greatest_of(window), is_cut ? outside.greatest : -infinity);
            if (wanted.least) windows.least[end] = std::min(least_of(window), is_cut ? outside.least : infinity);
        });
        return windows;
    }
    if (wanted.mean) windows.sum = sliding_sums(series, width);
    const auto sweep = [&](double nothing, double before, auto combine, const Workspace::Array<double>& out) {
        sweep_windows<double>(
            {.size = values.size(), .width = static_cast<std::size_t>(width), .nothing = nothing, .outside = before},
            series.cancel, [&](std::size_t i) { return values[i]; }, combine,
            [&](std::size_t i, double value) { out[i] = value; });
    };
    if (wanted.greatest)
        sweep(
            -infinity, outside.greatest, [](double a, double b) { return std::max(a, b); }, windows.greatest);
    if (wanted.least)
        sweep(
            infinity, outside.least, [](double a, double b) { return std::min(a, b); }, windows.least);
    return windows;
}

std::vector<std::size_t> Places::list() const {
    std::vector<std::size_t> places;
    for (std::size_t w = 0; w < words_.size(); ++w)
        for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
            places.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    return places;
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
