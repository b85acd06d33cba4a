// What a person has done of the lessons, kept from run to run; never part of a scene.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "app/window/session/saved_file.h"

namespace ropewalk {

struct LessonProgress {
    bool is_open = false;                               // the lessons were beside the scene when the program ended
    std::string lesson, step;                           // the one in front and its step, by id and title; may be empty
    std::map<std::string, std::set<std::string>> done;  // titles of steps by the lesson's id
    /// What was expected, by its number from 0: by the lesson's id and the step's title.
    std::map<std::string, std::map<std::string, int>> predicted;

    bool operator==(const LessonProgress&) const = default;
};

class ProgressKeeper {
  public:
    /// Keeps `lessons.json` in a folder, which is made when it is first needed; nothing is kept if that is empty.
    explicit ProgressKeeper(const std::filesystem::path& folder);

    /// What was kept last.
    const LessonProgress& kept() const { return written_; }
    /// Whether there is a file, readable or not: the program has run before.
    bool was_there() const { return was_there_; }
    /// Why what was kept cannot be read; empty if it can.
    const std::string& complaint() const { return complaint_; }
    /// Call once a frame. For how many seconds the next call may wait.
    double keep(const LessonProgress& progress);

  private:
    std::filesystem::path file_;
    LessonProgress written_;
    bool was_there_ = false;
    std::string complaint_;
    QuietWriter writer_;
};

}  // namespace ropewalk
