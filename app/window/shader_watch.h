// Notices that shaders were saved, and opens the backend that they belong to once more.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>

#include "core/backend.h"
#include "core/io/files.h"

namespace ropewalk {

class ShaderWatch {
  public:
    /// Watches the files of `folder`, or nothing if it is empty. `open` is called in the background.
    explicit ShaderWatch(std::filesystem::path folder = {}, std::function<std::unique_ptr<Backend>()> open = {});

    /// Looks at the files now and then; call once a frame. Seconds until it wants to be called again.
    double update();
    /// The backend with the shaders as they have been saved, once; null while there is none. Throws what `open` did.
    std::unique_ptr<Backend> take();

  private:
    std::filesystem::path folder_;
    std::function<std::unique_ptr<Backend>()> open_;
    std::map<std::string, FileStamp> stamps_;
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
    std::future<std::unique_ptr<Backend>> opening_;
};

}  // namespace ropewalk
