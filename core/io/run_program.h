// Other programs, and a place for what is handed to them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/cancel.h"

namespace ropewalk {

/// Whether there is a program of this name on the PATH.
bool has_program(const std::string& name);

/// Runs a program of the PATH with what it says thrown away, and ends it where `cancel` asks to stop, which throws
/// Cancelled. Its exit code; −1 after a signal. IoError if it cannot be started.
int run_program(std::vector<std::string> arguments, const Cancel& cancel);

/// A temporary folder of one's own that goes with its scope. IoError if there can be none.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace ropewalk
