#include "core/io/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using nlohmann::json;

constexpr std::size_t most_depth = 64, longest_key = 1 << 16;  // bytes
constexpr std::size_t longest_place = 200;                     // bytes of a message

/// Returns "line 2, column 5" of the last of the first `read` bytes; columns count characters.
std::string place_in(std::string_view text, std::size_t read) {
    const std::string_view before = text.substr(0, read == 0 ? 0 : read - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view in_line = before.substr(before.rfind('\n') + 1);  // all if there is no other line
    const auto column = 1 + std::count_if(in_line.begin(), in_line.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return fmt::format("line {}, column {}", line, column);
}

std::string described(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "an array";
    constexpr std::size_t longest = 60;  // bytes
    return brief(value.is_string() ? '"' + value.get<std::string>() + '"' : value.dump(), longest);
}

/// The bytes that were read, and those of them that the parser never saw.
struct BytesRead {
    std::size_t consumed = 0, skipped = 0;
};

/// Iterates over the text and records the parser's position, which nlohmann's callbacks do not receive. Skips the white
/// space after 1000 line breaks and tabs: for its messages the parser spells each of them out, in up to 33 times the
/// bytes.
class TrackedText {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackedText(const char* at, const char* end, BytesRead* progress) : at_(at), end_(end), progress_(progress) {}
    reference operator*() const { return *at_; }
    TrackedText& operator++() {
        if (*at_ != ' ') breaks_ = is_break(*at_) ? breaks_ + 1 : 0;
        step();
        for (; breaks_ > most_breaks && at_ != end_ && (*at_ == ' ' || is_break(*at_)); step()) ++progress_->skipped;
        return *this;
    }
    bool operator==(const TrackedText& other) const { return at_ == other.at_; }

  private:
    static constexpr int most_breaks = 1000;

    /// Returns whether a character is white space that cannot be in a text in quotes.
    static bool is_break(char c) { return c == '\n' || c == '\r' || c == '\t'; }
    void step() {
        ++at_;
        ++progress_->consumed;
    }

    const char *at_, *end_;
    BytesRead* progress_;
    int breaks_ = 0;  // breaks and tabs since the last visible character
};

/// What nlohmann's parser expects or finds, in words.
constexpr std::pair<std::string_view, std::string_view> parser_tokens[] = {{"string literal", "a text in quotes"},
                                                                           {"number literal", "a number"},
                                                                           {"true literal", "true"},
                                                                           {"false literal", "false"},
                                                                           {"null literal", "null"},
                                                                           {"end of input", "the end of the text"},
                                                                           {"'[', '{', or a literal", "a value"},
                                                                           {"']'", "']'"},
                                                                           {"'}'", "'}'"},
                                                                           {"':'", "':'"}};

/// Returns a token in words; empty for another text.
std::string_view in_words(std::string_view token) {
    for (const auto& [name, words] : parser_tokens)
        if (name == token) return words;
    return {};
}

/// Returns what nlohmann's parser found, "[json.exception…] parse error at line 1, column 5: syntax error while parsing
/// value - WHAT; last read: 'ANYTHING'; expected …", as a sentence without the beginning and what was read.
std::string complaint_of(const json::exception& error) {
    constexpr std::string_view separator = " - ", unexpected = "unexpected ", expects = "; expected ";
    std::string_view message = error.what();
    message.remove_prefix(std::min(message.size(), message.find(separator)));
    message.remove_prefix(std::min(message.size(), separator.size()));
    const std::size_t last = message.find("; last read: '"), expected = message.rfind(expects);
    // Other texts are part of what was read.
    std::string_view wanted = expected == message.npos ? "" : in_words(message.substr(expected + expects.size()));
    const std::string_view what = message.substr(0, std::min(last, wanted.empty() ? message.npos : expected));
    std::string sentence(what);
    if (what == "invalid literal") {
        sentence = "found an unknown word or character";
        if (wanted.empty()) wanted = "a value";
    } else if (what.starts_with(unexpected)) {
        const std::string_view token = what.substr(unexpected.size()), words = in_words(token);
        sentence = fmt::format("found {}", words.empty() ? token : words);
    } else if (what.empty()) {
        sentence = "malformed text";
    }
    if (wanted.empty()) return sentence;
    // After an element, another may follow.
    const std::string_view comma = wanted == "']'" || wanted == "'}'" ? "',' or " : "";
    return fmt::format("{}; expected {}{}", sentence, comma, wanted);
}

/// Builds the document from the parser's events and rejects what breaks a rule. The library's own builder with a
/// callback takes time quadratic in the number of objects: after each it looks through all that came before.
class Builder {
  public:
    Builder(json& root, std::string_view text, const std::string& name, const JsonLimits& limits,
            const BytesRead& progress)
        : root_(root), text_(text), name_(name), limits_(limits), progress_(progress) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(json::number_integer_t value) { return add(value); }
    bool number_unsigned(json::number_unsigned_t value) { return add(value); }
    bool number_float(json::number_float_t value, const std::string&) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(json::binary_t& value) { return add(std::move(value)); }  // required; no text has any
    bool start_object(std::size_t) { return open(json::value_t::object); }
    bool start_array(std::size_t) { return open(json::value_t::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        count();
        // A key is copied into the place of everything in its object, a text into its own alone.
        if (key.size() > longest_key)
            reject(progress_.consumed,
                   fmt::format("a key has {} bytes; it must have at most {}", key.size(), longest_key));
        auto& object = open_.back()->get_ref<json::object_t&>();
        const auto [member, is_new] = object.try_emplace(key);
        if (!is_new)
            reject(progress_.consumed,
                   fmt::format("the key {} occurs twice in one object; delete one of them", described(key)));
        if (object.size() > limits_.members)
            reject(progress_.consumed,
                   fmt::format("an object has more than {} members{}", limits_.members, limits_.advice));
        member_ = &member->second;
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const json::exception& error) {
        if (dynamic_cast<const json::out_of_range*>(&error))
            reject(progress_.consumed, "the number is too large; the maximum is 1.7e308");
        reject(byte + progress_.skipped, fmt::format("not valid JSON: {}", complaint_of(error)));
    }

  private:
    /// Throws InputError about the last of the bytes that are read.
    [[noreturn]] void reject(std::size_t read, const std::string& sentence) const {
        throw InputError(fmt::format("{}: {}: {}", name_, place_in(text_, read), sentence));
    }
    void count() {
        if (++events_ > limits_.events)
            reject(progress_.consumed,
                   fmt::format("there are more than {} values and brackets{}", limits_.events, limits_.advice));
    }
    /// Returns where the next value belongs.
    json& place() {
        if (open_.empty()) return root_;
        return open_.back()->is_array() ? open_.back()->get_ref<json::array_t&>().emplace_back() : *member_;
    }
    template <class Value>
    bool add(Value&& value) {
        count();
        place() = std::forward<Value>(value);
        return true;
    }
    bool open(json::value_t type) {
        count();
        if (open_.size() == most_depth)
            reject(progress_.consumed,
                   fmt::format("brackets are nested deeper than {}; flatten the document", most_depth));
        json& opened = place() = type;
        open_.push_back(&opened);
        return true;
    }
    bool close() {
        count();
        open_.pop_back();
        return true;
    }

    json& root_;
    const std::string_view text_;
    const std::string& name_;
    const JsonLimits& limits_;
    const BytesRead& progress_;
    std::size_t events_ = 0;
    std::vector<json*> open_;  // outermost first; their addresses hold while they are open
    json* member_ = nullptr;   // of the innermost object, for the value after its key
};

}  // namespace

json parse_json(std::string_view text, const std::string& name, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        throw LimitError(fmt::format("{}: has {} bytes, more than the limit of {}{}", name, text.size(), limits.bytes,
                                     limits.advice));
    if (const std::string what = impostor(text); !what.empty()) throw InputError(fmt::format("{}: {}", name, what));
    if (text.starts_with("\xef\xbb\xbf"))
        throw InputError(name + ": starts with a byte-order mark; save it as plain UTF-8");
    // nlohmann's lexer would read a NUL as the end of the text.
    if (const std::size_t nul = text.find('\0'); nul != text.npos)
        throw InputError(fmt::format("{}: byte {}: contains a NUL byte, so it is not a text file", name, nul));

    BytesRead progress;
    json document;
    const char* const last = text.data() + text.size();
    const TrackedText begin(text.data(), last, &progress), end(last, last, &progress);
    Builder builder(document, text, name, limits, progress);
    json::sax_parse(begin, end, &builder);
    return document;
}

JsonValue::JsonValue(const json& value, std::string name, Pointer pointer)
    : value_(&value), name_(std::move(name)), pointer_(std::move(pointer)) {}

bool JsonValue::contains(const std::string& key) const {
    return value_->is_object() && value_->contains(key);
}

JsonValue JsonValue::at(const std::string& key) const {
    if (!value_->is_object()) reject(fmt::format("must be an object, but is {}", described(*value_)));
    if (!value_->contains(key)) reject(fmt::format("has no member '{}'; add it", key));
    return {value_->at(key), name_, pointer_ / key};
}

JsonValue JsonValue::at(std::size_t index) const {
    if (!value_->is_array() || index >= value_->size())
        reject(fmt::format("must be a list with more than {} elements", index));
    return {value_->at(index), name_, pointer_ / index};
}

double JsonValue::number() const {
    if (value_->is_number()) return value_->get<double>();
    if (*value_ == "NaN") return nan;
    if (*value_ == "Infinity") return infinity;
    if (*value_ == "-Infinity") return -infinity;
    reject(fmt::format("must be a number, but is {}", described(*value_)));
}

std::int64_t JsonValue::integer(std::int64_t min, std::int64_t max) const {
    const double real = value_->is_number_float() ? value_->get<double>() : 0;
    const bool is_whole = value_->is_number_unsigned() ? std::in_range<std::int64_t>(value_->get<std::uint64_t>())
                                                       : std::abs(real) <= 0x1p53 && real == std::floor(real);
    if (value_->is_number() && is_whole)
        if (const auto whole = value_->get<std::int64_t>(); whole >= min && whole <= max) return whole;
    reject(fmt::format("must be a whole number from {} to {}, but is {}", min, max, described(*value_)));
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) reject(fmt::format("must be true or false, but is {}", described(*value_)));
    return value_->get<bool>();
}

std::string JsonValue::text() const {
    if (!value_->is_string()) reject(fmt::format("must be a text in quotes, but is {}", described(*value_)));
    return value_->get<std::string>();
}

std::string JsonValue::where() const {
    return name_ + ": " + (pointer_.empty() ? "/" : brief(pointer_.to_string(), longest_place));
}

void JsonValue::reject(const std::string& sentence) const {
    throw InputError(where() + ": " + sentence);
}

std::string json_text(const nlohmann::json& document) {
    const std::string indented = document.dump(2, ' ', false, json::error_handler_t::replace);
    return (indented.size() < JsonLimits{}.bytes ? indented : json_line(document)) + "\n";
}

std::string json_line(const nlohmann::json& document) {
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

json json_number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

}  // namespace ropewalk
