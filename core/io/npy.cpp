#include "core/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/half.h"
#include "core/numbers/hash.h"
#include "core/numbers/numbers.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::size_t longest_header = 10'000;
constexpr std::size_t most_dimensions = 32;
constexpr std::size_t longest_shown = 40;  // bytes of a file in a message

/// The bytes of a file, or its first ones, with its name, for errors with a byte offset.
struct Source {
    std::string_view bytes;
    const std::string& name;
    std::uint64_t size;  // of the whole file

    [[noreturn]] void reject(std::size_t offset, const std::string& sentence) const {
        throw InputError(fmt::format("{}: byte {}: {}", name, offset, sentence));
    }
};

struct Dtype {
    char kind = 'f';  // b, i, u, f
    std::size_t size = 8;
    bool swapped = false;  // differs from this machine's byte order
};

struct Header {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    std::size_t descr_at = 0;
    std::size_t data_at = 0;
};

/// Reads the subset of Python's dictionary literals that numpy writes: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4), }
class HeaderReader {
  public:
    HeaderReader(const Source& source, std::size_t begin, std::size_t end) : source_(source), at_(begin), end_(end) {}

    Header read() {
        Header header;
        expect('{');
        while (!accept('}')) {
            const std::size_t key_at = at_;
            const std::string key = text();
            expect(':');
            bool repeated = false;
            if (key == "descr") {
                repeated = header.descr.has_value();
                skip_spaces();
                header.descr_at = at_;
                header.descr = descr();
            } else if (key == "fortran_order") {
                repeated = header.fortran_order.has_value();
                header.fortran_order = boolean();
            } else if (key == "shape") {
                repeated = header.shape.has_value();
                header.shape = shape();
            } else {
                source_.reject(key_at, fmt::format("the header has an unknown key '{}'; save the array with numpy.save",
                                                   brief(key, longest_shown)));
            }
            if (repeated)
                source_.reject(key_at,
                               fmt::format("the header has the key '{}' twice; save the array with numpy.save", key));
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        while (at_ < end_ && (source_.bytes[at_] == ' ' || source_.bytes[at_] == '\n')) ++at_;
        if (at_ != end_) malformed("only spaces may follow the header's dictionary");
        for (const auto& [present, key] : {std::pair{header.descr.has_value(), "descr"},
                                           {header.fortran_order.has_value(), "fortran_order"},
                                           {header.shape.has_value(), "shape"}})
            if (!present) malformed(fmt::format("the header has no key '{}'", key));
        header.data_at = end_;
        return header;
    }

  private:
    [[noreturn]] void malformed(const std::string& sentence) const {
        source_.reject(at_, sentence + "; save the array with numpy.save");
    }

    void skip_spaces() {
        while (at_ < end_ && source_.bytes[at_] == ' ') ++at_;
    }

    bool accept(char c) {
        skip_spaces();
        if (at_ == end_ || source_.bytes[at_] != c) return false;
        ++at_;
        return true;
    }

    void expect(char c) {
        if (!accept(c)) malformed(fmt::format("the header is malformed: expected '{}'", c));
    }

    bool accept_word(std::string_view word) {
        skip_spaces();
        if (!source_.bytes.substr(at_, end_ - at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    std::string text() {
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'') expect(quote);
        const std::string_view rest = source_.bytes.substr(at_, end_ - at_);
        const std::size_t length = rest.find(quote);
        if (length == rest.npos || rest.substr(0, length).find('\\') != rest.npos)
            malformed("the header has a malformed string");
        at_ += length + 1;
        return std::string(rest.substr(0, length));
    }

    std::string descr() {
        if (at_ < end_ && (source_.bytes[at_] == '[' || source_.bytes[at_] == '('))
            source_.reject(at_, "the array has a structured dtype; save one of its fields as an array of numbers");
        return text();
    }

    bool boolean() {
        if (accept_word("True")) return true;
        if (accept_word("False")) return false;
        malformed("'fortran_order' must be True or False");
    }

    std::int64_t extent() {
        skip_spaces();
        if (at_ < end_ && source_.bytes[at_] == '-') malformed("the shape has a negative extent");
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(source_.bytes.data() + at_, source_.bytes.data() + end_, value);
        if (error == std::errc::result_out_of_range) malformed("the shape has an extent beyond 64 bits");
        if (error != std::errc{}) malformed("the shape must be a tuple of whole numbers");
        at_ = static_cast<std::size_t>(stop - source_.bytes.data());
        if (at_ < end_ && source_.bytes[at_] == 'L') ++at_;  // as written by Python 2
        return value;
    }

    std::vector<std::int64_t> shape() {
        std::vector<std::int64_t> extents;
        expect('(');
        if (accept(')')) return extents;
        while (true) {
            extents.push_back(extent());
            if (extents.size() > most_dimensions)
                malformed(fmt::format("the shape has more than {} dimensions", most_dimensions));
            const bool comma = accept(',');
            if (!comma && extents.size() == 1) malformed("the shape must be a tuple, such as (3,)");
            if (accept(')')) return extents;
            if (!comma) expect(',');
        }
    }

    const Source& source_;
    std::size_t at_, end_;
};

Dtype parse_dtype(const Source& source, const Header& header) {
    std::string_view descr = *header.descr;
    const auto reject = [&](const std::string& what) {
        source.reject(header.descr_at, fmt::format("the dtype '{}' {}", brief(*header.descr, longest_shown), what));
    };
    char order = '=';
    if (!descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos) {
        order = descr[0];
        descr.remove_prefix(1);
    }
    if (descr.starts_with('O'))
        reject(
            "contains Python objects as a pickle, which is never executed; convert with .astype('float64') before "
            "saving");
    const bool known = descr == "b1" ||
                       (descr.size() == 2 && (descr[0] == 'i' || descr[0] == 'u') &&
                        std::string_view("1248").find(descr[1]) != std::string_view::npos) ||
                       descr == "f2" || descr == "f4" || descr == "f8";
    if (!known)
        reject(
            "is not supported, only bool, integers of 1 to 8 bytes and floats of 2 to 8; convert with "
            ".astype('float64')");
    const bool little = std::endian::native == std::endian::little;
    return {descr[0], static_cast<std::size_t>(descr[1] - '0'), little ? order == '>' : order == '<'};
}

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

Header read_header(const Source& source) {
    const std::string_view bytes = source.bytes;
    if (!bytes.starts_with(npy_magic)) {
        if (const std::string what = impostor(bytes); !what.empty())
            throw InputError(fmt::format("{}: {}", source.name, what));
        if (!npy_magic.starts_with(bytes))
            source.reject(0, "not a .npy file, which starts with \\x93NUMPY; save the array with numpy.save");
    }
    const auto need = [&](std::size_t size) {
        if (bytes.size() < size)
            source.reject(bytes.size(),
                          "the file ends within its header; the copy is incomplete, so fetch the file again");
    };
    need(npy_magic.size() + 2);
    const int major = static_cast<unsigned char>(bytes[6]), minor = static_cast<unsigned char>(bytes[7]);
    if (major < 1 || major > 3 || minor != 0)
        source.reject(
            6,
            fmt::format(
                "version {}.{} of the format is not supported, only 1.0, 2.0 and 3.0; save the array with numpy.save",
                major, minor));
    const std::size_t length_size = major == 1 ? 2 : 4, begin = 8 + length_size;
    need(begin);
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_size; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + i])) << 8 * i;
    if (length > longest_header)
        source.reject(
            8, fmt::format("the header claims {} bytes, more than the limit of {}; save the array with numpy.save",
                           length, longest_header));
    need(begin + length);  // the first bytes of a file hold the longest header
    return HeaderReader(source, begin, begin + length).read();
}

