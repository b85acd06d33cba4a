// core/models/files: the tensors of a checkpoint. Here: one .safetensors file
// (https://huggingface.co/docs/safetensors/index#format).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/mapped_file.h"

namespace ropewalk {

/// The type of a tensor's numbers. Only floating-point tensors can be read; others are listed.
enum class TensorType { f64, f32, f16, bf16, other };

/// A tensor in a mapped file or in memory: row-major, little-endian, of any alignment.
struct Tensor {
    std::string name;
    std::string dtype;  // as in the file: "BF16"
    TensorType type = TensorType::other;
    std::vector<std::int64_t> shape;
    const std::byte* data = nullptr;
    std::shared_ptr<const MappedFile> file;        // null: in memory
    std::shared_ptr<const void> memory = nullptr;  // what keeps the numbers alive then

    std::int64_t count() const;
    /// Returns bytes per number; 0 for types that cannot be read.
    std::size_t number_bytes() const;
    /// Returns "FILE: tensor 'NAME'", or without the file if it is in memory.
    std::string where() const;
    /// Returns the numbers of a whole tensor, which is small, such as a norm's weights.
    std::vector<float> widened() const;
};

/// Widens `to.size()` consecutive numbers from number `first` on, exactly but for F64, which is rounded.
void widen(const Tensor& tensor, std::int64_t first, std::span<float> to);
/// Widens them to doubles, exactly.
void widen(const Tensor& tensor, std::int64_t first, std::span<double> to);

/// The tensors of a checkpoint by name.
using Tensors = std::map<std::string, Tensor, std::less<>>;

/// The longest header that is read. The largest models have headers of a few MiB, which take several times that in
/// memory.
inline constexpr std::uint64_t most_header_bytes = 16 << 20;
inline constexpr std::size_t most_header_events = 2'000'000;  // of about 130 000 tensors

/// Reads a file's header and maps its tensors. Throws IoError, LimitError for a header that is too long, or
/// InputError with the file, the place and the rule.
Tensors read_safetensors(const std::string& path);

}  // namespace ropewalk
