// Files that the program keeps for itself between runs.
#pragma once

#include <filesystem>
#include <future>
#include <string>

namespace ropewalk {

/// Returns the program's folder below the one named by an XDG environment variable ("XDG_STATE_HOME"), or below its
/// default in the home folder (".local/state"); empty if neither is known.
std::filesystem::path own_folder(const char* variable, const char* usual_place);

/// Writes files in the background, one at a time. Errors are not reported, because they would interrupt the user.
class QuietWriter {
  public:
    QuietWriter() = default;
    ~QuietWriter() { wait(); }
    QuietWriter(const QuietWriter&) = delete;
    QuietWriter& operator=(const QuietWriter&) = delete;

    /// Writes a text atomically, creating the folder first. Returns false if the previous write is still running.
    bool write(std::filesystem::path file, std::string text);
    /// Waits until nothing is being written.
    void wait();

  private:
    std::future<void> writing_;
};

}  // namespace ropewalk
