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
    std::filesystem::path file;  // its current place, which no other process opens
    std::size_t others = 0;      // how many more sessions can be recovered
    bool is_chosen = false;      // by the user, from a list
};

/// A session file that can be recovered.
struct SessionFile {
    std::filesystem::path path;
    std::string when;            // time of the last save: "2026-11-25 14:03"
    bool was_set_aside = false;  // by the user's choice of another one
};

/// A session file that no other process opens.
struct ClaimedFile {
    std::filesystem::path file{};
    int lock = -1;  // descriptor of the locked lock file; −1 if there cannot be one
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
    /// returned once: one that ends the program while it is opened is only offered afterwards.
    std::optional<RecoveredSession> take_recovered();
    /// Returns one of the `recoverable` sessions; empty if it no longer exists or another process has taken it. Its
    /// file stays recoverable, for when this process ends before `accept` or `reject`.
    std::optional<RecoveredSession> take(const std::filesystem::path& path);
    /// Deletes the file of a session that was opened, once this process has saved its own or forgets it.
    void accept(const RecoveredSession& session);
    /// Renames the file of a session that cannot be opened, so that it is not offered again. Returns its new place.
    std::filesystem::path reject(const RecoveredSession& session);
    /// Returns the sessions of ended processes and those that were set aside, newest first.
    std::vector<SessionFile> recoverable() const;
    /// Saves a session among the recoverable ones, and returns its file. Throws IoError.
    std::filesystem::path set_aside(const std::string& text) const;
    /// Deletes a file that was set aside. One that cannot be deleted stays.
    static void discard(const std::filesystem::path& file);

    /// Returns whether another process holds its session, because it runs or is still ending.
    bool has_others() const;

    /// Writes the session in the background. Returns false if the previous write is still running.
    bool save(std::string text);
    /// Returns why the last write failed, or why nothing can be saved.
    const std::string& failure();
    /// Deletes the accepted sessions that are saved by now. Returns for how many seconds the next call may wait.
    double patience();
    /// Waits until nothing is being written, and deletes the accepted sessions that are saved then.
    void wait();
    /// Deletes this process's file, after the session was saved or discarded.
    void forget();

  private:
    enum class Progress { taken, opened, saved };
    struct Held {
        ClaimedFile claim;
        Progress progress = Progress::taken;
    };

    /// Takes the lock again, if its file could not be created, or was removed, for example with the folder.
    void renew_lock();
    std::vector<Held>::iterator held(const RecoveredSession& session);
    /// Deletes the files of accepted sessions that are as far as this.
    void discard_accepted(Progress least);

    std::filesystem::path folder_;
    ClaimedFile own_;         // whose file is empty before something is written
    std::vector<Held> held_;  // sessions that were taken
    BackgroundWriter writer_;
};

}  // namespace ropewalk
