#include "core/io/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
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

/// The header's dictionary, as far as it has been read.
struct Entries {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    std::size_t descr_at = 0;
};

/// Reads the subset of Python's dictionary literals that numpy writes: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4), }
class EntriesReader {
  public:
    EntriesReader(const Source& source, std::size_t begin, std::size_t end) : source_(source), at_(begin), end_(end) {}

    Entries read() {
        Entries header;
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
        const auto after = static_cast<std::size_t>(stop - source_.bytes.data());
        if (source_.bytes[at_] == '0' && after > at_ + 1) malformed("the shape has an extent with leading zeros");
        at_ = after;
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

void take_dtype(const Source& source, const Entries& header, NpyHeader& array) {
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
    array.kind = descr[0], array.number_bytes = static_cast<std::size_t>(descr[1] - '0');
    array.swapped = little ? order == '>' : order == '<';
}

/// Returns where the dictionary begins and ends.
std::pair<std::size_t, std::size_t> extent_of_header(const Source& source) {
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
    return {begin, begin + length};
}

/// Returns the number of values. Throws unless the file contains exactly that many.
std::uint64_t checked_count(const Source& source, const NpyHeader& header) {
    const std::vector<std::int64_t>& shape = header.shape;
    const std::size_t size = header.number_bytes;
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

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, std::uint64_t file_bytes, const std::string& name) {
    const Source source{bytes, name, file_bytes};
    const auto [begin, end] = extent_of_header(source);
    Entries entries = EntriesReader(source, begin, end).read();
    NpyHeader header{.data_at = end};
    take_dtype(source, entries, header);
    header.dtype = std::move(*entries.descr), header.shape = std::move(*entries.shape);
    header.fortran_order = *entries.fortran_order;
    header.count = checked_count(source, header);
    return header;
}

}  // namespace ropewalk
