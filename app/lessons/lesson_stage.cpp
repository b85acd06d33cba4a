#include <fmt/format.h>

#include <algorithm>

#include "app/lessons/lesson.h"
#include "app/lessons/split_text.h"
#include "core/error.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

constexpr std::string_view cursor_setting = "cursor.";

/// Applies a cursor setting, which is not a field of the experiment.
void set_cursor(Cursor& cursor, std::string_view setting) {
    const std::size_t equals = setting.find('=');
    const std::string_view name = setting.substr(cursor_setting.size(), equals - cursor_setting.size());
    int* const number = name == "query"  ? &cursor.query
                        : name == "key"  ? &cursor.key
                        : name == "pair" ? &cursor.pair
                                         : nullptr;
    if (!number) throw InputError(fmt::format("cursor.{} cannot be set; only cursor.query, .key and .pair can", name));
    if (const auto expected = parse_leaf(setting.substr(equals + 1), *number))
        throw InputError(fmt::format("{} must be {}", setting.substr(0, equals), *expected));
}

/// Returns the figure that a text names, with its options.
Figure figure_in(const std::string& text) {
    const Settings words = settings_in(text);
    if (words.empty()) throw InputError("a figure is missing before or after a comma");
    Figure figure = figure_called(words.front(), {});
    set_options(figure, {words.begin() + 1, words.end()});
    return figure;
}

/// Runs `change` and adds file and line to its errors.
template <class F>
void at_line(const Lesson& lesson, int line, F&& change) {
    try {
        change();
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}:{}: {}", lesson.file, line, error.what()));
    }
}

/// The scene being prepared, and its view.
struct Stage {
    Scene scene;
    View view;

    void apply(const Lesson& lesson, const std::vector<Directive>& settings) {
        const Experiment before = scene.experiment;
        bool sets_cursor = false;
        for (const Directive& setting : settings)
            at_line(lesson, setting.line, [&] {
                if (setting.text.starts_with(cursor_setting))
                    set_cursor(view.cursor, setting.text), sets_cursor = true;
                else
                    apply_setting(scene.experiment, setting.text, {});
            });
        if (settings.empty()) return;
        at_line(lesson, settings.front().line, [&] {
            if (const auto sentence = validate(scene.experiment)) throw InputError(*sentence);
        });
        if (!sets_cursor) view.go_with(before, scene.experiment);
        view.cursor = view.cursor.clamped(scene.experiment);
    }
    /// Shows these figures in place of all others; all stay if there are none.
    void show(const Lesson& lesson, const std::vector<Directive>& figures) {
        std::vector<Figure> shown;
        for (const Directive& directive : figures)
            at_line(lesson, directive.line, [&] {
                if (shown.size() == most_places) throw InputError("a step can show at most five figures");
                shown.push_back(figure_in(directive.text));
            });
        if (!shown.empty()) view.show_only(std::move(shown));
    }
    Scene taken() {
        write_view(view, scene);
        return std::move(scene);
    }
};

}  // namespace

Scene start_of(const Lesson& lesson, int step) {
    int first = step;
    while (first > 0 && lesson.steps[static_cast<std::size_t>(first)].scene.empty()) --first;
    Stage stage;
    for (int i = first; i <= step; ++i) {
        const LessonStep& staged = lesson.steps[static_cast<std::size_t>(i)];
        if (i == first)
            at_line(lesson, staged.line, [&] {
                stage.scene = open_scene(bundled_scene_path(staged.scene));
                stage.scene.bundled = true;
                stage.view = read_view(stage.scene);
            });
        stage.apply(lesson, staged.settings);
        stage.show(lesson, staged.figures);
        if (i < step) stage.apply(lesson, staged.solution);
    }
    return stage.taken();
}

Scene solved(const Lesson& lesson, int step, Scene scene) {
    Stage stage{std::move(scene), {}};
    stage.view = read_view(stage.scene);
    stage.apply(lesson, lesson.steps[static_cast<std::size_t>(step)].solution);
    return stage.taken();
}

bool has_left(const LessonStep& step, const Experiment& start, const Experiment& current) {
    std::vector<std::string> touched = step.done.fields();
    if (!step.pointer.control.empty()) touched.push_back(step.pointer.control);
    for (const Directive& setting : step.solution) touched.push_back(setting.text.substr(0, setting.text.find('=')));
    const auto is_touched = [&](const std::string& path) {
        return std::any_of(touched.begin(), touched.end(), [&](const std::string& field) {
            return path == field || path.starts_with(field + ".");  // a choice includes the fields of its alternatives
        });
    };
    const auto rest_of = [&](const Experiment& experiment) {
        std::vector<std::string> rest;
        walk_fields(experiment, [&](const std::string& path, const Field&, const auto& value) {
            if (!is_touched(path)) rest.push_back(path + "=" + text_of(value));
        });
        return rest;
    };
    if (rest_of(start) == rest_of(current)) return false;
    Settings made = settings_between(start, current);
    std::erase_if(made, [&](const std::string& setting) { return !is_touched(setting.substr(0, setting.find('='))); });
    try {  // a head of a model follows what it is trained with
        return rest_of(changed(start, in_one_line(made))) != rest_of(current);
    } catch (const Error&) {
        return true;
    }
}

}  // namespace ropewalk
