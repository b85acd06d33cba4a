#include "app/lessons/lesson_variable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/figures/parts/text/value_in_words.h"
#include "app/lessons/split_text.h"
#include "app/plot/axes.h"
#include "core/error.h"
#include "core/fields/fields_io.h"
#include "core/numbers/numbers.h"
#include "core/text/number.h"
#include "core/text/split.h"

namespace ropewalk {
namespace {

constexpr std::string_view cursor_prefix = "cursor.";
constexpr const char* cursor_paths[] = {"cursor.query", "cursor.key", "cursor.distance", "cursor.pair"};

/// Returns the path of every possible field, with its allowed names if it is a choice.
const std::map<std::string, std::vector<std::string>, std::less<>>& known_fields() {
    static const auto all = [] {
        std::map<std::string, std::vector<std::string>, std::less<>> fields;
        for (const auto& field : describe_fields(Experiment{})) {
            auto& names = fields[field["path"]];
            if (field.contains("values"))
                for (const std::string name : field["values"]) names.push_back(name);
        }
        return fields;
    }();
    return all;
}

/// Calls f(field, value) for the field at a path, if the experiment has it.
template <class F>
void with_field(const Experiment& experiment, std::string_view path, F&& f) {
    walk_fields(experiment, [&](const std::string& at, const Field& field, const auto& value) {
        if (at == path) f(field, value);
    });
}

std::optional<double> cursor_number(const Cursor& cursor, std::string_view path) {
    const int values[] = {cursor.query, cursor.key, cursor.distance(), cursor.pair};
    for (std::size_t i = 0; i < std::size(values); ++i)
        if (path == cursor_paths[i]) return values[i];
    return std::nullopt;
}

}  // namespace

bool is_known_field(std::string_view path) {
    return known_fields().contains(path);
}

LessonVariable::LessonVariable(std::string_view text) : text_(trimmed(text)) {
    if (text_.empty()) throw InputError("a field or a number is missing");
    if (is_known_field(text_) ||
        std::find(std::begin(cursor_paths), std::end(cursor_paths), text_) != std::end(cursor_paths))
        return;
    if (text_.find('.') != text_.npos)
        throw InputError(fmt::format("unknown field '{}'; `ropewalk list fields` lists all fields", text_));
    number_.emplace(text_);
}

std::optional<Question> LessonVariable::need(const Experiment& experiment, const Cursor& cursor) const {
    return number_ ? number_->need(experiment, cursor) : std::nullopt;
}

std::optional<double> LessonVariable::number(const Results& results) const {
    if (number_) return number_->value(results);
    if (text_.starts_with(cursor_prefix)) return cursor_number(results.request.cursor, text_);
    std::optional<double> value;
    with_field(results.request.experiment, text_, [&](const Field&, const auto& leaf) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(leaf)>>) value = static_cast<double>(leaf);
    });
    return value;
}

std::string LessonVariable::words(const Results& results) const {
    std::string words;
    with_field(results.request.experiment, text_,
               [&](const Field& field, const auto& leaf) { words = value_in_words(field, leaf); });
    return words;
}

std::string LessonVariable::setting(const Results& results) const {
    std::string value;
    with_field(results.request.experiment, text_, [&](const Field&, const auto& leaf) { value = text_of(leaf); });
    return value;
}

std::string LessonVariable::field() const {
    return is_known_field(text_) ? text_ : std::string();
}

bool LessonVariable::is_number() const {
    const auto known = known_fields().find(text_);
    return known == known_fields().end() || known->second.empty();
}

Placeholder Placeholder::parse(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    Placeholder placeholder{LessonVariable(text.substr(0, std::min(colon, text.size())))};
    if (colon == text.npos) return placeholder;
    std::string_view style = trimmed(text.substr(colon + 1));
    placeholder.is_percent = style.ends_with('%');
    if (placeholder.is_percent) style.remove_suffix(1);
    const bool is_valid = style.empty() ? placeholder.is_percent
                                        : style.size() == 2 && style[0] == '.' && style[1] >= '0' && style[1] <= '9';
    if (!is_valid)
        throw InputError(fmt::format("'{}' is not a number format; write .3 for three decimals or .1% for per cent",
                                     trimmed(text.substr(colon + 1))));
    if (!placeholder.variable.is_number())
        throw InputError(fmt::format("{} is not a number and cannot have decimals", placeholder.variable.text()));
    if (!style.empty()) placeholder.decimals = style[1] - '0';
    return placeholder;
}

