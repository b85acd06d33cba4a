#include "core/analysis/models/model_answers.h"

#include <algorithm>

#include "core/error.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

TokensQuestion::Answer TokensQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    const auto outputs = run->outputs(context.cancel, context.progress);
    return {run->request().tokens, outputs->loss, outputs->mean_loss};
}

std::vector<double> NextTokenQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    run->outputs(context.cancel, context.progress);
    const int row = std::clamp(context.cursor.query, 0, context.problem.seq_len - 1);
    const auto logits = run->next_token_logits({&row, 1}, context.cancel);
    return {logits.begin(), logits.end()};
}

LayerUsageQuestion::Answer LayerUsageQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    const ModelConfig& config = run->model()->config;
    Answer usage{.layers = config.layer_count(), .pairs = config.head_dim / 2};
    for (int layer = 0; layer < usage.layers; ++layer) {
        std::vector<double> mean(static_cast<std::size_t>(usage.pairs));
        const int begin = head.value_or(0), end = head ? *head + 1 : config.heads;
        try {
            const auto capture = run->layer(layer, context.cancel);
            for (int each = begin; each < std::min(end, config.heads); ++each) {
                run->require_finite(layer, each, context.cancel);
                const auto of_head = pair_usage(config, *capture, layer, each);
                for (std::size_t pair = 0; pair < mean.size(); ++pair) mean[pair] += of_head[pair] / (end - begin);
            }
        } catch (const InputError& error) {  // weights that are not finite
            std::ranges::fill(mean, nan);
            usage.problem = error.what();
        }
        usage.values.insert(usage.values.end(), mean.begin(), mean.end());
        if (context.progress) context.progress((layer + 1.0) / usage.layers);
    }
    return usage;
}

HeadPicturesQuestion::Answer HeadPicturesQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    const ModelConfig& config = run->model()->config;
    Answer all{
        .layers = config.layer_count(), .heads = config.heads, .cells = std::min(cells, context.problem.seq_len)};
    for (int layer = 0; layer < all.layers; ++layer) {
        try {
            for (auto& picture : run->pictures(layer, all.cells, context.cancel))
                all.pictures.push_back(std::move(picture));
            for (int head = 0; head < all.heads; ++head) run->require_finite(layer, head, context.cancel);
        } catch (const InputError& error) {  // weights that are not finite
            const std::vector<float> missing(static_cast<std::size_t>(all.cells) * all.cells, static_cast<float>(nan));
            all.pictures.resize(static_cast<std::size_t>(layer + 1) * all.heads, missing);
            all.problem = error.what();
        }
        if (context.progress) context.progress((layer + 1.0) / all.layers);
    }
    return all;
}

}  // namespace ropewalk
