#include "core/models/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utf8proc.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/models/tokenizer/added_tokens.h"
#include "core/models/tokenizer/bpe.h"
#include "core/models/tokenizer/byte_level.h"
#include "core/models/tokenizer/component.h"
#include "core/models/tokenizer/decoder.h"
#include "core/models/tokenizer/normalizer.h"
#include "core/models/tokenizer/post_processor.h"
#include "core/models/tokenizer/pre_tokenizer.h"
#include "core/models/tokenizer/token_id.h"
#include "core/text/seeded_hash.h"
#include "core/text/split.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// A million merges as pairs in a list are four million values, and half a million tokens with their ids one.
constexpr JsonLimits tokenizer_limits{
    .bytes = 64u << 20, .events = 5'200'000, .advice = way_out.data(), .members = max_token_id + 1};
constexpr std::chrono::seconds max_encoding_time{5};     // of the patterns on one text
constexpr std::chrono::seconds max_normalizing_time{1};  // of all added tokens
constexpr std::size_t most_added_bytes = 4 << 20;        // of all added tokens
constexpr std::size_t most_stage_values = 2000, most_stage_pattern_bytes = 20'000;
constexpr std::size_t most_decoded_token = 512;  // bytes; the longest tokens of published tokenizers have 256
constexpr std::size_t most_known_pieces = 1 << 14;

JsonValue member(const JsonValue& document, const std::string& key) {
    static const nlohmann::json null;
    return document.contains(key) ? document.at(key) : JsonValue(null, document.name(), JsonValue::Pointer() / key);
}

struct StageSize {
    std::size_t values = 0, pattern_bytes = 0;
};

StageSize size_of(const nlohmann::json& value) {
    StageSize size{.values = 1};
    if (!value.is_structured()) return size;
    for (const auto& [key, part] : value.items()) {
        const StageSize inner = size_of(part);
        size.values += inner.values;
        size.pattern_bytes += inner.pattern_bytes;
        if (key == "Regex" && part.is_string()) size.pattern_bytes += part.get_ref<const std::string&>().size();
    }
    return size;
}

/// Returns a member that lists the steps of a stage. Throws LimitError if these are far more than in real files: each
/// costs time on every text, and a pattern of a few bytes takes some KiB.
JsonValue stage(const JsonValue& document, const std::string& key) {
    const JsonValue value = member(document, key);
    const StageSize size = size_of(value.raw());
    if (size.values > most_stage_values)
        throw LimitError(fmt::format("{}: has {} values, more than the limit of {}{}", value.where(), size.values,
                                     most_stage_values, way_out));
    if (size.pattern_bytes > most_stage_pattern_bytes)
        throw LimitError(fmt::format("{}: its patterns have {} bytes, more than the limit of {}{}", value.where(),
                                     size.pattern_bytes, most_stage_pattern_bytes, way_out));
    return value;
}

/// Returns whether the character has a shape or is a space.
bool is_printable(char32_t character) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(character));
    return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF && category != UTF8PROC_CATEGORY_CN &&
           category != UTF8PROC_CATEGORY_CO && category != UTF8PROC_CATEGORY_ZL && category != UTF8PROC_CATEGORY_ZP;
}

std::string printable_text(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        std::string_view rest = bytes;
        const char32_t character = take_character(rest);
        const std::string_view taken = bytes.substr(0, bytes.size() - rest.size());
        bytes = rest;
        if (character == replacement_character && taken.size() == 1)
            text += fmt::format("<0x{:02X}>", static_cast<unsigned char>(taken[0]));
        else if (character == '\n' || character == '\t' || character == '\r')
            text += character == '\n' ? "\\n" : character == '\t' ? "\\t" : "\\r";
        else if (!is_printable(character))
            text += fmt::format("<U+{:04X}>", static_cast<unsigned>(character));
        else
            text += taken;
    }
    return text;
}

/// Returns such as "128 256".
std::string grouped(int number) {
    std::string digits = std::to_string(number);
    if (number >= 10'000)
        for (std::size_t at = digits.size() - 3; at < digits.size() && at > 0; at -= 3) digits.insert(at, " ");
    return digits;
}

}  // namespace

