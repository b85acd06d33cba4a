// Data that follow from the frequencies alone, as NumPy code.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/experiment/experiment.h"
#include "core/numbers/interval.h"

namespace ropewalk {

/// Returns Python code that converts distances in tokens to positions; consecutive tokens are `step` positions apart.
inline std::string in_positions(const std::string& tokens, int step) {
    return step == 1 ? tokens : fmt::format("{} * {}", step, tokens);
}

/// Returns NumPy code for `DataTable::formula`: the encoding's frequencies `w` [d/2] by their own formula, then
/// `code`, which computes `data` from them. Returns none for an encoding without a formula.
inline std::string frequency_formula(const Experiment& experiment, const std::string& code) {
    const std::string frequencies = numpy_of(experiment.encoding, experiment.shape());
    return frequencies.empty() ? std::string() : frequencies + code + "\n";
}

/// Returns such code for cos(r·wₜ) [d/2, distances], with `step` positions from a token to the next.
inline std::string rotation_formula(const Experiment& experiment, int step, Interval distances) {
    const std::string tokens = fmt::format("np.arange({}, {})", distances.begin, distances.end);
    return frequency_formula(
        experiment, fmt::format("r = {}  # positions\ndata = np.cos(np.outer(w, r))", in_positions(tokens, step)));
}

}  // namespace ropewalk
