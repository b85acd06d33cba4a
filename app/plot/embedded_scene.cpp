#include "app/plot/embedded_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>

#include "core/error.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view utf16_mark = "\xfe\xff";
constexpr const char* cut_short = "is incomplete; export the figure again";
constexpr std::size_t most_text_bytes = 16 << 20;  // of a scene

[[noreturn]] void reject(const std::string& name, const std::string& sentence) {
    throw InputError(fmt::format("{}: {}", name, sentence));
}

/// Throws LimitError if this many bytes are more than a scene has.
void require_readable(std::size_t bytes, const std::string& name) {
    if (bytes > most_text_bytes)
        throw LimitError(fmt::format("{}: has a scene of more than {} bytes; save large arrays as .npy files", name,
                                     most_text_bytes));
}

/// Returns the first occurrence of a text or, with reverse iterators, the last. `find` and `rfind` are slow where its
/// first or last character is everywhere.
template <class Iterator>
Iterator search(Iterator begin, Iterator end, Iterator text_begin, Iterator text_end) {
    return std::search(begin, end, std::boyer_moore_horspool_searcher(text_begin, text_end));
}

/// Removes and returns everything up to the next zero byte, and removes that byte; nullopt if there is none.
std::optional<std::string_view> take_string(std::string_view& bytes) {
    const std::size_t end = bytes.find('\0');
    if (end == bytes.npos) return std::nullopt;
    const std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    return text;
}

/// Returns the text of an iTXt chunk with the keyword "ropewalk". Its fields are keyword, compression flag, compression
/// method, language, translated keyword and text.
std::optional<std::string> text_of_chunk(std::string_view chunk, const std::string& name) {
    if (take_string(chunk) != "ropewalk") return std::nullopt;
    if (chunk.size() < 2) reject(name, cut_short);
    if (chunk[0] != 0) reject(name, "another program has compressed its scene; open the figure as it was exported");
    chunk.remove_prefix(2);
    if (!take_string(chunk) || !take_string(chunk)) reject(name, cut_short);
    require_readable(chunk.size(), name);
    return std::string(chunk);
}

/// Returns the unsigned number of four bytes, the most significant first.
std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = at; i < at + 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
    return number;
}

/// Returns the checksum of a chunk's type and data, as in appendix D of the PNG specification.
std::uint32_t checksum_of(std::string_view bytes) {
    std::uint32_t rest = 0xffffffff;
    for (const char byte : bytes) {
        rest ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? 0xedb88320 ^ rest >> 1 : rest >> 1;
    }
    return ~rest;
}

std::optional<std::string> scene_in_png(std::string_view bytes, const std::string& name) {
    constexpr std::size_t around = 12;  // length, type and checksum of a chunk
    bytes.remove_prefix(png_signature.size());
    while (!bytes.empty()) {
        if (bytes.size() < around) reject(name, cut_short);
        const std::size_t length = number_at(bytes, 0);
        if (length > bytes.size() - around) reject(name, cut_short);
        if (bytes.substr(4, 4) == "iTXt")
            if (auto text = text_of_chunk(bytes.substr(8, length), name)) {
                if (checksum_of(bytes.substr(4, 4 + length)) == number_at(bytes, 8 + length)) return text;
                reject(name, "has a damaged scene, whose checksum is wrong; export the figure again");
            }
        if (bytes.substr(4, 4) == "IEND") break;
        bytes.remove_prefix(length + around);
    }
    return std::nullopt;
}

std::string unescaped(std::string_view text, const std::string& name) {
    static constexpr std::array<std::pair<std::string_view, char>, 6> entities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#13;", '\r'}}};
    std::string result;
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find('&'), text.size());
        result += text.substr(0, plain);
        text.remove_prefix(plain);
        require_readable(result.size(), name);
        if (text.empty()) break;
        std::size_t length = 1;
        char c = text.front();
        for (const auto& [entity, character] : entities)
            if (text.starts_with(entity)) length = entity.size(), c = character;
        result += c;
        text.remove_prefix(length);
    }
    return result;
}

