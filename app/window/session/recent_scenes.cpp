#include "app/window/session/recent_scenes.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ropewalk {
namespace {

using Paths = std::vector<std::string>;

Paths paths_of(const std::string& text, const std::string&) {
    std::istringstream lines(text);
    Paths paths;
    for (std::string line; std::getline(lines, line) && paths.size() < RecentScenes::most;)
        if (line.starts_with('/')) paths.push_back(line);
    return paths;
}

std::string text_of_paths(const Paths& paths) {
    std::string text;
    for (const std::string& path : paths) text += path + '\n';
    return text;
}

/// Puts the files of another window after those that were added since the list was saved.
void merge_paths(Paths& own, const Paths&, const Paths& saved) {
    if (own.empty()) return;
    const auto is_saved = [&](const std::string& path) {
        return std::find(saved.begin(), saved.end(), path) != saved.end();
    };
    Paths merged(own.begin(), std::find_if(own.begin() + 1, own.end(), is_saved));
    for (const Paths& paths : {saved, own})
        for (const std::string& path : paths)
            if (std::find(merged.begin(), merged.end(), path) == merged.end()) merged.push_back(path);
    merged.resize(std::min(merged.size(), RecentScenes::most));
    own = std::move(merged);
}

}  // namespace

RecentScenes::RecentScenes(const std::filesystem::path& folder)
    : file_(folder,
            {.file = "recent", .consequence = "", .read = paths_of, .text = text_of_paths, .merge = merge_paths}),
      paths_(file_.saved()) {}

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
    file_.wait();
    file_.save(paths_);
}

}  // namespace ropewalk
