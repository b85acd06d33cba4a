// What is on the desk, kept beside the program while it runs, so that a crash or a kill loses a few seconds at most.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/window/session/saved_file.h"

namespace ropewalk {

/// Where the program keeps what it needs from run to run: $XDG_STATE_HOME/ropewalk, or ~/.local/state/ropewalk; empty
/// if neither is known.
std::filesystem::path state_folder();

/// What a process that is gone has kept.
struct RecoveredSession {
    std::string text;            // empty if it cannot be read
    std::filesystem::path file;  // where it stands now, under a name that no process keeps its own by
    std::size_t others = 0;      // that were left behind as well
    bool is_chosen = false;      // by the person, among them
};

/// The same, where it still stands as it was kept.
struct SessionFile {
    std::filesystem::path path;
    std::string when;  // it was kept last: "2026-11-25 14:03"
};

class Recovery {
  public:
    static constexpr std::uint64_t max_bytes = 16 << 20;  // of what is read

    /// Keeps its file in `folder`, which is made when it is first needed; nothing is kept if that is empty.
    explicit Recovery(std::filesystem::path folder);
    /// Waits for what is being written. The file stays, unless `forget` was called: whoever did not end the program on
    /// purpose finds it at the next start.
    ~Recovery();
    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;

    /// What was kept last by a process that did not end as it should, if its file can be moved; it is given once.
    std::optional<RecoveredSession> take_recovered();
    /// One of those that are `left_behind`; nothing if it is not there any more or another process has it.
    std::optional<RecoveredSession> take(const std::filesystem::path& path);
    /// What processes that are gone have kept and what was put aside, the newest first.
    std::vector<SessionFile> recoverable() const;
    /// Keeps a text among them, and returns where. Throws IoError.
    std::filesystem::path put_aside(const std::string& text) const;
    /// Deletes what was taken, once it is on the desk, or put aside. What is not deleted stays, for whoever can read
    /// it.
    static void discard(const std::filesystem::path& file);

    /// Writes the text in the background, unless the last is still being written: false then. What fails is not told:
    /// the person is in the middle of something else.
    bool keep(std::string text);
    /// Deletes the own file: what is on the desk was saved, or given up.
    void forget();

  private:
    std::filesystem::path folder_, file_;
    int lock_ = -1;  // a descriptor, once something is kept
    QuietWriter writer_;
};

}  // namespace ropewalk
