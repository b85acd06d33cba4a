#include "core/fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fields/input_file.h"
#include "core/fields/item_list.h"
#include "core/fields/old_names.h"
#include "core/fields/setting_text.h"
#include "core/numbers/hash.h"
#include "core/text/number.h"
#include "core/text/split.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns the number whose distance to a valid integer is a multiple of the field's step.
double first_step(const Field& field) {
    return std::isfinite(field.min) ? field.min : 0;
}

}  // namespace

std::vector<std::string> ConstChoiceRef::ids() const {
    std::vector<std::string> ids;
    for (const ChoiceType::Alternative& alternative : alternatives()) ids.emplace_back(alternative.id);
    return ids;
}

std::optional<double> number_meaning(const ConstGroupRef& s, Meaning meaning) {
    std::optional<double> found;
    walk_fields(s, [&](const std::string&, const Field& field, const auto& value) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
            if (!found && field.meaning == meaning) found = static_cast<double>(value);
    });
    return found;
}

bool set_number(const GroupRef& s, std::string_view path, double value) {
    bool found = false;
    walk_fields(s, [&](const std::string& field_path, const Field& field, auto& number) {
        using T = std::remove_cvref_t<decltype(number)>;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
            if (field_path != path) return;
            found = true;
            const double clamped = std::clamp(value, field.min, field.max);
            if constexpr (std::is_same_v<T, int>) {
                using Limits = std::numeric_limits<int>;
                const double first = field.step > 1 ? first_step(field) : 0,
                             whole = first + field.step * std::round((clamped - first) / field.step);
                number = static_cast<int>(std::clamp<double>(whole, Limits::min(), Limits::max()));
            } else {
                number = clamped;
            }
        }
    });
    return found;
}

std::optional<double> number_at(const ConstGroupRef& s, std::string_view path) {
    std::optional<double> number;
    walk_fields(s, [&](const std::string& field_path, const Field&, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>)
            if (field_path == path) number = value;
    });
    return number;
}

void keep_common_fields(const ConstGroupRef& from, const GroupRef& to) {
    const auto keep = []<class Old, class T>(const Old& old, const Field& field, T& value) {
        if constexpr (!std::is_same_v<T, Old>) {
            return;
        } else if constexpr (std::is_pointer_v<T>) {
            if (!check_leaf("", field, *old)) *value = *old;
        } else if constexpr (std::is_same_v<T, EnumRef>) {
            if (value.is_same_enum(old)) value.set(old.value());
        } else if constexpr (std::is_same_v<T, GroupRef>) {
            if (&value.type() == &old.type()) keep_common_fields(old, value);
        }
    };
    const std::vector<FieldRef> known = from.list();
    for (FieldRef& to_field : to.list())
        for (const FieldRef& other : known)
            if (std::string_view(to_field.field.name) == other.field.name)
                std::visit([&](const auto& old, auto& value) { keep(old, to_field.field, value); }, other.value,
                           to_field.value);
}

bool choose(const ChoiceRef& choice, std::string_view id) {
    for (std::size_t i = 0; i < choice.alternatives().size(); ++i) {
        if (id != choice.alternatives()[i].id) continue;
        choice.choose(i);
        return true;
    }
    return false;
}

std::string range_sentence(const Field& field, NumberKind kind) {
    std::string what = kind == NumberKind::whole ? "a whole number" : "a number";
    if (field.step > 1) what = field.step == 2 ? "an even number" : fmt::format("a multiple of {}", field.step);
    const int digits = kind == NumberKind::whole ? 16 : 10;
    const auto limit = [&](double number) { return fmt::format("{:.{}g}", number, digits); };
    const bool has_min = std::isfinite(field.min), has_max = std::isfinite(field.max);
    const std::string limits = has_min && has_max ? " from " + limit(field.min) + " to " + limit(field.max)
                               : has_min          ? " of at least " + limit(field.min)
                               : has_max          ? " of at most " + limit(field.max)
                                                  : "";
    return "it must be " + what + limits;
}

std::optional<std::string> check_leaf(const std::string& path, const Field& field, double value) {
    if (std::isfinite(value) && value >= field.min && value <= field.max) return std::nullopt;
    return fmt::format("{} is {}; {}", path, text_of(value), range_sentence(field, NumberKind::real));
}

std::optional<std::string> check_leaf(const std::string& path, const Field& field, std::int64_t value) {
    const auto number = static_cast<double>(value);
    if (number >= field.min && number <= field.max &&
        (value - static_cast<std::int64_t>(first_step(field))) % field.step == 0)
        return std::nullopt;
    return fmt::format("{} is {}; {}", path, value, range_sentence(field, NumberKind::whole));
}

