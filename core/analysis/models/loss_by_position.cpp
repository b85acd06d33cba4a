#include "core/analysis/models/loss_by_position.h"

#include <algorithm>

#include "core/analysis/encodings/extension_methods.h"

namespace ropewalk {

namespace {

/// The methods that a question compares, and for what.
struct Extended {
    Shape shape;
    double factor = 1;
    int trained = 0;  // tokens
    std::vector<ExtendedEncoding> encodings;
};

Extended extended(const LossByPositionQuestion& question, const LearnedHead& learned, int tokens) {
    const ModelConfig& config = learned.model->config;
    const LayerConfig& own = config.layers[static_cast<std::size_t>(learned.layer)];
    Extended all{.shape = {.head_dim = config.head_dim,
                           .seq_len = tokens,
                           .pairing = Pairing::half_split,
                           .rotary_fraction = own.rotary_fraction},
                 .trained = question.trained > 0 ? question.trained : std::max(1, config.context),
                 .encodings = {}};
    all.factor = question.factor > 0 ? question.factor : std::max(1.0, static_cast<double>(tokens) / all.trained);
    all.encodings = extended_encodings(own.encoding, all.shape, all.factor, all.trained);
    return all;
}

}  // namespace

double LossByPositionQuestion::model_work(const Experiment& experiment) const {
    const auto learned = learned_head_of(experiment.construction);
    if (!learned) return 0;
    return static_cast<double>(extended(*this, *learned, experiment.seq_len).encodings.size()) * run_work(experiment);
}

LossByPositionQuestion::Answer LossByPositionQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const LearnedHead learned = *learned_head_of(context.experiment.construction);
    const auto run = run_of(context);
    const auto [shape, factor_used, trained_for, methods] = extended(*this, learned, context.problem.seq_len);
    Answer answer{.factor = factor_used, .trained = trained_for, .present = {}, .methods = {}};
    answer.present = run->outputs(context.cancel)->loss;
    for (const auto& [encoding, title] : methods) {
        RunRequest request = run->request();
        request.encoding = EncodingChange{lower(encoding, shape), learned.layer};
        ModelRun changed(run->model(), std::move(request));
        answer.methods.push_back({id_of(encoding), title, changed.outputs(context.cancel)->loss});
        if (context.progress)
            context.progress(static_cast<double>(answer.methods.size()) / static_cast<double>(methods.size()));
    }
    return answer;
}

}  // namespace ropewalk
