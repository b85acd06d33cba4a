#include "core/models/families/config_reader.h"

namespace ropewalk {

std::optional<ConfigReader> ConfigReader::object(const std::string& key) const {
    if (!has(key)) return std::nullopt;
    JsonValue value = root_.at(key);
    if (!value.raw().is_object()) value.reject("must be an object");
    return ConfigReader(std::move(value));
}

const char* ConfigReader::first_of(std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
        if (has(key)) return key;
    return nullptr;
}

int ConfigReader::count(std::initializer_list<const char*> keys, int otherwise, int min, int max) const {
    const char* const key = first_of(keys);
    return key ? static_cast<int>(root_.at(key).integer(min, max)) : otherwise;
}

double ConfigReader::number(std::initializer_list<const char*> keys, double otherwise) const {
    const char* const key = first_of(keys);
    return key ? root_.at(key).number() : otherwise;
}

bool ConfigReader::flag(const char* key, bool otherwise) const {
    return has(key) ? root_.at(key).boolean() : otherwise;
}

std::string ConfigReader::text(std::initializer_list<const char*> keys, const std::string& otherwise) const {
    const char* const key = first_of(keys);
    return key ? root_.at(key).text() : otherwise;
}

std::vector<double> ConfigReader::numbers(const char* key) const {
    std::vector<double> numbers;
    if (!has(key)) return numbers;
    const JsonValue list = root_.at(key);
    if (!list.raw().is_array()) list.reject("must be a list of numbers");
    for (std::size_t i = 0; i < list.raw().size(); ++i) numbers.push_back(list.at(i).number());
    return numbers;
}

std::vector<std::string> ConfigReader::texts(const char* key) const {
    std::vector<std::string> texts;
    if (!has(key)) return texts;
    const JsonValue list = root_.at(key);
    if (!list.raw().is_array()) list.reject("must be a list of texts");
    for (std::size_t i = 0; i < list.raw().size(); ++i) texts.push_back(list.at(i).text());
    return texts;
}

}  // namespace ropewalk
