#include "core/models/files/head_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/fields/input_file.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/io/zip_file.h"
#include "core/models/files/safetensors.h"
#include "core/numbers/hash.h"
#include "core/text/number.h"

namespace ropewalk {
namespace {

constexpr int last_layer = 1023;  // that construction.layer can name
constexpr const char* usual_axes = "[tokens, channels], [heads, tokens, channels] or [batch, heads, tokens, channels]";

/// Throws InputError, with the number of the entry within the head, unless all rows are usable.
void require_usable_rows(const HeadRows& rows, const ArrayAxes& axes, const std::string& where) {
    std::vector<double> row(static_cast<std::size_t>(axes.channels));
    for (std::int64_t token = 0; token < axes.tokens; ++token) {
        rows(token, row);
        require_usable(row, where, row.size() * static_cast<std::size_t>(token));
    }
}

/// Returns the rows of one head of an array.
HeadRows rows_of(std::shared_ptr<const StoredArray> stored, const ArrayAxes& axes, std::int64_t entry,
                 std::int64_t head) {
    return [stored = std::move(stored), axes, entry, head](std::int64_t token, std::span<double> row) {
        stored->read(static_cast<std::size_t>(axes.row(entry, head, token) * axes.channels), row);
    };
}

/// Copies the rows of one head out of a file that may change, as they are stored.
HeadRows copied_rows(const Tensor& tensor, const ArrayAxes& axes, std::int64_t entry, std::int64_t head) {
    const std::size_t row_bytes = static_cast<std::size_t>(axes.channels) * tensor.number_bytes();
    const auto bytes = std::make_shared<std::vector<std::byte>>(row_bytes * static_cast<std::size_t>(axes.tokens));
    for (std::int64_t token = 0; token < axes.tokens; ++token)
        std::copy_n(tensor.data + row_bytes * static_cast<std::size_t>(axes.row(entry, head, token)), row_bytes,
                    bytes->data() + row_bytes * static_cast<std::size_t>(token));
    Tensor rows{.name = tensor.name, .dtype = tensor.dtype, .type = tensor.type};
    rows.data = bytes->data(), rows.memory = bytes;
    return [rows = std::move(rows), channels = axes.channels](std::int64_t token, std::span<double> row) {
        widen(rows, token * channels, row);
    };
}

/// What an array's name says: whose it is, and in which layer.
struct HeadName {
    HeadSide side = HeadSide::queries;
    std::optional<int> layer;  // empty: q or k
};

std::optional<HeadName> head_name(std::string_view name) {
    const auto side_of = [](std::string_view letter) -> std::optional<HeadSide> {
        if (letter == "q") return HeadSide::queries;
        if (letter == "k") return HeadSide::keys;
        return std::nullopt;
    };
    constexpr std::string_view before = "blocks.", after = ".attn.hook_";
    if (const auto side = side_of(name)) return HeadName{*side, std::nullopt};
    const std::size_t at = name.find(after);
    if (!name.starts_with(before) || at == name.npos || at < before.size()) return std::nullopt;
    const auto side = side_of(name.substr(at + after.size()));
    const auto layer = number_of<int>(name.substr(before.size(), at - before.size()));
    if (!side || !layer || *layer < 0) return std::nullopt;
    return HeadName{*side, layer};
}

/// Collects the arrays of a file that are queries or keys.
class HeadList {
  public:
    explicit HeadList(std::string path) : path_(std::move(path)) {}

    /// Adds an array unless its name says that it is something else; `shape()` reads its shape. Returns whether it was
    /// added.
    template <class ReadShape>
    bool add(const std::string& name, ReadShape shape) {
        if (names_.size() < 3) names_.push_back(name);
        const auto known = head_name(name);
        if (!known) return false;
        if (known->layer > last_layer)
            throw InputError(fmt::format("{}: array '{}' has layer {}; it must be at most {}", path_, name,
                                         *known->layer, last_layer));
        HeadArray array{name, shape(), {}};
        const auto axes = known->layer ? ArrayAxes::of_hook(array.shape) : ArrayAxes::of(array.shape);
        if (!axes)
            throw InputError(fmt::format(
                "{}: array '{}' has the shape [{}]; it must be {}", path_, name, fmt::join(array.shape, ", "),
                known->layer ? "[tokens, heads, channels] or [batch, tokens, heads, channels]" : usual_axes));
        array.axes = *axes;
        auto& layers = (known->layer ? hooks_ : plain_)[known->side];
        if (!layers.emplace(known->layer.value_or(0), std::move(array)).second)
            throw InputError(fmt::format("{}: array '{}' occurs twice; save the arrays again", path_, name));
        return true;
    }

    /// Throws InputError, with what the file holds instead, unless an array was added.
    void require_any() const {
        if (!hooks_.empty() || !plain_.empty()) return;
        throw InputError(
            fmt::format("{}: has no array of queries or keys, named q and k or blocks.0.attn.hook_q and "
                        "blocks.0.attn.hook_k; it has {}",
                        path_, names_.empty() ? "none" : fmt::format("'{}'", fmt::join(names_, "', '"))));
    }

