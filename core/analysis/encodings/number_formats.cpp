#include "core/analysis/encodings/number_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>

#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// The range of a binary format.
struct Range {
    int digits;        // of the significand, with the leading one
    int min_exponent;  // of a normal number
    double max;
};

constexpr Range ranges[] = {{.digits = 53, .min_exponent = -1022, .max = std::numeric_limits<double>::max()},
                            {.digits = 24, .min_exponent = -126, .max = 0x1.FFFFFEp127},
                            {.digits = 8, .min_exponent = -126, .max = 0x1.FEp127},
                            {.digits = 11, .min_exponent = -14, .max = 65504}};  // in the order of NumberFormat

/// The stored cosine and sine of one pair at one token, and their errors per unit of attention scaling.
struct TableEntry {
    double cosine = 1, sine = 0;
    double angle_error = 0, cosine_error = 0;
};

/// Returns the table entry: cosine and sine times the attention scaling, as in Hugging Face (modeling_rope_utils.py).
TableEntry table_entry(const PositionMap& map, long double inv_freq, std::int64_t position, double attention_scaling,
                       const StepFormats& formats) {
    const double m = rounded(static_cast<double>(map.group_of(position) + map.offset), formats.positions),
                 w = rounded(static_cast<double>(inv_freq), formats.frequencies),
                 angle = rounded(m * w, formats.angles);
    const Phase exact = rotation_phase(map, inv_freq, position);
    TableEntry entry{.cosine = rounded(attention_scaling * std::cos(angle), formats.table),
                     .sine = rounded(attention_scaling * std::sin(angle), formats.table)};
    entry.angle_error = std::isfinite(angle) ? std::abs(angle_of(phase_of(angle) - exact)) : std::numbers::pi;
    entry.cosine_error =
        std::isfinite(angle) ? std::abs(entry.cosine / attention_scaling - std::cos(angle_of(exact))) : 2;
    return entry;
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
    for (int key = 0; key < problem.seen_keys(query).end; ++key) {
        if (key % 1024 == 0) cancel.check();
        const std::int64_t distance = problem.position(query) - problem.position(key);
        const Regime& maps = lowered.maps_at(distance);
        const RotatedRow& q = &maps == &lowered.near ? near_q : far_q;
        const RotatedRow k = rotated_row(problem.inputs.k, key, problem, maps.key, formats);
        effect.exact_scores.push_back(scaling * scaling * score(lowered, q.exact, k.exact, distance));
        effect.scores.push_back(rounded(score(lowered, q.stored, k.stored, distance), formats.products));
    }
}

}  // namespace

double rounded(double value, NumberFormat format) {
    if (format == NumberFormat::fp64 || value == 0 || !std::isfinite(value)) return value;
    const Range& range = ranges[static_cast<std::size_t>(format)];
    double nearest = 0;
    if (std::abs(value) < std::ldexp(1.0, range.min_exponent)) {
        const double quantum = std::ldexp(1.0, range.min_exponent - range.digits + 1);
        nearest = std::nearbyint(value / quantum) * quantum;
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
    for (int cell = 0; cell < tokens.cells_across; ++cell) {
        context.cancel.check();
        double angle_error = 0, cosine_error = 0;
        const Interval own = tokens.cell_columns(cell);
        for (int token = own.begin; token < own.end; ++token) {
            distinct.insert(rounded(static_cast<double>(problem.position(token)), formats.positions));
            for (const long double inv_freq : lowered.inv_freq) {
                if (inv_freq == 0) continue;
                const TableEntry entry = table_entry(lowered.near.key, inv_freq, problem.position(token),
                                                     lowered.attention_scaling, formats);
                angle_error = std::max(angle_error, entry.angle_error);
                cosine_error = std::max(cosine_error, entry.cosine_error);
            }
        }
        effect.angle_error.push_back(angle_error);
        effect.cosine_error.push_back(cosine_error);
        effect.max_cosine_error = std::max(effect.max_cosine_error, cosine_error);
    }
    effect.distinct_positions = static_cast<int>(distinct.size());
    fill_scores(problem, formats, context.cursor.query, context.cancel, effect);
    return effect;
}

}  // namespace ropewalk
