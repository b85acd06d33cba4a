// app/lessons: reading lesson files, their live numbers, and checking their steps. Here: a lesson, as steps with a
// scene, text, a question and a task. assets/lessons/README.md describes the file format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/page/view_io.h"
#include "app/lessons/lesson_text.h"

namespace ropewalk {

/// A possible answer to a question, and the explanation shown after it is chosen.
struct Expectation {
    Paragraph text;
    LessonText explanation;
    bool is_right = false;
};

/// What the step points at; at most one of the two is set.
struct Pointer {
    std::string control;  // the path of a field
    std::string figure;   // the id of a figure
};

/// A directive that can occur on several lines, with its line for errors.
struct Directive {
    int line = 0;
    std::string text;
};

struct LessonStep {
    int line = 0;
    std::string title;
    std::string scene;                // a bundled one; empty: the previous step's
    std::vector<Directive> settings;  // as in `--set`, also for cursor.query, cursor.key and cursor.pair
    std::vector<Directive> figures;   // replace the scene's first figures: id and options, "decay axis=linear"
    Pointer pointer;
    LessonText prose;
    Paragraph question;  // empty: no question
    std::vector<Expectation> expectations;
    Paragraph task;  // empty: no task
    Condition done;  // when the task is done
    std::vector<Directive> solution;
    LessonText after;

    bool has_question() const { return !question.empty(); }
    bool has_task() const { return done.is_stated(); }
    bool changes_scene() const { return !scene.empty() || !settings.empty() || !figures.empty(); }
};

struct Lesson {
    std::string id, number;  // from its file name; the number is empty if that begins with none
    std::string file;        // its name in errors
    std::string title, about, source;
    std::vector<LessonStep> steps;
};

inline constexpr int most_steps = 20;
inline constexpr std::size_t max_lesson_bytes = 64 << 10;

/// Parses a lesson. `file` is its path, or its name in errors. Throws InputError, "file:line: sentence".
Lesson parse_lesson(std::string_view text, const std::string& file);

/// Returns "rotation" for "assets/lessons/01-rotation.lesson": the name without folder, leading number and extension.
std::string lesson_id(const std::string& file);

/// Returns "1" for "assets/lessons/01-rotation.lesson"; empty if the name does not begin with a number and a dash.
std::string lesson_number(const std::string& file);

/// Returns the scene at the start of a step: its scene with all settings and solutions of the steps since that scene
/// was opened. Throws InputError, "file:line: sentence", for invalid settings.
Scene start_of(const Lesson& lesson, int step);

/// Returns the scene with a step's solution applied, so that its task is done.
Scene solved(const Lesson& lesson, int step, Scene scene);

/// Returns whether two experiments differ in more than the fields that a step is about.
bool has_left(const LessonStep& step, const Experiment& start, const Experiment& current);

}  // namespace ropewalk
