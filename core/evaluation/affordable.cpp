#include "core/evaluation/affordable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/models/model_context.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction.h"
#include "core/error.h"
#include "core/evaluation/evaluate.h"
#include "core/training/training_run.h"
#include "core/visit.h"

namespace ropewalk {
namespace {

constexpr double most_work = 1e13, work_per_second = 3e10;  // multiply-adds; a few minutes on two cores

std::string time_text(double seconds) {
    constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
    if (seconds < hour) return fmt::format("{:.0f} minutes", std::max(2.0, seconds / minute));
    if (seconds < 2 * day) return fmt::format("{:.0f} hours", std::max(2.0, seconds / hour));
    return fmt::format("{:.0f} days", seconds / day);
}

}  // namespace

double model_work_of(const Experiment& experiment, const Needs& needs) {
    bool reads_inputs = needs.empty(), reads_whole_run = false;
    double work = 0;
    for (const Question& question : needs)
        visit_alternative(
            [&](const auto& asked) {
                reads_inputs |= asked.reads_inputs, reads_whole_run |= asked.reads_whole_run;
                work += asked.model_work(experiment);
            },
            question);
    if (const auto trained = trained_head_of(experiment.construction))
        work += training_work(trained->recipe, trained->shown_step());
    if (reads_whole_run) return work + run_work(experiment);
    return reads_inputs ? work + run_work_of_layer(experiment) : work;
}

std::optional<std::string> long_time_of(double work) {
    return work > most_work ? std::optional(time_text(work / work_per_second)) : std::nullopt;
}

double work_of(const Experiment& experiment, const Needs& needs, const Backend& backend, const Cancel& cancel) {
    if (validate(experiment)) return 0;  // whoever computes it says why
    double work = model_work_of(experiment, needs);
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
