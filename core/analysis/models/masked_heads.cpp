#include "core/analysis/models/masked_heads.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "core/numbers/random.h"

namespace ropewalk {
namespace {

/// Returns the heads with a measure, the highest first.
std::vector<int> ranked_heads(const HeadAtlas& atlas) {
    std::vector<int> heads(atlas.values.size());
    std::iota(heads.begin(), heads.end(), 0);
    std::erase_if(heads, [&](int head) { return std::isnan(atlas.values[static_cast<std::size_t>(head)]); });
    std::stable_sort(heads.begin(), heads.end(), [&](int a, int b) { return atlas.values[a] > atlas.values[b]; });
    return heads;
}

/// Returns the mean loss of a run without some heads.
double loss_without(const ModelRun& run, const std::vector<int>& heads, const Cancel& cancel) {
    const int in_layer = run.model()->config.heads;
    std::map<int, std::vector<double>> by_layer;
    for (const int head : heads) by_layer[head / in_layer].push_back(head % in_layer);
    RunRequest request = run.request();
    for (auto& [layer, silent] : by_layer)
        request.interventions.push_back({.kind = InterventionKind::zero_output,
                                         .layers = {static_cast<double>(layer)},
                                         .heads = std::move(silent)});
    ModelRun changed(run.model(), std::move(request));
    return changed.outputs(cancel)->mean_loss;
}

/// Returns `count` of `all` heads, drawn without replacement.
std::vector<int> random_heads(std::int64_t seed, int count, int all) {
    std::vector<int> heads;
    for (const std::int64_t number : draw_positions(seed, count, all)) heads.push_back(static_cast<int>(number) - 1);
    return heads;
}

}  // namespace

double MaskedHeadsQuestion::model_work(const Experiment& experiment) const {
    return AtlasQuestion{.measure = measure}.model_work(experiment) +
           static_cast<double>(shares.size()) * (1 + repetitions) * run_work(experiment);
}

MaskedHeadsQuestion::Answer MaskedHeadsQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    const std::vector<int> ranked = ranked_heads(AtlasQuestion{.measure = measure}.answer(context));
    const int all = run->model()->config.layer_count() * run->model()->config.heads;
    Answer answer{.loss = run->outputs(context.cancel)->mean_loss, .shares = {}};
    auto draw =
        static_cast<std::uint64_t>(context.experiment.seed) * 1'000'003;  // another set for every share and repetition
    for (const double share : shares) {
        const auto count =
            std::min(std::max<std::size_t>(static_cast<std::size_t>(std::lround(share * all)), 1), ranked.size());
        Share& at = answer.shares.emplace_back(Share{.share = share, .heads = {}, .random_loss = {}});
        at.heads.assign(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count));
        at.loss = loss_without(*run, at.heads, context.cancel);
        for (int i = 0; i < repetitions; ++i) {
            const auto heads = random_heads(static_cast<std::int64_t>(draw++), static_cast<int>(count), all);
            at.random_loss.push_back(loss_without(*run, heads, context.cancel));
        }
        if (context.progress)
            context.progress(static_cast<double>(answer.shares.size()) / static_cast<double>(shares.size()));
    }
    return answer;
}

}  // namespace ropewalk