struct Tokenizer::Parts {
    /// The pieces that were asked for, by id: decoding takes time. Safe to use from several threads.
    class KnownPieces {
      public:
        std::string get(int id, const auto& make) {
            {
                const std::lock_guard lock(mutex_);
                if (const auto found = pieces_.find(id); found != pieces_.end()) return found->second;
            }
            const std::string piece = make();
            const std::lock_guard lock(mutex_);
            if (pieces_.size() >= most_known_pieces) pieces_.clear();
            pieces_.try_emplace(id, piece);
            return piece;
        }

      private:
        std::mutex mutex_;
        std::unordered_map<int, std::string> pieces_;
    };

    explicit Parts(const JsonValue& document)
        : bpe(document.at("model")),
          normalize(read_normalizer(stage(document, "normalizer"))),
          where_of_normalizer(member(document, "normalizer").where()),
          where_of_pre_tokenizer(member(document, "pre_tokenizer").where()),
          pre_tokenize(read_pre_tokenizer(stage(document, "pre_tokenizer"))),
          post_processor(read_post_processor(stage(document, "post_processor"))),
          decoder(read_decoder(stage(document, "decoder"))),
          raw(member(document, "added_tokens").where()),
          normalized(member(document, "added_tokens").where()),
          size(static_cast<int>(bpe.tokens().size())) {
        if (const JsonValue list = member(document, "added_tokens"); !list.raw().is_null())
            for_each_element(list, [this](const JsonValue& value) { read_added(value); });
        prepare_finders();
    }

    void read_added(const JsonValue& value) {
        AddedToken token = read_added_token(value);
        if (token.content.empty()) return;
        const int known = bpe.id_of(token.content);
        token.id = known >= 0 ? known : read_token_id(value.at("id"));
        if (const std::string_view other = text_of(token.id); !other.empty() && other != token.content)
            value.at("id").reject(
                fmt::format("the id {} is also that of '{}'; give the token one of its own", token.id, other));
        if (known < 0 && !added.contains(token.id)) ++count;
        size = std::max(size, token.id + 1);
        added_bytes += token.content.size();
        if (added_bytes > most_added_bytes)
            throw LimitError(fmt::format("{}: the added tokens have more than the limit of {} bytes together{}",
                                         value.where(), most_added_bytes, way_out));
        added.insert_or_assign(token.id, std::move(token));
    }

    /// Special tokens come first, which matters only where two are written in the same way.
    void prepare_finders() {
        const Deadline deadline = std::chrono::steady_clock::now() + max_normalizing_time;
        std::size_t bytes = 0;
        for (const bool special : {true, false})
            for (const auto& [id, token] : added) {
                if (token.special != special) continue;
                TokenizerPiece written{token.content};
                if (token.normalized) normalize(written, deadline);
                bytes += written.text.size();
                if (bytes > most_added_bytes)
                    throw LimitError(fmt::format("{}: makes the added tokens longer than the limit of {} bytes{}",
                                                 where_of_normalizer, most_added_bytes, way_out));
                if (std::chrono::steady_clock::now() > deadline)
                    throw LimitError(
                        fmt::format("{}: takes too long on the added tokens{}", where_of_normalizer, way_out));
                (token.normalized ? normalized : raw).add(std::move(written.text), token);
            }
        raw.finish();
        normalized.finish();
    }

    std::string_view text_of(int id) const {
        if (const auto found = added.find(id); found != added.end()) return found->second.content;
        if (id < 0 || id >= static_cast<int>(bpe.tokens().size())) return {};
        return bpe.tokens()[static_cast<std::size_t>(id)];
    }

    /// Returns what a token adds to a text; the token itself if it is very long, or if the decoder refuses it.
    std::string decoded(const std::string& token) const {
        if (token.size() > most_decoded_token) return token;
        std::vector<std::string> tokens{token};
        try {
            decoder(tokens, DecodedExtent::part);
        } catch (const LimitError&) {
            return token;
        }
        return fmt::format("{}", fmt::join(tokens, ""));
    }

    Bpe bpe;
    Normalizer normalize;
    std::string where_of_normalizer, where_of_pre_tokenizer;
    PreTokenizer pre_tokenize;
    PostProcessor post_processor;
    Decoder decoder;
    std::map<int, AddedToken> added;
    std::size_t added_bytes = 0;
    TokenFinder raw, normalized;
    int size, count = bpe.count();
    std::string description;
    mutable KnownPieces known_pieces;
};

