// Runs other programs, and provides temporary folders for their files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"
#include "core/io/descriptor.h"

namespace ropewalk {

/// Returns whether a program of this name is on the PATH.
bool has_program(const std::string& name);

/// Runs a program on the PATH with default signals and discards its output, except that `errors`, if given, receives
/// the last 4 KiB of its standard error. It reads `input` from its standard input. Returns its exit code, or −1 after a
/// signal. Stops it and throws Cancelled if `cancel` requests it. Throws IoError if it cannot be started.
int run_program(std::vector<std::string> arguments, const Cancel& cancel, std::string_view input = {},
                std::string* errors = nullptr);

/// A private temporary folder, removed at the end of its scope. Creating one also removes those of programs that were
/// killed. Throws IoError if it cannot be created.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
    std::unique_ptr<Descriptor> lock_;  // shows others that it is in use
};

}  // namespace ropewalk