std::optional<std::string> check_whole(const std::string& path, const Field& field, double value) {
    if (value == std::floor(value) && std::abs(value) <= max_whole)
        return check_leaf(path, field, static_cast<std::int64_t>(value));
    return fmt::format("{} is {}; {}", path, text_of(value), range_sentence(field, NumberKind::whole));
}

std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::vector<double>& values) {
    if (values.empty() && !field.may_be_empty) return path + " is empty; it must hold at least one number";
    for (std::size_t i = 0; i < values.size(); ++i)
        if (auto sentence = check_leaf(fmt::format("{}[{}]", path, i), field, values[i])) return sentence;
    return std::nullopt;
}

std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::string& text) {
    if (text.size() > field.most_bytes)
        return fmt::format("{} has {} bytes; it must have at most {}", path, text.size(), field.most_bytes);
    if (!is_utf8(text)) return path + " is not UTF-8; it must be text";
    if (field.most_entries > 0)
        if (const std::size_t entries = parts_outside_quotes(text, '|').size(); entries > field.most_entries)
            return fmt::format("{} has {} entries; it must have at most {}", path, entries, field.most_entries);
    return field.items ? check_items(path, field.items(), text) : std::nullopt;
}

std::optional<std::string> check_fields(const ConstGroupRef& s) {
    std::optional<std::string> sentence;
    walk_fields(s, [&](const std::string& path, const Field& field, const auto& value) {
        if (!sentence) sentence = check_leaf(path, field, value);
    });
    return sentence;
}

std::string text_of(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return fmt::format("{}", value);
}

std::string text_of(const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(text_of(value));
    return fmt::format("{}", fmt::join(texts, ","));
}

std::string text_of(const EnumRef& value) {
    return value.name().id;
}

std::string text_of(const ConstChoiceRef& choice) {
    return id_of(choice);
}

std::optional<std::string> parse_leaf(std::string_view text, double& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto number = number_of<double>(text);
    if (!number) return "a number";
    value = *number;
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, std::int64_t& value) {
    auto whole = number_of<std::int64_t>(text);
    if (double number = 0; !whole && !parse_leaf(text, number))  // "1e6" is a whole number too
        if (number == std::floor(number) && std::abs(number) <= max_whole) whole = static_cast<std::int64_t>(number);
    if (!whole) return "a whole number";
    value = *whole;
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, int& value) {
    std::int64_t wide = 0;
    if (auto expected = parse_leaf(text, wide)) return expected;
    if (wide != static_cast<int>(wide)) return "a whole number of at most 2147483647";
    value = static_cast<int>(wide);
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, bool& value) {
    if (text != "true" && text != "false") return "'true' or 'false'";
    value = text == "true";
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, std::vector<double>& values) {
    if (text.empty()) {
        values.clear();
        return std::nullopt;
    }
    std::vector<double> parsed;
    while (true) {
        const auto comma = text.find_first_of(",:");
        const auto item = trimmed(text.substr(0, comma), " ");
        if (parse_leaf(item, parsed.emplace_back()))
            return fmt::format("numbers separated by commas, and '{}' is not a number", item);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    values = std::move(parsed);
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, std::string& value) {
    value = text;
    return std::nullopt;
}

std::optional<std::string> parse_leaf(std::string_view text, EnumRef value) {
    for (std::size_t i = 0; i < value.names().size(); ++i) {
        if (!is_name_of(value.names()[i].id, text)) continue;
        value.set(static_cast<int>(i));
        return std::nullopt;
    }
    return one_of(value.ids());
}

std::optional<std::string> parse_leaf(std::string_view text, const ChoiceRef& choice) {
    if (choose(choice, text)) return std::nullopt;
    return one_of(choice.ids());
}

std::string one_of(std::span<const std::string> ids) {
    if (ids.size() == 1) return fmt::format("'{}'", ids.front());
    return fmt::format("'{}' or '{}'", fmt::join(ids.first(ids.size() - 1), "', '"), ids.back());
}

std::uint64_t hash_fields(const ConstGroupRef& s) {
    std::uint64_t hash = hash_text({});
    walk_fields(s, [&](const std::string& path, const Field&, const auto& value) {
        hash = hash_text(text_of(value), hash_text(path, hash));
    });
    return hash;
}

}  // namespace ropewalk
