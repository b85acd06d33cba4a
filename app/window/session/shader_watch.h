// Notices that shaders were saved, and opens their backend again.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/backend.h"
#include "core/io/files.h"

namespace ropewalk {

/// One backend per worker.
using Backends = std::vector<std::unique_ptr<Backend>>;

class ShaderWatch {
  public:
    /// Watches the shaders of `folder`; nothing if it is empty. `open` is called in the background.
    explicit ShaderWatch(std::filesystem::path folder = {}, std::function<Backends()> open = {});

    /// Checks the files at intervals. Call once per frame. Returns the seconds until the next call is needed.
    double update();
    /// Returns what `open` returned after shaders were saved, once; empty if there is nothing new. Throws what `open`
    /// threw.
    Backends take();

  private:
    std::map<std::string, FileStamp> stamps() const;

    std::filesystem::path folder_;
    std::function<Backends()> open_;
    std::map<std::string, FileStamp> stamps_;
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
    std::future<Backends> opening_;
};

}  // namespace ropewalk
