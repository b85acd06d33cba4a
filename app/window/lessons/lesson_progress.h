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

class ProgressFile {
  public:
    /// Saves `lessons.json` in `folder`, which is created when first needed. Saves nothing if `folder` is empty.
    explicit ProgressFile(const std::filesystem::path& folder);

    /// Returns the progress saved last.
    const LessonProgress& saved() const { return written_; }
    /// Returns whether there was a file, readable or not: the program has run before.
    bool was_there() const { return was_there_; }
    /// Returns why the saved progress cannot be read; empty if it can.
    const std::string& complaint() const { return complaint_; }
    /// Saves the progress if it has changed. Call once per frame. Returns for how many seconds the next call may wait.
    double save(const LessonProgress& progress);

  private:
    std::filesystem::path file_;
    LessonProgress written_;
    bool was_there_ = false;
    std::string complaint_;
    QuietWriter writer_;
};

}  // namespace ropewalk
