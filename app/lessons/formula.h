// The present formula with its live numbers, symbol by symbol.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_text.h"

namespace ropewalk {

/// A symbol, or several that belong together, and what it means.
struct FormulaPart {
    Paragraph text;
    std::string title{}, help{};          // empty of mere signs
    std::vector<std::string> controls{};  // paths of the fields that it is set by
    std::vector<std::string> figures{};   // ids of the figures that show it
};

/// An equation. Where there is little room the last of them go first.
using FormulaClause = std::vector<FormulaPart>;

/// From the logit of the cursor's cell to its weight, as this experiment has it (Su et al. 2021, eq. 16; Hong et al.
/// 2024, eq. 8–13). `lowered`: its encoding, made concrete; `is_masked`: the cell is.
std::vector<FormulaClause> formula_of(const Experiment& experiment, const LoweredEncoding& lowered, bool is_masked);

/// What its numbers need.
Needs needs_of(const std::vector<FormulaClause>& formula, const Experiment& experiment, const Cursor& cursor);

}  // namespace ropewalk
