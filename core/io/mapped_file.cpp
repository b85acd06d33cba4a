#include "core/io/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

#include "core/error.h"
#include "core/io/descriptor.h"

namespace ropewalk {
namespace {

/// The mapped ranges, as the signal handler finds them: without a lock.
struct Mapping {
    std::atomic<std::uintptr_t> begin{0}, end{0};  // end is 0 while the slot is free
    std::atomic<bool> intact{true};
};
constexpr int most_mappings = 4096;
std::array<Mapping, most_mappings> mappings;
std::uintptr_t page_bytes = 4096;
struct sigaction previous_action;

/// Replaces by zeros the page that the file no longer has, and all after it: pages replaced one by one would divide the
/// mapping into more parts than the system permits. Any other bus error goes to the handler before.
void on_bus_error(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (Mapping& mapping : mappings) {
        const std::uintptr_t begin = mapping.begin.load(), end = mapping.end.load();
        const std::uintptr_t page = address / page_bytes * page_bytes;
        // Both belong to one mapping unless its place is being taken by another.
        if (address < begin || address >= end || mapping.begin.load() != begin) continue;
        mapping.intact = false;
        if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0) != MAP_FAILED)
            return;
    }
    if ((previous_action.sa_flags & SA_SIGINFO) != 0) return previous_action.sa_sigaction(signal, info, context);
    ::sigaction(SIGBUS, &previous_action, nullptr);  // and the access is tried again
}

int take_slot(const std::byte* data, std::uint64_t size) {
    static std::mutex taking;
    static const bool installed = [] {
        page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        return ::sigaction(SIGBUS, &action, &previous_action) == 0;
    }();
    ensure(installed, "no handler for bus errors could be installed");
    const std::lock_guard lock(taking);
    for (int slot = 0; slot < most_mappings; ++slot) {
        if (mappings[slot].end != 0) continue;
        mappings[slot].intact = true;
        mappings[slot].begin = reinterpret_cast<std::uintptr_t>(data);
        mappings[slot].end = reinterpret_cast<std::uintptr_t>(data) + size;
        return slot;
    }
    return -1;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
    const RegularFile file(path);
    state_ = file.state, version_ = file.version;
    if (size() == 0) return;
    void* const memory = ::mmap(nullptr, size(), PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
    if (memory == MAP_FAILED) cannot("read", path, reason(errno, path));
    data_ = static_cast<const std::byte*>(memory);
    slot_ = take_slot(data_, size());
    if (slot_ >= 0) return;
    ::munmap(memory, size());
    throw LimitError(fmt::format("{}: more than {} files would be open; close some models", path, most_mappings));
}

MappedFile::~MappedFile() {
    if (slot_ < 0) return;
    mappings[slot_].end = 0;
    ::munmap(const_cast<std::byte*>(data_), size());
}

void MappedFile::require_intact() const {
    const bool lost_pages = slot_ >= 0 && !mappings[slot_].intact;
    // The path is asked, because a descriptor for each of hundreds of files would use up those of the process. If the
    // path now names another file, the mapped one was renamed or replaced, and still has its bytes.
    const FileState now = FileState::of(path_);
    const bool was_written = now.identity == state_.identity && now != state_;
    if (lost_pages || was_written) throw IoError(fmt::format("{}: changed while it was in use; open it again", path_));
}

}  // namespace ropewalk
