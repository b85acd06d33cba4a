// The lessons that there are: those in the program, replaced and joined by the files of a folder.
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

/// The text of the files of assets/lessons, by file name.
extern const std::map<std::string_view, std::string_view> embedded_lessons;

class LessonLibrary {
  public:
    /// A file in `folder` stands in place of the embedded one of the same name or id, or is one lesson more. None if
    /// empty.
    explicit LessonLibrary(std::filesystem::path folder = {});

    /// In the order of their files' names.
    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    /// Null if there is none.
    std::shared_ptr<const Lesson> find(std::string_view id) const;
    /// Whether files may change under it.
    bool is_watching() const { return !folder_.empty(); }
    /// Reads again what has changed in the folder. What cannot be read keeps its last good text; the sentence that says
    /// why is given once, empty where all is well.
    std::string refresh();

  private:
    void list();

    std::filesystem::path folder_;
    std::map<std::string, FileStamp> files_;
    std::map<std::string, std::shared_ptr<const Lesson>, std::less<>> by_name_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
};

/// A lesson from a file. InputError, "file:line: sentence", also for what its steps cannot set; IoError.
std::shared_ptr<const Lesson> read_lesson(const std::string& path);

}  // namespace ropewalk
