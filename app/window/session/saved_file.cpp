#include "app/window/session/saved_file.h"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace ropewalk {

std::filesystem::path own_folder(const char* variable, const char* usual_place) {
    if (const char* base = std::getenv(variable); base && *base == '/') return std::filesystem::path(base) / "ropewalk";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return std::filesystem::path(home) / usual_place / "ropewalk";
    return {};
}

bool QuietWriter::write(std::filesystem::path file, std::string text) {
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    writing_ = std::async(std::launch::async, [file = std::move(file), text = std::move(text)] {
        std::error_code error;  // writing the file reports what is wrong
        std::filesystem::create_directories(file.parent_path(), error);
        try {
            atomic_write(file.string(), text);
        } catch (const std::exception&) {  // for example, a full disk
        }
    });
    return true;
}

void QuietWriter::wait() {
    if (writing_.valid()) writing_.wait();
}

}  // namespace ropewalk
