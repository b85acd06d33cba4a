// core/models/tokenizer: Hugging Face's tokenizer.json: text to tokens and back, as the library `tokenizers` does it.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

class JsonValue;

/// The distinct words of a text that contain characters without a token.
struct UnknownWords {
    static constexpr int most_named = 3;

    int words = 0;
    std::vector<std::string> first;  // printable
    bool in_part = false;            // true: other characters of such a word have tokens
};

/// Splits a text into tokens. Immutable, and safe to use from several threads.
class Tokenizer {
  public:
    /// Reads the document of a tokenizer.json. Throws InputError or LimitError with name and JSON pointer.
    explicit Tokenizer(const JsonValue& document);
    ~Tokenizer();

    /// Returns the tokens of a text, with the special ones of the template, such as BOS. Bytes that are not UTF-8 count
    /// as U+FFFD. If the file has no unknown token, characters without a token are left out; their words are added to
    /// `unknown`. Throws LimitError if the file's patterns take too long on it, InputError if the text needs an unknown
    /// token that the vocabulary lacks.
    std::vector<int> encode(std::string_view text, UnknownWords* unknown = nullptr) const;

    /// Returns what a token adds to the text, as printable UTF-8: "\n" as \n, a part of a character as its bytes, such
    /// as <0xE2>. An id without a token is <id>.
    std::string piece(int id) const;
    std::vector<std::string> pieces(std::span<const int> ids) const;
    /// Returns the text of tokens. Skips ids without a token.
    std::string decode(std::span<const int> ids) const;

    /// Returns one more than the largest id.
    int size() const;
    bool is_special(int id) const;
    /// Returns such as "BPE, 49 152 tokens, byte-level".
    const std::string& description() const;

  private:
    struct Parts;
    void report_unknown(const std::string& word, bool in_part, UnknownWords& unknown) const;
    std::unique_ptr<const Parts> parts_;
};

/// Reads a tokenizer.json. Its own template decides which special tokens are added. Throws InputError, LimitError or
/// IoError with the file and the place in it.
std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& file);

}  // namespace ropewalk
