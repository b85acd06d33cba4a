// The formula of the current head with live numbers, symbol by symbol.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_text.h"

namespace ropewalk {

/// A symbol, or several that belong together, and its meaning.
struct FormulaPart {
    Paragraph text;
    std::string title{}, help{};          // empty for operators
    std::vector<std::string> controls{};  // paths of the fields that determine it
    std::vector<std::string> figures{};   // ids of the figures that show it
};

/// An equation. If there is little room, the last ones are dropped first.
using FormulaClause = std::vector<FormulaPart>;

/// Returns the equations of this experiment from the logit at the cursor to its weight (Su et al. 2021, eq. 16; Hong et
/// al. 2024, eq. 8–13). `problem` is made from the experiment; `is_masked` tells whether the cursor's entry is masked.
std::vector<FormulaClause> formula_of(const Experiment& experiment, const Problem& problem, bool is_masked);

/// Returns the questions whose answers the formula's numbers need.
Needs needs_of(const std::vector<FormulaClause>& formula, const Experiment& experiment, const Cursor& cursor);

}  // namespace ropewalk
