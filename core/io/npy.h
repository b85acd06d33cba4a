// Reads and writes NumPy's .npy files. The header parser never evaluates anything.
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
    std::string dtype;           // as in the file: "<f4"
    bool fortran_order = false;  // as in the file; `values` are always in C order
    std::vector<double> values;
    std::uint64_t hash = 0;  // of the file's bytes
};

/// Reads versions 1–3 of bool, integer and float arrays of either byte order and memory order. Errors call it `name`.
/// Throws InputError with the file, the byte offset, the violated rule and what to do.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

/// Returns the shape of an array from the first bytes of a file, at least `most_npy_header_bytes` unless it is shorter.
/// Throws InputError as `parse_npy` does.
std::vector<std::int64_t> npy_shape(std::string_view bytes, const std::string& name);
inline constexpr std::uint64_t most_npy_header_bytes = 10'012;

/// The largest file in bytes and the largest array in numbers.
inline constexpr std::uint64_t most_npy_bytes = (std::uint64_t{1} << 30) + (1 << 16), most_npy_values = 1 << 27;

/// Reads a file with `parse_npy`. Throws IoError if it cannot be read, LimitError if it is too large.
NpyArray read_npy(const std::string& path);

/// Returns the bytes of a file for an array in C order, little-endian, version 1.0.
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const double> values);
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const float> values);

}  // namespace ropewalk
