#include "core/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/hash.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 10'000;
constexpr std::size_t most_dimensions = 32;

/// The bytes of a file with its name, for errors with a byte offset.
struct Source {
    std::string_view bytes;
    const std::string& name;

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

std::string printable(std::string_view text) {
    std::string shown;
    for (const char c : text.substr(0, 40)) shown += c >= 32 && c < 127 ? c : '?';
    return shown;
}

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
                                                   printable(key)));
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
        source.reject(header.descr_at, fmt::format("the dtype '{}' {}", printable(*header.descr), what));
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

double from_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = fraction == 0 ? infinity : nan;
    return bits & 0x8000 ? -magnitude : magnitude;
}

struct Half {
    std::uint16_t bits;
    explicit operator double() const { return from_half(bits); }
};
struct Truth {
    std::uint8_t byte;
    explicit operator double() const { return byte != 0; }
};

template <class T>
std::vector<double> decode(std::string_view data, bool swapped) {
    std::vector<double> values(data.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        char raw[sizeof(T)];
        std::memcpy(raw, data.data() + i * sizeof(T), sizeof(T));
        if (swapped) std::reverse(raw, raw + sizeof(T));
        values[i] = static_cast<double>(std::bit_cast<T>(raw));
    }
    return values;
}

std::vector<double> decode(std::string_view data, const Dtype& dtype) {
    switch (dtype.kind) {
        case 'b': return decode<Truth>(data, false);
        case 'f':
            if (dtype.size == 2) return decode<Half>(data, dtype.swapped);
            if (dtype.size == 4) return decode<float>(data, dtype.swapped);
            return decode<double>(data, dtype.swapped);
        case 'i':
            if (dtype.size == 1) return decode<std::int8_t>(data, dtype.swapped);
            if (dtype.size == 2) return decode<std::int16_t>(data, dtype.swapped);
            if (dtype.size == 4) return decode<std::int32_t>(data, dtype.swapped);
            return decode<std::int64_t>(data, dtype.swapped);
        default:
            if (dtype.size == 1) return decode<std::uint8_t>(data, dtype.swapped);
            if (dtype.size == 2) return decode<std::uint16_t>(data, dtype.swapped);
            if (dtype.size == 4) return decode<std::uint32_t>(data, dtype.swapped);
            return decode<std::uint64_t>(data, dtype.swapped);
    }
}

/// Returns the values in C order, from Fortran order (first index fastest).
std::vector<double> reordered(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
    std::vector<double> result;
    result.reserve(values.size());
    std::vector<std::int64_t> index(shape.size(), 0), stride(shape.size(), 1);
    for (std::size_t axis = 1; axis < shape.size(); ++axis) stride[axis] = stride[axis - 1] * shape[axis - 1];
    std::int64_t from = 0;
    while (result.size() < values.size()) {
        result.push_back(values[static_cast<std::size_t>(from)]);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            from += stride[axis];
            if (++index[axis] < shape[axis]) break;
            from -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
    return result;
}

Header read_header(const Source& source) {
    const std::string_view bytes = source.bytes;
    if (!bytes.starts_with(magic)) {
        if (const std::string what = impostor(bytes); !what.empty())
            throw InputError(fmt::format("{}: {}", source.name, what));
        if (!magic.starts_with(bytes))
            source.reject(0, "not a .npy file, which starts with \\x93NUMPY; save the array with numpy.save");
    }
    const auto need = [&](std::size_t size) {
        if (bytes.size() < size)
            source.reject(bytes.size(),
                          "the file ends within its header; the copy is incomplete, so fetch the file again");
    };
    need(magic.size() + 2);
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
    need(begin + length);
    return HeaderReader(source, begin, begin + length).read();
}

/// Returns the number of values. Throws unless the file contains exactly that many.
std::uint64_t checked_count(const Source& source, const Header& header, std::size_t size) {
    const std::vector<std::int64_t>& shape = *header.shape;
    const std::uint64_t left = source.bytes.size() - header.data_at, fits = left / size;
    std::uint64_t count = 1;
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        count = 0;
    } else {
        for (const std::int64_t extent : shape) {
            if (count > fits / static_cast<std::uint64_t>(extent))
                source.reject(source.bytes.size(),
                              "the file ends before the array described by its header; the copy is incomplete, so "
                              "fetch the file again");
            count *= static_cast<std::uint64_t>(extent);
        }
    }
    if (count > fits)
        source.reject(source.bytes.size(),
                      "the file ends before its only value; the copy is incomplete, so fetch the file again");
    if (left != count * size)
        source.reject(header.data_at + count * size,
                      fmt::format("{} bytes follow the array; save it again", left - count * size));
    if (count > most_npy_values)
        throw LimitError(fmt::format("{}: has {} values, more than the limit of {}; save a part of the array",
                                     source.name, count, most_npy_values));
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
    header.append(63 - (magic.size() + 4 + header.size()) % 64, ' ');
    header += '\n';

    std::string bytes(magic);
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

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
    const Source source{bytes, name};
    const Header header = read_header(source);
    const Dtype dtype = parse_dtype(source, header);
    const std::uint64_t count = checked_count(source, header, dtype.size);
    std::vector<double> values = decode(bytes.substr(header.data_at, count * dtype.size), dtype);
    if (*header.fortran_order && header.shape->size() > 1) values = reordered(values, *header.shape);
    return {*header.shape, *header.descr, *header.fortran_order, std::move(values), hash_text(bytes)};
}

std::vector<std::int64_t> npy_shape(std::string_view bytes, const std::string& name) {
    const Source source{bytes, name};
    const Header header = read_header(source);
    parse_dtype(source, header);  // throws unless it holds numbers
    return *header.shape;
}

NpyArray read_npy(const std::string& path) {
    return parse_npy(read_file(path, most_npy_bytes), path);
}

std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const double> values) {
    return write(shape, values);
}
std::string npy_bytes(std::span<const std::int64_t> shape, std::span<const float> values) {
    return write(shape, values);
}

}  // namespace ropewalk
