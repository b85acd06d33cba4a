#include "core/evaluation/affordable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/attention/make_problem.h"
#include "core/constructions/construction.h"
#include "core/error.h"
#include "core/evaluation/evaluate.h"
#include "core/training/network/parameter_list.h"
#include "core/training/recipe.h"
#include "core/training/trained_model.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

constexpr double most_work = 2e13, work_per_second = 3e10;  // multiply-adds; a few minutes on two cores

std::string time_text(double seconds) {
    constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
    if (seconds < hour) return fmt::format("{:.0f} minutes", std::max(2.0, seconds / minute));
    if (seconds < 2 * day) return fmt::format("{:.0f} hours", std::max(2.0, seconds / hour));
    return fmt::format("{:.0f} days", seconds / day);
}

}  // namespace

/// Each step takes one multiply-add per parameter and token forward, and two backward.
double training_work(const Recipe& recipe, int steps) {
    constexpr double passes = 3;
    const auto run = training_run_of(recipe);
    run->open();  // its steps may be in a file
    return passes * std::max(0, steps - run->steps_done()) *
           static_cast<double>(parameter_count(network_shape(recipe))) * recipe.batch * recipe.context;
}

std::optional<std::string> long_time_of(double work) {
    return work > most_work ? std::optional(time_text(work / work_per_second)) : std::nullopt;
}

double work_of(const Experiment& experiment, const Needs& needs, const Backend& backend, const Cancel& cancel) {
    if (validate(experiment)) return 0;  // whoever computes it says why
    double work = 0;
    if (const auto trained = trained_head_of(experiment.construction))
        work = training_work(trained->recipe, trained->step < 0 ? trained->recipe.steps : trained->step);
    if (work > most_work) return work;
    const Problem problem = make_problem(experiment, needs, cancel);
    for (const Question& question : needs) work += cost_of(question, problem, backend);
    return work;
}

void require_affordable(double work, const std::string& what, const std::string& remedy) {
    if (const auto time = long_time_of(work))
        throw LimitError(fmt::format("{} would take about {} on two cores; {}", what, *time, remedy));
}

}  // namespace ropewalk
