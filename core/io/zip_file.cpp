#include "core/io/zip_file.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"
#include "core/owned.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t most_unpacked_bytes = std::uint64_t{1} << 36;
constexpr std::uint64_t most_entries = 10'000;  // a hundred layers of a hundred arrays each
constexpr std::uint64_t most_list_bytes = 2 << 20;
constexpr std::uint64_t small_mib = 64;      // up to this size, an entry may expand by any factor,
constexpr std::uint64_t most_expansion = 3;  // a larger one by this

struct ZipError : zip_error_t {
    ZipError() : zip_error_t() { zip_error_init(this); }
    ~ZipError() { zip_error_fini(this); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
};

/// Returns the error about an archive, or about one of its entries.
InputError not_unpacked(const std::string& where, zip_error_t* error) {
    return InputError(fmt::format("{}: cannot be unpacked: {}; save the arrays again with numpy.savez", where,
                                  zip_error_strerror(error)));
}

InputError damaged_list(const std::string& path) {
    return InputError(fmt::format("{}: the list of entries is damaged; fetch the file again", path));
}

std::string_view bytes_of(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.data()), static_cast<std::size_t>(file.size())};
}

/// Returns the little-endian number at a place; 0 beyond the end.
std::uint64_t number_at(std::string_view bytes, std::uint64_t at, std::uint64_t length) {
    if (at > bytes.size() || length > bytes.size() - at) return 0;
    std::uint64_t number = 0;
    for (std::uint64_t i = length; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

bool has_at(std::string_view bytes, std::uint64_t at, std::string_view signature) {
    return at <= bytes.size() && bytes.substr(at).starts_with(signature);
}

/// A list of entries, as a record at the end of an archive gives it.
struct EntryList {
    std::uint64_t count = 0, bytes = 0, at = 0;

    /// Returns whether this many entries fill these bytes. libzip reads on until they do.
    bool is_whole(std::string_view file) const {
        std::uint64_t next = at, found = 0;
        for (; next < at + bytes && has_at(file, next, "PK\x01\x02"); ++found)
            next += 46 + number_at(file, next + 28, 2) + number_at(file, next + 30, 2) + number_at(file, next + 32, 2);
        return found == count && next == at + bytes;
    }
};

/// Returns the lists that libzip reads to choose among them.
std::vector<EntryList> lists_in(std::string_view bytes) {
    constexpr std::size_t longest_end = 65535 + 22 + 20;  // a comment, the record, and the one that finds a longer one
    std::vector<EntryList> lists;
    for (std::size_t at = bytes.size() - std::min(bytes.size(), longest_end);
         (at = bytes.find("PK\x05\x06", at)) != bytes.npos; ++at) {
        if (at >= 20 && has_at(bytes, at - 20, "PK\x06\x07")) {
            const std::uint64_t zip64 = number_at(bytes, at - 12, 8);
            if (has_at(bytes, zip64, "PK\x06\x06"))
                lists.push_back({number_at(bytes, zip64 + 32, 8), number_at(bytes, zip64 + 40, 8),
                                 number_at(bytes, zip64 + 48, 8)});
        } else if (has_at(bytes, number_at(bytes, at + 16, 4), "PK\x01\x02")) {  // else these are bytes of an array
            lists.push_back({number_at(bytes, at + 10, 2), number_at(bytes, at + 12, 4), number_at(bytes, at + 16, 4)});
        }
    }
    return lists;
}

/// Throws unless libzip can read the lists of entries in little time and memory: it may take a dozen times their bytes,
/// and compares each name with all others.
void require_short_lists(const MappedFile& file) {
    constexpr std::uint64_t countless = std::uint64_t{1} << 62;  // below which sums stay in range
    std::uint64_t count = 0, bytes = 0;
    for (const EntryList& list : lists_in(bytes_of(file))) {
        count += std::min(list.count, countless), bytes += std::min(list.bytes, countless);
        if (count > most_entries)
            throw LimitError(fmt::format("{}: has {} entries, more than the limit of {}; save fewer arrays",
                                         file.path(), count, most_entries));
        if (bytes > most_list_bytes)
            throw LimitError(
                fmt::format("{}: its list of entries has {} bytes, more than the limit of {}; save fewer arrays, or "
                            "choose shorter names",
                            file.path(), bytes, most_list_bytes));
        if (!list.is_whole(bytes_of(file))) throw damaged_list(file.path());
    }
}

/// Throws unless the file begins as an archive does.
void require_zip(const MappedFile& file) {
    const std::string_view start = bytes_of(file).substr(0, 4096);
    if (start.starts_with("PK\x03\x04")) return;
    const std::string what = impostor(start);
    throw InputError(fmt::format("{}: {}", file.path(),
                                 what.empty() ? "is not a zip archive; save the arrays with numpy.savez" : what));
}

}  // namespace

void ZipFile::Close::operator()(zip* archive) const {
    zip_discard(archive);
}

ZipFile::ZipFile(const std::string& path) : file_(path) {
    require_zip(file_);
    require_short_lists(file_);
    ZipError error;
    zip_source_t* const source = zip_source_buffer_create(file_.data(), file_.size(), 0, &error);
    if (!source) throw not_unpacked(path, &error);
    archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!archive_) {
        zip_source_free(source);
        throw not_unpacked(path, &error);
    }
    std::uint64_t bytes = 0, packed_bytes = 0;
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t index = 0; index < count; ++index) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC;
        if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &stat) != 0 ||
            (stat.valid & needed) != needed)
            throw damaged_list(path);
        // Entries that share bytes would unpack to many times the file's size.
        if (stat.comp_size > file_.size() - packed_bytes)
            throw InputError(fmt::format("{}: its entries take more bytes than the file has; fetch it again", path));
        packed_bytes += stat.comp_size;
        if (stat.size > most_unpacked_bytes - bytes)
            throw LimitError(fmt::format("{}: unpacks to more than the limit of {} bytes; save fewer arrays", path,
                                         most_unpacked_bytes));
        bytes += stat.size;
        entries_.push_back({stat.name, static_cast<std::uint64_t>(index), stat.size, stat.comp_size, stat.crc});
    }
    file_.require_intact();
}

