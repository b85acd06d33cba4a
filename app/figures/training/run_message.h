// What figures of training runs share.
#pragma once

#include "app/figures/models/model_map.h"
#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/text/caption.h"
#include "core/experiment/settings.h"
#include "core/fields/setting_text.h"
#include "core/training/training_run.h"

namespace ropewalk {

inline constexpr auto no_run_message =
    "Nothing is trained here: choose the construction “Head of a model”, and “Trained here” as its source.";

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

inline constexpr auto own_run = "this run";

/// Returns the settings of compared runs, which have | between them.
inline std::vector<std::string> compared_runs(const std::string& compared) {
    return parts_outside_quotes(compared, '|');
}

/// Returns what a compared run is called: its values of all fields that the settings set.
inline std::string run_name(const Experiment& experiment, const std::string& settings) {
    std::vector<std::string> paths;
    for (const std::string& setting : settings_in(settings)) paths.push_back(setting.substr(0, setting.find('=')));
    return caption_of(changed(experiment, settings), paths);
}

/// Returns the questions about this run and the compared ones, asked(settings) each; none while this run is under way.
template <class Asked>
Needs needs_of_runs(const Experiment& experiment, const std::string& compared, Asked asked) {
    if (is_under_way(experiment)) return {};
    Needs needs{asked("")};
    for (const std::string& settings : compared_runs(compared)) needs.push_back(asked(settings));
    return needs;
}

/// Calls draw(answer, name, stroke) for each compared run that is answered, and last for this run, which is on top.
template <class Asked, class Answer, class Draw>
void draw_runs(const FigureInput& input, const std::string& compared, const Answer& own, Asked asked, Draw draw) {
    std::size_t place = 1;
    for (const std::string& settings : compared_runs(compared)) {
        if (const auto found = input.results.find(asked(settings)))
            draw(*found, run_name(input.experiment(), settings), input.theme.curve(place));
        ++place;
    }
    draw(own, own_run, input.theme.curve(0));
}

/// Adds the curve of a run to a plot. One plot of a figure shows the names of the runs for all. There is a gap where
/// nothing was asked for, and after the run diverged.
inline void add_run(CurvePlot& plot, const std::vector<double>& x, const std::vector<double>& y, const Stroke& stroke,
                    const std::string& name, bool is_named) {
    std::vector<Point> points = points_of(x, y);
    for (Point& point : points)
        if (!std::isfinite(point.y)) point.y = nan;
    plot.series.push_back({.label = name,
                           .is_named_elsewhere = !is_named,
                           .points = std::move(points),
                           .color = stroke.color,
                           .width = stroke.width,
                           .is_named_first = name == own_run,
                           .is_compared = name == own_run});
}

/// Returns the option of figures that compare runs.
constexpr Field compared_runs_field(const char* help) {
    return {.name = "compared", .label = "Compared", .of_settings = true, .help = help};
}

}  // namespace ropewalk
