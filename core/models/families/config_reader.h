// core/models/families: one file per model family (`model_type`), and their list. Here: reading config.json.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_reader.h"

namespace ropewalk {

/// Reads the members of a config.json; null counts as absent. Errors give the file and the place.
class ConfigReader {
  public:
    explicit ConfigReader(JsonValue root) : root_(std::move(root)) {}

    const JsonValue& root() const { return root_; }
    bool has(const std::string& key) const { return root_.contains(key) && !root_.raw().at(key).is_null(); }
    /// Returns whether the key is there, even if its value is null.
    bool mentions(const std::string& key) const { return root_.contains(key); }
    /// Returns the reader of the object at `key`, if there is one.
    std::optional<ConfigReader> object(const std::string& key) const;

    /// Return the value of the first key that is there, or `otherwise`.
    int count(std::initializer_list<const char*> keys, int otherwise, int min = 1, int max = 1 << 24) const;
    double number(std::initializer_list<const char*> keys, double otherwise) const;
    bool flag(const char* key, bool otherwise) const;
    std::string text(std::initializer_list<const char*> keys, const std::string& otherwise) const;
    std::vector<double> numbers(const char* key) const;
    std::vector<std::string> texts(const char* key) const;

  private:
    const char* first_of(std::initializer_list<const char*> keys) const;

    JsonValue root_;
};

}  // namespace ropewalk
