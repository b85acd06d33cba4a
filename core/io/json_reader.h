// The one guarded way into JSON: everything that is read from a file, the clipboard or a figure comes through here.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ropewalk {

/// Parses at most 16 MiB (else LimitError), 200 000 events, depth 64; no byte-order mark, no duplicate keys, no numbers
/// that overflow a double. `name` is what errors call the text. Throws InputError with name, byte offset, the rule
/// broken and what would do.
nlohmann::json parse_json(std::string_view text, const std::string& name);

/// A value at a JSON pointer with its file's name, for range-checked access whose errors say where: "scene.json:
/// /experiment/seq_len: …".
class JsonValue {
  public:
    JsonValue(const nlohmann::json& value, std::string name, std::string pointer = {});

    const nlohmann::json& raw() const { return *value_; }
    bool contains(const std::string& key) const;
    /// The member `key`; InputError unless this is an object that has it.
    JsonValue at(const std::string& key) const;
    /// Element `index` of an array; InputError unless there is one.
    JsonValue at(std::size_t index) const;

    /// A finite or "NaN"/"Infinity"/"-Infinity" number.
    double number() const;
    /// A whole number within [least, greatest]; 3.0 counts, 3.5, "3" and true do not.
    std::int64_t integer(std::int64_t min, std::int64_t max) const;
    bool boolean() const;
    std::string text() const;

    /// "NAME: POINTER"
    std::string where() const;
    /// An InputError "NAME: POINTER: sentence".
    [[noreturn]] void reject(const std::string& sentence) const;

  private:
    const nlohmann::json* value_;
    std::string name_, pointer_;
};

/// A document as a file has it. What is no UTF-8, names of files among it, is replaced.
std::string json_text(const nlohmann::json& document);

/// A number as JSON: non-finite ones as the strings "NaN", "Infinity", "-Infinity".
nlohmann::json json_number(double value);

}  // namespace ropewalk
