// Query and key of one entry as two arrows in the plane of each pair, before and after the rotation (Barbero et al.
// 2024, arXiv:2410.06205, Fig. 1).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "core/analysis/analysis_context.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// One pair's channels of a query and a key as complex numbers.
struct Arrows {
    std::complex<double> q, k;

    /// Returns the angle from k to q in (−π, π]; NaN if one of them is 0.
    double angle() const {
        const std::complex<double> product = q * std::conj(k);
        return product == 0.0 ? nan : std::arg(product);
    }
    /// Returns q·k, which is ‖q‖‖k‖ cos(angle).
    double product() const { return (q * std::conj(k)).real(); }
    double longest() const { return std::max(std::abs(q), std::abs(k)); }
};

/// The arrows of a pair as they are given and as they are multiplied.
struct TurningArrows {
    Arrows before, after;
};

/// Returns the arrows of all pairs [head_dim / 2]. `after` is encoded: rotated and multiplied by the attention scaling,
/// or with waves added. Damping is divided equally between the two, so that `after.product()` is the pair's
/// contribution to the score.
std::vector<TurningArrows> turning_arrows(const Problem& problem, int query, int key);

/// Asks for the arrows of the cursor's query and key.
struct ArrowsQuestion : QuestionDefaults {
    using Answer = std::vector<TurningArrows>;
    static constexpr auto stage = "arrows";

    bool operator==(const ArrowsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_cell(head); }
    Answer answer(const AnalysisContext& context) const {
        return turning_arrows(context.problem, context.cursor.query, context.cursor.key);
    }
    ArrowsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
