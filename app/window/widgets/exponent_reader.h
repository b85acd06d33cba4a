// Exponents in formulas, which are stored as text on one line and drawn with raised exponents.
#pragma once

#include <optional>

namespace ropewalk {

/// Finds exponents: from ^ to the end of the word, or of the parentheses.
class ExponentReader {
  public:
    /// Returns whether the next character belongs to an exponent; empty if it only marks one.
    std::optional<bool> read(char c) {
        if (where_ == Where::behind_mark) {
            where_ = c == '(' ? Where::in_parentheses : Where::in_word;
            depth_ = 1;
            if (c == '(') return std::nullopt;
        }
        if (where_ == Where::in_word && (c == ' ' || c == ')' || c == ',')) where_ = Where::on_line;
        if (where_ == Where::on_line && c == '^') where_ = Where::behind_mark;
        if (where_ == Where::in_parentheses) {
            depth_ += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth_ == 0) where_ = Where::on_line;
            return depth_ == 0 ? std::nullopt : std::optional(true);
        }
        return where_ == Where::behind_mark ? std::nullopt : std::optional(where_ == Where::in_word);
    }

  private:
    enum class Where { on_line, behind_mark, in_word, in_parentheses };
    Where where_ = Where::on_line;
    int depth_ = 0;
};

}  // namespace ropewalk