Tokenizer::Tokenizer(const JsonValue& document) {
    auto parts = std::make_unique<Parts>(document);
    const bool byte_level = parts->bpe.id_of(as_byte_characters(" ")) >= 0 && parts->bpe.id_of(" ") < 0;
    parts->description = fmt::format("BPE, {} tokens{}", grouped(parts->count),
                                     parts->bpe.byte_fallback() ? ", byte fallback"
                                     : byte_level               ? ", byte-level"
                                                                : "");
    parts_ = std::move(parts);
}

Tokenizer::~Tokenizer() = default;

std::vector<int> Tokenizer::encode(std::string_view text, UnknownWords* unknown) const {
    const Deadline deadline = std::chrono::steady_clock::now() + max_encoding_time;
    std::string valid = as_utf8(text);
    TokenizerPieces raw, pieces;
    std::size_t bytes = 0;
    parts_->raw.split({valid, first_character(valid).size()}, raw, deadline);
    for (TokenizerPiece& piece : raw.list()) {
        if (piece.id < 0) {
            parts_->normalize(piece, deadline);
            bytes += piece.text.size();
            require_within_limits(bytes, parts_->where_of_normalizer, deadline);
            parts_->normalized.split(piece, pieces, deadline);
        } else {
            pieces.add(std::move(piece));
        }
    }
    std::vector<int> ids = parts_->post_processor.before;
    bytes = 0;
    std::unordered_map<std::string, std::vector<int>, SeededHash> known;
    for (TokenizerPiece& piece : pieces.list()) {
        if (piece.id >= 0) {
            ids.push_back(piece.id);
            continue;
        }
        TokenizerPieces words;
        parts_->pre_tokenize(std::move(piece), words, deadline);
        bytes += words.bytes();
        require_within_limits(bytes, parts_->where_of_pre_tokenizer, Deadline::max());
        for (const TokenizerPiece& word : words.list()) {
            const auto [entry, is_new] = known.try_emplace(word.text);
            if (is_new && !parts_->bpe.encode(word.text, entry->second) && unknown)
                report_unknown(word.text, !entry->second.empty(), *unknown);
            ids.insert(ids.end(), entry->second.begin(), entry->second.end());
        }
    }
    ids.insert(ids.end(), parts_->post_processor.after.begin(), parts_->post_processor.after.end());
    return ids;
}

void Tokenizer::report_unknown(const std::string& word, bool in_part, UnknownWords& unknown) const {
    constexpr std::size_t most_bytes = 24;
    // Decoding takes time.
    std::string text = unknown.words < UnknownWords::most_named ? parts_->decoded(word) : word;
    text = std::string(trimmed(text, " \t\r\n"));
    if (text.empty()) return;  // spaces are not worth a note
    if (unknown.words++ < UnknownWords::most_named) unknown.first.push_back(brief(text, most_bytes));
    unknown.in_part |= in_part;
}

std::string Tokenizer::piece(int id) const {
    const std::string_view text = parts_->text_of(id);
    if (text.empty()) return fmt::format("<{}>", id);
    if (is_special(id)) return printable_text(text);
    return parts_->known_pieces.get(id, [&] { return brief(printable_text(parts_->decoded(std::string(text)))); });
}

std::vector<std::string> Tokenizer::pieces(std::span<const int> ids) const {
    std::vector<std::string> pieces;
    for (const int id : ids) pieces.push_back(piece(id));
    return pieces;
}

std::string Tokenizer::decode(std::span<const int> ids) const {
    std::vector<std::string> tokens;
    for (const int id : ids)
        if (const std::string_view text = parts_->text_of(id); !text.empty()) tokens.emplace_back(text);
    parts_->decoder(tokens, DecodedExtent::whole);
    std::string text;
    for (const std::string& token : tokens) text += token;
    return as_utf8(text);
}

int Tokenizer::size() const {
    return parts_->size;
}

bool Tokenizer::is_special(int id) const {
    const auto found = parts_->added.find(id);
    return found != parts_->added.end() && found->second.special;
}

const std::string& Tokenizer::description() const {
    return parts_->description;
}

std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& file) {
    const std::string name = file.string();
    const nlohmann::json document = parse_json(read_file(name, tokenizer_limits.bytes), name, tokenizer_limits);
    return std::make_shared<const Tokenizer>(JsonValue(document, name));
}

}  // namespace ropewalk
