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

constexpr std::string_view section_begin = "<![CDATA[", section_end = "]]>";

bool is_xml_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Returns the number of bytes before the first for which `stops` is true. It is inlined, and so faster than `find` and
/// `find_first_of` where such bytes are close together.
template <class Stops>
std::size_t length_until(std::string_view bytes, Stops stops) {
    return static_cast<std::size_t>(std::find_if(bytes.begin(), bytes.end(), stops) - bytes.begin());
}

std::string_view without_blanks_before(std::string_view xml) {
    return xml.substr(length_until(xml, [](char c) { return !is_xml_blank(c); }));
}

std::string_view from_next_markup(std::string_view xml) {
    return xml.substr(length_until(xml, [](char c) { return c == '<'; }));
}

/// Returns whether XML that begins with '<' begins with a tag. So does what is too short to begin with anything else.
bool is_tag(std::string_view xml) {
    return xml.size() < 2 || (xml[1] != '!' && xml[1] != '?');
}

/// Returns the length of the tag with which `xml` begins; npos if it is unfinished.
std::size_t tag_length(std::string_view xml) {
    char quote = '\0';
    for (std::size_t i = 1; i < xml.size() && xml[i] != '<'; ++i) {
        if (quote == '\0' && xml[i] == '>') return i + 1;
        if (xml[i] == quote)
            quote = '\0';
        else if (quote == '\0' && (xml[i] == '"' || xml[i] == '\''))
            quote = xml[i];
    }
    return xml.npos;
}

/// Returns the length of the comment, CDATA section or processing instruction with which `xml` begins, npos if it is
/// unfinished, and 1 for a declaration: a document type contains others.
std::size_t uninterpreted_length(std::string_view xml) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> uninterpreted{
        {{"<!--", "-->"}, {section_begin, section_end}, {"<?", "?>"}}};
    if (xml.size() < 3 || (xml[1] == '!' && xml[2] != '-' && xml[2] != '[')) return 1;
    for (const auto& [begin, end] : uninterpreted) {
        if (!xml.starts_with(begin)) continue;
        for (std::size_t i = begin.size() + end.size(); i <= xml.size(); ++i)
            if (xml[i - 1] == '>' && xml.substr(0, i).ends_with(end)) return i;
        return xml.npos;
    }
    return 1;
}

/// Returns the part of XML that begins with its first tag; empty if it has none.
std::string_view from_next_tag(std::string_view xml) {
    xml = from_next_markup(xml);
    while (!is_tag(xml)) xml = from_next_markup(xml.substr(std::min(uninterpreted_length(xml), xml.size())));
    return xml;
}

/// Returns whether `xml` begins with the start tag of an element, with or without a prefix as in "svg:metadata".
bool begins_element(std::string_view xml, std::string_view element) {
    xml.remove_prefix(std::min<std::size_t>(1, xml.size()));
    const auto ends_name = [](char c) { return c == '<' || c == '>' || c == '/' || is_xml_blank(c); };
    std::string_view name = xml.substr(0, length_until(xml, ends_name));
    if (!name.ends_with(element)) return false;
    name.remove_suffix(element.size());
    return name.empty() || name.ends_with(':');
}

/// Returns whether a start tag has the attribute id="ropewalk".
bool has_scene_id(std::string_view tag) {
    tag.remove_prefix(length_until(tag, is_xml_blank));
    while (true) {
        const std::size_t at = length_until(tag, [](char c) { return c == '"' || c == '\''; });
        if (at == tag.size()) return false;
        const std::string_view attribute = without_blanks_before(tag.substr(0, at)), rest = tag.substr(at + 1);
        const std::size_t length = length_until(rest, [&](char c) { return c == tag[at]; });
        if (length == rest.size()) return false;  // a quote in the tag's name: not XML
        const std::size_t name_length = length_until(attribute, [](char c) { return c == '=' || is_xml_blank(c); });
        if (attribute.substr(0, name_length) == "id" && rest.substr(0, length) == "ropewalk") return true;
        tag = rest.substr(length + 1);
    }
}

/// Returns the character that "&lt;", "&#952;" or "&#x3b8;" refers to; nullopt if there is none.
std::optional<char32_t> referenced_character(std::string_view reference) {
    static constexpr std::array<std::pair<std::string_view, char32_t>, 5> entities{
        {{"&amp;", U'&'}, {"&lt;", U'<'}, {"&gt;", U'>'}, {"&quot;", U'"'}, {"&apos;", U'\''}}};
    for (const auto& [entity, character] : entities)
        if (reference == entity) return character;
    if (!reference.starts_with("&#")) return std::nullopt;
    const bool is_hexadecimal = reference.starts_with("&#x");
    const char* semicolon = reference.data() + reference.size() - 1;
    std::uint32_t code = 0;
    const auto [stop, error] =
        std::from_chars(reference.data() + (is_hexadecimal ? 3 : 2), semicolon, code, is_hexadecimal ? 16 : 10);
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (error != std::errc{} || stop != semicolon || code == 0 || is_surrogate || code > 0x10ffff) return std::nullopt;
    return code;
}

