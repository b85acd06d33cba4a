#include "core/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/half.h"
#include "core/numbers/hash.h"

namespace ropewalk {
namespace {

struct Half {
    std::uint16_t bits;
    explicit operator double() const { return static_cast<double>(from_half(bits)); }
};
struct Truth {
    std::uint8_t byte;
    explicit operator double() const { return byte != 0; }
};

template <class T>
void decode_as(const char* data, bool swapped, std::span<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        std::array<char, sizeof(T)> raw;
        std::memcpy(raw.data(), data + i * sizeof(T), sizeof(T));
        if (swapped) std::reverse(raw.begin(), raw.end());
        to[i] = static_cast<double>(std::bit_cast<T>(raw));
    }
}

using Decode = void (*)(const char* data, bool swapped, std::span<double> to);

Decode decoder_of(char kind, std::size_t size) {
    switch (kind) {
        case 'b': return decode_as<Truth>;
        case 'f': return size == 2 ? decode_as<Half> : size == 4 ? decode_as<float> : decode_as<double>;
        case 'i':
            return size == 1   ? decode_as<std::int8_t>
                   : size == 2 ? decode_as<std::int16_t>
                   : size == 4 ? decode_as<std::int32_t>
                               : decode_as<std::int64_t>;
        default:
            return size == 1   ? decode_as<std::uint8_t>
                   : size == 2 ? decode_as<std::uint16_t>
                   : size == 4 ? decode_as<std::uint32_t>
                               : decode_as<std::uint64_t>;
    }
}

template <class T>
std::string write(std::span<const std::int64_t> shape, std::span<const T> values) {
    std::uint64_t count = 1;
    std::string extents;
    for (const std::int64_t extent : shape) {
        ensure(extent >= 0, "an array's extents must not be negative");
        count *= static_cast<std::uint64_t>(extent);
        extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
    }
    ensure(count == values.size(), "an array's shape must have as many elements as it has values");
    std::string header = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}{}), }}", sizeof(T),
                                     extents, shape.size() == 1 ? "," : "");
    // Data must start at a multiple of 64 bytes, after a newline.
    header.append(63 - (npy_magic.size() + 4 + header.size()) % 64, ' ');
    header += '\n';

    std::string bytes(npy_magic);
    bytes += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    bytes += header;
    const std::size_t begin = bytes.size();
    bytes.resize(begin + values.size_bytes());
    if (!values.empty()) std::memcpy(bytes.data() + begin, values.data(), values.size_bytes());
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t at = begin; at < bytes.size(); at += sizeof(T))
            std::reverse(bytes.data() + at, bytes.data() + at + sizeof(T));
    return bytes;
}

}  // namespace

StoredArray::StoredArray(std::string bytes, const std::string& name)
    : bytes_(std::move(bytes)), header_(read_npy_header(bytes_, bytes_.size(), name)), hash_(hash_text(bytes_)) {}

void StoredArray::decode(std::size_t first, std::span<double> to) const {
    const char* const data = bytes_.data() + header_.data_at + first * header_.number_bytes;
    decoder_of(header_.kind, header_.number_bytes)(data, header_.swapped, to);
}

void StoredArray::read(std::size_t first, std::span<double> to) const {
    if (fortran_order() && shape().size() > 1)
        read_fortran(first, to);
    else
        decode(first, to);
}

/// In the file the first index is the fastest.
void StoredArray::read_fortran(std::size_t first, std::span<double> to) const {
    const std::size_t axes = shape().size();
    std::vector<std::size_t> index(axes), extent(shape().begin(), shape().end()), stride(axes, 1);
    for (std::size_t axis = 1; axis < axes; ++axis) stride[axis] = stride[axis - 1] * extent[axis - 1];
    std::size_t from = 0;
    for (std::size_t axis = axes; axis-- > 0; first /= extent[axis]) {
        index[axis] = first % extent[axis];
        from += index[axis] * stride[axis];
    }
    for (double& number : to) {
        decode(from, std::span(&number, 1));
        for (std::size_t axis = axes; axis-- > 0;) {
            from += stride[axis];
            if (++index[axis] < extent[axis]) break;
            from -= stride[axis] * extent[axis];
            index[axis] = 0;
        }
    }
}

static NpyArray converted(const StoredArray& stored) {
    NpyArray array{stored.shape(), stored.dtype(), stored.fortran_order(), std::vector<double>(stored.count()),
                   stored.hash()};
    if (!array.values.empty()) stored.read(0, array.values);
    return array;
}

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
    return converted(StoredArray(std::string(bytes), name));
}

std::vector<std::int64_t> npy_shape(std::string_view bytes, std::uint64_t file_bytes, const std::string& name,
                                    std::uint64_t most_values) {
    NpyHeader header = read_npy_header(bytes, file_bytes, name);
    if (header.count > most_values)
        throw LimitError(fmt::format("{}: has {} values, more than the limit of {}; save a part of the array", name,
                                     header.count, most_values));
    return std::move(header.shape);
}

/// Throws unless the header is that of an array of at most `most_values` numbers.
static void check_header(const std::string& path, std::uint64_t most_values) {
    const FileStart start = read_start(path, most_npy_header_bytes);
    npy_shape(start.bytes, start.file_bytes, path, most_values);
}

StoredArray read_stored(const std::string& path) {
    check_header(path, most_npy_values);
    return StoredArray(read_file(path, most_npy_bytes), path);
}

NpyArray read_npy(const std::string& path, std::uint64_t most_values) {
    check_header(path, most_values);
    return converted(StoredArray(read_file(path, most_npy_bytes), path));
}

std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const double> values) {
    return write(shape, values);
}
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const float> values) {
    return write(shape, values);
}

}  // namespace ropewalk