std::optional<std::string> scene_in_svg(std::string_view bytes, const std::string& name) {
    constexpr std::string_view opening = "<metadata id=\"ropewalk\">", closing = "</metadata>";
    const auto begin = search(bytes.begin(), bytes.end(), opening.begin(), opening.end());
    if (begin == bytes.end()) return std::nullopt;
    const auto first = begin + opening.size(), last = search(first, bytes.end(), closing.begin(), closing.end());
    if (last == bytes.end()) reject(name, cut_short);
    return unescaped({first, last}, name);
}

/// Returns the UTF-8 text of big-endian UTF-16 without a byte order mark.
std::string utf8_of_utf16(std::string_view bytes, const std::string& name) {
    const auto unit = [&](std::size_t i) {
        return static_cast<char32_t>(static_cast<unsigned char>(bytes[i]) << 8 |
                                     static_cast<unsigned char>(bytes[i + 1]));
    };
    std::string text;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t c = unit(i);
        if (c >= 0xd800 && c < 0xdc00 && i + 3 < bytes.size()) {
            const char32_t low = unit(i += 2);
            c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : replacement_character;
        }
        text += utf8_of(c);
        require_readable(text.size(), name);
    }
    return text;
}

/// Returns the bytes of the PDF string at the beginning: <hexadecimal>, or (literal) with escapes.
std::optional<std::string> pdf_string(std::string_view bytes, const std::string& name) {
    constexpr std::size_t utf16_per_utf8 = 2;  // at most, in bytes
    std::string result;
    if (bytes.starts_with('<')) {
        const std::size_t end = bytes.find('>');
        if (end == bytes.npos) return std::nullopt;
        require_readable(end / (2 * utf16_per_utf8), name);
        for (std::size_t i = 1; i + 1 < end; i += 2) {
            unsigned value = 0;
            const auto [stop, error] = std::from_chars(bytes.data() + i, bytes.data() + i + 2, value, 16);
            if (error != std::errc{} || stop != bytes.data() + i + 2) return std::nullopt;
            result += static_cast<char>(value);
        }
        return result;
    }
    if (!bytes.starts_with('(')) return std::nullopt;
    int depth = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (result.size() > most_text_bytes)
            require_readable(result.size() / (result.starts_with(utf16_mark) ? utf16_per_utf8 : 1), name);
        char c = bytes[i];
        if (c == '\\') {
            if (++i == bytes.size()) return std::nullopt;
            if (bytes[i] >= '0' && bytes[i] <= '7') {
                unsigned value = 0;
                const char* digits = bytes.data() + i;
                const char* limit = digits + std::min<std::size_t>(3, bytes.size() - i);
                i += static_cast<std::size_t>(std::from_chars(digits, limit, value, 8).ptr - digits) - 1;
                result += static_cast<char>(value);
            } else {
                c = bytes[i];
                result += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
            }
            continue;
        }
        if (c == '(' && depth++ == 0) continue;
        if (c == ')' && --depth == 0) return result;
        result += c;
    }
    return std::nullopt;
}

std::optional<std::string> scene_in_pdf(std::string_view bytes, const std::string& name) {
    constexpr std::string_view key = "/Keywords";
    const auto rest = search(bytes.rbegin(), bytes.rend(), key.rbegin(), key.rend());
    if (rest == bytes.rend()) return std::nullopt;
    bytes = {rest.base(), bytes.end()};
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \r\n\t"), bytes.size()));
    const auto string = pdf_string(bytes, name);
    if (!string) reject(name, cut_short);
    std::string text = string->starts_with(utf16_mark)
                           ? utf8_of_utf16(std::string_view(*string).substr(utf16_mark.size()), name)
                           : *string;
    return text;
}

}  // namespace

std::string embedded_scene(std::string_view bytes, const std::string& name) {
    std::optional<std::string> text;
    if (bytes.starts_with(png_signature))
        text = scene_in_png(bytes, name);
    else if (bytes.starts_with("%PDF-"))
        text = scene_in_pdf(bytes, name);
    else if (bytes.starts_with("<?xml") || bytes.starts_with("<svg"))
        text = scene_in_svg(bytes, name);
    else if (const std::string other = impostor(bytes); !other.empty())
        reject(name, other);
    else
        reject(name, "is not a PNG, SVG or PDF file");
    if (!text || !text->starts_with('{'))
        reject(name, "contains no scene; open a figure that was exported by Ropewalk");
    return *text;
}

}  // namespace ropewalk