/// Appends XML text, with the characters that it refers to.
void append_unescaped(std::string& result, std::string_view text, const std::string& name) {
    constexpr std::size_t most_shown = 40;
    while (true) {
        const std::string_view plain = text.substr(0, length_until(text, [](char c) { return c == '&'; }));
        require_readable(result.size() + plain.size(), name);
        result += plain;
        text.remove_prefix(plain.size());
        if (text.empty()) return;
        const auto ends_reference = [](char c) { return c == ';' || c == '&' || is_xml_blank(c); };
        const std::size_t end = 1 + length_until(text.substr(1), ends_reference);
        if (end == text.size() || text[end] != ';')
            reject(name, fmt::format("has the incomplete reference '{}' in its scene; write '&amp;' for '&', or export "
                                     "the figure again",
                                     brief(text.substr(0, end), most_shown)));
        const std::string_view reference = text.substr(0, end + 1);
        const auto character = referenced_character(reference);
        if (!character)
            reject(name, fmt::format("has the invalid reference '{}' in its scene; remove it, or export the "
                                     "figure again",
                                     brief(reference, most_shown)));
        result += utf8_of(*character);
        text.remove_prefix(reference.size());
    }
}

/// Returns the text with which the content of an element begins. It ends at the first tag, which may be of an element
/// inside of it: editors add their own to <metadata>.
std::string text_of_content(std::string_view xml, const std::string& name) {
    std::string text;
    while (true) {
        const std::string_view rest = from_next_markup(xml);
        const std::size_t length = is_tag(rest) ? tag_length(rest) : uninterpreted_length(rest);
        if (length == rest.npos) reject(name, cut_short);
        append_unescaped(text, xml.substr(0, xml.size() - rest.size()), name);
        if (is_tag(rest)) break;
        if (rest.starts_with(section_begin)) {
            const std::size_t around = section_begin.size() + section_end.size();
            require_readable(text.size() + length - around, name);
            text += rest.substr(section_begin.size(), length - around);
        }
        xml = rest.substr(length);
    }
    text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_xml_blank));
    return text;
}

/// Looks from one place to a later one for what is not markup although it looks like it.
class UninterpretedParts {
  public:
    explicit UninterpretedParts(std::string_view xml) : xml_(xml) {}
    /// Returns whether a '<' is in a comment, a CDATA section or a processing instruction.
    bool contain(std::size_t place) {
        while (at_ < place) {
            const std::string_view rest = xml_.substr(at_);
            if (rest.front() != '<' || is_tag(rest))
                ++at_;
            else
                at_ += std::min(uninterpreted_length(rest), rest.size());
        }
        return at_ > place;
    }

  private:
    std::string_view xml_;
    std::size_t at_ = 0;
};

std::optional<std::string> scene_in_svg(std::string_view bytes, const std::string& name) {
    constexpr std::string_view id = "ropewalk";
    const std::boyer_moore_horspool_searcher find_id(id.begin(), id.end());
    UninterpretedParts uninterpreted(bytes);
    for (std::size_t from = 0;;) {
        const auto found = find_id(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end()).first;
        if (found == bytes.end()) return std::nullopt;
        const auto at = static_cast<std::size_t>(found - bytes.begin());
        // There is no other '<' in a tag. If this one is before `from`, its tag is known.
        const std::size_t before = bytes.substr(from, at - from).rfind('<');
        if (before != bytes.npos && begins_element(bytes.substr(from + before), "metadata")) {
            const std::string_view rest = bytes.substr(from + before);
            const std::size_t length = tag_length(rest);
            const std::string_view tag = length == rest.npos ? "" : rest.substr(0, length);
            if (has_scene_id(tag) && !tag.ends_with("/>") && !uninterpreted.contain(from + before))
                return text_of_content(rest.substr(length), name);
        }
        from = at + id.size();
    }
}

bool is_svg(std::string_view bytes) {
    constexpr std::string_view utf8_mark = "\xef\xbb\xbf";
    if (bytes.starts_with(utf8_mark)) bytes.remove_prefix(utf8_mark.size());
    if (bytes.starts_with("<?xml") || bytes.starts_with("<svg")) return true;
    bytes = without_blanks_before(bytes);
    return bytes.starts_with('<') && begins_element(from_next_tag(bytes), "svg");
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
    else if (is_svg(bytes))
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
