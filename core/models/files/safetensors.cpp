#include "core/models/files/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/numbers/half.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t format_header_bytes = 100'000'000, length_bytes = 8;
constexpr std::size_t most_dimensions = 8;

struct Dtype {
    std::string_view name;
    std::uint64_t bytes;
    TensorType type = TensorType::other;
};
constexpr std::array<Dtype, 16> dtypes{{{"F64", 8, TensorType::f64},
                                        {"F32", 4, TensorType::f32},
                                        {"F16", 2, TensorType::f16},
                                        {"BF16", 2, TensorType::bf16},
                                        {"BOOL", 1},
                                        {"U8", 1},
                                        {"I8", 1},
                                        {"F8_E5M2", 1},
                                        {"F8_E4M3", 1},
                                        {"F8_E8M0", 1},
                                        {"I16", 2},
                                        {"U16", 2},
                                        {"I32", 4},
                                        {"U32", 4},
                                        {"I64", 8},
                                        {"U64", 8}}};

const Dtype& dtype_of(const JsonValue& entry) {
    const JsonValue value = entry.at("dtype");
    const std::string name = value.text();
    const auto found = std::find_if(dtypes.begin(), dtypes.end(), [&](const Dtype& d) { return d.name == name; });
    if (found == dtypes.end())
        value.reject(fmt::format("the type '{}' is unknown; convert the tensor to F32, F16, BF16 or F64", name));
    return *found;
}

std::vector<std::int64_t> shape_of(const JsonValue& entry) {
    const JsonValue list = entry.at("shape");
    if (!list.raw().is_array() || list.raw().size() > most_dimensions)
        list.reject(fmt::format("must be a list of at most {} extents", most_dimensions));
    std::vector<std::int64_t> shape;
    for (std::size_t axis = 0; axis < list.raw().size(); ++axis)
        shape.push_back(list.at(axis).integer(0, std::numeric_limits<std::int64_t>::max()));
    return shape;
}

/// Returns the bytes of a tensor of this shape; the largest number if they are more.
std::uint64_t bytes_of(const std::vector<std::int64_t>& shape, std::uint64_t number_bytes) {
    std::uint64_t bytes = number_bytes;
    for (const std::int64_t extent : shape)
        if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
            if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
            return std::numeric_limits<std::uint64_t>::max();
        }
    return bytes;
}

struct Range {
    std::uint64_t begin = 0, end = 0;
    const std::string* name = nullptr;
};

/// Throws unless the tensors cover the data without holes or overlaps.
void require_contiguous(std::vector<Range> ranges, std::uint64_t data_bytes, const std::string& path) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::uint64_t end = 0;
    for (const Range& range : ranges) {
        if (range.begin != end)
            throw InputError(
                fmt::format("{}: tensor '{}' begins at data byte {} where {} is expected; tensors must "
                            "follow each other without gaps or overlaps",
                            path, *range.name, range.begin, end));
        end = range.end;
    }
    if (end != data_bytes)
        throw InputError(
            fmt::format("{}: has {} bytes of data, but its header promises {}; the copy is {}, so fetch "
                        "the file again",
                        path, data_bytes, end, data_bytes < end ? "incomplete" : "too long"));
}

/// Returns the header's text, after the rules that need no parser.
std::string_view header_of(const MappedFile& file) {
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    if (const std::string what = impostor(bytes.substr(0, 4096)); !what.empty())
        throw InputError(fmt::format("{}: {}", file.path(), what));
    if (bytes.size() < length_bytes)
        throw InputError(
            fmt::format("{}: has {} bytes, fewer than the 8 that give the header's length; fetch the "
                        "file again",
                        file.path(), bytes.size()));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i)
        length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
    if (length > format_header_bytes)
        throw InputError(
            fmt::format("{}: byte 0: the header claims {} bytes, more than the format's limit of {}; it "
                        "is not a .safetensors file",
                        file.path(), length, format_header_bytes));
    if (length > bytes.size() - length_bytes)
        throw InputError(
            fmt::format("{}: the header of {} bytes is longer than the file; the copy is incomplete, so "
                        "fetch the file again",
                        file.path(), length));
    if (length > most_header_bytes)
        throw LimitError(
            fmt::format("{}: the header has {} bytes, more than the limit of {}; save fewer tensors in one file",
                        file.path(), length, most_header_bytes));
    if (length == 0 || bytes[length_bytes] != '{')
        throw InputError(
            fmt::format("{}: byte 8: the header must begin with {{; it is not a .safetensors file", file.path()));
    return bytes.substr(length_bytes, length);
}

