#include "app/window/widgets/field_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include "app/figures/parts/text/caption.h"
#include "app/figures/parts/text/value_in_words.h"
#include "app/plot/axes.h"
#include "app/window/widgets/find_words.h"
#include "app/window/widgets/widgets.h"
#include "core/error.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

/// One way to read the words: a name, and the value after it.
struct Reading {
    std::string name, value;
};

std::string words_joined(std::vector<std::string>::const_iterator first,
                         std::vector<std::string>::const_iterator last) {
    return fmt::format("{}", fmt::join(first, last, " "));
}

/// Returns all readings, those with the longest names first.
std::vector<Reading> readings_of(std::string_view words) {
    std::string text(words);
    if (const std::size_t equals = text.find('='); equals != text.npos) {
        const auto before = parts_outside_quotes(text.substr(0, equals), ' '),
                   after = parts_outside_quotes(text.substr(equals + 1), ' ');
        return {{words_joined(before.begin(), before.end()), words_joined(after.begin(), after.end())}};
    }
    const std::vector<std::string> parts = parts_outside_quotes(text, ' ');
    std::vector<Reading> readings;
    for (auto end = parts.end(); end != parts.begin(); --end)
        readings.push_back({words_joined(parts.begin(), end), words_joined(end, parts.end())});
    return readings;
}

enum class Match { none, beginning, whole };

/// Returns the symbol of a field's label as it can be typed on any keyboard.
std::string_view spelled(std::string_view symbol) {
    using Spelling = std::pair<std::string_view, std::string_view>;
    for (const auto& [letter, name] : {Spelling{"θ", "theta"}, {"α", "alpha"}, {"σ", "sigma"}, {"ε", "epsilon"}})
        if (symbol == letter) return name;
    return symbol;
}

/// Returns whether this is a word, as at the end of "Training step", and no symbol as in "Base θ" or "Length N".
bool is_word(std::string_view text) {
    return text.size() > 1 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c); });
}

/// Returns how well a name matches a field: its path, its name, its label with or without the symbol, or the symbol.
Match match_of(std::string_view name, const std::string& path, const Field& field) {
    const std::string_view label = field.label;
    const std::size_t last = label.rfind(' ');
    const bool has_symbol = last != label.npos && !is_word(label.substr(last + 1));
    const std::string_view words = has_symbol ? label.substr(0, last) : label,
                           symbol = has_symbol ? label.substr(last + 1) : "";
    for (const std::string_view each :
         {std::string_view(path), std::string_view(field.name), label, words, symbol, spelled(symbol)})
        if (!each.empty() && is_called(each, name)) return Match::whole;
    constexpr std::size_t min_letters = 3;
    const bool begins = name.size() >= min_letters && (begins_with(label, name) || begins_with(field.name, name));
    return begins ? Match::beginning : Match::none;
}

/// A value that was read, as a setting and as it is shown, or why it cannot be.
struct ReadValue {
    std::string as_setting, shown, complaint;
};

/// Returns the entry whose id or title is, or else begins with, the text; null if there is none.
template <class Entry>
const Entry* named_entry(std::span<const Entry> entries, std::string_view text) {
    const Entry* found = nullptr;
    for (const Entry& entry : entries) {
        if (is_called(entry.id, text) || is_called(entry.title, text)) return &entry;
        if (!found && (begins_with(entry.id, text) || begins_with(entry.title, text))) found = &entry;
    }
    return found;
}

template <class Entries>
std::string titles_of(const Entries& entries) {
    std::vector<std::string> titles;
    for (const auto& entry : entries) titles.emplace_back(entry.title);
    return fmt::format("{}", fmt::join(titles, ", "));
}

ReadValue read_number(const std::string& text, const Field& field, bool is_whole, const Experiment& experiment) {
    std::string number = text;
    const std::string unit = field.unit;
    if (!unit.empty() && number.ends_with(" " + unit)) number.resize(number.size() - unit.size() - 1);
    const std::optional<double> value = parse_number(number);
    if (!value) return {.complaint = fmt::format("'{}' is not a number.", text)};
    const double wanted = field.of_pairs && !is_whole ? experiment.shape().snapped(*value) : *value;
    const auto complaint = is_whole ? check_whole(field.label, field, wanted) : check_leaf(field.label, field, wanted);
    if (complaint) return {.complaint = with_readable_numbers(*complaint) + "."};
    return {.as_setting = is_whole ? fmt::format("{:.0f}", wanted) : text_of(wanted),
            .shown = *field.min_means && wanted == field.min ? field.min_means : readable(wanted, field.unit)};
}

