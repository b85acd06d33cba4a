#include "app/window/lessons/lesson_progress.h"

#include "core/error.h"
#include "core/io/json_reader.h"

namespace ropewalk {
namespace {

LessonProgress progress_of(const std::string& text, const std::string& file) {
    const auto document = parse_json(text, file);
    const LessonProgress none;
    try {
        return {document.value("open", none.is_open), document.value("lesson", none.lesson),
                document.value("step", none.step), document.value("done", none.done),
                document.value("predicted", none.predicted)};
    } catch (const nlohmann::json::exception&) {
        throw InputError(file + ": is not a record of the progress in lessons");
    }
}

std::string text_of_progress(const LessonProgress& progress) {
    return json_text({{"open", progress.is_open},
                      {"lesson", progress.lesson},
                      {"step", progress.step},
                      {"done", progress.done},
                      {"predicted", progress.predicted}});
}

/// Adds the steps that were done and the questions that were answered in another window. The current step stays.
void merge_progress(LessonProgress& own, const LessonProgress&, const LessonProgress& saved) {
    for (const auto& [lesson, steps] : saved.done) own.done[lesson].insert(steps.begin(), steps.end());
    for (const auto& [lesson, answers] : saved.predicted) own.predicted[lesson].insert(answers.begin(), answers.end());
}

}  // namespace

ProgressFile::ProgressFile(const std::filesystem::path& folder)
    : SavedValue(folder, {.file = "lessons.json",
                          .consequence = "Lesson progress was reset.",
                          .read = progress_of,
                          .text = text_of_progress,
                          .merge = merge_progress}) {}

}  // namespace ropewalk
