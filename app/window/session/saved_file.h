// Files that the program keeps for itself from run to run.
#pragma once

#include <filesystem>
#include <future>
#include <string>

namespace ropewalk {

/// The program's own folder below the one that an environment variable names as the XDG rules say ("XDG_STATE_HOME"),
/// or below its usual place in the home folder (".local/state"); empty if neither is known.
std::filesystem::path own_folder(const char* variable, const char* usual_place);

/// Writes files in the background, one at a time. What fails is not told: the person is in the middle of something
/// else.
class QuietWriter {
  public:
    QuietWriter() = default;
    ~QuietWriter() { wait(); }
    QuietWriter(const QuietWriter&) = delete;
    QuietWriter& operator=(const QuietWriter&) = delete;

    /// Writes a text, whole or not at all, making the folder first; false if the last is still being written.
    bool write(std::filesystem::path file, std::string text);
    /// Until nothing is being written.
    void wait();

  private:
    std::future<void> writing_;
};

}  // namespace ropewalk
