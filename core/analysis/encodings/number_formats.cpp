#include "core/analysis/encodings/number_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>

#include "core/machine/parallel.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// The range of a binary format.
struct Range {
    int digits;                       // of the significand, with the leading one
    double min_normal, quantum, max;  // quantum: between numbers below min_normal
};

constexpr Range ranges[] = {
    {.digits = 53, .min_normal = 0x1p-1022, .quantum = 0x1p-1074, .max = std::numeric_limits<double>::max()},
    {.digits = 24, .min_normal = 0x1p-126, .quantum = 0x1p-149, .max = 0x1.FFFFFEp127},
    {.digits = 8, .min_normal = 0x1p-126, .quantum = 0x1p-133, .max = 0x1.FEp127},
    {.digits = 11, .min_normal = 0x1p-14, .quantum = 0x1p-24, .max = 65504}};  // in the order of NumberFormat

constexpr int tokens_at_once = 512;  // by one thread

/// The stored angle of one pair at one token, and its stored cosine and sine.
struct TableEntry {
    double angle = 0, cosine = 1, sine = 0;
};

/// Returns the table entry: cosine and sine times the attention scaling, as in Hugging Face (modeling_rope_utils.py).
TableEntry table_entry(const PositionMap& map, long double inv_freq, std::int64_t position, double attention_scaling,
                       const StepFormats& formats) {
    const double m = rounded(static_cast<double>(map.group_of(position) + map.offset), formats.positions),
                 w = rounded(static_cast<double>(inv_freq), formats.frequencies),
                 angle = rounded(m * w, formats.angles);
    return {.angle = angle,
            .cosine = rounded(attention_scaling * std::cos(angle), formats.table),
            .sine = rounded(attention_scaling * std::sin(angle), formats.table)};
}

/// The largest errors over some tokens and all rotated pairs, per unit of attention scaling.
struct TableErrors {
    double angle = 0, cosine = 0;

    void take_in(const TableErrors& other) {
        angle = std::max(angle, other.angle), cosine = std::max(cosine, other.cosine);
    }
};

TableErrors table_errors(const Problem& problem, Interval tokens, const StepFormats& formats) {
    const LoweredEncoding& lowered = problem.lowered;
    const PositionMap& map = lowered.near.key;
    TableErrors max;
    for (const long double inv_freq : lowered.inv_freq) {
        if (inv_freq == 0) continue;
        const Phase per_group = phase_of(inv_freq), offset = map.offset == 0 ? 0 : phase_of(map.offset * inv_freq);
        for (int token = tokens.begin; token < tokens.end; ++token) {
            const std::int64_t position = problem.position(token);
            const TableEntry entry = table_entry(map, inv_freq, position, lowered.attention_scaling, formats);
            if (!std::isfinite(entry.angle)) {
                max.take_in({.angle = std::numbers::pi, .cosine = 2});
                continue;
            }
            const Phase exact = phase_at(map.group_of(position), per_group) + offset;
            max.take_in({.angle = std::abs(angle_of(phase_of(entry.angle) - exact)),
                         .cosine = std::abs(entry.cosine / lowered.attention_scaling - std::cos(angle_of(exact)))});
        }
    }
    return max;
}

/// Rotates a row ([head_dim], pair order) as an implementation with these formats does.
void rotate_as_stored(std::span<double> row, const LoweredEncoding& lowered, const PositionMap& map,
                      std::int64_t position, const StepFormats& formats) {
    const auto stored = [&](double value) { return rounded(value, formats.products); };
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double x = stored(row[2 * pair]), y = stored(row[2 * pair + 1]);
        if (lowered.inv_freq[pair] == 0) {
            const double scaling = rounded(lowered.attention_scaling, formats.table);
            row[2 * pair] = stored(x * scaling), row[2 * pair + 1] = stored(y * scaling);
            continue;
        }
        const TableEntry entry = table_entry(map, lowered.inv_freq[pair], position, lowered.attention_scaling, formats);
        row[2 * pair] = stored(stored(x * entry.cosine) - stored(y * entry.sine));
        row[2 * pair + 1] = stored(stored(x * entry.sine) + stored(y * entry.cosine));
    }
}

/// Returns Σ left_over · (q·k of the pair) of rotated rows.
double score(const LoweredEncoding& lowered, std::span<const double> q, std::span<const double> k,
             std::int64_t distance) {
    double sum = 0;
    for (int pair = 0; pair < lowered.pairs(); ++pair)
        sum += lowered.left_over(pair, distance) * (q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]);
    return sum;
}

/// A row rotated exactly, and in the formats.
struct RotatedRow {
    std::vector<double> exact, stored;
};

