#include "core/analysis/models/loss_by_position.h"

#include <algorithm>

#include "core/analysis/encodings/extension_methods.h"

namespace ropewalk {

LossByPositionQuestion::Answer LossByPositionQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const LearnedHead learned = *learned_head_of(context.experiment.construction);
    const auto run = run_of(context);
    const ModelConfig& config = run->model()->config;
    const int tokens = context.problem.seq_len;
    Answer answer{.trained = trained > 0 ? trained : std::max(1, config.context), .present = {}, .methods = {}};
    answer.factor = factor > 0 ? factor : std::max(1.0, static_cast<double>(tokens) / answer.trained);
    answer.present = run->outputs(context.cancel)->loss;
    const LayerConfig& own = config.layers[static_cast<std::size_t>(learned.layer)];
    const Shape shape{.head_dim = config.head_dim,
                      .seq_len = tokens,
                      .pairing = Pairing::half_split,
                      .rotary_fraction = own.rotary_fraction};
    const auto methods = extended_encodings(own.encoding, shape, answer.factor, answer.trained);
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
