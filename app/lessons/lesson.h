// A lesson: steps, each a scene beside a few words, a prediction, and something to do. assets/lessons/README.md
// describes its file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/page/view_io.h"
#include "app/lessons/lesson_text.h"

namespace ropewalk {

/// What a person may expect, and what is said once they have said so.
struct Expectation {
    Paragraph text;
    LessonText explanation;
    bool is_right = false;
};

/// What the step points at; at most one of the two.
struct Pointer {
    std::string control;  // the path of a field
    std::string figure;   // the id of a figure
};

/// A directive that more than one line may hold, with its line for errors.
struct Directive {
    int line = 0;
    std::string text;
};

struct LessonStep {
    int line = 0;
    std::string title;
    std::string scene;                // a bundled one; empty: the scene before it
    std::vector<Directive> settings;  // as behind `--set`, also of cursor.query, cursor.key and cursor.pair
    std::vector<Directive> figures;   // that replace the scene's first ones: an id and options, "decay axis=linear"
    Pointer pointer;
    LessonText prose;
    Paragraph question;  // empty: nothing is to be predicted
    std::vector<Expectation> expectations;
    Paragraph task;  // empty: there is nothing to do
    Condition done;  // when the task is
    std::vector<Directive> solution;
    LessonText after;

    bool has_question() const { return !question.empty(); }
    bool has_task() const { return done.is_stated(); }
    bool changes_scene() const { return !scene.empty() || !settings.empty() || !figures.empty(); }
};

struct Lesson {
    std::string id;    // of its file's name
    std::string file;  // what errors call it
    std::string title, about, source;
    std::vector<LessonStep> steps;
};

inline constexpr int most_steps = 20;

/// Reads a lesson's file; `file` is its path or what errors call it. Throws InputError, "file:line: sentence".
Lesson parse_lesson(std::string_view text, const std::string& file);

/// "rotation" of "assets/lessons/01-rotation.lesson": without folder, leading number and extension.
std::string lesson_id(const std::string& file);

/// How the bench stands when a step is entered: its scene, and everything that steps before it have set or had done
/// since then. Throws InputError, "file:line: sentence", for what cannot be.
Scene start_of(const Lesson& lesson, int step);

/// The scene with a step's solution applied: an experiment in which its task is done.
Scene solved(const Lesson& lesson, int step, Scene scene);

/// Whether two experiments differ in more than what a step asks to be touched.
bool has_left(const LessonStep& step, const Experiment& start, const Experiment& present);

}  // namespace ropewalk
