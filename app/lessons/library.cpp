#include "app/lessons/library.h"

#include <algorithm>

#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_file_bytes = 1 << 20;
constexpr std::string_view lesson_extension = ".lesson";

}  // namespace

std::shared_ptr<const Lesson> read_lesson(const std::string& path) {
    auto lesson = std::make_shared<const Lesson>(parse_lesson(read_file(path, max_file_bytes), path));
    for (int step = 0; step < static_cast<int>(lesson->steps.size()); ++step)
        solved(*lesson, step, start_of(*lesson, step));
    return lesson;
}

LessonLibrary::LessonLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {
    for (const auto& [name, text] : embedded_lessons)
        by_name_[std::string(name)] = std::make_shared<const Lesson>(parse_lesson(text, std::string(name)));
    list();
}

void LessonLibrary::list() {
    lessons_.clear();
    const auto is_replaced = [&](const std::string& name, const Lesson& lesson) {
        return !files_.contains(name) && std::any_of(files_.begin(), files_.end(), [&](const auto& file) {
            const auto own = by_name_.find(file.first);
            return own != by_name_.end() && own->second->id == lesson.id;
        });
    };
    for (const auto& [name, lesson] : by_name_)
        if (!is_replaced(name, *lesson)) lessons_.push_back(lesson);
}

std::shared_ptr<const Lesson> LessonLibrary::find(std::string_view id) const {
    const auto found =
        std::find_if(lessons_.begin(), lessons_.end(), [&](const auto& lesson) { return lesson->id == id; });
    return found == lessons_.end() ? nullptr : *found;
}

std::string LessonLibrary::refresh() {
    if (folder_.empty()) return {};
    auto now = stamps_in(folder_, lesson_extension);
    if (now == files_) return {};
    std::string complaint;
    for (const auto& [name, stamp] : files_)
        if (!now.contains(name)) {  // the embedded lesson replaces it again
            const auto embedded = embedded_lessons.find(name);
            if (embedded == embedded_lessons.end())
                by_name_.erase(name);
            else
                by_name_[name] = std::make_shared<const Lesson>(parse_lesson(embedded->second, name));
        }
    for (const auto& [name, stamp] : now) {
        if (const auto before = files_.find(name); before != files_.end() && before->second == stamp) continue;
        try {
            by_name_[name] = read_lesson((folder_ / name).string());
        } catch (const std::exception& wrong) {
            complaint = wrong.what();
        }
    }
    files_ = std::move(now);
    list();
    return complaint;
}

}  // namespace ropewalk
