// Variables of lessons (a field by its path, the cursor, or a number of the head), their placeholders in text, and
// conditions on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/live_number.h"

namespace ropewalk {

/// Returns whether a field with this path exists under any encoding or construction.
bool is_known_field(std::string_view path);

/// A variable: "construction.alpha", "cursor.distance", "weight(-1, -2)".
class LessonVariable {
  public:
    /// Parses the text. Throws InputError with a sentence.
    explicit LessonVariable(std::string_view text);

    std::optional<Question> need(const Experiment& experiment, const Cursor& cursor) const;
    /// Returns the value, or nullopt if the field does not exist in this experiment, is not a number, or the number is
    /// undefined.
    std::optional<double> number(const Results& results) const;
    /// Returns whether the variable is a number that is still being computed.
    bool is_awaited(const Results& results) const { return number_ && number_->is_awaited(results); }
    /// Returns a field's value in words, "Causal"; empty if the field does not exist in this experiment.
    std::string words(const Results& results) const;
    /// Returns a field's value as in `--set`; empty if the field does not exist in this experiment.
    std::string setting(const Results& results) const;
    /// Returns the path of the experiment's field; empty if the variable is not a field.
    std::string field() const;
    bool is_number() const;
    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::optional<LiveNumber> number_;  // empty if the text is a path
};

/// A variable and its format in text: "weight(-1, -2):.4", "weight:.1%".
struct Placeholder {
    LessonVariable variable;
    int decimals = -1;  // −1: as in `readable`
    bool is_percent = false;

    /// Parses the text. Throws InputError with a sentence.
    static Placeholder parse(std::string_view text);
    /// Returns the formatted value, "…" while it is being computed, or "–" if there is none.
    std::string shown(const Results& results) const;
};

/// A condition: "construction.alpha >= 10 and weight(-1, -2) > 0.9". `=` and `!=` also compare names: "encoding =
/// nope".
class Condition {
  public:
    Condition() = default;
    /// Parses the text. Throws InputError with a sentence.
    explicit Condition(std::string_view text);

    bool is_stated() const { return !comparisons_.empty(); }
    Needs needs(const Experiment& experiment, const Cursor& cursor) const;
    /// Returns whether all comparisons hold. A comparison without a value does not hold.
    bool holds(const Results& results) const;
    /// Returns the paths of the fields in the condition.
    std::vector<std::string> fields() const;

  private:
    enum class Relation { at_least, at_most, unequal, above, below, equal };
    struct Comparison {
        LessonVariable left;
        Relation relation;
        double number = 0;
        std::string name;  // replaces `number`
    };

    static Comparison parse_comparison(std::string_view text);
    static bool holds(const Comparison& comparison, const Results& results);

    std::vector<Comparison> comparisons_;
};

}  // namespace ropewalk
