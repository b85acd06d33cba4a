// The header of NumPy's .npy files (numpy.lib.format): what the file holds, and where. Nothing in it is evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// The first bytes of every .npy file.
inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// The longest header.
inline constexpr std::uint64_t most_npy_header_bytes = 10'012;

struct NpyHeader {
    std::string dtype;  // as in the file: "<f4"
    std::vector<std::int64_t> shape;
    bool fortran_order = false;
    char kind = 'f';                     // of the numbers: b, i, u, f
    std::size_t number_bytes = 8;        // of one number
    bool swapped = false;                // whether their byte order differs from this machine's
    std::size_t data_at = 0, count = 0;  // count: of numbers
};

/// Reads the header from the first bytes of a file of `file_bytes`, all or at least `most_npy_header_bytes`. Errors
/// call the file `name`. Throws InputError if the header is wrong, or the file is shorter or longer than its array.
NpyHeader read_npy_header(std::string_view bytes, std::uint64_t file_bytes, const std::string& name);

}  // namespace ropewalk