template <class T>
ReadValue read_value(const std::string& text, const Field& field, const T& value, const Experiment& experiment) {
    if constexpr (std::is_same_v<T, bool>) {
        for (const auto& [word, means] : {std::pair{"on", true}, {"off", false}, {"true", true}, {"false", false}})
            if (is_called(word, text)) return {.as_setting = means ? "true" : "false", .shown = means ? "on" : "off"};
        return {.complaint = fmt::format("{} can be on or off.", field.label)};
    } else if constexpr (std::is_arithmetic_v<T>) {
        return read_number(text, field, std::is_integral_v<T>, experiment);
    } else if constexpr (std::is_same_v<T, EnumRef>) {
        if (const EnumName* match = named_entry(value.names(), text))
            return {.as_setting = match->id, .shown = match->title};
        return {.complaint = fmt::format("{} can be: {}.", field.label, titles_of(value.names()))};
    } else if constexpr (std::derived_from<T, ConstChoiceRef>) {
        if (const auto* match = named_entry(value.alternatives(), text))
            return {.as_setting = match->id, .shown = match->title};
        return {.complaint = fmt::format("{} '{}' is unknown. It can be: {}.", field.label, text,
                                         titles_of(value.alternatives()))};
    } else {
        return {.as_setting = text, .shown = text};
    }
}

/// Sets the field of a copy, so that what the whole head cannot have is known before it is chosen.
void try_setting(NamedField& field_named, const Experiment& experiment) {
    try {
        changed(experiment, in_one_line({field_named.setting}));
        return;
    } catch (const std::exception& error) {
        field_named.complaint = with_readable_numbers(with_labels(error.what(), experiment)) + ".";
    }
    field_named.setting.clear();
    field_named.after.clear();
}

template <class T>
NamedField named_field(const Reading& reading, const std::string& path, const Field& field, const T& value,
                       const Experiment& experiment) {
    NamedField field_named{.path = path, .label = field.label};
    // A text or a list would be too long.
    if constexpr (!std::is_same_v<T, std::string> && !std::is_same_v<T, std::vector<double>>)
        field_named.before = value_in_words(field, value);
    if (reading.value.empty()) {
        field_named.complaint = fmt::format("Type a value after the name, as in '{}={}'.", field.name,
                                            std::is_arithmetic_v<T> ? "500k" : "…");
        return field_named;
    }
    const ReadValue read = read_value(reading.value, field, value, experiment);
    field_named.complaint = read.complaint;
    if (!read.complaint.empty()) return field_named;
    field_named.after = read.shown;
    field_named.setting = fmt::format("{}={}", path, read.as_setting);
    try_setting(field_named, experiment);
    return field_named;
}

}  // namespace

std::vector<NamedField> fields_named_by(std::string_view words, const Experiment& experiment) {
    std::vector<NamedField> whole, beginning;
    // Length of the longest name that matches as a whole: "training step 40" does not name the field "training".
    std::size_t longest = 0;
    const std::vector<Reading> readings = readings_of(words);
    walk_fields(experiment, [&](const std::string& path, const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if (!field.in_controls || FileLeaf<T>) return;
        for (const Reading& reading : readings) {
            const Match match = match_of(reading.name, path, field);
            if (match == Match::none || (match == Match::beginning && !parse_number(reading.value))) continue;
            if (match == Match::whole && reading.name.size() < longest) return;
            if (match == Match::whole && reading.name.size() > std::exchange(longest, reading.name.size()))
                whole.clear();
            (match == Match::whole ? whole : beginning).push_back(named_field(reading, path, field, value, experiment));
            return;
        }
    });
    std::vector<NamedField>& all = whole.empty() ? beginning : whole;
    return std::move(all);
}

std::vector<NamedField> fields_of_other_encodings(std::string_view words, const Experiment& experiment) {
    std::vector<NamedField> all;
    const auto add = [&](const std::string& path, const ConstChoiceRef& encoding) {
        const ChoiceType::Alternative& current = encoding.in_force();
        for (const ChoiceType::Alternative& other : encoding.alternatives()) {
            if (other.id == current.id) continue;
            const std::string choice = fmt::format("{}={}", path, other.id);
            std::vector<NamedField> fields;
            try {
                fields = fields_named_by(words, changed(experiment, choice));
            } catch (const Error&) {  // the head cannot have this encoding
            }
            for (NamedField& named : fields) {
                if (!named.path.starts_with(path + ".") || named.setting.empty()) continue;
                named.choice = choice;
                named.before = current.title;
                named.after = fmt::format("{}, {}", other.title, named.after);
                all.push_back(std::move(named));
            }
        }
    };
    if (const auto trained = trained_head_of(experiment.construction))
        add(std::string(path_of_training_encoding), trained->recipe.encoding);
    add("encoding", experiment.encoding);
    return all;
}

}  // namespace ropewalk
