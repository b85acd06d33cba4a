// The files that were opened or saved last, remembered between runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/window/session/saved_file.h"

namespace ropewalk {

/// A list of scene files, newest first, each once.
class RecentScenes {
  public:
    static constexpr std::size_t most = 12;

    /// Reads the list saved in `folder`, which is created when first needed. Saves nothing if `folder` is empty. An
    /// unreadable list counts as empty.
    explicit RecentScenes(const std::filesystem::path& folder = {});

    /// Returns the files that still exist.
    std::vector<std::string> paths() const;
    /// Puts a file first, and saves the list in the background with what another window has added meanwhile.
    void add(const std::string& path);

  private:
    SavedValue<std::vector<std::string>> file_;
    std::vector<std::string> paths_;
};

}  // namespace ropewalk