template <class T, class To, class Convert>
void widen_as(const std::byte* from, std::span<To> to, Convert convert) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        T number;
        std::memcpy(&number, from + i * sizeof(T), sizeof(T));
        to[i] = static_cast<To>(convert(number));
    }
}

template <class To>
void widen_to(const Tensor& tensor, std::int64_t first, std::span<To> to) {
    const std::byte* const from = tensor.data + static_cast<std::size_t>(first) * tensor.number_bytes();
    switch (tensor.type) {
        case TensorType::f64: return widen_as<double>(from, to, [](double x) { return x; });
        case TensorType::f32: return widen_as<float>(from, to, [](float x) { return x; });
        case TensorType::f16: return widen_as<std::uint16_t>(from, to, from_half);
        case TensorType::bf16:
            return widen_as<std::uint16_t>(
                from, to, [](std::uint16_t x) { return std::bit_cast<float>(std::uint32_t{x} << 16); });
        case TensorType::other: break;
    }
    ensure(false, "only floating-point tensors are widened");
}

}  // namespace

std::int64_t Tensor::count() const {
    // The other extents of an empty tensor may have a product that overflows.
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

std::size_t Tensor::number_bytes() const {
    switch (type) {
        case TensorType::f64: return 8;
        case TensorType::f32: return 4;
        case TensorType::f16:
        case TensorType::bf16: return 2;
        case TensorType::other: break;
    }
    return 0;
}

std::string Tensor::where() const {
    return file ? fmt::format("{}: tensor '{}'", file->path(), name) : fmt::format("tensor '{}'", name);
}

std::vector<float> Tensor::widened() const {
    std::vector<float> numbers(static_cast<std::size_t>(count()));
    widen(*this, 0, numbers);
    return numbers;
}

void widen(const Tensor& tensor, std::int64_t first, std::span<float> to) {
    widen_to(tensor, first, to);
}
void widen(const Tensor& tensor, std::int64_t first, std::span<double> to) {
    widen_to(tensor, first, to);
}

Tensors read_safetensors(const std::string& path) {
    const auto file = std::make_shared<const MappedFile>(path);
    const std::string_view header = header_of(*file);
    const std::byte* const data = file->data() + length_bytes + header.size();
    const std::uint64_t data_bytes = file->size() - length_bytes - header.size();
    nlohmann::json json = parse_json(
        header, path,
        {.bytes = most_header_bytes, .events = most_header_events, .advice = "; save fewer tensors in one file"});
    auto& entries = json.get_ref<nlohmann::json::object_t&>();  // as the header begins with a brace
    Tensors tensors;
    std::vector<Range> ranges;
    while (!entries.empty()) {
        const auto taken = entries.extract(entries.begin());  // the document shrinks while the list grows
        const std::string& name = taken.key();
        if (name == "__metadata__") continue;
        const JsonValue entry(taken.mapped(), path, JsonValue::Pointer() / name);
        const Dtype& dtype = dtype_of(entry);
        std::vector<std::int64_t> shape = shape_of(entry);
        const JsonValue offsets = entry.at("data_offsets");
        if (!offsets.raw().is_array() || offsets.raw().size() != 2) offsets.reject("must be a list of two offsets");
        constexpr auto limit = std::numeric_limits<std::int64_t>::max();  // too far for the file is found below
        Range range{static_cast<std::uint64_t>(offsets.at(0).integer(0, limit)),
                    static_cast<std::uint64_t>(offsets.at(1).integer(0, limit)), nullptr};
        if (range.end < range.begin || range.end - range.begin != bytes_of(shape, dtype.bytes))
            offsets.reject(fmt::format("covers {} bytes, but shape [{}] of {} takes {}; fetch the file again",
                                       static_cast<std::int64_t>(range.end - range.begin), fmt::join(shape, ", "),
                                       dtype.name, bytes_of(shape, dtype.bytes)));
        const auto [entered, is_new] = tensors.emplace(
            name,
            Tensor{name, std::string(dtype.name), dtype.type, std::move(shape), data + range.begin, file, nullptr});
        range.name = &entered->first;
        ranges.push_back(range);
    }
    require_contiguous(std::move(ranges), data_bytes, path);
    file->require_intact();
    return tensors;
}

}  // namespace ropewalk
