#include "app/window/session/shader_watch.h"

#include <utility>

#include "core/gpu/shaders.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr auto check_interval = std::chrono::milliseconds(500);

}  // namespace

ShaderWatch::ShaderWatch(std::filesystem::path folder, std::function<Backends()> open)
    : folder_(std::move(folder)), open_(std::move(open)), stamps_(stamps()) {}

/// Returns the stamps of the shaders, without the temporary files of editors.
std::map<std::string, FileStamp> ShaderWatch::stamps() const {
    auto all = stamps_in(folder_);
    std::erase_if(all, [](const auto& file) { return !embedded_shaders.contains(file.first); });
    return all;
}

double ShaderWatch::update() {
    if (folder_.empty()) return infinity;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ >= check_interval && !opening_.valid()) {
        looked_ = now;
        auto saved = stamps();
        if (std::exchange(stamps_, saved) != saved) opening_ = std::async(std::launch::async, open_);
    }
    return std::chrono::duration<double>(check_interval).count();
}

Backends ShaderWatch::take() {
    if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    return opening_.get();
}

}  // namespace ropewalk
