// The rounding errors of a rotary implementation: each step of the computation in its own number format, against the
// exact value.
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

/// Returns the nearest value of the format, ties to even; ±∞ beyond its largest.
double rounded(double value, NumberFormat format);

/// The format that each step's result is stored in:
///     position m → frequency w → angle m·w → cosine and sine → rotated channels x·cos − y·sin and the score q·k.
/// The attention scaling is part of the table, in float64 until it is stored. Each product and sum of the rotation is
/// rounded, as in elementwise library code. The dot product is summed in double and rounded once, as in matrix units,
/// which accumulate more precisely than they store.
struct StepFormats {
    NumberFormat positions = NumberFormat::fp64, frequencies = NumberFormat::fp64, angles = NumberFormat::fp64,
                 table = NumberFormat::fp64, products = NumberFormat::fp64;

    bool operator==(const StepFormats&) const = default;
};

/// The errors caused by the formats, against exact phases and a score in double.
struct FormatEffect {
    /// [cells], over the tokens of each cell and all rotated pairs: the largest error of an angle [rad, at most π] and
    /// of a cosine in the table. NaN in the format counts as the largest possible error.
    std::vector<double> angle_error, cosine_error;
    double max_cosine_error = 0;
    int distinct_positions = 0;  // number of different values of the token positions in their format
    /// Scores of the keys from 0 to the last that the query sees, exact and in the formats.
    std::vector<double> exact_scores, scores;
    std::string complaint{};  // why no comparison is possible; usually empty
};

/// Asks for the effect of `formats` on the cursor's query. Tokens are divided into at most `cells` cells like the
/// columns of a viewport.
struct NumberFormatQuestion : QuestionDefaults {
    using Answer = FormatEffect;
    static constexpr auto stage = "formats";
    StepFormats formats;
    int cells = 0;

    bool operator==(const NumberFormatQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_query(head); }
    static bool is_job(const Problem& problem) {
        return static_cast<double>(problem.seq_len) * problem.lowered.pairs() > 2.5e5;
    }
    static double cost(const Problem& problem, const Backend&) {
        constexpr double rotation = 1e4;  // of a pair of channels, with the cosines in scalar code
        return is_job(problem) ? rotation * problem.seq_len * problem.lowered.pairs() : 0;
    }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