RotatedRow rotated_row(const RowSource& source, int token, const Problem& problem, const PositionMap& map,
                       const StepFormats& formats) {
    RotatedRow row{.exact = source.row(token, problem.head_dim()), .stored = {}};
    row.stored = row.exact;
    encode(row.exact, problem.lowered, map, problem.position(token));
    rotate_as_stored(row.stored, problem.lowered, map, problem.position(token), formats);
    return row;
}

void fill_scores(const Problem& problem, const StepFormats& formats, int query, const Cancel& cancel,
                 FormatEffect& effect) {
    const LoweredEncoding& lowered = problem.lowered;
    const double scaling = lowered.attention_scaling;
    const RotatedRow near_q = rotated_row(problem.inputs.q, query, problem, lowered.near.query, formats),
                     far_q = lowered.far
                                 ? rotated_row(problem.inputs.q, query, problem, lowered.far->maps.query, formats)
                                 : RotatedRow{};
    const int keys = problem.seen_keys(query).end;
    effect.exact_scores.resize(static_cast<std::size_t>(keys));
    effect.scores.resize(static_cast<std::size_t>(keys));
    for_each_in_parallel((keys + tokens_at_once - 1) / tokens_at_once, [&](int block) {
        cancel.check();
        const int begin = block * tokens_at_once;
        for (int key = begin; key < std::min(begin + tokens_at_once, keys); ++key) {
            const std::int64_t distance = problem.position(query) - problem.position(key);
            const Regime& maps = lowered.maps_at(distance);
            const RotatedRow& q = &maps == &lowered.near ? near_q : far_q;
            const RotatedRow k = rotated_row(problem.inputs.k, key, problem, maps.key, formats);
            effect.exact_scores[key] = scaling * scaling * score(lowered, q.exact, k.exact, distance);
            effect.scores[key] = rounded(score(lowered, q.stored, k.stored, distance), formats.products);
        }
    });
}

}  // namespace

double rounded(double value, NumberFormat format) {
    if (format == NumberFormat::fp64 || value == 0 || !std::isfinite(value)) return value;
    const Range& range = ranges[static_cast<std::size_t>(format)];
    double nearest = 0;
    if (std::abs(value) < range.min_normal) {
        nearest = std::nearbyint(value / range.quantum) * range.quantum;
    } else {
        // Ties to even: adds half a unit minus one, plus the last kept bit. An overflow carries into the exponent.
        const int dropped = 53 - range.digits;
        auto bits = std::bit_cast<std::uint64_t>(value);
        bits += (std::uint64_t{1} << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
        bits &= ~((std::uint64_t{1} << dropped) - 1);
        nearest = std::bit_cast<double>(bits);
    }
    return std::abs(nearest) > range.max ? std::copysign(infinity, value) : nearest;
}

FormatEffect NumberFormatQuestion::answer(const AnalysisContext& context) const {
    FormatEffect effect;
    const Problem& problem = context.problem;
    const LoweredEncoding& lowered = problem.lowered;
    if (!lowered.rotates()) {
        effect.complaint = "This encoding adds waves to queries and keys, so there is no rotation to round.";
        return effect;
    }
    const Viewport tokens{.columns = {0, problem.seq_len}, .cells_across = std::min(cells, problem.seq_len)};
    std::unordered_set<double> distinct;
    for (int token = 0; token < problem.seq_len; ++token)
        distinct.insert(rounded(static_cast<double>(problem.position(token)), formats.positions));
    struct Block {
        int cell;
        Interval tokens;
        TableErrors errors{};
    };
    std::vector<Block> blocks;
    for (int cell = 0; cell < tokens.cells_across; ++cell) {
        const Interval own = tokens.cell_columns(cell);
        for (int begin = own.begin; begin < own.end; begin += tokens_at_once)
            blocks.push_back({cell, {begin, std::min(begin + tokens_at_once, own.end)}});
    }
    for_each_in_parallel(static_cast<int>(blocks.size()), [&](int index) {
        context.cancel.check();
        blocks[index].errors = table_errors(problem, blocks[index].tokens, formats);
    });
    std::vector<TableErrors> errors(static_cast<std::size_t>(tokens.cells_across));
    for (const Block& block : blocks) errors[block.cell].take_in(block.errors);
    for (const TableErrors& cell : errors) {
        effect.angle_error.push_back(cell.angle);
        effect.cosine_error.push_back(cell.cosine);
        effect.max_cosine_error = std::max(effect.max_cosine_error, cell.cosine);
    }
    effect.distinct_positions = static_cast<int>(distinct.size());
    fill_scores(problem, formats, context.cursor.query, context.cancel, effect);
    return effect;
}

}  // namespace ropewalk
