// The one description of a struct's fields. A struct lists them once,
//
//     template <class S, class F> static void fields(S& s, F&& f) { f(Field{.name = "base", …}, s.base); … }
//
// and JSON, `--set`, `ropewalk list fields`, widgets, tooltips, validation, hashing and undo names all read that list.
// A field is a leaf (double, int, int64_t, bool, a named enum, a list of doubles, a text, an ArrayFile), a struct with
// fields of its own, or a choice: a std::variant of such structs that carry `id`, `title`, `summary` and `source`.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ropewalk {

struct ArrayFile;

/// What a number stands for, for those who look for it without knowing whose field it is.
enum class Meaning {
    none,
    base,               // of the frequency ladder
    trained_context,    // tokens; 0 if it does not count
    rotating_fraction,  // of the pairs, or of the channels
    turns_threshold     // turns over the trained context
};

/// What is to be known of a field besides its value.
struct Field {
    const char* name = "";     // in JSON and `--set`
    const char* label = "";    // beside its widget
    const char* section = "";  // heading that it and the following fields stand under
    bool in_controls = true;   // false: it has no widget, because something else sets it (a zoom, say)
    const char* unit = "";
    double least = -std::numeric_limits<double>::infinity();
    double greatest = std::numeric_limits<double>::infinity();
    double slider_least = std::numeric_limits<double>::quiet_NaN();  // the useful part of the range; NaN: all of it
    double slider_greatest = std::numeric_limits<double>::quiet_NaN();
    bool logarithmic = false;
    int step = 1;               // of an integer: only least + a multiple of it is valid
    bool may_be_empty = false;  // of a list
    bool of_pairs = false;      // a fraction of the head_dim/2 pairs: sliders snap to whole pairs
    std::span<const double> marks = {};
    Meaning meaning = Meaning::none;
    const char* help = "";
    const char* source = "";  // paper and equation, where it is not the whole struct's
};

/// Specialised for every enum that is a field: `static constexpr std::array<EnumName, n> names`, in the order of its
/// values from 0.
struct EnumName {
    const char* id;
    const char* title;
};
template <class E>
struct EnumText;

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires {
    EnumText<T>::names;
};

template <NamedEnum E>
constexpr const EnumName& name_of(E value) {
    return EnumText<E>::names.at(static_cast<std::size_t>(value));
}

template <class T>
struct IsVariant : std::false_type {};
template <class... Alternatives>
struct IsVariant<std::variant<Alternatives...>> : std::true_type {};

/// A std::variant of structs, one of which is in force.
template <class T>
concept Choice = IsVariant<std::remove_const_t<T>>::value;

/// A struct with fields.
template <class T>
concept Group = requires(T& value) {
    std::remove_const_t<T>::fields(value, [](const Field&, auto&) {});
};

/// Calls f(index_constant…) — here: f(alternative) with a default value of each alternative of the choice, in order.
template <Choice C, class F>
void for_each_alternative(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f(std::variant_alternative_t<I, C>{}), ...);
    }
    (std::make_index_sequence<std::variant_size_v<C>>{});
}

template <Choice C>
const char* id_of(const C& choice) {
    return std::visit([](const auto& alternative) { return alternative.id; }, choice);
}

/// Visits all leaves and choices below `s`, depth first, as f(path, field, value); a choice is visited before the
/// fields of the alternative in force, whose paths start with the choice's.
template <Group S, class F>
void walk_fields(S& s, F&& f, const std::string& prefix = {}) {
    std::remove_const_t<S>::fields(s, [&](const Field& field, auto& value) {
        using T = std::remove_reference_t<decltype(value)>;
        const std::string path = prefix + field.name;
        if constexpr (Choice<T>) {
            f(path, field, value);
            std::visit([&](auto& alternative) { walk_fields(alternative, f, path + "."); }, value);
        } else if constexpr (Group<T>) {
            walk_fields(value, f, path + ".");
        } else {
            f(path, field, value);
        }
    });
}

/// The first number below `s` that stands for this; nothing if none does.
template <Group S>
std::optional<double> number_meaning(const S& s, Meaning meaning) {
    std::optional<double> found;
    walk_fields(s, [&](const std::string&, const Field& field, const auto& value) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
            if (!found && field.meaning == meaning) found = static_cast<double>(value);
    });
    return found;
}

/// Copies into `to` every field of `from` that has the same name and type.
template <Group From, Group To>
void keep_common_fields(const From& from, To& to) {
    std::remove_const_t<To>::fields(to, [&](const Field& field, auto& value) {
        std::remove_const_t<From>::fields(from, [&](const Field& other, const auto& old) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(old)>, std::remove_cvref_t<decltype(value)>>)
                if (std::string_view(field.name) == other.name) value = old;
        });
    });
}

