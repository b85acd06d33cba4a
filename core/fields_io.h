// Fields to and from JSON, and by path from text, for any struct that lists its fields.
#pragma once

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/array_file.h"
#include "core/error.h"
#include "core/fields.h"
#include "core/io/json_reader.h"

namespace ropewalk {

/// Where the files that fields name are looked for. A confined folder may not be left, by "..", an absolute path or a
/// link.
struct FileAccess {
    enum class Reach { confined, anywhere };

    std::filesystem::path folder;
    Reach reach = Reach::confined;
};

/// Reads the file that `file.path` names. InputError if it may not be read or is no array; IoError if it cannot be.
void load(ArrayFile& file, const FileAccess& access);

/// What came up while reading: unknown keys are kept, but said.
using Warnings = std::vector<std::string>;

inline nlohmann::json to_json(double value) {
    return json_number(value);
}
inline nlohmann::json to_json(int value) {
    return value;
}
inline nlohmann::json to_json(std::int64_t value) {
    return value;
}
inline nlohmann::json to_json(bool value) {
    return value;
}
inline nlohmann::json to_json(const std::vector<double>& values) {
    return values;
}
inline nlohmann::json to_json(const ArrayFile& file) {
    return file.path;
}
inline nlohmann::json to_json(const std::string& text) {
    return text;
}
template <NamedEnum E>
nlohmann::json to_json(E value) {
    return name_of(value).id;
}
template <Group S>
nlohmann::json to_json(const S& s);
template <Choice C>
nlohmann::json to_json(const C& choice) {
    nlohmann::json object = std::visit([](const auto& alternative) { return to_json(alternative); }, choice);
    object["id"] = id_of(choice);
    return object;
}
template <Group S>
nlohmann::json to_json(const S& s) {
    nlohmann::json object = nlohmann::json::object();
    S::fields(s, [&](const Field& field, const auto& value) { object[field.name] = to_json(value); });
    return object;
}

/// Reads a leaf, a choice or a struct; what is left out keeps its value. InputError with file and JSON pointer for
/// anything that does not fit.
template <class T>
void from_json(const JsonValue& json, const Field& field, T& value, const FileAccess& access, Warnings& warnings);

/// A struct's members from an object. Keys in `also_known` are not warned of.
template <Group S>
void members_from_json(const JsonValue& object, S& s, const FileAccess& access, Warnings& warnings,
                       std::vector<std::string> also_known = {}) {
    if (!object.raw().is_object()) object.reject("must be an object");
    S::fields(s, [&](const Field& field, auto& value) {
        also_known.emplace_back(field.name);
        if (object.contains(field.name)) from_json(object.at(field.name), field, value, access, warnings);
    });
    for (const auto& member : object.raw().items())
        if (std::find(also_known.begin(), also_known.end(), member.key()) == also_known.end())
            warnings.push_back(object.at(member.key()).where() + ": is not known to this version; it is kept");
}

template <class T>
void from_json(const JsonValue& json, const Field& field, T& value, const FileAccess& access, Warnings& warnings) {
    if constexpr (std::is_same_v<T, double>) {
        value = json.number();
    } else if constexpr (std::is_same_v<T, bool>) {
        value = json.boolean();
    } else if constexpr (std::is_integral_v<T>) {
        const auto bound = [](double limit) {
            return static_cast<std::int64_t>(std::clamp<double>(limit, std::numeric_limits<T>::min(), 0x1p53));
        };
        value = static_cast<T>(json.integer(bound(field.least), bound(field.greatest)));
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
        if (!json.raw().is_array()) json.reject("must be a list of numbers");
        value.clear();
        for (std::size_t i = 0; i < json.raw().size(); ++i) value.push_back(json.at(i).number());
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = json.text();
    } else if constexpr (std::is_same_v<T, ArrayFile>) {
        value = {.path = json.text()};
        if (!value.path.empty()) load(value, access);
    } else if constexpr (Choice<T>) {
        if (!json.raw().is_object())
            json.reject("must be an object such as {\"id\": \"" + std::string(id_of(value)) + "\"}");
        if (json.contains("id"))
            if (auto expected = parse_leaf(json.at("id").text(), value))
                json.at("id").reject("is '" + json.at("id").text() + "'; it must be " + *expected);
        std::visit([&](auto& alternative) { members_from_json(json, alternative, access, warnings, {"id"}); }, value);
    } else if constexpr (Group<T>) {
        members_from_json(json, value, access, warnings);
    } else {
        if (auto expected = parse_leaf(json.text(), value))
            json.reject("is '" + json.text() + "'; it must be " + *expected);
    }
    if (auto sentence = check_leaf(field.name, field, value)) json.reject(*sentence);
}

/// Sets the field at `path` ("encoding.base") from text. UsageError if there is no such field, InputError if the text
/// is no such value or out of its range.
template <Group S>
void set_field(S& s, std::string_view path, std::string_view text, const FileAccess& access) {
    bool found = false;
    std::string known;
    walk_fields(s, [&](const std::string& field_path, const Field& field, auto& value) {
        if (!found) known += (known.empty() ? "" : ", ") + field_path;
        if (found || field_path != path) return;
        found = true;
        if (auto expected = parse_leaf(text, value))
            throw InputError(field_path + " is '" + std::string(text) + "'; it must be " + *expected);
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, ArrayFile>) load(value, access);
        if (auto sentence = check_leaf(field_path, field, value)) throw InputError(*sentence);
    });
    if (!found) throw UsageError("there is no field '" + std::string(path) + "' here; there are " + known);
}

}  // namespace ropewalk
