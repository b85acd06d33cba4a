// Opens the backends that compute attention: `cpu`, `reference` and `gl`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/backend.h"

namespace ropewalk {

/// The result of opening one backend.
struct BackendStatus {
    std::string id;
    std::string sentence;              // hardware, or why it is unavailable
    std::unique_ptr<Backend> backend;  // null if unavailable
};

/// Returns all backends in order of preference, the graphics card first if there is one. `threads` = 0 uses every core;
/// files in the folder `shaders` replace the embedded ones. Takes about 0.1 s, to try OpenGL.
std::vector<BackendStatus> open_backends(int threads = 0, const std::filesystem::path& shaders = {});

/// Opens the backend `id`, or the preferred one if `id` is empty; then OpenGL is tried only if there is a graphics
/// card. If its shaders do not compile, or if it fails later, the `cpu` backend replaces it, with a notice. Throws
/// UsageError for an unknown name, and DisplayError with the reason if there is no suitable device.
std::unique_ptr<Backend> open_backend(std::string_view id, int threads = 0, const std::filesystem::path& shaders = {});

/// Which backend to open.
struct BackendOptions {
    std::string id{};       // empty: the preferred one
    int threads = 0;        // 0: one per core
    std::string shaders{};  // folder whose files replace the embedded ones; empty: none

    std::unique_ptr<Backend> open() const { return open_backend(id, threads, shaders); }
};

}  // namespace ropewalk
