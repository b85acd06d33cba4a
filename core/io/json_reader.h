// The checked JSON parser for everything read from files, the clipboard or exported figures.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ropewalk {

/// The largest text that is parsed. `events` counts values, keys and brackets, `members` those of one object; `advice`
/// ends the sentences about it.
struct JsonLimits {
    std::size_t bytes = 16u << 20, events = 200'000;
    const char* advice = "; save large arrays as .npy files";
    std::size_t members = events;
};

/// Parses a text within the limits (LimitError beyond the bytes) and of depth 64; no byte-order mark, no duplicate
/// keys or keys of more than 65 536 bytes, no numbers that overflow a double. Errors call the text `name`. Throws
/// InputError with name, line and column, the violated rule and what to do.
nlohmann::json parse_json(std::string_view text, const std::string& name, const JsonLimits& limits = {});

/// A value with its JSON pointer and its file's name, for checked access whose errors give the place: "scene.json:
/// /experiment/seq_len: …".
class JsonValue {
  public:
    using Pointer = nlohmann::json::json_pointer;

    JsonValue(const nlohmann::json& value, std::string name, Pointer pointer = Pointer());

    const nlohmann::json& raw() const { return *value_; }
    bool contains(const std::string& key) const;
    /// Returns the member `key`. Throws InputError unless this is an object that has it.
    JsonValue at(const std::string& key) const;
    /// Returns element `index`. Throws InputError unless this is an array that has it.
    JsonValue at(std::size_t index) const;

    /// Returns a number; "NaN", "Infinity" and "-Infinity" are accepted. Throws InputError otherwise.
    double number() const;
    /// Returns a whole number within [min, max]: 3.0 is accepted, 3.5, "3" and true are not. Throws InputError
    /// otherwise.
    std::int64_t integer(std::int64_t min, std::int64_t max) const;
    bool boolean() const;
    std::string text() const;

    const std::string& name() const { return name_; }
    /// Returns "NAME: POINTER".
    std::string where() const;
    /// Throws InputError with "NAME: POINTER: sentence".
    [[noreturn]] void reject(const std::string& sentence) const;

  private:
    const nlohmann::json* value_;
    std::string name_;
    Pointer pointer_;
};

/// Returns a document as the text of a file, indented unless it would be too large to be parsed. Replaces invalid
/// UTF-8, such as in file names.
std::string json_text(const nlohmann::json& document);
/// Returns a document in one line. Replaces invalid UTF-8.
std::string json_line(const nlohmann::json& document);

/// Returns a number as JSON, with the strings "NaN", "Infinity" and "-Infinity" for non-finite ones.
nlohmann::json json_number(double value);

}  // namespace ropewalk
