#include "core/evaluate.h"

#include <algorithm>
#include <chrono>

#include "core/analysis/contributions.h"
#include "core/analysis/rotation.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr double live_cost =
    1.5e10;  // multiply-adds that are still answered within a fraction of a second on two cores
constexpr int coarse_cells = 128;
constexpr int usage_tokens_per_cell = 64;

/// The time that `work` takes is added to `times` under `stage` if it takes any to speak of.
template <class Work>
auto timed(const char* stage, std::vector<StageTime>& times, Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (milliseconds > 0.02) times.push_back({stage, milliseconds});
    return result;
}

Viewport coarsened(Viewport viewport) {
    viewport.cells_down = std::min(viewport.cells_down, coarse_cells);
    viewport.cells_across = std::min(viewport.cells_across, coarse_cells);
    viewport.row_sampling = RowSampling::one_per_cell;
    return viewport;
}

}  // namespace

Cursor Cursor::at_distance(int distance, int seq_len) const {
    Cursor moved = *this;
    moved.query = std::clamp(std::max(query, distance), 0, seq_len - 1);
    moved.key = std::clamp(moved.query - distance, 0, seq_len - 1);
    return moved;
}

Cursor Cursor::clamped(const Experiment& experiment) const {
    return {std::clamp(query, 0, experiment.seq_len - 1), std::clamp(key, 0, experiment.seq_len - 1),
            std::clamp(pair, 0, experiment.head_dim / 2 - 1)};
}

Viewport affordable(const Experiment& experiment, Viewport viewport) {
    const double cost = static_cast<double>(viewport.rows.size()) * experiment.seq_len * experiment.head_dim;
    if (viewport.cells_down < viewport.rows.size() && cost > live_cost &&
        !make_problem(experiment).depends_on_distance_only())
        viewport.row_sampling = RowSampling::one_per_cell;
    return viewport;
}

bool answers(const Results& results, const Needs& needs) {
    const auto all_in = [](const auto& wanted, const auto& answers_given) {
        return std::all_of(wanted.begin(), wanted.end(), [&](const auto& need) {
            return std::any_of(answers_given.begin(), answers_given.end(),
                               [&](const auto& answer) { return answer.need == need; });
        });
    };
    return all_in(needs.attention, results.attention) && all_in(needs.rotation, results.rotation) &&
           all_in(needs.usage_cells, results.usage) && (!needs.decay || results.decay) && (!needs.row || results.row) &&
           (!needs.contributions || results.contributions);
}

Evaluator::Evaluator(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}

double Evaluator::cost_of(const Request& request, Detail detail) const {
    if (validate(request.experiment)) return 0;
    const Problem problem = make_problem(request.experiment);
    double cost = 0;
    for (const AttentionNeed& need : request.needs.attention) {
        const Viewport viewport = detail == Detail::coarse ? coarsened(need.viewport) : need.viewport;
        if (!views_.remembers({request.experiment, {viewport, need.of_scores}}))
            cost += backend_->cost(problem, viewport);
    }
    return cost;
}

std::shared_ptr<const Results> Evaluator::evaluate(const Request& request, Detail detail, const Cancel& cancel) {
    const Experiment& experiment = request.experiment;
    if (auto sentence = validate(experiment)) throw InputError(*sentence);
    auto results = std::make_shared<Results>();
    results->request = request;
    results->backend = backend_->id();
    results->coarse = detail == Detail::coarse;
    results->request.cursor = request.cursor.clamped(experiment);
    const int query = results->request.cursor.query, key = results->request.cursor.key;
    results->problem = problems_.get(experiment, [&] { return make_problem(experiment); });
    const Problem& problem = *results->problem;
    auto& times = results->times;

    views_.set_capacity(2 * request.needs.attention.size() + 1);
    for (const AttentionNeed& need : request.needs.attention) {
        const Viewport viewport = detail == Detail::coarse ? coarsened(need.viewport) : need.viewport;
        auto view = timed("attention", times, [&] {
            return views_.get({experiment, {viewport, need.of_scores}}, [&] {
                return backend_->attend(need.of_scores ? scores_only(problem) : problem, viewport, cancel);
            });
        });
        results->attention.push_back({need, std::move(view)});
    }
    for (const RotationNeed& need : request.needs.rotation)
        results->rotation.push_back({need, timed("rotation", times, [&] {
                                         return rotations_.get({problem.lowered, need}, [&] {
                                             return rotation_heat_map(problem.lowered, need.distances, need.cells,
                                                                      cancel);
                                         });
                                     })});
    if (request.needs.contributions)
        results->contributions = timed("contributions", times, [&] {
            return cells_.get({experiment, query, key}, [&] { return contributions(problem, query, key); });
        });
    if (detail == Detail::coarse) return results;

    for (const int cells : request.needs.usage_cells)
        results->usage.push_back({cells, timed("usage", times, [&] {
                                      return usages_.get({experiment, cells}, [&] {
                                          return frequency_usage(problem, cells, usage_tokens_per_cell, cancel);
                                      });
                                  })});
    if (request.needs.decay)
        results->decay = timed(
            "decay", times, [&] { return decays_.get(experiment, [&] { return decay(problem, *backend_, cancel); }); });
    if (request.needs.row)
        results->row = timed("row", times, [&] {
            return rows_.get({experiment, query}, [&] {
                AttentionView view = backend_->attend(
                    problem, Viewport::one_to_one({query, query + 1}, {0, experiment.seq_len}), cancel);
                return AttentionRow{query, std::move(view.logits.mean), std::move(view.weights.mean)};
            });
        });
    return results;
}

}  // namespace ropewalk
