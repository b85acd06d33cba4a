#include "tests/faults/fault.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace ropewalk {
namespace {

struct Countdown {
    std::atomic<long> left{0};  // calls until it fails; 0: it does not
    std::atomic<bool> sticks{false};
};
std::array<Countdown, 8> countdowns;
std::atomic<long> room{-1};  // bytes that still fit on the disk; −1: any number
std::atomic<bool> failed{false};

bool fails(Call call) {
    Countdown& countdown = countdowns[static_cast<std::size_t>(call)];
    if (countdown.left.load(std::memory_order_relaxed) <= 0) return false;
    if (countdown.left.fetch_sub(1) > 1) return false;
    if (countdown.sticks) countdown.left = 1;
    return failed = true;
}

bool is_file(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (fails(Call::allocate)) return nullptr;
    if (size == 0) size = 1;
    return alignment <= alignof(std::max_align_t)
               ? std::malloc(size)
               : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
    if (void* const memory = allocate(size, alignment)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void let_fail(Call call, long n, bool sticks) {
    Countdown& countdown = countdowns[static_cast<std::size_t>(call)];
    failed = false;
    countdown.sticks = sticks;
    countdown.left = n;
}

void let_disk_be_full_after(long bytes) {
    failed = false;
    room = bytes;
}

bool stop_failing() {
    for (Countdown& countdown : countdowns) countdown.left = 0;
    room = -1;
    return failed.exchange(false);
}

}  // namespace ropewalk

// The program's own functions of these names come before the C library's, for all that it is linked with.
using ropewalk::Call;

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
    using namespace ropewalk;
    if ((room >= 0 || countdowns[static_cast<std::size_t>(Call::write)].left > 0) && is_file(descriptor)) {
        const long left = room;
        if (fails(Call::write) || left == 0) return failed = true, errno = ENOSPC, -1;
        if (left > 0) {
            size = std::min(size, static_cast<size_t>(left));
            room = left - static_cast<long>(size);
        }
    }
    return ::syscall(SYS_write, descriptor, bytes, size);
}

int fsync(int descriptor) {
    if (ropewalk::fails(Call::sync)) return errno = EIO, -1;
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(const char* from, const char* to) noexcept {
    if (ropewalk::fails(Call::rename)) return errno = EIO, -1;
    return static_cast<int>(::syscall(SYS_rename, from, to));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
    if (ropewalk::fails(Call::link)) return errno = EIO, -1;
    return static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int flock(int descriptor, int operation) noexcept {
    if (ropewalk::fails(Call::lock)) return errno = EWOULDBLOCK, -1;
    if (ropewalk::fails(Call::lock_anywhere)) return errno = ENOLCK, -1;
    return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
    if (ropewalk::fails(Call::map)) return errno = ENOMEM, MAP_FAILED;
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}

}  // extern "C"

void* operator new(std::size_t size) {
    return ropewalk::allocate_or_throw(size);
}
void* operator new[](std::size_t size) {
    return ropewalk::allocate_or_throw(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return ropewalk::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return ropewalk::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return ropewalk::allocate(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return ropewalk::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return ropewalk::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return ropewalk::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
