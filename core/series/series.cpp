#include "core/series/series.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// One piece of a series, and what precedes it.
struct Piece {
    LogitSeries logits;
    double max_before = -infinity, max = -infinity;  // before the piece; up to its end
    double reference = 0;                            // the given one, or `max`
    double sum = 0;                                  // Σ exp(logit − reference) in the piece
    double log_sum_before = -infinity;
    std::size_t wanted_begin = 0, wanted_end = 0;  // prefixes that end in the piece

    /// Returns whether every prefix that ends in the piece has a max near `max`.
    bool shares_reference() const { return max - std::max(max_before, logits.at(logits.first())) <= reference_slack; }
};

/// Returns the sums of the prefixes that end in a piece, one by one, with a reference that follows the max.
std::vector<double> sum_with_moving_reference(const Piece& piece) {
    std::vector<double> log_sums;
    double max = piece.max_before;
    double sum = max == -infinity ? 0 : std::exp(piece.log_sum_before - max);
    for (std::int64_t distance = piece.logits.first(); distance <= piece.logits.last(); ++distance) {
        const double logit = piece.logits.at(distance);
        if (logit > max) {
            sum = sum * std::exp(max - logit) + 1;
            max = logit;
        } else {
            sum += std::exp(logit - max);
        }
        log_sums.push_back(max + std::log(sum));
    }
    return log_sums;
}

/// Replaces each piece's own max by the max of the series up to its end.
void accumulate_max(std::span<Piece> pieces) {
    for (std::size_t p = 1; p < pieces.size(); ++p) {
        pieces[p].max_before = pieces[p - 1].max;
        pieces[p].max = std::max(pieces[p].max, pieces[p].max_before);
    }
}

}  // namespace

void for_each_piece(const LogitSeries& series, const Cancel& cancel,
                    const std::function<void(std::size_t piece, const LogitSeries& part)>& make) {
    const std::size_t size = series.scores.size();
    tbb::parallel_for(std::size_t{0}, (size + piece_size - 1) / piece_size, [&](std::size_t piece) {
        cancel.check();
        const std::int64_t from = series.first() + static_cast<std::int64_t>(piece * piece_size);
        make(piece, series.range(from, std::min(series.last(), from + static_cast<std::int64_t>(piece_size) - 1)));
    });
}

PrefixLogSums prefix_log_sums(const LogitSeries& logits, std::optional<double> reference, std::span<const int> lasts,
                              const Cancel& cancel, const TakeExponentials& take) {
    PrefixLogSums prefixes{.max = Numbers(lasts.size()), .log_sum = Numbers(lasts.size())};
    if (lasts.empty()) return prefixes;
    const LogitSeries seen = take ? logits : logits.range(logits.first(), logits.first() + lasts.back());
    std::vector<Piece> pieces((seen.scores.size() + piece_size - 1) / piece_size);
    if (!reference) {
        for_each_piece(seen, cancel, [&](std::size_t p, const LogitSeries& part) {
            double values[piece_size];
            pieces[p].max = part.write(values).max;
        });
        accumulate_max(pieces);
    }
    for_each_piece(seen, cancel, [&](std::size_t p, const LogitSeries& part) {
        Piece& piece = pieces[p];
        piece.logits = part;
        piece.reference = reference.value_or(piece.max);
        const auto place = [&](std::size_t value) {
            const auto first = std::lower_bound(lasts.begin(), lasts.end(), static_cast<int>(value));
            return static_cast<std::size_t>(first - lasts.begin());
        };
        piece.wanted_begin = place(p * piece_size);
        piece.wanted_end = place(p * piece_size + part.scores.size());

        alignas(64) double values[piece_size];
        alignas(64) double exponentials[piece_size];
        part.write(values);
        exp_minus({values, part.scores.size()}, piece.reference, exponentials);
        double max = -infinity;
        std::size_t begin = 0;
        const auto take_up_to = [&](std::size_t end) {
            piece.sum += sum_of({exponentials + begin, end - begin});
            max = std::max(max, max_of({values + begin, end - begin}));
            begin = end;
        };
        for (std::size_t w = piece.wanted_begin; w < piece.wanted_end; ++w) {
            take_up_to(static_cast<std::size_t>(lasts[w]) + 1 - p * piece_size);
            prefixes.max[w] = max;  // of the piece only, like the sum; finished below
            prefixes.log_sum[w] = piece.sum;
        }
        take_up_to(part.scores.size());
        if (!reference) return;
        piece.max = max;
        if (take) take(p, {exponentials, part.scores.size()});
    });
    if (reference) accumulate_max(pieces);
    for (std::size_t p = 1; p < pieces.size(); ++p) {
        const Piece& before = pieces[p - 1];
        pieces[p].log_sum_before =
            before.reference + std::log(std::exp(before.log_sum_before - before.reference) + before.sum);
    }
    tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t p) {
        cancel.check();
        const Piece& piece = pieces[p];
        const std::span own(prefixes.log_sum.data() + piece.wanted_begin, piece.wanted_end - piece.wanted_begin);
        if (own.empty()) return;
        for (std::size_t w = piece.wanted_begin; w < piece.wanted_end; ++w)
            prefixes.max[w] = std::max(prefixes.max[w], piece.max_before);
        if (reference || piece.shares_reference()) {
            log_plus(own, std::exp(piece.log_sum_before - piece.reference), piece.reference);
        } else {
            const std::vector<double> log_sums = sum_with_moving_reference(piece);
            for (std::size_t w = piece.wanted_begin; w < piece.wanted_end; ++w)
                prefixes.log_sum[w] = log_sums[static_cast<std::size_t>(lasts[w]) - p * piece_size];
        }
        // Rounding must not give a weight above 1.
        for (std::size_t w = piece.wanted_begin; w < piece.wanted_end; ++w)
            prefixes.log_sum[w] = std::max(prefixes.log_sum[w], prefixes.max[w]);
    });
    return prefixes;
}

RectangleSums::RectangleSums(std::span<const double> values, std::int64_t first, Workspace& workspace,
                             const Cancel& cancel)
    : first_(first), twice_summed_(workspace.take<Integer>(values.size())) {
    double max = 0;
    for (const double value : values) max = std::max(max, std::abs(value));
    ensure(std::isfinite(max), "logits must be finite");
    // Scaled values are below 2⁶¹, and double sums over 2²¹ places below 2¹⁰³.
    const int exponent = std::max(max > 0 ? std::ilogb(max) + 1 : 0, -900);
    quantum_ = std::ldexp(1.0, exponent - 61);
    const double per_quantum = std::ldexp(1.0, 61 - exponent);
    Integer once = 0, twice = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % piece_size == 0) cancel.check();
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

}  // namespace ropewalk
