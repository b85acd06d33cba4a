// The files that were opened or saved last, from run to run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/window/session/saved_file.h"

namespace ropewalk {

/// Newest first, each file once.
class RecentScenes {
  public:
    static constexpr std::size_t most = 12;

    /// Reads what was kept in `folder`, which is made when it is first needed; nothing is kept if that is empty. What
    /// cannot be read is as if nothing had been kept.
    explicit RecentScenes(const std::filesystem::path& folder = {});

    /// Those that are still there.
    std::vector<std::string> paths() const;
    /// It is the newest now. Written in the background.
    void add(const std::string& path);

  private:
    std::filesystem::path file_;
    std::vector<std::string> paths_;
    QuietWriter writer_;
};

}  // namespace ropewalk
