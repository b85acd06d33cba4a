// The parts of OpenGL needed for computing: programs, buffers, and dispatches that stay short. A context must be
// current in all calls, and the objects are destroyed with the context.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/error.h"

namespace ropewalk {

/// A shader that the driver rejects.
struct ShaderError : DisplayError {
    using DisplayError::DisplayError;
};

/// Compiles the shader file `name`, preceded by the text of `shared`, to a compute program. Looks for files in `folder`
/// first. Throws ShaderError with the first line of the driver's log, IoError if a file cannot be read.
unsigned compile_compute_program(std::string_view shared, std::string_view name, const std::filesystem::path& folder);

/// Throws DisplayError if the context was lost, or after an OpenGL error since the last call.
void check_opengl();

/// Device memory. Offsets and sizes are in bytes. Reads go through a second buffer: a driver moves one that is read to
/// the main memory, where shaders are slow to reach it.
class GlBuffer {
  public:
    /// Ensures a capacity. Returns false if the buffer was reallocated and its content lost. Throws DisplayError if the
    /// device does not have enough memory.
    bool reserve(std::size_t bytes);

    /// Fills the buffer with NaN.
    void poison();

    template <class T>
    void write(std::size_t offset, std::span<const T> values) {
        write_bytes(offset, std::as_bytes(values));
    }
    /// Copies the beginning of another buffer.
    void copy(std::size_t offset, const GlBuffer& from, std::size_t from_offset, std::size_t bytes);
    template <class T>
    void read(std::size_t offset, std::span<T> values) const {
        read_bytes(offset, std::as_writable_bytes(values));
    }
    /// Replaces the content by `bytes` for other buffers to copy: fill(memory) writes each once, from any threads.
    void replace(std::size_t bytes, const std::function<void(std::byte*)>& fill);
    void bind_storage(unsigned index) const;
    void bind_uniform(unsigned index) const;

  private:
    bool reserve(std::size_t bytes, unsigned usage);
    void write_bytes(std::size_t offset, std::span<const std::byte> bytes);
    void read_bytes(std::size_t offset, std::span<std::byte> bytes) const;

    unsigned id_ = 0;
    std::size_t capacity_ = 0;
    mutable std::unique_ptr<GlBuffer> for_reading_{};
};

/// Keeps dispatches short on every device, with enough of them queued to keep it busy. Unwanted work then ends soon,
/// and no driver mistakes a dispatch for a hang.
class Pace {
  public:
    /// Returns the multiply-adds of a dispatch of about 2 ms, estimated from previous ones.
    double budget() const { return rate_ * seconds_per_dispatch; }
    /// Calls `issue`, which dispatches `work` multiply-adds (0: other work, not measured), and waits while two older
    /// dispatches are running. Throws DisplayError if the device does not respond.
    template <class Issue>
    void dispatch(double work, Issue issue) {
        const Clock::time_point start = Clock::now();
        issue();
        issued(work, start);
    }
    /// Waits for all dispatches. Throws like `dispatch`.
    void finish();

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double seconds_per_dispatch = 2e-3;
    static constexpr std::size_t most_under_way = 2;

    struct Dispatch {
        void* fence = nullptr;  // GLsync
        double work = 0;
        Clock::time_point start;
    };
    void issued(double work, Clock::time_point start);
    void wait_for_oldest();

    std::deque<Dispatch> under_way_;
    Clock::time_point last_done_{};
    double rate_ = 1e10;  // multiply-adds per second
};

}  // namespace ropewalk
