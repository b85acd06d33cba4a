// What figures of training runs share.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/models/model_map.h"
#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/text/caption.h"
#include "core/error.h"
#include "core/experiment/settings.h"
#include "core/fields/setting_text.h"
#include "core/training/training_run.h"

namespace ropewalk {

inline constexpr auto no_run_message =
    "Nothing is trained here: choose the construction “Head of a model”, and “Trained here” as its source.";

/// The theme's curves for compared runs, in an order that separates two similar purples.
inline constexpr std::size_t distinct_curves[] = {1, 2, 3, 4, 6, 7, 5};

inline constexpr auto not_finished = "The training is not finished. Continue it, then export this figure's data";

/// Returns the message of a figure that shows nothing yet: there is no recipe, or its run is not that far.
inline const char* run_message(const FigureInput& input) {
    return recipe_of(input.experiment()) ? still_computing : no_run_message;
}

/// Returns the answer about a finished run. Throws InputError if there is none, because the run is not finished.
template <class Answer>
const Answer& of_finished_run(const std::shared_ptr<const Answer>& answer) {
    if (!answer) throw InputError(not_finished);
    return *answer;
}

/// Returns whether the run is being trained while it is shown, or was left. Figures then ask for nothing that waits for
/// its end, because other answers would wait behind it.
inline bool is_under_way(const Experiment& experiment) {
    const auto recipe = recipe_of(experiment);
    const auto run = recipe ? find_training_run(*recipe) : nullptr;
    return run && run->is_under_way();
}

/// Returns whether the run is being trained and is not paused.
inline bool is_advancing(const Experiment& experiment) {
    const auto recipe = recipe_of(experiment);
    const auto run = recipe ? find_training_run(*recipe) : nullptr;
    return run && run->is_advancing();
}

/// Returns whether the step that the experiment shows is done, so that nothing has to wait for it.
inline bool is_step_done(const Experiment& experiment) {
    const auto trained = trained_head_of(experiment.construction);
    const auto run = trained ? find_training_run(trained->recipe) : nullptr;
    return run && trained->step >= 0 && trained->step <= run->steps_done();
}

/// Returns the settings of compared runs, which have | between them.
inline std::vector<std::string> compared_runs(const std::string& compared) {
    return parts_outside_quotes(compared, '|');
}

/// Returns the experiment of a compared run; nothing if the settings are invalid.
inline std::optional<Experiment> compared_with(const Experiment& experiment, const std::string& settings) {
    try {
        return changed(experiment, settings);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Returns the fields of the recipe to set in `from` to obtain `to`; none if there are too many for a name.
inline std::vector<std::string> changed_fields(const Experiment& from, const Experiment& to) {
    constexpr std::size_t most = 3;
    std::vector<std::string> paths = differing_paths(from, to);
    std::erase_if(paths, [](const std::string& path) { return !path.starts_with(path_of_recipe); });
    return paths.size() > most ? std::vector<std::string>() : paths;
}

/// Returns the run's name beside others: its encoding, and its values of the fields that the others set, except fields
/// of other encodings.
inline std::string own_run_name(const FigureInput& input, const std::string& compared) {
    const Experiment& experiment = input.experiment();
    const std::string encoding(path_of_training_encoding),
        own = encoding + "=" + id_of(recipe_of(experiment).value_or(Recipe{}).encoding);
    std::vector<std::string> paths{encoding};
    for (const std::string& settings : compared_runs(compared)) {
        const std::vector<std::string> all = settings_in(settings);
        const bool is_other = std::any_of(all.begin(), all.end(), [&](const std::string& setting) {
            return setting.starts_with(encoding + "=") && setting != own;
        });
        for (std::string& path : set_paths(settings))
            if (!is_other || !path.starts_with(encoding)) paths.push_back(std::move(path));
    }
    if (input.ghost)
        for (std::string& path : changed_fields(input.ghost->request.experiment, experiment))
            paths.push_back(std::move(path));
    return caption_of(experiment, paths);
}

/// Returns the name of the run before the last change, "before: Fraction p 0.5"; empty if it is the same run.
inline std::string run_name_before(const FigureInput& input) {
    const Experiment& before = input.ghost->request.experiment;
    if (recipe_of(before) == recipe_of(input.experiment())) return {};
    const std::string name = caption_of(before, changed_fields(input.experiment(), before));
    return name.empty() ? "before" : "before: " + name;
}

/// Returns the questions about this run and the compared ones, asked(settings) each; none while this run is under way.
template <class Asked>
Needs needs_of_runs(const Experiment& experiment, const std::string& compared, Asked asked) {
    if (is_under_way(experiment)) return {};
    Needs needs{asked("")};
    if (!recipe_of(experiment)) return needs;  // it has no fields for the settings of compared runs
    for (const std::string& settings : compared_runs(compared)) needs.push_back(asked(settings));
    return needs;
}

/// How a run is drawn.
struct RunLook {
    std::string name;
    Stroke stroke;
    bool is_own = false;
};

/// Calls draw(answer, look) for each compared run, and last for this run, which is on top. The answer is null if
/// there is none yet; `pending` then follows the name. If the results have no answer about a compared run, the answer
/// is that of the state before the last change, or else otherwise(experiment of the run).
template <class Asked, class Answer, class Draw, class Otherwise>
void draw_runs(const FigureInput& input, const std::string& compared, const std::shared_ptr<const Answer>& own,
               const char* pending, Asked asked, Draw draw, Otherwise otherwise) {
    const Experiment& experiment = input.experiment();
    const bool are_asked = !is_under_way(experiment);
    const SettingStyle style = setting_style(input.theme);
    std::size_t place = 0;
    for (const std::string& settings : compared_runs(compared)) {
        constexpr std::size_t looks = std::size(distinct_curves);
        RunLook look{.name = {}, .stroke = input.theme.curve(distinct_curves[place % looks] + place / looks * looks)};
        ++place;
        std::shared_ptr<const Answer> answer = input.results.find(asked(settings));
        if (const auto other = compared_with(experiment, settings)) {
            const auto before =
                !answer && input.ghost ? compared_with(input.ghost->request.experiment, settings) : std::nullopt;
            if (before && before->construction == other->construction) answer = input.ghost->find(asked(settings));
            if (!answer) answer = otherwise(*other);
            if (answer || are_asked) look.name = caption_of(*other, set_paths(settings), style);
            if (!answer && are_asked) look.name += pending;
        }
        draw(answer, look);
    }
    draw(own, RunLook{.name = own_run_name(input, compared) + (own ? "" : pending),
                      .stroke = input.theme.curve(0),
                      .is_own = true});
}

/// Adds the curve of a run to a plot. One plot of a figure shows the names of the runs for all. There is a gap where
/// nothing was asked for, and after the run diverged.
inline void add_run(CurvePlot& plot, const std::vector<double>& x, const std::vector<double>& y, const RunLook& look,
                    bool is_named) {
    std::vector<Point> points = points_of(x, y);
    for (Point& point : points)
        if (!std::isfinite(point.y)) point.y = nan;
    plot.series.push_back({.label = look.name,
                           .is_named_elsewhere = !is_named,
                           .points = std::move(points),
                           .color = look.stroke.color,
                           .width = look.stroke.width,
                           .is_named_first = look.is_own,
                           .is_compared = look.is_own});
}

/// Says, in place of pinning the curve of a run, how to keep it for comparison.
inline constexpr auto how_runs_are_compared = "to compare runs, add them under Compared in the figure's options";

/// Returns the option of figures that compare runs.
constexpr Field compared_runs_field(const char* help) {
    return {.name = "compared", .label = "Compared", .of_settings = true, .help = help};
}

}  // namespace ropewalk
