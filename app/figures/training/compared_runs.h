// Training runs drawn in one figure: the current one, compared ones and pinned ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/curves/pins.h"
#include "app/figures/parts/text/caption.h"
#include "app/figures/training/run_state.h"
#include "core/analysis/models/model_context.h"
#include "core/experiment/settings.h"
#include "core/fields/setting_text.h"

namespace ropewalk {

/// The theme's curves for compared runs, in an order that separates two similar purples.
inline constexpr std::size_t distinct_curves[] = {1, 2, 3, 4, 6, 7, 5};

/// A run drawn beside the current one.
struct RunBeside {
    AskedRun asked;
    std::size_t look = 0;  // its place among the looks of runs
    int pin = -1;          // its place among the pinned runs; −1: not pinned

    /// Returns its experiment; nothing if the settings are invalid.
    std::optional<Experiment> experiment(const Experiment& current) const {
        try {
            return asked.experiment_of(current);
        } catch (const Error&) {
            return std::nullopt;
        }
    }
};

/// The options of a figure that compares runs, each a list with | between the settings. Valid while the figure is.
struct RunLists {
    const std::string &compared, &pinned;

    /// Returns the compared runs, then the pinned ones. A pinned run's look depends on its place only, among the looks
    /// that the compared ones leave free.
    std::vector<RunBeside> all() const {
        std::vector<RunBeside> runs;
        for (std::string& settings : parts_outside_quotes(compared, '|'))
            runs.push_back({.asked = {.settings = std::move(settings)}, .look = runs.size()});
        constexpr std::size_t looks = std::size(distinct_curves);
        const std::size_t taken = runs.size(), free = looks - std::min(taken, looks);
        const std::vector<std::string> pins = pins_in(pinned);
        for (std::size_t place = 0; place < pins.size(); ++place)
            if (pins[place] != free_place)
                runs.push_back({.asked = {.settings = pins[place], .is_pinned = true},
                                .look = place < free ? looks - 1 - place : std::max(taken, looks) + place,
                                .pin = static_cast<int>(place)});
        return runs;
    }
};

/// Returns the fields of the recipe to set in `from` to obtain `to`; none if there are too many for a name.
inline std::vector<std::string> changed_fields(const Experiment& from, const Experiment& to) {
    constexpr std::size_t most = 3;
    std::vector<std::string> paths = differing_paths(from, to);
    std::erase_if(paths, [](const std::string& path) { return !path.starts_with(path_of_recipe); });
    return paths.size() > most ? std::vector<std::string>() : paths;
}

/// Returns the run's name beside others: its encoding, and its values of the fields that the others set, except fields
/// of other encodings.
inline std::string own_run_name(const FigureInput& input, const RunLists& lists) {
    const Experiment& experiment = input.experiment();
    const std::string encoding(path_of_training_encoding),
        own = encoding + "=" + id_of(recipe_of(experiment).value_or(Recipe{}).encoding);
    std::vector<std::string> paths{encoding};
    const auto add = [&](const std::vector<std::string>& more) { paths.insert(paths.end(), more.begin(), more.end()); };
    for (const RunBeside& run : lists.all()) {
        if (run.pin >= 0) {
            if (const auto other = run.experiment(experiment)) add(changed_fields(*other, experiment));
            continue;
        }
        const std::vector<std::string> all = settings_in(run.asked.settings);
        const bool is_other = std::any_of(all.begin(), all.end(), [&](const std::string& setting) {
            return setting.starts_with(encoding + "=") && setting != own;
        });
        for (std::string& path : set_paths(run.asked.settings))
            if (!is_other || !path.starts_with(encoding)) paths.push_back(std::move(path));
    }
    if (input.ghost) add(changed_fields(input.ghost->request.experiment, experiment));
    return caption_of(experiment, paths);
}

/// Returns the name of a pinned run: its encoding, and what differs from the current run.
inline std::string pinned_run_name(const FigureInput& input, const Experiment& pinned) {
    const Experiment& experiment = input.experiment();
    std::vector<std::string> paths = changed_fields(experiment, pinned);
    paths.emplace_back(path_of_training_encoding);
    if (number_at(pinned, "construction.step") >= 0) paths.emplace_back("construction.step");
    const std::string name = caption_of(pinned, paths, setting_style(input.theme));
    return recipe_of(pinned) == recipe_of(experiment) ? name + " (pinned)" : name;
}

/// Returns the name of the run before the last change, "before: Fraction p 0.5"; empty if it is the same run.
inline std::string run_name_before(const FigureInput& input) {
    const Experiment& before = input.ghost->request.experiment;
    if (recipe_of(before) == recipe_of(input.experiment())) return {};
    const std::string name = caption_of(before, changed_fields(input.experiment(), before));
    return name.empty() ? "before" : "before: " + name;
}

/// Returns the questions about this run and those beside it, question(asked) each. While this run is under way, only
/// pinned runs are asked for, if they are finished.
template <class AskAbout>
Needs needs_of_runs(const Experiment& experiment, const RunLists& lists, AskAbout question) {
    const bool is_waiting = is_under_way(experiment);
    Needs needs;
    if (!is_waiting) needs.push_back(question(AskedRun{}));
    if (!recipe_of(experiment)) return needs;  // it has no fields for the settings of compared runs
    for (const RunBeside& run : lists.all()) {
        const auto pinned = is_waiting && run.pin >= 0 ? run.experiment(experiment) : std::nullopt;
        if (!is_waiting || (pinned && finished_run(*pinned))) needs.push_back(question(run.asked));
    }
    return needs;
}

/// How a run is drawn.
struct RunLook {
    std::string name;
    Stroke stroke;
    int pin = -1;
    bool is_own = false;
};

/// Calls draw(answer, look) for each run beside this one, and last for this run, which is on top. The answer is null if
/// there is none yet; `pending` then follows the name. If the results have no answer about another run, the answer is
/// that of the state before the last change, or else otherwise(experiment of the run).
template <class AskAbout, class Answer, class Draw, class Otherwise>
void draw_runs(const FigureInput& input, const RunLists& lists, const std::shared_ptr<const Answer>& own,
               const char* pending, AskAbout question, Draw draw, Otherwise otherwise) {
    const Experiment& experiment = input.experiment();
    const bool are_asked = !is_under_way(experiment);
    const SettingStyle style = setting_style(input.theme);
    for (const RunBeside& run : lists.all()) {
        constexpr std::size_t looks = std::size(distinct_curves);
        RunLook look{.name = {},
                     .stroke = input.theme.curve(distinct_curves[run.look % looks] + run.look / looks * looks),
                     .pin = run.pin};
        std::shared_ptr<const Answer> answer = input.results.find(question(run.asked));
        if (const auto other = run.experiment(experiment)) {
            const auto before = !answer && input.ghost ? run.experiment(input.ghost->request.experiment) : std::nullopt;
            if (before && before->construction == other->construction) answer = input.ghost->find(question(run.asked));
            if (!answer) answer = otherwise(*other);
            if (answer || are_asked || run.pin >= 0)
                look.name = run.pin >= 0 ? pinned_run_name(input, *other)
                                         : caption_of(*other, set_paths(run.asked.settings), style);
            if (!answer && !look.name.empty()) look.name += run.pin >= 0 && !are_asked ? " (waiting)" : pending;
        }
        draw(answer, look);
    }
    draw(own, RunLook{.name = own_run_name(input, lists) + (own ? "" : pending),
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
                           .pin = look.pin,
                           .is_compared = look.is_own});
}

/// Returns the settings that pin a run; the rest of the experiment follows from them.
inline std::string settings_of_run(const Construction& construction) {
    Experiment run;
    run.construction = construction;
    Settings all = settings_between(Experiment{}, at_head(run, 0, 0));
    std::erase_if(all, [](const std::string& setting) { return !setting.starts_with("construction"); });
    return in_one_line(all);
}

/// Returns why the run cannot be pinned, or nullopt if it can.
inline std::optional<std::string> obstacle_to_pin_run(const Experiment& experiment, const std::string& pinned) {
    if (!recipe_of(experiment)) return "nothing is trained here";
    if (reads_files(experiment)) return "a run on a text file cannot be pinned";
    return obstacle_to_another_pin(pinned, settings_of_run(experiment.construction));
}

/// Returns the list with a run, on the first free place unless it is pinned already.
inline std::string with_pinned_run(const std::string& pinned, const Construction& construction) {
    const std::string settings = settings_of_run(construction);
    if (has_pin(pinned, settings)) return pinned;
    const std::vector<std::string> pins = pins_in(pinned);
    const auto place = std::find(pins.begin(), pins.end(), free_place) - pins.begin();
    return with_pin(pinned, settings, static_cast<std::size_t>(place));
}

/// Returns the caption of a pinned run.
inline std::string text_of_pinned_run(const std::string& pinned, std::size_t which) {
    const std::vector<std::string> all = pins_in(pinned);
    if (which >= all.size() || all[which] == free_place) return {};
    const auto run = RunBeside{.asked = {.settings = all[which], .is_pinned = true}}.experiment({});
    return run ? caption(*run, Depicted::head, TrainingDetail::full) : std::string();
}

/// Lists the options `compared` and `pinned` of a figure that compares runs.
void run_list_fields(auto& s, auto&& f) {
    f(Field{.name = "compared",
            .label = "Compared",
            .of_settings = true,
            .most_entries = most_curves,
            .help = "Runs with other settings beside this one, for example construction.recipe.encoding=nope."},
      s.compared);
    f(pinned_field("Runs that stay whatever you change, each trained to its end: their differences from the default "
                   "experiment, as in --set, with | between runs and - for an empty slot. The Pin button writes this "
                   "option."),
      s.pinned);
}

}  // namespace ropewalk
