#include "app/window/lessons/lesson_progress.h"

#include "core/io/json_reader.h"

namespace ropewalk {
namespace {

constexpr int most_expectations = 100;  // of one question

LessonProgress progress_of(const std::string& text, const std::string& file) {
    const auto document = parse_json(text, file);
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

std::string text_of_progress(const LessonProgress& progress) {
    return json_text({{"open", progress.is_open},
                      {"lesson", progress.lesson},
                      {"step", progress.step},
                      {"done", progress.done},
                      {"predicted", progress.predicted}});
}

}  // namespace

ProgressFile::ProgressFile(const std::filesystem::path& folder)
    : SavedValue(folder, {.file = "lessons.json",
                          .consequence = "Lesson progress was reset.",
                          .read = progress_of,
                          .text = text_of_progress}) {}

}  // namespace ropewalk
