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

}  // namespace

PrefixLogSums prefix_log_sums(std::span<const double> values, std::size_t kept_begin, const Cancel& cancel) {
    PrefixLogSums prefixes{.kept_begin = kept_begin, .greatest = Buffer(values.size() - kept_begin), .log_sum = Buffer(values.size() - kept_begin)};
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
        blocks[b].log_sum_before = before.greatest + std::log(std::exp(before.log_sum_before - before.greatest) + before.sum);
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
        std::copy(log_sums.end() - static_cast<std::ptrdiff_t>(end - begin), log_sums.end(), prefixes.log_sum.data() + begin - kept_begin);
    });
    return prefixes;
}

SlidingWindows sliding_windows(std::span<const double> values, int width, Outside outside, const Cancel& cancel) {
    SlidingWindows windows{.width = width, .sum = Buffer(values.size()), .greatest = Buffer(values.size()), .least = Buffer(values.size())};
    // Van Herk's and Gil and Werman's two sweeps: the series is cut every `width` places, so that each window is the end of one
    // piece and the beginning of the next.
    const std::size_t piece = static_cast<std::size_t>(width);
    const std::size_t pieces = (values.size() + piece - 1) / piece;
    const std::size_t pieces_per_task = std::max<std::size_t>(1, 16384 / piece);
    tbb::parallel_for(std::size_t{0}, (pieces + pieces_per_task - 1) / pieces_per_task, [&](std::size_t task) {
        cancel.check();
        struct Value {
            double sum, greatest, least;
        };
        std::vector<Value> ends(piece);  // of the preceding piece, from each place on
        for (std::size_t p = task * pieces_per_task; p < std::min(pieces, (task + 1) * pieces_per_task); ++p) {
            const std::size_t begin = p * piece, size = std::min(piece, values.size() - begin);
            Value end{0, outside.greatest, outside.least};
            if (p > 0) end = {0, -infinity, infinity};
            ends[0] = end;
            for (std::size_t i = piece - 1; i >= 1; --i) {
                if (p > 0) {
                    const double value = values[begin - piece + i];
                    end = {end.sum + value, std::max(end.greatest, value), std::min(end.least, value)};
                }
                ends[i] = end;
            }
            double sum = 0, greatest = -infinity, least = infinity;
            for (std::size_t i = 0; i < size; ++i) {
                const double value = values[begin + i];
                sum += value, greatest = std::max(greatest, value), least = std::min(least, value);
                const bool whole = i + 1 == piece;
                const Value& before = ends[whole ? 0 : i + 1];
                windows.sum[begin + i] = whole ? sum : before.sum + sum;
                windows.greatest[begin + i] = whole ? greatest : std::max(before.greatest, greatest);
                windows.least[begin + i] = whole ? least : std::min(before.least, least);
            }
        }
    });
    return windows;
}

RectangleSums::RectangleSums(std::span<const double> values, std::int64_t first, const Cancel& cancel)
    : first_(first), twice_summed_(new Integer[values.size()]) {
    double greatest = 0;
    for (const double value : values) greatest = std::max(greatest, std::abs(value));
    ensure(std::isfinite(greatest), "logits must be finite");
    // Scaled values stay below 2⁶¹, and sums of sums over 2²¹ places below 2¹⁰³.
    const int exponent = std::max(greatest > 0 ? std::ilogb(greatest) + 1 : 0, -900);
    quantum_ = std::ldexp(1.0, exponent - 61);
    const double per_quantum = std::ldexp(1.0, 61 - exponent);
    Integer once = 0, twice = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % block_size == 0) cancel.check();
        once += static_cast<Integer>(std::int64_t{std::llrint(values[i] * per_quantum)});
        twice += once;
        twice_summed_[i] = twice;
    }
}

double RectangleSums::sum(Interval rows, Interval columns) const {
    const auto corner = [&](int row, int column) { return twice_summed(std::int64_t{row} - 1 - column); };
    const Integer total = corner(rows.end, columns.begin) - corner(rows.begin, columns.begin) - corner(rows.end, columns.end) +
                          corner(rows.begin, columns.end);
    const bool negative = total >> 127 != 0;
    const Integer magnitude = negative ? Integer{0} - total : total;
    const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude >> 64)), 64) +
                         static_cast<double>(static_cast<std::uint64_t>(magnitude));
    return (negative ? -value : value) * quantum_;
}

}  // namespace ropewalk::cpu
