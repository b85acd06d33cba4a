// Byte pair encoding: a word's characters are merged, pair by pair, in the order in which training found the pairs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/json_reader.h"
#include "core/text/seeded_hash.h"

namespace ropewalk {

class Bpe {
  public:
    /// Reads the `model` of a tokenizer.json. Throws InputError with the place for what is malformed or unsupported.
    explicit Bpe(const JsonValue& model);
    Bpe(const Bpe&) = delete;
    Bpe& operator=(const Bpe&) = delete;

    /// Appends the tokens of a word. Returns false if it left out characters, because they have no token and the file
    /// has no unknown token. Throws InputError if a character needs an unknown token that does not exist.
    bool encode(std::string_view word, std::vector<int>& ids) const;

    /// Returns the token of this text, or −1.
    int id_of(std::string_view token) const;
    /// The texts of the tokens by id; empty where there is none.
    const std::vector<std::string>& tokens() const { return tokens_; }
    int count() const { return static_cast<int>(id_of_.size()); }
    bool byte_fallback() const { return byte_fallback_; }

  private:
    struct Merge {
        int right;
        std::uint32_t rank;
        int id;
    };
    void read_vocabulary(const JsonValue& vocabulary);
    void read_merges(const JsonValue& merges);
    const Merge* merge_of(int left, int right) const;
    std::vector<int> characters(std::string_view word, bool& is_complete) const;
    bool add_bytes(std::string_view character, std::vector<int>& ids) const;
    void merge(const std::vector<int>& characters, std::vector<int>& ids) const;

    std::vector<std::string> tokens_;
    std::unordered_map<std::string_view, int, SeededHash> id_of_;
    std::vector<std::vector<Merge>> merges_;  // by the left token, in order of the right one
    std::vector<int> id_of_byte_;             // for `byte_fallback`; −1 where there is none
    std::string unknown_, where_of_unknown_;  // empty: characters without a token are left out
    bool has_unknown_ = false, fuse_unknown_ = false, byte_fallback_ = false, ignore_merges_ = false;
};

}  // namespace ropewalk
