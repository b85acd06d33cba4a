// Files that the program keeps for itself between runs.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <new>
#include <string>

#include "core/io/files.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// Writes a file in the background. A write that failed, for example because the disk was full, should be repeated.
class BackgroundWriter {
  public:
    BackgroundWriter() = default;
    ~BackgroundWriter() { wait(); }
    BackgroundWriter(const BackgroundWriter&) = delete;
    BackgroundWriter& operator=(const BackgroundWriter&) = delete;

    /// Writes a text atomically, creating the folder first. Returns false if the previous write is still running.
    bool write(std::filesystem::path file, std::string text);
    /// Waits until nothing is being written.
    void wait();
    /// Returns why the last complete write failed; empty if it did not.
    const std::string& failure();
    /// Returns for how many seconds the next call may wait: shortly while a write runs, until it is time to repeat one
    /// that failed (0 then), else infinity.
    double patience();
    /// Returns whether a write is running, and takes the result of one that has ended.
    bool is_writing();

  private:
    std::future<std::string> writing_;
    std::string failure_;
    std::chrono::steady_clock::time_point ended_{};
};

/// A value kept in a file between runs.
template <class T>
class SavedValue {
  public:
    struct Format {
        const char* file;         // its name in the folder
        const char* consequence;  // of an unreadable file, as a sentence
        T (*read)(const std::string& text, const std::string& file);
        std::string (*text)(const T& value);
        /// Adds to `own` what another window has saved meanwhile. `base` is what this window read or saved last.
        void (*merge)(T& own, const T& base, const T& saved);
    };
    /// Reads the value saved in `folder`, which is created when first needed. Saves nothing if `folder` is empty. A
    /// file that cannot be read is renamed.
    SavedValue(const std::filesystem::path& folder, const Format& format) : format_(format) {
        if (folder.empty()) return;
        file_ = folder / format.file;
        std::error_code error;  // an inaccessible file counts as missing
        was_there_ = std::filesystem::exists(file_, error);
        if (!was_there_) return;
        try {
            saved_ = read();
        } catch (const std::bad_alloc&) {
            throw;  // nothing is wrong with the file
        } catch (const std::exception& unreadable) {
            complaint_ = fmt::format("{}. {}", unreadable.what(), format.consequence);
            set_aside();
        }
    }

    /// Returns the value saved last; the default if there is none or it cannot be read.
    const T& saved() const { return saved_; }
    /// Returns whether there was a file, readable or not: the program has run before.
    bool was_there() const { return was_there_; }
    /// Returns why the saved value cannot be read, and the consequence; empty if it can.
    const std::string& complaint() const { return complaint_; }

    /// Saves the value in the background if it has changed, or if that failed before, and adds to it what another
    /// window has saved meanwhile. Returns for how many seconds the next call may wait.
    double save(T& value) {
        if (file_.empty()) return infinity;
        const bool is_due = !(value == saved_) || writer_.patience() == 0;
        if (is_due && !writer_.is_writing()) {
            merge_into(value);
            if (writer_.write(file_, format_.text(value))) saved_ = value;
        }
        return writer_.patience();
    }
    /// Waits until nothing is being written.
    void wait() { writer_.wait(); }

  private:
    T read() const {
        constexpr std::uint64_t max_bytes = 1 << 20;
        return format_.read(read_file(file_.string(), max_bytes), file_.string());
    }

    void merge_into(T& value) const {
        try {
            format_.merge(value, saved_, read());
        } catch (const std::bad_alloc&) {
            throw;                         // what another window has saved would be lost
        } catch (const std::exception&) {  // the file is missing or damaged
        }
    }

    /// Renames an unreadable file, so that saving does not overwrite it.
    void set_aside() {
        const std::filesystem::path kept = file_.string() + ".unreadable";
        std::error_code error;
        std::filesystem::rename(file_, kept, error);
        if (error)
            file_.clear();  // saves nothing
        else
            complaint_ += fmt::format(" The file is now called {}.", kept.filename().string());
    }

    std::filesystem::path file_;
    Format format_;
    T saved_{};
    bool was_there_ = false;
    std::string complaint_;
    BackgroundWriter writer_;
};

}  // namespace ropewalk
