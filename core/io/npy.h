// NumPy's .npy files, read by a grammar of our own that never evaluates anything.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// An array of numbers, converted to double.
struct NpyArray {
    std::vector<std::int64_t> shape;
    std::string dtype;           // as the file says: "<f4"
    bool fortran_order = false;  // as the file says; `values` are in C order all the same
    std::vector<double> values;
    std::uint64_t hash = 0;  // of the file's bytes
};

/// Reads versions 1–3 of bool, integer and float arrays of either byte order and memory order. `name` is what errors
/// call it. Throws InputError that names the file, the byte offset, the rule broken and what would do.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

/// A file may have so many bytes, and an array so many numbers.
inline constexpr std::uint64_t most_npy_bytes = (std::uint64_t{1} << 30) + (1 << 16), most_npy_values = 1 << 27;

/// parse_npy of a file's content; IoError if it cannot be read, LimitError if it is too large.
NpyArray read_npy(const std::string& path);

/// The file's bytes for an array in C order, little-endian, version 1.0.
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const double> values);
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const float> values);

}  // namespace ropewalk
