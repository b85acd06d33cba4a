#include "core/models/tokenizer/normalizer.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/models/tokenizer/component.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::size_t max_decomposition = 18;  // characters, of one

/// Sorts the marks behind each letter as Unicode prescribes. utf8proc does this too, but its time is quadratic.
void order_marks(std::vector<utf8proc_int32_t>& characters) {
    const auto mark = [](utf8proc_int32_t character) { return utf8proc_get_property(character)->combining_class; };
    for (auto begin = characters.begin(); begin != characters.end();) {
        const auto marked = std::find_if(begin, characters.end(), [&](auto character) { return mark(character) > 0; });
        begin = std::find_if(marked, characters.end(), [&](auto character) { return mark(character) == 0; });
        std::stable_sort(marked, begin, [&](auto a, auto b) { return mark(a) < mark(b); });
    }
}

/// Returns the text in a normalization form of Unicode: of `options`, UTF8PROC_COMPOSE and UTF8PROC_COMPAT.
std::string normal_form(std::string_view text, int options) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return std::string(text);
    std::vector<utf8proc_int32_t> characters;
    const auto decompose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | options);
    while (!text.empty()) {
        const auto character = static_cast<utf8proc_int32_t>(take_character(text));
        utf8proc_int32_t parts[max_decomposition];
        int boundary = 0;
        const auto count = utf8proc_decompose_char(character, parts, max_decomposition, decompose, &boundary);
        characters.insert(characters.end(), parts, parts + std::clamp<utf8proc_ssize_t>(count, 0, max_decomposition));
    }
    order_marks(characters);
    if (options & UTF8PROC_COMPOSE) {
        const auto compose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        characters.resize(static_cast<std::size_t>(
            utf8proc_normalize_utf32(characters.data(), static_cast<utf8proc_ssize_t>(characters.size()), compose)));
    }
    std::string normal;
    for (const utf8proc_int32_t character : characters) normal += utf8_of(static_cast<char32_t>(character));
    return normal;
}

template <int options>
Normalizer read_form(const JsonValue&) {
    return [](TokenizerPiece& piece, Deadline) {
        const std::size_t first = normal_form(std::string_view(piece.text).substr(0, piece.first), options).size();
        piece.text = normal_form(piece.text, options);
        piece.first = std::min(first, piece.text.size());
    };
}

/// Returns a text that a normalizer adds.
std::string read_added_text(const JsonValue& value) {
    constexpr std::size_t most_bytes = 1024;
    std::string text = value.text();
    if (text.size() > most_bytes)
        throw LimitError(fmt::format("{}: the text has {} bytes, more than the limit of {}", value.where(), text.size(),
                                     most_bytes));
    return text;
}

Normalizer read_replacement(const JsonValue& value) {
    return [pattern = read_pattern(value.at("pattern")), content = read_added_text(value.at("content")),
            where = value.where()](TokenizerPiece& piece, Deadline deadline) {
        const std::vector<RegexSpan> spans = pattern.spans(piece.text, deadline);
        require_within_limits(TokenizerPiece::bytes_replaced(spans, content), where, deadline);
        piece.replace(spans, content);
    };
}

Normalizer read_prepend(const JsonValue& value) {
    return [prefix = read_added_text(value.at("prepend"))](TokenizerPiece& piece, Deadline) { piece.prepend(prefix); };
}

Normalizer read_normalizers(const JsonValue& value) {
    std::vector<Normalizer> parts;
    for_each_element(value.at("normalizers"), [&](const JsonValue& part) { parts.push_back(read_normalizer(part)); });
    return [parts, where = value.where()](TokenizerPiece& piece, Deadline deadline) {
        for (const Normalizer& part : parts) {
            part(piece, deadline);
            require_within_limits(piece.text.size(), where, deadline);
        }
    };
}

constexpr PartType<Normalizer> normalizers[] = {
    {"NFC", read_form<UTF8PROC_COMPOSE>},
    {"NFD", read_form<0>},
    {"NFKC", read_form<UTF8PROC_COMPOSE | UTF8PROC_COMPAT>},
    {"NFKD", read_form<UTF8PROC_COMPAT>},
    {"Prepend", read_prepend},
    {"Replace", read_replacement},
    {"Sequence", read_normalizers},
};

}  // namespace

Normalizer read_normalizer(const JsonValue& value) {
    if (value.raw().is_null()) return [](TokenizerPiece&, Deadline) {};
    return read_part<Normalizer>(value, normalizers, "normalizer");
}

Regex read_pattern(const JsonValue& value) {
    if (value.contains("Regex")) return {value.at("Regex").text(), value.at("Regex").where()};
    if (value.contains("String")) return {escaped(value.at("String").text()), value.at("String").where()};
    value.reject(R"(must be {"Regex": "…"} or {"String": "…"})");
}

}  // namespace ropewalk
