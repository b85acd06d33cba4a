// One score as a sum of vectors in the plane, one per pair, added tip to tail (Su et al. 2021, arXiv:2104.09864,
// section 3.4.3).
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

using Complex = std::complex<double>;

/// Returns the angles between one query and one key as points on the unit circle: e^{i(m'−n')w_t} [pairs], with m' and
/// n' the positions after the encoding's maps.
std::vector<Complex> unit_phasors(const Problem& problem, int query, int key);

/// Returns h_t [pairs]: attention_scaling² · q k* of the unrotated pairs read as complex numbers, which is A − iB in
/// the notation of `LoweredEncoding`. The score is Re Σ h_t e^{i(m'−n')w_t}; each term's real part is the pair's
/// contribution.
std::vector<Complex> pair_amplitudes(const Problem& problem, int query, int key);

/// Returns the partial sums S_0 … S_n, S_j being the sum of the first j steps. For unit phasors these are the S_j of
/// eq. 36; for amplitude · phasor, the real part of the last is the score.
std::vector<Complex> tip_to_tail(std::span<const Complex> steps);

/// The phasors of one entry and their partial sums, with unit amplitudes and with those of the head. For every encoding
/// the real parts of amplitude · unit are the contributions: damping shortens the amplitudes, and with added waves each
/// pair's contribution is used as it is.
struct Phasors {
    std::vector<Complex> unit, amplitudes;          // [pairs]
    std::vector<Complex> unit_walk, weighted_walk;  // [pairs + 1]
};

/// Asks for the phasors of the cursor's entry.
struct PhasorsQuestion : QuestionDefaults {
    using Answer = Phasors;
    static constexpr auto stage = "phasors";

    bool operator==(const PhasorsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_cell(head); }
    Answer answer(const AnalysisContext& context) const;
    PhasorsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
