#include "app/lessons/new_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/figures/page/figure_call.h"
#include "app/figures/parts/text/value_in_words.h"
#include "core/error.h"
#include "core/text/number.h"

namespace ropewalk {
namespace {

std::string path_of(const std::string& setting) {
    return setting.substr(0, setting.find('='));
}

/// Returns an option of a figure as in `figures:`, quoted if necessary.
std::string word_for(const std::string& option) {
    const std::string word = in_one_line({option});
    const std::size_t value = option.find('=') + 1;
    const bool has_bare_comma = word == option && option.find(',') != option.npos;  // it would end the figure
    return has_bare_comma ? fmt::format("{}'{}'", option.substr(0, value), option.substr(value)) : word;
}

/// Returns a figure with its options as in `figures:`.
std::string words_for(const Figure& figure) {
    const std::string id = id_of(figure);
    Figure plain = figure_called(id, {});
    std::string text = id;
    for (const std::string& option : settings_between(ChoiceRef(plain).fields(), ConstChoiceRef(figure).fields()))
        text += " " + word_for(option);
    return text;
}

/// Returns "Base θ to 20 000 and Head dimension d to 64".
std::string changes_in_words(const Experiment& changed, const std::vector<std::string>& paths) {
    std::vector<std::string> changes;
    walk_fields(changed, [&](const std::string& path, const Field& field, const auto& value) {
        if (std::find(paths.begin(), paths.end(), path) != paths.end())
            changes.push_back(fmt::format("{} to {}", field.label, value_in_words(field, value, Units::omitted)));
    });
    if (changes.size() < 2) return fmt::format("{}", fmt::join(changes, ""));
    return fmt::format("{} and {}", fmt::join(changes.begin(), changes.end() - 1, ", "), changes.back());
}

/// Returns the condition that a setting brings about: of a number, that it is at least or at most as far.
std::string condition_for(const std::string& setting, const Experiment& before) {
    const std::string path = path_of(setting), value = setting.substr(path.size() + 1);
    const auto now = number_of<double>(value);
    std::optional<double> was;
    walk_fields(before, [&](const std::string& each, const Field&, const auto& member) {
        if (each == path) was = number_of<double>(text_of(member));
    });
    if (!now || !was) return fmt::format("{} = {}", path, value);
    return fmt::format("{} {} {}", path, *now > *was ? ">=" : "<=", value);
}

std::string task_text(const Experiment& before, const Experiment& changed) {
    const Settings solution = settings_between(before, changed);
    std::vector<std::string> paths;
    for (const std::string& setting : solution) paths.push_back(path_of(setting));
    return fmt::format("point: {}\ndo: Set {}.\ndone: {}\nsolution: {}\n", paths.front(),
                       changes_in_words(changed, paths), condition_for(solution.front(), before),
                       in_one_line(solution));
}

}  // namespace

std::string text_of_step(const StepContent& content) {
    const std::string scene =
        content.start.bundled ? std::filesystem::path(content.start.path).stem().string() : fallback_scene;
    const Experiment base = open_scene(bundled_scene_path(scene)).experiment;
    Scene start = content.start;
    const View view = read_view(start);
    const Settings settings = settings_between(base, content.start.experiment);
    std::string text = fmt::format("## {}\nscene: {}\n", content.title, scene);
    if (!settings.empty()) text += fmt::format("set: {}\n", in_one_line(settings));
    const Cursor cursor = view.cursor.clamped(content.start.experiment);
    text += fmt::format("set: cursor.query={} cursor.key={} cursor.pair={}\n", cursor.query, cursor.key, cursor.pair);
    std::vector<std::string> figures;
    for (const Figure& figure : view.figures)
        if (figures.size() < most_places) figures.push_back(words_for(figure));
    text += fmt::format("figures: {}\n", fmt::join(figures, ", "));
    if (content.changed)
        text += task_text(content.start.experiment, *content.changed);
    else
        text += fmt::format("point: figure {}\n", id_of(view.figures.front()));
    text += "Say here what to look at, and why. Query {cursor.query} gives key {cursor.key} a logit of {logit:.4}.\n";
    if (content.changed) text += "\nafter: Say here what has changed, and why. The logit is {logit:.4} now.\n";
    return text;
}

std::string with_step(const std::string& file, const StepContent& content) {
    if (reads_files(content.start.experiment))
        throw InputError("A step of a lesson cannot read array files. Save this head as a scene instead.");
    std::string text = file.empty() ? "title: My lesson\nabout: One line for the list.\n" : file;
    if (!text.ends_with('\n')) text += '\n';
    text += '\n' + text_of_step(content);
    const Lesson lesson = parse_lesson(text, "the lesson");
    const int step = static_cast<int>(lesson.steps.size()) - 1;
    solved(lesson, step, start_of(lesson, step));  // throws if a setting is not valid
    return text;
}

}  // namespace ropewalk
