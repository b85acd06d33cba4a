#include "app/window/widgets/field_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
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
#include "core/text/closest_name.h"
#include "core/text/utf8.h"

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

/// Returns all readings, the longest names first. Any text may be pasted, so one of more than 64 KiB has no reading,
/// and a name has at most 64 bytes, more than any field's.
std::vector<Reading> readings_of(std::string_view words) {
    constexpr std::size_t most = 1 << 16, longest_name = 64;  // bytes
    if (words.size() > most) return {};
    std::vector<Reading> readings;
    if (const std::size_t equals = words.find('='); equals != words.npos) {
        const auto before = parts_outside_quotes(words.substr(0, equals), ' '),
                   after = parts_outside_quotes(words.substr(equals + 1), ' ');
        readings.push_back({words_joined(before.begin(), before.end()), words_joined(after.begin(), after.end())});
        if (readings.front().name.size() > longest_name) readings.clear();
        return readings;
    }
    const std::vector<std::string> parts = parts_outside_quotes(words, ' ');
    for (auto end = parts.begin(); end != parts.end();) {
        std::string name = words_joined(parts.begin(), ++end);
        if (name.size() > longest_name) break;
        readings.push_back({std::move(name), words_joined(end, parts.end())});
    }
    std::reverse(readings.begin(), readings.end());
    return readings;
}

/// Returns whether a text was meant as a number: "7", "−1", "0,5".
bool is_number_like(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of("+-−."), text.size()));
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
}

enum class Match { none, beginning, whole };

/// Returns the symbol of a field's label as it can be typed on any keyboard.
std::string_view spelled(std::string_view symbol) {
    using Spelling = std::pair<std::string_view, std::string_view>;
    for (const auto& [letter, name] : {Spelling{"θ", "theta"}, {"α", "alpha"}, {"σ", "sigma"}, {"ε", "epsilon"}})
        if (symbol == letter) return name;
    return symbol;
}

/// Returns whether this is a word, as at the end of "Training step", not a symbol, as in "Base θ" or "Length N".
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
    const std::string sought = bare_name(name);
    for (const std::string_view each :
         {std::string_view(path), std::string_view(field.name), label, words, symbol, spelled(symbol)})
        if (!each.empty() && bare_name(each) == sought) return Match::whole;
    constexpr std::size_t min_letters = 3;
    const bool begins = name.size() >= min_letters && (begins_with(label, name) || begins_with(field.name, name));
    return begins ? Match::beginning : Match::none;
}

/// A value that was read, as a setting and as it is shown, or why it cannot be.
struct ReadValue {
    std::string as_setting, shown, complaint;
};

/// Returns a typed text as a complaint quotes it.
std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;  // bytes
    return "'" + brief(text, most) + "'";
}

/// Reads an entry's id or title, or an unambiguous beginning of at least two letters.
template <class Entry>
ReadValue read_entry(const std::string& text, const Field& field, std::span<const Entry> entries) {
    constexpr std::size_t min_letters = 2;
    const std::string sought = bare_name(text);
    std::vector<const Entry*> begun;
    std::vector<std::string> names, all, possible;
    for (const Entry& entry : entries) {
        const std::string id = bare_name(entry.id), title = bare_name(entry.title);
        if (sought == id || sought == title) return {.as_setting = entry.id, .shown = entry.title};
        all.emplace_back(entry.title);
        names.insert(names.end(), {id, title});
        if (!id.starts_with(sought) && !title.starts_with(sought)) continue;
        begun.push_back(&entry);
        possible.emplace_back(entry.title);
    }
    if (begun.size() == 1 && sought.size() >= min_letters)
        return {.as_setting = begun.front()->id, .shown = begun.front()->title};
    if (begun.size() > 1)
        return {.complaint =
                    fmt::format("{} {} is ambiguous. It can be {}.", field.label, in_quotes(text), one_of(possible))};
    if (!begun.empty()) return {.complaint = fmt::format("Did you mean {}?", possible.front())};
    const std::string closest = closest_name(sought, names);
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), closest) - names.begin()) / 2;
    return {.complaint = fmt::format("{} {} is unknown. {}", field.label, in_quotes(text),
                                     closest.empty() ? fmt::format("It can be: {}.", fmt::join(all, ", "))
                                                     : fmt::format("Did you mean {}?", all[at]))};
}

/// Returns a number that may be typed for a field with this value.
double example_of(const Field& field, double value) {
    return *field.min_means && value == field.min && !std::isnan(field.min_stands_for) ? field.min_stands_for : value;
}