std::string ZipFile::read(const ZipEntry& entry, std::uint64_t most) const {
    const std::lock_guard lock(mutex_);
    const std::string where = fmt::format("{}: entry '{}'", path(), entry.name);
    const std::uint64_t wanted = std::min(most, entry.bytes);
    if (wanted > small_mib << 20 && wanted / most_expansion > entry.packed_bytes)
        throw LimitError(
            fmt::format("{}: expands from {} to {} bytes, but above {} MiB it may expand at most {} times; save the "
                        "arrays with numpy.savez, which does not compress",
                        where, entry.packed_bytes, entry.bytes, small_mib, most_expansion));
    const Owned<zip_file_t, zip_fclose> file(zip_fopen_index(archive_.get(), entry.index, 0));
    if (!file) throw not_unpacked(where, zip_get_error(archive_.get()));
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(wanted) + 1);  // growing would copy the bytes
    constexpr std::uint64_t at_once = 1 << 20;  // memory is touched for what is there, not for what the entry claims
    while (true) {
        // One byte after the last makes libzip compare the checksum.
        const std::uint64_t next = std::min(at_once, wanted - bytes.size() + (wanted == entry.bytes ? 1 : 0));
        if (next == 0) break;
        const std::size_t begin = bytes.size();
        bytes.resize(begin + static_cast<std::size_t>(next));
        const zip_int64_t got = zip_fread(file.get(), bytes.data() + begin, next);
        file_.require_intact();
        if (got < 0) throw not_unpacked(where, zip_file_get_error(file.get()));
        bytes.resize(begin + static_cast<std::size_t>(got));
        if (bytes.size() > wanted || (got == 0 && bytes.size() < wanted))
            throw InputError(
                fmt::format("{}: has {} bytes than the {} of its header; save the arrays again with numpy.savez", where,
                            got == 0 ? "fewer" : "more", entry.bytes));
        if (got == 0) break;
    }
    return bytes;
}

}  // namespace ropewalk