    std::shared_ptr<const HeadArrays> take(std::uint64_t hash, HeadArrays::Read read, std::uint64_t version = 0) {
        require_any();
        const bool has_layers = !hooks_.empty();
        auto& arrays = has_layers ? hooks_ : plain_;
        return std::make_shared<const HeadArrays>(hash, std::move(arrays[HeadSide::queries]),
                                                  std::move(arrays[HeadSide::keys]), has_layers, std::move(read),
                                                  version);
    }

  private:
    std::string path_;
    std::vector<std::string> names_;  // the first few of all
    std::map<HeadSide, HeadArrays::Layers> hooks_, plain_;
};

std::string where_in(const std::string& path, const std::string& array) {
    return fmt::format("{}: array '{}'", path, array);
}

/// The arrays of a .npz file, each unpacked when it is read. Thread-safe.
class Npz {
  public:
    explicit Npz(const std::string& path) : zip_(path) {
        for (const ZipEntry& entry : zip_.entries())
            if (entry.name.ends_with(ending))
                entries_[entry.name.substr(0, entry.name.size() - ending.size())] = &entry;
        const bool names_differ = entries_.size() == zip_.entries().size();
        if (!names_differ)
            throw InputError(fmt::format(
                "{}: has entries that are not .npy files, or share a name; save the arrays with numpy.savez", path));
    }

    const auto& entries() const { return entries_; }
    std::vector<std::int64_t> shape(const std::string& name) const {
        const ZipEntry& entry = *entries_.at(name);
        const std::string where = where_in(zip_.path(), name);
        if (entry.bytes > most_npy_bytes)
            throw LimitError(fmt::format("{}: unpacks to {} bytes, more than the limit of {}; save a part of it", where,
                                         entry.bytes, most_npy_bytes));
        return npy_shape(zip_.read(entry, most_npy_header_bytes), entry.bytes, where);
    }
    /// Returns one of the two arrays that were unpacked last, or unpacks another one.
    std::shared_ptr<const StoredArray> array(const std::string& name) {
        const std::lock_guard lock(mutex_);
        return arrays_.get(name, [&] {
            return StoredArray(zip_.read(*entries_.at(name), most_npy_bytes), where_in(zip_.path(), name));
        });
    }

  private:
    static constexpr std::string_view ending = ".npy";

