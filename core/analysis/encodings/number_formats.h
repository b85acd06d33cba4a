// What the number formats of a rotary implementation do to its angles and to a head: each step of the computation in a
// format of its own, against the exact value.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// IEEE 754 binary64, binary32 and binary16, and bfloat16 (the upper half of binary32).
enum class NumberFormat { fp64, fp32, bf16, fp16 };
template <>
struct EnumText<NumberFormat> {
    static constexpr std::array<EnumName, 4> names{
        {{"fp64", "fp64"}, {"fp32", "fp32"}, {"bf16", "bf16"}, {"fp16", "fp16"}}};
};

/// The nearest value that the format has, ties to even; ±∞ beyond its greatest.
double rounded(double value, NumberFormat format);

/// The format that each step's result is stored in:
///     position m → frequency w → angle m·w → cosine and sine → turned channels x·cos − y·sin and the score q·k.
/// An encoding's attention scaling is in the table, in float64 until it is stored. Each product and sum of the turning
/// is rounded as libraries do it elementwise; the dot product is summed in double and rounded once, as matrix units do
/// that accumulate more precisely than they store.
struct StepFormats {
    NumberFormat positions = NumberFormat::fp64, frequencies = NumberFormat::fp64, angles = NumberFormat::fp64,
                 table = NumberFormat::fp64, products = NumberFormat::fp64;

    bool operator==(const StepFormats&) const = default;
};

/// What comes of the formats. Errors are against exact phases and a score in double.
struct FormatEffect {
    /// Of each cell of tokens, [cells], over its tokens and all pairs that turn: the greatest error of an angle
    /// [rad, at most π] and of a cosine in the table. NaN in the format counts as the greatest possible.
    std::vector<double> angle_error, cosine_error;
    double max_cosine_error = 0;
    int distinct_positions = 0;  // values that the tokens' positions have in their format
    /// Of the query's row: scores of the keys it sees, as they should be and in the formats.
    std::vector<double> exact_scores, scores;
    std::string complaint{};  // why there is nothing to compare; usually empty
};

/// Tokens 0 … seq_len − 1 fall into `cells` cells as columns of a viewport do.
FormatEffect format_effect(const Problem& problem, const StepFormats& formats, int query, int cells,
                           const Cancel& cancel);

struct NumberFormatQuestion {
    using Answer = FormatEffect;
    static constexpr auto stage = "formats";
    static constexpr auto dependence = Dependence::experiment_and_query;
    StepFormats formats;
    int cells = 0;

    bool operator==(const NumberFormatQuestion&) const = default;

    static bool is_job(const Problem& problem) {
        return static_cast<double>(problem.seq_len) * problem.lowered.pairs() > 2.5e5;
    }
    Answer answer(const AnalysisContext& context) const {
        return format_effect(context.problem, formats, context.cursor.query, std::min(cells, context.problem.seq_len),
                             context.cancel);
    }
};

}  // namespace ropewalk