ReadValue read_number(const std::string& text, const Field& field, bool is_whole, double current,
                      const Experiment& experiment) {
    std::string number = text;
    const std::string unit = field.unit;
    if (!unit.empty() && number.ends_with(" " + unit)) number.resize(number.size() - unit.size() - 1);
    const std::optional<double> value = parse_number(number);
    if (!value)
        return {.complaint = fmt::format("{} is {}; {}.", field.label, in_quotes(text),
                                         wanted_number(number, is_whole ? NumberKind::whole : NumberKind::real,
                                                       example_of(field, current)))};
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
        return read_number(text, field, std::is_integral_v<T>, static_cast<double>(value), experiment);
    } else if constexpr (std::is_same_v<T, EnumRef>) {
        return read_entry(text, field, value.names());
    } else if constexpr (std::derived_from<T, ConstChoiceRef>) {
        return read_entry(text, field, value.alternatives());
    } else {
        constexpr std::size_t most = 40;  // bytes
        return {.as_setting = text, .shown = brief(text, most)};
    }
}

/// Returns a fault of a head in the words of its controls.
std::string in_words_of_controls(const std::string& fault, const Experiment& head) {
    constexpr std::size_t most = 300;  // bytes
    std::string sentence = with_readable_numbers(with_labels(fault, head)) + ".";
    walk_fields(head, [&](const std::string& path, const Field&, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (FileLeaf<T>)  // the fault itself explains --set
            if (value.path.empty() && fault.starts_with(path + " "))
                sentence = fmt::format("'{}' needs {}", title_of(head.construction),
                                       std::is_same_v<T, ModelFile> ? "a model. Choose Open model in the File menu."
                                                                    : "a file. Press Ctrl+O to open one.");
    });
    return brief(sentence, most);
}

/// Sets the field of a copy, so that what the whole head cannot have is known before it is chosen.
void try_setting(NamedField& field_named, const Experiment& experiment) {
    Experiment changed = experiment;
    std::string fault;
    try {
        apply_setting(changed, field_named.setting, {});
        fault = validate(changed).value_or("");
    } catch (const std::exception& error) {
        fault = error.what();
    }
    if (fault.empty()) return;
    field_named.complaint = in_words_of_controls(fault, changed);
    field_named.setting.clear();
    field_named.after.clear();
}

/// Returns a value that may be typed for a field.
template <class T>
std::string example_value(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, EnumRef> || std::derived_from<T, ConstChoiceRef>)
        return value_in_words(field, value);
    else if constexpr (std::is_arithmetic_v<T>)
        return text_of(example_of(field, static_cast<double>(value)));
    else
        return "…";
}

template <class T>
NamedField named_field(const Reading& reading, const std::string& path, const Field& field, const T& value,
                       const Experiment& experiment) {
    NamedField field_named{.path = path, .label = field.label};
    // A text or a list would be too long.
    if constexpr (!std::is_same_v<T, std::string> && !std::is_same_v<T, std::vector<double>>)
        field_named.before = value_in_words(field, value);
    if (reading.value.empty()) {
        field_named.complaint =
            fmt::format("Type a value after the name, as in '{} {}'.", reading.name, example_value(field, value));
        return field_named;
    }
    field_named.has_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && is_number_like(reading.value);
    const ReadValue read = read_value(reading.value, field, value, experiment);
    field_named.complaint = read.complaint;
    if (!read.complaint.empty()) return field_named;
    field_named.after = read.shown;
    field_named.setting = fmt::format("{}={}", path, read.as_setting);
    try_setting(field_named, experiment);
    return field_named;
}

std::vector<NamedField> fields_of(const std::vector<Reading>& readings, const Experiment& experiment) {
    std::vector<NamedField> whole, beginning;
    // Length of the longest name that matches as a whole: "training step 40" does not name the field "training".
    std::size_t longest = 0;
    walk_controls(experiment, [&](const std::string& path, const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if (FileLeaf<T>) return;
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

}  // namespace

std::vector<NamedField> fields_named_by(std::string_view words, const Experiment& experiment) {
    return fields_of(readings_of(words), experiment);
}

std::vector<NamedField> fields_of_other_encodings(std::string_view words, const Experiment& experiment) {
    std::vector<NamedField> all, refused;
    const std::vector<Reading> readings = readings_of(words);
    const auto add = [&](const std::string& path, const ConstChoiceRef& encoding) {
        const ChoiceType::Alternative& current = encoding.in_force();
        for (const ChoiceType::Alternative& other : encoding.alternatives()) {
            if (other.id == current.id) continue;
            const std::string choice = fmt::format("{}={}", path, other.id);
            std::vector<NamedField> fields;
            try {
                fields = fields_of(readings, changed(experiment, choice));
            } catch (const Error&) {  // the head cannot have this encoding
            }
            for (NamedField& named : fields) {
                if (!named.path.starts_with(path + ".")) continue;
                if (named.setting.empty()) {
                    named.before = other.title;
                    if (named.has_number) refused.push_back(std::move(named));
                    continue;
                }
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
    refused.resize(std::min<std::size_t>(refused.size(), 1));  // all for much the same reason
    return all.empty() ? refused : all;
}

}  // namespace ropewalk
