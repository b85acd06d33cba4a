// The available lessons: those in the program, replaced or extended by the files of a folder.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "core/io/files.h"

namespace ropewalk {

/// The contents of the files in assets/lessons, by file name.
extern const std::map<std::string_view, std::string_view> embedded_lessons;

class LessonLibrary {
  public:
    /// Uses the files in `folder`, if not empty. A file replaces the embedded lesson with the same name or id, or adds
    /// a lesson.
    explicit LessonLibrary(std::filesystem::path folder = {});

    /// Returns the lessons in the order of their file names.
    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    std::shared_ptr<const Lesson> find(std::string_view id) const;
    /// Returns whether lessons come from files that can change.
    bool is_watching() const { return !folder_.empty(); }
    /// Reads changed files again. A file that cannot be read keeps its last valid text. Returns the error once, or an
    /// empty text.
    std::string refresh();

  private:
    void list();

    std::filesystem::path folder_;
    std::map<std::string, FileStamp> files_;
    std::map<std::string, std::shared_ptr<const Lesson>, std::less<>> by_name_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
};

/// Reads a lesson and checks its settings. Throws InputError, "file:line: sentence", or IoError.
std::shared_ptr<const Lesson> read_lesson(const std::string& path);

}  // namespace ropewalk
