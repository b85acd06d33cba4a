#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/cli/bench/works.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {

void run_stages(const BenchOptions& options, const Cancel& cancel, const std::function<void(const Timing&)>& report) {
    struct Move {
        const char *name, *path;  // path: of the field that moves; null for the view
        double first = 0, step = 1;
    };
    const auto apply = [](const Move& move, int step, Request& request) {
        if (move.path)
            return apply_setting(request.experiment,
                                 fmt::format("{}={}", move.path, text_of(move.first + step * move.step)), {});
        auto& viewport = std::get<ViewQuestion>(request.needs.front()).viewport;
        viewport.columns.begin = step;
        viewport.cells_across = std::min(bench_cells, viewport.columns.size());
    };
    const std::vector<Move> moves{
        {"temperature", "temperature", 1, 0.01}, {"base", "encoding.base", 10000}, {"seed", "seed"}, {"view", nullptr}};
    const Move of_alpha{"α", "construction.alpha", 10, 0.01};
    const std::pair<Experiment, std::vector<Move>> heads[] = {
        {gaussian_head(8192, 128), {}},
        {changed({.head_dim = 256, .seq_len = 1 << 20}, "construction=previous_token"), {of_alpha}}};
    for (const auto& [experiment, own_moves] : heads) {
        const char* head = id_of(experiment.construction);
        std::vector<Move> all_moves = moves;
        all_moves.insert(all_moves.end(), own_moves.begin(), own_moves.end());
        for (const Move& move : all_moves) {
            Evaluator evaluator(options.backend.open());
            Request request{.experiment = experiment,
                            .cursor = {},
                            .needs = {ViewQuestion{.viewport = whole_matrix_of(experiment.seq_len)}, DecayQuestion{},
                                      ContributionsQuestion{},
                                      RotationQuestion{.distances = {0, experiment.seq_len}, .cells = bench_cells}}};
            evaluator.evaluate(request, Detail::exact, cancel);
            std::map<std::string, std::vector<double>> stages;
            constexpr int steps = 9;
            for (int step = 1; step <= steps; ++step) {
                apply(move, step, request);
                const auto start = BenchClock::now();
                const auto results = evaluator.evaluate(request, Detail::exact, cancel);
                stages["all"].push_back(milliseconds_since(start));
                for (const StageTime& time : results->times) {
                    stages[time.stage].push_back(time.milliseconds);
                    for (const StageTime& part : time.parts)
                        stages[time.stage + ", " + part.stage].push_back(part.milliseconds);
                }
            }
            for (auto& [stage, times] : stages) {
                times.resize(steps);  // stages that were not computed took no time
                report(
                    summary(fmt::format("{} N={}, {} moves: {}", head, experiment.seq_len, move.name, stage), times));
            }
        }
    }
}

}  // namespace ropewalk
