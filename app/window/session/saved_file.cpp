#include "app/window/session/saved_file.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ropewalk {

bool BackgroundWriter::write(std::filesystem::path file, std::string text) {
    if (is_writing()) return false;
    auto write = [file = std::move(file), text = std::move(text)]() -> std::string {
        std::error_code error;  // writing the file reports what is wrong
        std::filesystem::create_directories(file.parent_path(), error);
        try {
            atomic_write(file.string(), text);
        } catch (const std::exception& failed) {
            return failed.what();
        }
        return {};
    };
    writing_ = std::async(std::launch::async | std::launch::deferred, std::move(write));
    // std::async defers the write if it cannot start a thread.
    if (writing_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) writing_.wait();
    return true;
}

void BackgroundWriter::wait() {
    if (writing_.valid()) writing_.wait();
}

bool BackgroundWriter::is_writing() {
    if (!writing_.valid()) return false;
    if (writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
    failure_ = writing_.get();
    ended_ = std::chrono::steady_clock::now();
    return false;
}

const std::string& BackgroundWriter::failure() {
    is_writing();
    return failure_;
}

double BackgroundWriter::patience() {
    constexpr double until_written = 0.05;
    constexpr std::chrono::seconds until_repeated(3);
    if (is_writing()) return until_written;
    if (failure_.empty()) return infinity;
    const std::chrono::duration<double> left = ended_ + until_repeated - std::chrono::steady_clock::now();
    return std::max(0.0, left.count());
}

}  // namespace ropewalk
