#include "app/window/lessons/lesson_progress.h"

#include <fmt/format.h>

#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_progress_bytes = 1 << 20;
constexpr int most_expectations = 100;              // of one question
constexpr double until_progress_is_written = 0.05;  // s

LessonProgress read_progress(const std::string& file) {
    const auto document = parse_json(read_file(file, max_progress_bytes), file);
    const JsonValue root(document, file);
    LessonProgress progress;
    if (!document.is_object()) root.reject("must be an object");
    if (root.contains("open")) progress.is_open = root.at("open").boolean();
    if (root.contains("lesson")) progress.lesson = root.at("lesson").text();
    if (root.contains("step")) progress.step = root.at("step").text();
    const auto for_each_lesson = [&](const char* key, auto&& read) {
        if (!root.contains(key)) return;
        const JsonValue lessons = root.at(key);
        if (!lessons.raw().is_object()) lessons.reject("must be an object");
        for (const auto& [lesson, value] : lessons.raw().items()) read(lesson, lessons.at(lesson));
    };
    for_each_lesson("done", [&](const std::string& lesson, const JsonValue& steps) {
        if (!steps.raw().is_array()) steps.reject("must be a list of titles");
        for (std::size_t i = 0; i < steps.raw().size(); ++i) progress.done[lesson].insert(steps.at(i).text());
    });
    for_each_lesson("predicted", [&](const std::string& lesson, const JsonValue& steps) {
        if (!steps.raw().is_object()) steps.reject("must be an object");
        for (const auto& [step, number] : steps.raw().items())
            progress.predicted[lesson][step] = static_cast<int>(steps.at(step).integer(0, most_expectations));
    });
    return progress;
}

}  // namespace

ProgressFile::ProgressFile(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "lessons.json";
    std::error_code error;  // an inaccessible file counts as missing
    was_there_ = std::filesystem::exists(file_, error);
    if (!was_there_) return;
    try {
        written_ = read_progress(file_.string());
    } catch (const Error& unreadable) {
        complaint_ = fmt::format("{}. Lesson progress was reset.", unreadable.what());
    }
}

double ProgressFile::save(const LessonProgress& progress) {
    if (file_.empty() || progress == written_) return infinity;
    const nlohmann::json document{{"open", progress.is_open},
                                  {"lesson", progress.lesson},
                                  {"step", progress.step},
                                  {"done", progress.done},
                                  {"predicted", progress.predicted}};
    if (!writer_.write(file_, json_text(document))) return until_progress_is_written;
    written_ = progress;
    return infinity;
}

}  // namespace ropewalk