/// Returns the number of values. Throws unless the file contains exactly that many.
std::uint64_t checked_count(const Source& source, const Header& header, std::size_t size) {
    const std::vector<std::int64_t>& shape = *header.shape;
    const std::uint64_t left = source.size - header.data_at, fits = left / size;
    std::uint64_t count = 1;
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        count = 0;
    } else {
        for (const std::int64_t extent : shape) {
            if (count > fits / static_cast<std::uint64_t>(extent))
                source.reject(source.size,
                              "the file ends before the array described by its header; the copy is incomplete, so "
                              "fetch the file again");
            count *= static_cast<std::uint64_t>(extent);
        }
    }
    if (count > fits)
        source.reject(source.size,
                      "the file ends before its only value; the copy is incomplete, so fetch the file again");
    if (left != count * size)
        source.reject(header.data_at + count * size,
                      fmt::format("{} bytes follow the array; save it again", left - count * size));
    return count;
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

StoredArray::StoredArray(std::string bytes, const std::string& name) : bytes_(std::move(bytes)) {
    const Source source{bytes_, name, bytes_.size()};
    Header header = read_header(source);
    const Dtype dtype = parse_dtype(source, header);
    count_ = checked_count(source, header, dtype.size);
    shape_ = std::move(*header.shape), dtype_ = std::move(*header.descr);
    fortran_order_ = *header.fortran_order, data_at_ = header.data_at;
    kind_ = dtype.kind, number_bytes_ = dtype.size, swapped_ = dtype.swapped;
    hash_ = hash_text(bytes_);
}

void StoredArray::decode(std::size_t first, std::span<double> to) const {
    decoder_of(kind_, number_bytes_)(bytes_.data() + data_at_ + first * number_bytes_, swapped_, to);
}

void StoredArray::read(std::size_t first, std::span<double> to) const {
    if (fortran_order_ && shape_.size() > 1)
        read_fortran(first, to);
    else
        decode(first, to);
}

/// In the file the first index is the fastest.
void StoredArray::read_fortran(std::size_t first, std::span<double> to) const {
    const std::size_t axes = shape_.size();
    std::vector<std::size_t> index(axes), extent(shape_.begin(), shape_.end()), stride(axes, 1);
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
    const Source source{bytes, name, file_bytes};
    const Header header = read_header(source);
    const std::uint64_t count = checked_count(source, header, parse_dtype(source, header).size);
    if (count > most_values)
        throw LimitError(fmt::format("{}: has {} values, more than the limit of {}; save a part of the array", name,
                                     count, most_values));
    return *header.shape;
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
