// The little of OpenGL that computing needs: programs, buffers, and dispatches that stay short. Everything here is
// called with a context current, and its objects go with the context.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/error.h"

namespace ropewalk {

/// A shader that the driver does not take.
struct ShaderError : DisplayError {
    using DisplayError::DisplayError;
};

/// The compute program of the shader file `name`, preceded by the text of `shared`; files are looked for in `folder`
/// first. Throws ShaderError with the first line of the driver's log, IoError if a file cannot be read.
unsigned compile_compute_program(std::string_view shared, std::string_view name, const std::filesystem::path& folder);

/// Throws DisplayError if the context was lost or OpenGL has met an error since the last call.
void check_opengl();

/// Memory of the device. Offsets and sizes are in bytes.
class GlBuffer {
  public:
    /// Makes room. True if there was enough: else what was in it is lost. Throws DisplayError if the device has not so
    /// much memory.
    bool reserve(std::size_t bytes);

    /// Fills all of it with NaN.
    void poison();

    template <class T>
    void write(std::size_t offset, std::span<const T> values) {
        write_bytes(offset, std::as_bytes(values));
    }
    template <class T>
    void read(std::size_t offset, std::span<T> values) const {
        read_bytes(offset, std::as_writable_bytes(values));
    }
    void bind_storage(unsigned index) const;
    void bind_uniform(unsigned index) const;

  private:
    void write_bytes(std::size_t offset, std::span<const std::byte> bytes);
    void read_bytes(std::size_t offset, std::span<std::byte> bytes) const;

    unsigned id_ = 0;
    std::size_t capacity_ = 0;
};

/// Keeps dispatches short, whatever the device, and as many under way as keep it busy: so work that is no longer wanted
/// ends soon, and no driver takes a dispatch for a hung one.
class Pace {
  public:
    /// Multiply-adds of a dispatch that takes about 2 ms, going by those before.
    double budget() const { return rate_ * seconds_per_dispatch; }
    /// Calls `issue`, which dispatches `work` multiply-adds (0: of another kind, not to be measured), and waits while
    /// two older dispatches are under way. Throws DisplayError if the device does not answer.
    template <class Issue>
    void dispatch(double work, Issue issue) {
        const Clock::time_point start = Clock::now();
        issue();
        issued(work, start);
    }
    /// Waits for everything that is under way; as `dispatch`.
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
    double rate_ = 1e10;  // multiply-adds a second
};

}  // namespace ropewalk