std::string Placeholder::shown(const Results& results) const {
    const auto number = variable.number(results);
    if (!number) {
        if (variable.is_awaited(results)) return "…";
        const std::string words = variable.words(results);
        return words.empty() ? "–" : words;
    }
    if (std::isinf(*number)) return readable(*number) + (*number < 0 ? " (masked)" : "");  // the logit of a masked key
    const double value = is_percent ? 100 * *number : *number;
    if (decimals == 0) return readable(std::round(value)) + (is_percent ? " %" : "");
    std::string text = decimals < 0 ? readable(value) : fmt::format("{:.{}f}", std::abs(value), decimals);
    if (decimals >= 0 && value < 0 && text.find_first_of("123456789") != text.npos) text = "−" + text;
    return text + (is_percent ? " %" : "");
}

Condition::Condition(std::string_view text) {
    for (const std::string_view part : split(text, " and ")) comparisons_.push_back(parse_comparison(part));
}

Condition::Comparison Condition::parse_comparison(std::string_view text) {
    static constexpr std::pair<std::string_view, Relation> relations[] = {
        {">=", Relation::at_least}, {"<=", Relation::at_most}, {"!=", Relation::unequal},
        {">", Relation::above},     {"<", Relation::below},    {"=", Relation::equal}};
    for (const auto& [sign, relation] : relations) {
        const std::size_t at = text.find(sign);
        if (at == text.npos) continue;
        Comparison comparison{LessonVariable(text.substr(0, at)), relation, 0, {}};
        const std::string right(trimmed(text.substr(at + sign.size())));
        if (comparison.left.is_number()) {
            comparison.number = number_of<double>(right).value_or(nan);
            if (!std::isfinite(comparison.number))
                throw InputError(
                    fmt::format("'{}' is not a number; {} is compared with numbers", right, comparison.left.text()));
            return comparison;
        }
        const auto& names = known_fields().find(comparison.left.text())->second;
        if (std::find(names.begin(), names.end(), right) == names.end())
            throw InputError(
                fmt::format("{} cannot be '{}'; it must be {}", comparison.left.text(), right, one_of(names)));
        if (relation != Relation::equal && relation != Relation::unequal)
            throw InputError(fmt::format("{} can only be compared with = and !=", comparison.left.text()));
        comparison.name = right;
        return comparison;
    }
    throw InputError(fmt::format("'{}' is not a comparison; write it as in construction.alpha >= 10", trimmed(text)));
}

Needs Condition::needs(const Experiment& experiment, const Cursor& cursor) const {
    Needs needs;
    for (const Comparison& comparison : comparisons_)
        if (auto question = comparison.left.need(experiment, cursor)) needs.push_back(std::move(*question));
    return needs;
}

bool Condition::holds(const Comparison& comparison, const Results& results) {
    if (!comparison.name.empty()) {
        const std::string value = comparison.left.setting(results);
        return !value.empty() && (value == comparison.name) == (comparison.relation == Relation::equal);
    }
    const auto value = comparison.left.number(results);
    if (!value) return false;
    const bool is_equal = std::abs(*value - comparison.number) <= 1e-9 * std::abs(comparison.number);
    switch (comparison.relation) {
        case Relation::at_least: return is_equal || *value > comparison.number;
        case Relation::at_most: return is_equal || *value < comparison.number;
        case Relation::unequal: return !is_equal;
        case Relation::above: return *value > comparison.number;
        case Relation::below: return *value < comparison.number;
        case Relation::equal: return is_equal;
    }
    return false;
}

bool Condition::holds(const Results& results) const {
    return std::all_of(comparisons_.begin(), comparisons_.end(),
                       [&](const Comparison& comparison) { return holds(comparison, results); });
}

std::vector<std::string> Condition::fields() const {
    std::vector<std::string> paths;
    for (const Comparison& comparison : comparisons_)
        if (std::string path = comparison.left.field(); !path.empty()) paths.push_back(std::move(path));
    return paths;
}

}  // namespace ropewalk
