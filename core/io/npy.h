// Reads and writes NumPy's .npy files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/npy_header.h"

namespace ropewalk {

/// An array of numbers, converted to double.
struct NpyArray {
    std::vector<std::int64_t> shape;
    std::string dtype;           // as in the file: "<f4"
    bool fortran_order = false;  // as in the file; `values` are always in C order
    std::vector<double> values;
    std::uint64_t hash = 0;  // of the file's bytes
};

/// An array as it is in a file: every number is converted when it is read, because as doubles bytes would take eight
/// times as much memory.
class StoredArray {
  public:
    /// Takes the bytes of a file. Throws as `parse_npy` does.
    StoredArray(std::string bytes, const std::string& name);

    const std::vector<std::int64_t>& shape() const { return header_.shape; }
    const std::string& dtype() const { return header_.dtype; }
    bool fortran_order() const { return header_.fortran_order; }
    std::size_t count() const { return header_.count; }
    std::uint64_t hash() const { return hash_; }
    /// Returns whether no number can be infinite or NaN.
    bool is_of_integers() const { return header_.kind != 'f'; }

    /// Reads `to.size()` consecutive numbers from number `first` on, in C order.
    void read(std::size_t first, std::span<double> to) const;
    /// Calls f(first, numbers) with all numbers, in blocks and in the order of the file.
    template <class F>
    void for_each_block(F&& f) const {
        std::vector<double> block(std::size_t{1} << 13);
        for (std::size_t first = 0; first < count(); first += block.size()) {
            const std::span numbers = std::span(block).first(std::min(block.size(), count() - first));
            decode(first, numbers);
            f(first, std::span<const double>(numbers));
        }
    }

  private:
    void decode(std::size_t first, std::span<double> to) const;
    void read_fortran(std::size_t first, std::span<double> to) const;

    std::string bytes_;
    NpyHeader header_;
    std::uint64_t hash_ = 0;  // of the file's bytes
};

/// Reads versions 1–3 of bool, integer and float arrays of either byte order and memory order. Errors call it `name`.
/// Throws InputError with the file, the byte offset, the violated rule and what to do.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

/// The largest file in bytes and the largest array in numbers.
inline constexpr std::uint64_t most_npy_bytes = (std::uint64_t{1} << 30) + (1 << 16), most_npy_values = 1 << 27;

/// Returns the shape of an array from the first bytes of a file of `file_bytes`, all or at least
/// `most_npy_header_bytes`. Throws InputError as `parse_npy` does, and LimitError for more than `most_values` numbers.
std::vector<std::int64_t> npy_shape(std::string_view bytes, std::uint64_t file_bytes, const std::string& name,
                                    std::uint64_t most_values = most_npy_values);

/// Reads a file. Its header is checked first, so that nothing is read of an array that is too large. Throws as
/// `parse_npy` does, IoError if the file cannot be read, LimitError if it is too large.
StoredArray read_stored(const std::string& path);
/// Reads a file of at most `most_values` numbers and converts all of them. Throws like `read_stored`.
NpyArray read_npy(const std::string& path, std::uint64_t most_values = most_npy_values);

/// Returns the bytes of a file for an array in C order, little-endian, version 1.0.
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const double> values);
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const float> values);

}  // namespace ropewalk
