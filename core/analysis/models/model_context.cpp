#include "core/analysis/models/model_context.h"

#include <cmath>
#include <span>

#include "core/experiment/conform.h"

namespace ropewalk {

std::shared_ptr<ModelRun> run_of(const AnalysisContext& context) {
    const Experiment& experiment = context.experiment;
    return run_of(experiment.construction,
                  {experiment.shape(), context.problem.lowered, context.cancel, context.progress});
}

double run_work(const Experiment& experiment) {
    const auto learned = learned_head_of(experiment.construction);
    if (!learned) return 0;
    return run_work(*learned->model, experiment.seq_len) + statistics_work(*learned->model, experiment.seq_len);
}

double run_work_of_layer(const Experiment& experiment) {
    const auto learned = learned_head_of(experiment.construction);
    return learned ? run_work(experiment) * learned->layer / learned->model->config.layer_count() : 0;
}

Experiment at_head(Experiment experiment, int layer, int head) {
    set_number(experiment, "construction.layer", layer);
    set_number(experiment, "construction.head", head);
    return as_trained(std::move(experiment));
}

Dependence on_model(const HeadAtCursor& head) {
    const bool runs_as_trained = is_of_model(head.experiment) && ignores_encoding(head.experiment.construction);
    return {.experiment = runs_as_trained ? at_head(head.experiment, 0, 0) : head.experiment};
}

std::vector<double> pair_usage(const ModelConfig& config, const LayerCapture& capture, int layer, int head) {
    const LayerConfig& own = config.layers[static_cast<std::size_t>(layer)];
    const Shape shape{.head_dim = config.head_dim,
                      .seq_len = capture.tokens,
                      .pairing = Pairing::half_split,
                      .rotary_fraction = own.rotary_fraction};
    const PairLayout layout{Pairing::half_split, config.head_dim, lower(own.encoding, shape).rotary_dim};
    std::vector<double> usage(static_cast<std::size_t>(config.head_dim / 2));
    for (int pair = 0; pair < config.head_dim / 2; ++pair) {
        const auto length = [&](std::span<const float> row) {
            return std::hypot(static_cast<double>(row[layout.first(pair)]),
                              static_cast<double>(row[layout.second(pair)]));
        };
        double queries = 0, keys = 0;
        for (int token = 0; token < capture.tokens; ++token) {
            queries += length(capture.query(head, token)) / capture.tokens;
            keys += length(capture.key(config.key_head(head), token)) / capture.tokens;
        }
        usage[static_cast<std::size_t>(pair)] = queries * keys;
    }
    return usage;
}

}  // namespace ropewalk
