#include "app/window/shader_watch.h"

#include <utility>

#include "core/numbers.h"

namespace ropewalk {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(500);

}  // namespace

ShaderWatch::ShaderWatch(std::filesystem::path folder, std::function<std::unique_ptr<Backend>()> open)
    : folder_(std::move(folder)), open_(std::move(open)), stamps_(stamps_in(folder_)) {}

double ShaderWatch::update() {
    if (folder_.empty()) return infinity;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ >= between_looks && !opening_.valid()) {
        looked_ = now;
        auto stamps = stamps_in(folder_);
        if (std::exchange(stamps_, stamps) != stamps) opening_ = std::async(std::launch::async, open_);
    }
    return std::chrono::duration<double>(between_looks).count();
}

std::unique_ptr<Backend> ShaderWatch::take() {
    if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
    return opening_.get();
}

}  // namespace ropewalk
