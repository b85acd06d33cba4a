#include "app/window/session/recent_scenes.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_list_bytes = 1 << 20;

}  // namespace

RecentScenes::RecentScenes(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "recent";
    std::error_code error;  // an inaccessible file counts as missing
    if (!std::filesystem::exists(file_, error)) return;
    try {
        std::istringstream lines(read_file(file_.string(), max_list_bytes));
        for (std::string line; std::getline(lines, line) && paths_.size() < most;)
            if (line.starts_with('/')) paths_.push_back(line);
    } catch (const std::exception&) {  // an old or damaged list is ignored
    }
}

std::vector<std::string> RecentScenes::paths() const {
    std::vector<std::string> there;
    std::error_code error;
    std::copy_if(paths_.begin(), paths_.end(), std::back_inserter(there),
                 [&](const std::string& path) { return std::filesystem::is_regular_file(path, error); });
    return there;
}

void RecentScenes::add(const std::string& path) {
    std::error_code error;
    const std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error || whole.find('\n') != std::string::npos) return;
    std::erase(paths_, whole);
    paths_.insert(paths_.begin(), whole);
    paths_.resize(std::min(paths_.size(), most));
    if (file_.empty()) return;
    std::string text;
    for (const std::string& each : paths_) text += each + '\n';
    writer_.wait();
    writer_.write(file_, text);
}

}  // namespace ropewalk
