// How the parts of a tokenizer.json are read: an object with a `type`, which one list per kind of part knows.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "core/io/json_reader.h"
#include "core/text/utf8.h"

namespace ropewalk {

/// What a tokenizer.json that Ropewalk cannot use leaves to do.
inline constexpr std::string_view way_out = "; you can type token ids instead of a text";

template <class Part>
struct PartType {
    std::string_view name;
    Part (*read)(const JsonValue& value);
};

/// Reads a part of the type that it names. Throws InputError if `types` has no such type. `what` is the kind of part.
template <class Part>
Part read_part(const JsonValue& value, std::span<const PartType<Part>> types, std::string_view what) {
    const JsonValue type = value.at("type");
    const std::string name = type.text();
    std::string names;
    for (const PartType<Part>& known : types) {
        if (known.name == name) return known.read(value);
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    }
    type.reject(fmt::format("{} '{}' is not supported, only {}{}", what, name, names, way_out));
}

/// Calls use(element) for every element of a list. Throws InputError for anything else than a list.
void for_each_element(const JsonValue& list, const auto& use) {
    if (!list.raw().is_array()) list.reject("must be a list");
    for (std::size_t i = 0; i < list.raw().size(); ++i) use(list.at(i));
}

/// Returns whether the member exists and is not null.
inline bool has(const JsonValue& value, const std::string& key) {
    return value.contains(key) && !value.raw().at(key).is_null();
}

/// Returns the member, or `otherwise` where it is missing or null.
inline bool flag(const JsonValue& value, const std::string& key, bool otherwise) {
    return has(value, key) ? value.at(key).boolean() : otherwise;
}
/// Returns a text of one character. Throws InputError for anything else.
inline std::string read_character(const JsonValue& value) {
    std::string text = value.text();
    if (text.empty() || first_character(text) != text) value.reject("must be one character");
    return text;
}

}  // namespace ropewalk
