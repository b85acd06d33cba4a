// Notices that shaders were saved, and opens the backend that they belong to once more.
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

/// A backend for each worker that asks one.
using Backends = std::vector<std::unique_ptr<Backend>>;

class ShaderWatch {
  public:
    /// Watches the shaders of `folder`, or nothing if it is empty. `open` is called in the background.
    explicit ShaderWatch(std::filesystem::path folder = {}, std::function<Backends()> open = {});

    /// Looks at the files now and then; call once a frame. Seconds until it wants to be called again.
    double update();
    /// What `open` gave after shaders were saved, once; empty while there is nothing. Throws what `open` did.
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