    ZipFile zip_;
    std::map<std::string, const ZipEntry*> entries_;
    std::mutex mutex_;
    Memo<std::string, StoredArray> arrays_{2};
};

std::shared_ptr<const HeadArrays> open_npz(const std::string& path) {
    const auto npz = std::make_shared<Npz>(path);
    HeadList list(path);
    std::uint64_t hash = hash_text({});
    for (const auto& [name, entry] : npz->entries())
        if (list.add(name, [&, &name = name] { return npz->shape(name); }))
            hash = hash_text(fmt::format("{} {} {:08x}", name, entry->bytes, entry->checksum), hash);
    return list.take(hash, [npz, path](const HeadArray& array, std::int64_t entry, std::int64_t head) {
        const auto whole = npz->array(array.name);
        HeadRows rows = rows_of(whole, array.axes, entry, head);
        if (!whole->is_of_integers())
            require_usable_rows(rows, array.axes, fmt::format("{} (head {})", where_in(path, array.name), head));
        return rows;
    });
}

/// Returns a hash of a tensor's name, type and shape, and of pieces of its numbers: reading all would take too long.
std::uint64_t hash_of_tensor(const Tensor& tensor, std::uint64_t seed) {
    constexpr std::size_t pieces = 8, piece_bytes = 64;
    const std::string_view bytes(reinterpret_cast<const char*>(tensor.data),
                                 static_cast<std::size_t>(tensor.count()) * tensor.number_bytes());
    std::uint64_t hash =
        hash_text(fmt::format("{} {} {}", tensor.name, tensor.dtype, fmt::join(tensor.shape, ",")), seed);
    for (std::size_t piece = 0; piece < pieces; ++piece)
        hash = hash_text(bytes.substr(bytes.size() / pieces * piece, piece_bytes), hash);
    return hash;
}

std::shared_ptr<const HeadArrays> open_head_tensors(const std::string& path) {
    const Tensors tensors = read_safetensors(path);
    HeadList list(path);
    std::uint64_t hash = hash_text({});
    std::map<std::string, Tensor, std::less<>> used;
    for (const auto& [name, tensor] : tensors) {
        const bool added = list.add(name, [&, &tensor = tensor] {
            if (tensor.type == TensorType::other)
                throw InputError(
                    fmt::format("{} is of type {}; save it as F32, F16, BF16 or F64", tensor.where(), tensor.dtype));
            return tensor.shape;
        });
        if (!added) continue;
        used.emplace(name, tensor);
        hash = hash_of_tensor(tensor, hash);
    }
    const auto is_weight = [](const auto& named) { return named.first.ends_with(".weight"); };
    if (const auto weight = std::find_if(tensors.begin(), tensors.end(), is_weight);
        used.empty() && weight != tensors.end())
        throw InputError(
            fmt::format("{}: is part of a checkpoint, because it has the tensor '{}'; open its folder with File > Open "
                        "model, or with construction=model_head",
                        path, weight->first));
    const std::uint64_t version = used.empty() ? 0 : used.begin()->second.file->version();
    auto read = [used = std::move(used)](const HeadArray& array, std::int64_t entry, std::int64_t head) {
        const Tensor& tensor = used.at(array.name);
        HeadRows rows = copied_rows(tensor, array.axes, entry, head);
        tensor.file->require_intact();
        require_usable_rows(rows, array.axes, fmt::format("{} (head {})", tensor.where(), head));
        return rows;
    };
    return list.take(hash, std::move(read), version);
}

}  // namespace

std::optional<ArrayAxes> ArrayAxes::of(const std::vector<std::int64_t>& shape) {
    const std::size_t count = shape.size();
    if (count < 2 || count > 4) return std::nullopt;
    return ArrayAxes{count > 3 ? shape[0] : 1, count > 2 ? shape[count - 3] : 1, shape[count - 2], shape[count - 1]};
}

std::string ArrayAxes::refusal(const std::string& path, const std::vector<std::int64_t>& shape) {
    return fmt::format("{} has {} {}; queries and keys need {}", path, shape.size(),
                       shape.size() == 1 ? "axis" : "axes", usual_axes);
}

std::optional<ArrayAxes> ArrayAxes::of_hook(const std::vector<std::int64_t>& shape) {
    const std::size_t count = shape.size();
    if (count < 3 || count > 4) return std::nullopt;
    return ArrayAxes{count > 3 ? shape[0] : 1, shape[count - 2], shape[count - 3], shape[count - 1], true};
}

HeadArrays::HeadArrays(std::uint64_t hash, Layers queries, Layers keys, bool has_layers, Read read,
                       std::uint64_t version)
    : hash_(hash),
      version_(version),
      queries_(std::move(queries)),
      keys_(std::move(keys)),
      has_layers_(has_layers),
      read_(std::move(read)) {}

const HeadArray* HeadArrays::find(HeadSide side, int layer) const {
    const auto found = layers(side).find(layer);
    return found == layers(side).end() ? nullptr : &found->second;
}

HeadRows HeadArrays::rows(const HeadArray& array, std::int64_t entry, std::int64_t head) const {
    const std::lock_guard lock(mutex_);
    return *rows_.get({&array, entry, head}, [&] { return read_(array, entry, head); });
}

std::string numbers_of(const HeadArrays::Layers& layers) {
    if (layers.empty()) return {};
    const int first = layers.begin()->first, last = layers.rbegin()->first;
    if (layers.size() > 2 && last - first + 1 == static_cast<int>(layers.size()))
        return fmt::format("{} to {}", first, last);
    std::string numbers;
    for (const auto& [number, array] : layers) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", number);
    return numbers;
}

std::shared_ptr<const HeadArrays> head_arrays(std::shared_ptr<const StoredArray> array) {
    const HeadArray only{{}, array->shape(), ArrayAxes::of(array->shape()).value_or(ArrayAxes{})};
    const auto rows = [array](const HeadArray& one, std::int64_t entry, std::int64_t head) {
        return rows_of(array, one.axes, entry, head);
    };
    return std::make_shared<const HeadArrays>(array->hash(), HeadArrays::Layers{{0, only}},
                                              HeadArrays::Layers{{0, only}}, false, rows);
}

std::shared_ptr<const HeadArrays> open_head_arrays(const std::string& path) {
    const std::string extension = extension_of(path);
    if (extension == "npz") return open_npz(path);
    if (extension == "safetensors") return open_head_tensors(path);
    const auto array = std::make_shared<const StoredArray>(read_stored(path));
    if (!array->is_of_integers())
        array->for_each_block(
            [&](std::size_t first, std::span<const double> numbers) { require_usable(numbers, path, first); });
    return head_arrays(array);
}

bool may_hold_heads(const std::string& path) {
    const std::string extension = extension_of(path);
    if (extension != "safetensors") return extension == "npy" || extension == "npz";
    try {
        const Tensors tensors = read_safetensors(path);
        return std::any_of(tensors.begin(), tensors.end(),
                           [](const auto& named) { return head_name(named.first).has_value(); });
    } catch (const Error&) {
        return false;  // whoever opens it says what is wrong
    }
}

std::uint64_t hash_of(const HeadArrays& arrays) {
    return arrays.hash();
}

std::uint64_t version_of(const HeadArrays& arrays) {
    return arrays.version();
}

void load(HeadFile& file, const FileAccess& access) {
    const std::filesystem::path path = checked_path(file.path, access);
    file.content = open_head_arrays(path.string());
    file.path = kept_name(file.path, path, access);
}

}  // namespace ropewalk
