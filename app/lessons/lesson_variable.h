// What a lesson may name: a field by its path, the cursor, or a number of the head; how it is written into prose, and
// conditions on it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/lessons/live_number.h"

namespace ropewalk {

/// Whether an experiment may have a field of this path, under some encoding or construction.
bool is_known_field(std::string_view path);

/// "construction.alpha", "cursor.distance", "weight(-1, -2)".
class LessonVariable {
  public:
    /// Throws InputError with a sentence.
    explicit LessonVariable(std::string_view text);

    std::optional<Question> need(const Experiment& experiment, const Cursor& cursor) const;
    /// Nothing where the field is not in force, is no number, or there is no such number.
    std::optional<double> number(const Results& results) const;
    /// A field's value as a person reads it, "10 000", "Causal"; empty where it is not in force.
    std::string words(const Results& results) const;
    /// The field's value as behind `--set`; empty where it is not in force.
    std::string setting(const Results& results) const;
    /// The path of the experiment's field that it is; empty if it is none.
    std::string field() const;
    bool is_number() const;
    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::variant<std::string, LiveNumber> what_;  // a path, or a number
};

/// How a number is written: so many decimals, or as `readable` would; perhaps in per cent.
struct NumberStyle {
    enum class Unit { none, percent };

    int decimals = -1;  // −1: as many as it needs
    Unit unit = Unit::none;

    bool operator==(const NumberStyle&) const = default;
};

/// "weight(-1, -2):.4", "weight:.1%": a number or a field in prose.
struct Placeholder {
    LessonVariable variable;
    NumberStyle style;

    /// Throws InputError with a sentence.
    static Placeholder parse(std::string_view text);
    /// "–" where there is no value.
    std::string shown(const Results& results) const;
};

/// "construction.alpha >= 10 and weight(-1, -2) > 0.9"; `=`, `!=` also of names: "encoding = nope".
class Condition {
  public:
    Condition() = default;
    /// Throws InputError with a sentence.
    explicit Condition(std::string_view text);

    bool is_stated() const { return !comparisons_.empty(); }
    Needs needs(const Experiment& experiment, const Cursor& cursor) const;
    /// Whether all of it holds; what has no value fulfils nothing.
    bool holds(const Results& results) const;
    /// Paths of the fields that it is about.
    std::vector<std::string> fields() const;

  private:
    enum class Relation { at_least, at_most, unequal, above, below, equal };
    struct Comparison {
        LessonVariable left;
        Relation relation;
        double number = 0;
        std::string name;  // in place of a number
    };

    static Comparison parse_comparison(std::string_view text);
    static bool holds(const Comparison& comparison, const Results& results);

    std::vector<Comparison> comparisons_;
};

}  // namespace ropewalk
