// Opens the backends that compute attention: `cpu`, `reference` and `gl`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/backend.h"

namespace ropewalk {

/// A backend that was tried, with the reason why it did not open where it did not.
struct BackendStatus {
    std::string id;
    std::string sentence;              // hardware, or why it is not to be had
    std::unique_ptr<Backend> backend;  // null where it did not open
};

/// All backends in order of preference: the graphics card first if there is one. `threads` = 0 takes every core; files
/// in the folder `shaders` replace the embedded ones. Takes about 0.1 s, to try OpenGL.
std::vector<BackendStatus> open_backends(int threads = 0, const std::filesystem::path& shaders = {});

/// The backend of that name, or the preferred one if `id` is empty: then OpenGL is tried only where there is a graphics
/// card. One whose shaders do not compile, or that fails later on, goes on as `cpu`, with a notice. Throws UsageError
/// for an unknown name and DisplayError with the reason for one that there is nothing to open on.
std::unique_ptr<Backend> open_backend(std::string_view id, int threads = 0, const std::filesystem::path& shaders = {});

/// `gl` with the shaders of this folder. Throws DisplayError with what is wrong with them.
std::unique_ptr<Backend> open_shaders(const std::filesystem::path& shaders, int threads);

}  // namespace ropewalk
