#include "core/models/tokenizer/bpe.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "core/error.h"
#include "core/models/tokenizer/component.h"
#include "core/models/tokenizer/token_id.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using nlohmann::json;

/// Returns the two parts of "a b" or ["a", "b"]; nothing for anything else.
std::optional<std::pair<std::string_view, std::string_view>> pair_of(const json& merge) {
    const auto view = [](const json& text) { return std::string_view(text.get_ref<const std::string&>()); };
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return std::pair(view(merge[0]), view(merge[1]));
    if (!merge.is_string()) return std::nullopt;
    const std::string_view text = view(merge);
    const std::size_t space = text.find(' ');
    if (space == text.npos || text.find(' ', space + 1) != text.npos) return std::nullopt;
    return std::pair(text.substr(0, space), text.substr(space + 1));
}

}  // namespace

Bpe::Bpe(const JsonValue& model) {
    // The oldest files do not say what they are.
    if (const std::string type = model.contains("type") ? model.at("type").text() : "BPE"; type != "BPE")
        model.at("type").reject(fmt::format("model '{}' is not supported, only BPE{}", type, way_out));
    if (has(model, "dropout") && model.at("dropout").number() != 0)
        model.at("dropout").reject("is for training, because it makes tokens random; set it to null");
    for (const char* const affix : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (has(model, affix) && !model.at(affix).text().empty())
            model.at(affix).reject(fmt::format("is not supported{}", way_out));
    has_unknown_ = has(model, "unk_token");
    if (has_unknown_) {
        unknown_ = model.at("unk_token").text();
        where_of_unknown_ = model.at("unk_token").where();
    }
    fuse_unknown_ = flag(model, "fuse_unk", false);
    byte_fallback_ = flag(model, "byte_fallback", false);
    ignore_merges_ = flag(model, "ignore_merges", false);
    read_vocabulary(model.at("vocab"));
    read_merges(model.at("merges"));
    for (int byte = 0; byte < 256; ++byte) id_of_byte_.push_back(id_of(fmt::format("<0x{:02X}>", byte)));
}

void Bpe::read_vocabulary(const JsonValue& vocabulary) {
    if (!vocabulary.raw().is_object()) vocabulary.reject("must be an object of tokens and their ids");
    for (const auto& [token, id] : vocabulary.raw().items())
        if (!is_token_id(id)) read_token_id(vocabulary.at(token));
    for (const auto& [token, id] : vocabulary.raw().items()) {
        const auto at = id.get<std::size_t>();
        if (at >= tokens_.size()) tokens_.resize(at + 1);
        if (!tokens_[at].empty())
            vocabulary.at(token).reject(
                fmt::format("has the id {}, as '{}' has; give it one of its own", at, tokens_[at]));
        tokens_[at] = token;
    }
    // Only now, because the keys are views of the texts.
    id_of_.reserve(vocabulary.raw().size());
    for (const auto& [token, id] : vocabulary.raw().items()) {
        const auto at = id.get<std::size_t>();
        id_of_.emplace(tokens_[at], static_cast<int>(at));
    }
}

void Bpe::read_merges(const JsonValue& merges) {
    if (!merges.raw().is_array()) merges.reject("must be a list of pairs of tokens");
    merges_.resize(tokens_.size());
    std::uint32_t rank = 0;
    std::string joined;
    for (std::size_t i = 0; i < merges.raw().size(); ++i) {
        const json& merge = merges.raw()[i];
        if (merge.is_string() && merge.get_ref<const std::string&>().starts_with("#version")) continue;
        const auto parts = pair_of(merge);
        if (!parts) merges.at(i).reject(R"(must be two tokens, as "a b" or ["a", "b"])");
        joined.assign(parts->first).append(parts->second);
        for (const std::string_view token : {parts->first, parts->second, std::string_view(joined)})
            if (id_of(token) < 0) merges.at(i).reject(fmt::format("'{}' is not in the vocabulary; add it", token));
        merges_[static_cast<std::size_t>(id_of(parts->first))].push_back({id_of(parts->second), rank++, id_of(joined)});
    }
    // If a pair is listed twice, its last merge applies.
    const auto is_before = [](const Merge& a, const Merge& b) {
        return std::pair(a.right, b.rank) < std::pair(b.right, a.rank);
    };
    for (std::vector<Merge>& of_left : merges_) std::sort(of_left.begin(), of_left.end(), is_before);
}

int Bpe::id_of(std::string_view token) const {
    const auto found = id_of_.find(token);
    return found == id_of_.end() ? -1 : found->second;
}

const Bpe::Merge* Bpe::merge_of(int left, int right) const {
    const std::vector<Merge>& of_left = merges_[static_cast<std::size_t>(left)];
    const auto found = std::lower_bound(of_left.begin(), of_left.end(), right,
                                        [](const Merge& merge, int wanted) { return merge.right < wanted; });
    return found == of_left.end() || found->right != right ? nullptr : &*found;
}

bool Bpe::add_bytes(std::string_view character, std::vector<int>& ids) const {
    const auto id = [&](char byte) { return id_of_byte_[static_cast<unsigned char>(byte)]; };
    if (!std::ranges::all_of(character, [&](char byte) { return id(byte) >= 0; })) return false;
    for (const char byte : character) ids.push_back(id(byte));
    return true;
}

/// Returns the tokens before any merge. An unknown token is held back until a known character or the end follows, also
/// across bytes, as Hugging Face does.
std::vector<int> Bpe::characters(std::string_view word, bool& is_complete) const {
    std::vector<int> ids;
    int unknown = -1;
    while (!word.empty()) {
        const std::string_view character = first_character(word);
        word.remove_prefix(character.size());
        if (const int id = id_of(character); id >= 0) {
            if (unknown >= 0) ids.push_back(std::exchange(unknown, -1));
            ids.push_back(id);
        } else if (byte_fallback_ && add_bytes(character, ids)) {
            continue;
        } else if (!has_unknown_) {
            is_complete = false;
        } else {
            if (unknown >= 0 && !fuse_unknown_) ids.push_back(unknown);
            unknown = id_of(unknown_);
            if (unknown < 0)
                throw InputError(fmt::format("{}: '{}' is not in the vocabulary, but '{}' needs it; change the text",
                                             where_of_unknown_, unknown_, character));
        }
    }
    if (unknown >= 0) ids.push_back(unknown);
    return ids;
}

void Bpe::merge(const std::vector<int>& characters, std::vector<int>& ids) const {
    struct Symbol {
        int id, previous, next;  // id −1: merged into the one before
    };
    const int count = static_cast<int>(characters.size());
    std::vector<Symbol> symbols;
    for (int i = 0; i < count; ++i) symbols.push_back({characters[i], i - 1, i + 1 < count ? i + 1 : -1});

    // The lowest rank first, and of those the leftmost.
    using Candidate = std::pair<std::uint64_t, int>;  // rank and place, id
    std::vector<Candidate> storage;
    storage.reserve(characters.size());
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates(std::greater<>{},
                                                                                      std::move(storage));
    const auto propose = [&](int at) {
        if (at < 0 || symbols[at].next < 0) return;
        if (const Merge* merge = merge_of(symbols[at].id, symbols[symbols[at].next].id))
            candidates.emplace(std::uint64_t{merge->rank} << 32 | static_cast<std::uint32_t>(at), merge->id);
    };
    for (int i = 0; i < count; ++i) propose(i);
    while (!candidates.empty()) {
        const auto [rank_and_place, id] = candidates.top();
        candidates.pop();
        const auto at = static_cast<int>(rank_and_place & 0xffffffff);
        Symbol& left = symbols[at];
        if (left.id < 0 || left.next < 0) continue;
        Symbol& right = symbols[left.next];
        if (const Merge* merge = merge_of(left.id, right.id); !merge || merge->id != id) continue;  // outdated
        left.id = id;
        right.id = -1;
        left.next = right.next;
        if (left.next >= 0) symbols[left.next].previous = at;
        propose(left.previous);
        propose(at);
    }
    for (const Symbol& symbol : symbols)
        if (symbol.id >= 0) ids.push_back(symbol.id);
}

bool Bpe::encode(std::string_view word, std::vector<int>& ids) const {
    if (ignore_merges_)
        if (const int id = id_of(word); id >= 0) {
            ids.push_back(id);
            return true;
        }
    bool is_complete = true;
    merge(characters(word, is_complete), ids);
    return is_complete;
}

}  // namespace ropewalk
