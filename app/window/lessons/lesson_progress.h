// The user's progress in the lessons, saved between runs; never part of a scene.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "app/window/session/saved_file.h"

namespace ropewalk {

struct LessonProgress {
    bool is_open = false;                               // the lessons were open when the program ended
    std::string lesson, step;                           // the current lesson's id and its step's title; may be empty
    std::map<std::string, std::set<std::string>> done;  // titles of steps, by the lesson's id
    /// Indices of the chosen answers, from 0, by the lesson's id and the step's title.
    std::map<std::string, std::map<std::string, int>> predicted;

    bool operator==(const LessonProgress&) const = default;
};

/// The file of lesson progress, which combines the progress of all windows.
class ProgressFile : public SavedValue<LessonProgress> {
  public:
    explicit ProgressFile(const std::filesystem::path& folder);
};

}  // namespace ropewalk
