#include "core/models/tokenizer/decoder.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "core/models/tokenizer/byte_level.h"
#include "core/models/tokenizer/component.h"
#include "core/models/tokenizer/metaspace.h"
#include "core/models/tokenizer/normalizer.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using Tokens = std::vector<std::string>;

/// Returns the time by which decoding must finish. Thousands of parts may be decoded while a figure is drawn.
Deadline decoding_deadline(DecodedExtent extent) {
    using namespace std::chrono_literals;
    return std::chrono::steady_clock::now() + (extent == DecodedExtent::part ? 100ms : 2000ms);
}

/// Returns how long a text may become in any step. A part is one token, as long as a key of the vocabulary.
std::size_t most_decoded_bytes(DecodedExtent extent) {
    return extent == DecodedExtent::part ? 1 << 16 : most_pieces_bytes;
}

void fuse(Tokens& tokens, DecodedExtent) {
    std::string text;
    for (const std::string& token : tokens) text += token;
    tokens = {std::move(text)};
}

Decoder read_fuse(const JsonValue&) {
    return fuse;
}

/// Returns the text of bytes, with one U+FFFD for each character that is broken off, not for each of its bytes.
std::string text_of_bytes(std::string_view bytes) {
    const auto is_valid = [](std::string_view character) { return first_character(character) == character; };
    std::string text;
    while (!bytes.empty()) {
        std::string_view rest = bytes;
        text += utf8_of(take_character(rest));
        std::size_t taken = bytes.size() - rest.size();
        const auto lead = static_cast<unsigned char>(bytes[0]);
        const std::size_t whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        if (taken == 1)  // perhaps invalid: the longest beginning of a character is one piece
            while (taken + 1 < whole && taken < bytes.size() &&
                   is_valid(std::string(bytes.substr(0, taken + 1)) + std::string(whole - taken - 1, '\x80')))
                ++taken;
        bytes.remove_prefix(taken);
    }
    return text;
}

Decoder read_byte_level_decoder(const JsonValue&) {
    return [](Tokens& tokens, DecodedExtent extent) {
        for (std::string& token : tokens) token = from_byte_characters(token);
        if (extent == DecodedExtent::part) return;
        fuse(tokens, extent);
        tokens[0] = text_of_bytes(tokens[0]);
    };
}

/// Returns the byte of "<0x41>"; −1 for another token.
int byte_of(std::string_view token) {
    int byte = -1;
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
    const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, byte, 16);
    return error == std::errc{} && end == token.data() + 5 && byte >= 0 ? byte : -1;
}

Decoder read_byte_fallback(const JsonValue&) {
    return [](Tokens& tokens, DecodedExtent extent) {
        Tokens decoded;
        std::string bytes;
        const auto flush = [&] {
            if (extent == DecodedExtent::whole && !is_utf8(bytes)) {
                const std::size_t count = bytes.size();
                bytes.clear();
                for (std::size_t i = 0; i < count; ++i) bytes += utf8_of(replacement_character);
            }
            if (!bytes.empty()) decoded.push_back(std::exchange(bytes, {}));
        };
        for (std::string& token : tokens)
            if (const int byte = byte_of(token); byte >= 0) {
                bytes += static_cast<char>(byte);
            } else {
                flush();
                decoded.push_back(std::move(token));
            }
        flush();
        tokens = std::move(decoded);
    };
}

/// Returns the text with every `from` replaced.
std::string with_replacements(std::string_view text, std::string_view from, std::string_view to) {
    std::string replaced;
    for (std::size_t at = 0; (at = text.find(from)) != text.npos; text.remove_prefix(at + from.size()))
        replaced.append(text.substr(0, at)).append(to);
    return replaced.append(text);
}

Decoder read_metaspace_decoder(const JsonValue& value) {
    return [metaspace = read_metaspace(value)](Tokens& tokens, DecodedExtent extent) {
        const bool drop = extent == DecodedExtent::whole && metaspace.prepend != Metaspace::Prepend::never;
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = with_replacements(tokens[i], metaspace.replacement, i == 0 && drop ? "" : " ");
    };
}

Decoder read_decoder_replacement(const JsonValue& value) {
    return [pattern = read_pattern(value.at("pattern")), content = value.at("content").text(), where = value.where()](
               Tokens& tokens, DecodedExtent extent) {
        const Deadline deadline = decoding_deadline(extent);
        std::size_t bytes = 0;
        for (std::string& token : tokens) {
            TokenizerPiece piece{as_utf8(token)};
            const std::vector<RegexSpan> spans = pattern.spans(piece.text, deadline);
            bytes += TokenizerPiece::bytes_replaced(spans, content);
            require_within_limits(bytes, where, deadline, most_decoded_bytes(extent));
            piece.replace(spans, content);
            token = std::move(piece.text);
        }
    };
}

Decoder read_strip(const JsonValue& value) {
    const std::string content = read_character(value.at("content"));
    const auto start = value.at("start").integer(0, 1'000'000), stop = value.at("stop").integer(0, 1'000'000);
    return [content, start, stop](Tokens& tokens, DecodedExtent extent) {
        if (extent == DecodedExtent::part) return;
        for (std::string& token : tokens) {
            for (auto i = start; i > 0 && token.starts_with(content); --i) token.erase(0, content.size());
            for (auto i = stop; i > 0 && token.ends_with(content); --i) token.resize(token.size() - content.size());
        }
    };
}

Decoder read_decoders(const JsonValue& value) {
    std::vector<Decoder> parts;
    for_each_element(value.at("decoders"), [&](const JsonValue& part) { parts.push_back(read_decoder(part)); });
    return [parts, where = value.where()](Tokens& tokens, DecodedExtent extent) {
        const Deadline deadline = decoding_deadline(extent);
        for (const Decoder& part : parts) {
            part(tokens, extent);
            std::size_t bytes = 0;
            for (const std::string& token : tokens) bytes += token.size();
            require_within_limits(bytes, where, deadline, most_decoded_bytes(extent));
        }
    };
}

constexpr PartType<Decoder> decoders[] = {
    {"ByteFallback", read_byte_fallback},
    {"ByteLevel", read_byte_level_decoder},
    {"Fuse", read_fuse},
    {"Metaspace", read_metaspace_decoder},
    {"Replace", read_decoder_replacement},
    {"Sequence", read_decoders},
    {"Strip", read_strip},
};

}  // namespace

Decoder read_decoder(const JsonValue& value) {
    if (value.raw().is_null())
        return [](Tokens& tokens, DecodedExtent) {
            for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].insert(tokens[i].begin(), ' ');
        };
    return read_part<Decoder>(value, decoders, "decoder");
}

}  // namespace ropewalk
