// Queries and keys that somebody saved, of one head or of the layers of a model, read where they are needed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/memo.h"

namespace ropewalk {

class StoredArray;

/// The axes of an array of queries or keys.
struct ArrayAxes {
    std::int64_t batch = 1, heads = 1, tokens = 0, channels = 0;
    bool tokens_first = false;  // [batch, tokens, heads, channels], not [batch, heads, tokens, channels]

    /// Returns the axes of a shape [tokens, d], [heads, tokens, d] or [batch, heads, tokens, d]; nothing for others.
    static std::optional<ArrayAxes> of(const std::vector<std::int64_t>& shape);
    /// Returns the axes of a shape [tokens, heads, d] or [batch, tokens, heads, d], as TransformerLens has them.
    static std::optional<ArrayAxes> of_hook(const std::vector<std::int64_t>& shape);
    /// Returns which shapes `of` takes, as a sentence about a file with another.
    static std::string refusal(const std::string& path, const std::vector<std::int64_t>& shape);

    /// Returns the number of the row of `channels` numbers that belongs to a token.
    std::int64_t row(std::int64_t entry, std::int64_t head, std::int64_t token) const {
        return tokens_first ? (entry * tokens + token) * heads + head : (entry * heads + head) * tokens + token;
    }
};

/// An array in a file.
struct HeadArray {
    std::string name;  // such as "blocks.0.attn.hook_q"; empty in a .npy file
    std::vector<std::int64_t> shape;
    ArrayAxes axes;  // without tokens, if the shape is of something else
};

/// Reads one of a head's rows [channels]. Thread-safe.
using HeadRows = std::function<void(std::int64_t token, std::span<double> row)>;

enum class HeadSide { queries, keys };

/// The arrays of queries and keys in a file: of numbered layers, or of one layer without a number, which is 0.
/// Thread-safe.
class HeadArrays {
  public:
    using Layers = std::map<int, HeadArray>;
    using Read = std::function<HeadRows(const HeadArray& array, std::int64_t entry, std::int64_t head)>;

    /// `version` belongs to a hash of samples: see `version_of`.
    HeadArrays(std::uint64_t hash, Layers queries, Layers keys, bool has_layers, Read read, std::uint64_t version = 0);

    std::uint64_t hash() const { return hash_; }
    std::uint64_t version() const { return version_; }
    bool has_layers() const { return has_layers_; }
    /// Returns whether one array is for queries and keys alike, as in a .npy file.
    bool is_single() const { return queries_.contains(0) && queries_.at(0).name.empty(); }
    const Layers& layers(HeadSide side) const { return side == HeadSide::queries ? queries_ : keys_; }
    /// Returns the first layer that has queries; 0 if none has.
    int first_layer() const { return queries_.empty() ? 0 : queries_.begin()->first; }
    /// Returns the array of a layer; null if there is none.
    const HeadArray* find(HeadSide side, int layer) const;
    /// Returns the rows of a head of one of the arrays. Remembers the last few. Throws InputError if a number is not
    /// finite or the array is damaged, and IoError if the file changed.
    HeadRows rows(const HeadArray& array, std::int64_t entry, std::int64_t head) const;

  private:
    std::uint64_t hash_, version_;
    Layers queries_, keys_;
    bool has_layers_;
    Read read_;
    mutable std::mutex mutex_;
    mutable Memo<std::tuple<const HeadArray*, std::int64_t, std::int64_t>, HeadRows> rows_{8};
};

/// Returns the numbers of layers in words, such as "0 to 31" or "0, 3, 7".
std::string numbers_of(const HeadArrays::Layers& layers);

/// Returns the array of a .npy file as queries and keys alike.
std::shared_ptr<const HeadArrays> head_arrays(std::shared_ptr<const StoredArray> array);

/// Opens a .npz or .safetensors file with arrays named q and k, or as TransformerLens names them, or else a .npy file.
/// Reads lists and headers, but of a .npy file everything. Throws IoError, InputError or LimitError.
std::shared_ptr<const HeadArrays> open_head_arrays(const std::string& path);

/// Returns whether a file can be one of queries and keys, judged by its name and, for .safetensors, its list of
/// tensors.
bool may_hold_heads(const std::string& path);

}  // namespace ropewalk
