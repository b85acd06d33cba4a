// The current session, saved while the program runs, so that a crash or a kill loses a few seconds at most.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/window/session/saved_file.h"

namespace ropewalk {

/// Returns the folder for what the program keeps between runs: $XDG_STATE_HOME/ropewalk, or ~/.local/state/ropewalk;
/// empty if neither is known.
std::filesystem::path state_folder();

/// The session of a process that has ended without `forget`.
struct RecoveredSession {
    std::string text;            // empty if it cannot be read
    std::filesystem::path file;  // its current place, under a name that no running process uses
    std::size_t others = 0;      // how many more sessions can be recovered
    bool is_chosen = false;      // by the user, from a list
};

/// A session file that can be recovered.
struct SessionFile {
    std::filesystem::path path;
    std::string when;  // time of the last save: "2026-11-25 14:03"
};

class Recovery {
  public:
    static constexpr std::uint64_t max_bytes = 16 << 20;  // limit for reading a file

    /// Saves its file in `folder`, which is created when first needed. Saves nothing if `folder` is empty.
    explicit Recovery(std::filesystem::path folder);
    /// Waits for the running write. The file stays unless `forget` was called, so the next start finds a session that
    /// was not closed properly.
    ~Recovery();
    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;

    /// Returns the newest session of a process that was not closed properly, if its file can be moved. Each session is
    /// returned once.
    std::optional<RecoveredSession> take_recovered();
    /// Returns one of the `recoverable` sessions; empty if it no longer exists or another process has taken it.
    std::optional<RecoveredSession> take(const std::filesystem::path& path);
    /// Returns the sessions of ended processes and those that were set aside, newest first.
    std::vector<SessionFile> recoverable() const;
    /// Saves a session among the recoverable ones, and returns its file. Throws IoError.
    std::filesystem::path set_aside(const std::string& text) const;
    /// Deletes a session's file once the session was opened or set aside. A file that cannot be deleted stays.
    static void discard(const std::filesystem::path& file);

    /// Returns whether another process holds its session, because it runs or is still ending.
    bool has_others() const;

    /// Writes the session in the background. Returns false if the previous write is still running.
    bool save(std::string text);
    /// Returns why the last write failed and for how many seconds the next call may wait, as BackgroundWriter does.
    const std::string& failure() { return writer_.failure(); }
    double patience() { return writer_.patience(); }
    /// Waits until nothing is being written.
    void wait() { writer_.wait(); }
    /// Deletes this process's file, after the session was saved or discarded.
    void forget();

  private:
    /// Chooses the file of this process, and takes its lock.
    void choose_file();
    /// Takes the lock again, if its file was removed, for example with the folder.
    void renew_lock();

    std::filesystem::path folder_, file_;
    int lock_ = -1;  // descriptor of the lock, once something was written
    BackgroundWriter writer_;
};

}  // namespace ropewalk