/// Puts the alternative called `id` in force, keeping fields of the same name. False if there is none.
template <Choice C>
bool choose(C& choice, std::string_view id) {
    bool found = false;
    for_each_alternative<C>([&](auto alternative) {
        if (found || id != alternative.id) return;
        found = true;
        std::visit([&](const auto& old) { keep_common_fields(old, alternative); }, C(choice));
        choice = alternative;
    });
    return found;
}

/// One sentence if a leaf's value is not acceptable, naming the field, its value and what would do.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, double value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, std::int64_t value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::vector<double>& values);
/// A text must be UTF-8 of at most 4096 bytes.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::string& text);
inline std::optional<std::string> check_leaf(const std::string& path, const Field& field, int value) {
    return check_leaf(path, field, std::int64_t{value});
}
template <class T>
std::optional<std::string> check_leaf(const std::string&, const Field&, const T&) {
    return std::nullopt;
}

/// The first field below `s` whose own range is broken, as a sentence; rules between fields are the owners' business.
template <Group S>
std::optional<std::string> check_fields(const S& s) {
    std::optional<std::string> sentence;
    walk_fields(s, [&](const std::string& path, const Field& field, const auto& value) {
        if (!sentence) sentence = check_leaf(path, field, value);
    });
    return sentence;
}

/// A leaf's or a choice's value as text, as it stands in JSON or behind `--set path=`.
std::string text_of(double value);
std::string text_of(const std::vector<double>& values);
std::string text_of(const ArrayFile& file);
inline std::string text_of(const std::string& text) {
    return text;
}
inline std::string text_of(std::int64_t value) {
    return std::to_string(value);
}
inline std::string text_of(int value) {
    return std::to_string(value);
}
inline std::string text_of(bool value) {
    return value ? "true" : "false";
}
template <NamedEnum E>
std::string text_of(E value) {
    return name_of(value).id;
}
template <Choice C>
std::string text_of(const C& choice) {
    return id_of(choice);
}

/// Sets a leaf from text. Returns a sentence about what was expected if the text is no such value; ranges are not
/// checked here.
std::optional<std::string> parse_leaf(std::string_view text, double& value);
std::optional<std::string> parse_leaf(std::string_view text, std::int64_t& value);
std::optional<std::string> parse_leaf(std::string_view text, int& value);
std::optional<std::string> parse_leaf(std::string_view text, bool& value);
std::optional<std::string> parse_leaf(std::string_view text, std::vector<double>& values);
std::optional<std::string> parse_leaf(std::string_view text, std::string& value);
std::optional<std::string> parse_leaf(std::string_view text, ArrayFile& file);

/// "'rope' or 'yarn'" of the ids given.
std::string one_of(std::span<const std::string> ids);

template <NamedEnum E>
std::optional<std::string> parse_leaf(std::string_view text, E& value) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < EnumText<E>::names.size(); ++i) {
        ids.emplace_back(EnumText<E>::names[i].id);
        if (text == ids.back()) {
            value = static_cast<E>(i);
            return std::nullopt;
        }
    }
    return one_of(ids);
}
template <Choice C>
std::optional<std::string> parse_leaf(std::string_view text, C& choice) {
    if (choose(choice, text)) return std::nullopt;
    std::vector<std::string> ids;
    for_each_alternative<C>([&](const auto& alternative) { ids.emplace_back(alternative.id); });
    return one_of(ids);
}

/// FNV-1a over a text.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325);

/// A hash over the names and values of all fields below `s`: equal values have equal hashes, on every machine.
template <Group S>
std::uint64_t hash_fields(const S& s) {
    std::uint64_t hash = hash_text({});
    walk_fields(s, [&](const std::string& path, const Field&, const auto& value) {
        hash = hash_text(text_of(value), hash_text(path, hash));
    });
    return hash;
}

/// What differs between two values of a struct, for undo: the label of the first field that does, such as "Base θ".
/// Empty if none does.
template <Group S>
std::string difference(const S& before, const S& after) {
    std::vector<std::pair<std::string, std::string>> old;
    walk_fields(before, [&](const std::string& path, const Field&, const auto& value) {
        old.emplace_back(path, text_of(value));
    });
    std::string changed;
    walk_fields(after, [&](const std::string& path, const Field& field, const auto& value) {
        if (!changed.empty()) return;
        for (const auto& [old_path, old_text] : old)
            if (old_path == path && old_text == text_of(value)) return;
        changed = field.label;
    });
    return changed;
}

}  // namespace ropewalk
