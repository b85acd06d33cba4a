#include "core/analysis/models/head_atlas.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/heads/alignment.h"
#include "core/analysis/heads/dominance.h"
#include "core/analysis/models/copying.h"
#include "core/attention/make_problem.h"
#include "core/error.h"
#include "core/models/not_finite.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// What the measure of one head is computed from.
struct MeasuredHead {
    const AnalysisContext& context;
    ModelRun& run;
    int layer = 0, head = 0;

    const Model& model() const { return *run.model(); }
    const ModelConfig& config() const { return model().config; }
    std::shared_ptr<const LayerCapture> capture() const {
        run.require_finite(layer, head, context.cancel);
        return run.layer(layer, context.cancel);
    }
    /// Returns the head's frequencies, [head_dim / 2].
    std::vector<long double> frequencies() const {
        const LayerConfig& own = config().layers[static_cast<std::size_t>(layer)];
        return lower(own.encoding, {.head_dim = config().head_dim,
                                    .seq_len = capture()->tokens,
                                    .pairing = Pairing::half_split,
                                    .rotary_fraction = own.rotary_fraction})
            .inv_freq;
    }
};

double statistic(const MeasuredHead& at, double HeadStatistics::*which) {
    const auto outputs = at.run.outputs(at.context.cancel);
    return outputs->layers[static_cast<std::size_t>(at.layer)].statistics[static_cast<std::size_t>(at.head)].*which;
}

/// Calls use(problem, context) with the head as its own problem, as it was trained.
template <class Use>
double of_problem(const MeasuredHead& at, Use use) {
    const Experiment trained = at_head(at.context.experiment, at.layer, at.head);
    const Problem problem = make_problem(trained, at.context.cancel);
    return use(AnalysisContext{trained, problem, {}, at.context.backend, at.context.cancel});
}

double alignment_of(const MeasuredHead& at) {
    return of_problem(at, [](const AnalysisContext& context) {
        double diagonal = 0, previous = 0;
        const int count = std::min(context.problem.seq_len, 256);
        for (const TokenAlignment& token : AlignmentQuestion{.count = count}.answer(context)) {
            if (token.diagonal_bound > 0) diagonal += token.diagonal / token.diagonal_bound / count;
            if (token.previous && *token.previous_bound > 0)
                previous += *token.previous / *token.previous_bound / std::max(1, count - 1);
        }
        return std::max(diagonal, previous);
    });
}

double spearman_of(const MeasuredHead& at) {
    return of_problem(at, [](const AnalysisContext& context) {
        return DominanceQuestion{}.answer(context).correlation.value_or(nan);
    });
}

double wavelength_of(const MeasuredHead& at) {
    const auto frequencies = at.frequencies();
    const auto usage = pair_usage(at.config(), *at.capture(), at.layer, at.head);
    double sum = 0, weights = 0;
    for (std::size_t pair = 0; pair < usage.size(); ++pair) {
        if (frequencies[pair] <= 0) continue;
        sum += usage[pair] * std::log10(2 * std::numbers::pi / static_cast<double>(frequencies[pair]));
        weights += usage[pair];
    }
    return weights > 0 ? sum / weights : nan;
}

/// Counts pairs without rotation among the slow ones, which they are: their wavelength is infinite.
double slow_share_of(const MeasuredHead& at) {
    const auto frequencies = at.frequencies();
    const auto usage = pair_usage(at.config(), *at.capture(), at.layer, at.head);
    std::vector<int> order(usage.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return frequencies[a] < frequencies[b]; });
    double slow = 0;
    for (std::size_t i = 0; i < usage.size() / 4; ++i) slow += usage[static_cast<std::size_t>(order[i])];
    const double all = std::accumulate(usage.begin(), usage.end(), 0.0);
    return all > 0 ? slow / all : nan;
}

double rank_of(const MeasuredHead& at) {
    const ModelLayer& layer = at.model().layers[static_cast<std::size_t>(at.layer)];
    const int d = at.config().head_dim, width = at.config().width;
    const auto rank = [&](const LinearWeights& linear, int head) {
        const std::vector<float> rows = rows_of(linear, head * d, d);
        at.model().require_intact();
        if (!all_finite(rows))
            reject_not_finite(at.model(), at.run.request().tokens, inputs_stage_of(at.layer), at.context.cancel);
        return effective_rank(rows, d, width);
    };
    return (rank(layer.query, at.head) + rank(layer.key, at.config().key_head(at.head))) / 2;
}

double loss_with(const MeasuredHead& at, InterventionKind kind) {
    RunRequest request = at.run.request();
    request.interventions.push_back({.kind = kind, .layers = {double(at.layer)}, .heads = {double(at.head)}});
    ModelRun changed(at.run.model(), std::move(request));
    return changed.outputs(at.context.cancel)->mean_loss;
}

double measured(AtlasMeasure measure, const MeasuredHead& at) {
    switch (measure) {
        case AtlasMeasure::previous: return statistic(at, &HeadStatistics::previous);
        case AtlasMeasure::diagonal: return statistic(at, &HeadStatistics::diagonal);
        case AtlasMeasure::first: return statistic(at, &HeadStatistics::first);
        case AtlasMeasure::entropy: return statistic(at, &HeadStatistics::entropy);
        case AtlasMeasure::induction: return statistic(at, &HeadStatistics::induction);
        case AtlasMeasure::bound: return alignment_of(at);
        case AtlasMeasure::wavelength: return wavelength_of(at);
        case AtlasMeasure::spearman: return spearman_of(at);
        case AtlasMeasure::rank: return rank_of(at);
        case AtlasMeasure::slow_share: return slow_share_of(at);
        case AtlasMeasure::copying: return copying_of(at.model(), at.layer, at.head, at.context.cancel);
        case AtlasMeasure::loss_without_rope: return loss_with(at, InterventionKind::rotation_off);
        case AtlasMeasure::loss_without_head: return loss_with(at, InterventionKind::zero_output);
    }
    return nan;
}

}  // namespace

double effective_rank(const std::vector<float>& matrix, int rows, int columns) {
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> floats(matrix.data(),
                                                                                                         rows, columns);
    const Eigen::MatrixXd gram = floats.cast<double>() * floats.cast<double>().transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
    const double sum = values.sum();
    if (!(sum > 0)) return 0;
    double entropy = 0;
    for (const double value : values)
        if (value > 0) entropy -= value / sum * std::log(value / sum);
    return std::exp(entropy);
}

double AtlasQuestion::model_work(const Experiment& experiment) const {
    const auto learned = learned_head_of(experiment.construction);
    if (!learned) return 0;
    const ModelConfig& config = learned->model->config;
    const double heads = static_cast<double>(config.layer_count()) * config.heads;
    switch (measure) {
        case AtlasMeasure::loss_without_rope:
        case AtlasMeasure::loss_without_head: return (1 + heads) * run_work(experiment);
        case AtlasMeasure::copying:
            return heads * config.vocabulary * config.width * (config.vocabulary + 2.0 * config.head_dim);
        case AtlasMeasure::rank: return 2 * heads * config.width * config.head_dim * config.head_dim;
        default: return run_work(experiment);
    }
}

HeadAtlas AtlasQuestion::answer(const AnalysisContext& context) const {
    if (!is_of_model(context.experiment)) return {};
    const auto run = run_of(context);
    const ModelConfig& config = run->model()->config;
    HeadAtlas atlas{.layers = config.layer_count(), .heads = config.heads};
    for (int layer = 0; layer < atlas.layers; ++layer)
        for (int head = 0; head < atlas.heads; ++head) {
            context.cancel.check();
            try {
                atlas.values.push_back(measured(measure, {context, *run, layer, head}));
            } catch (const InputError& error) {  // weights that are not finite
                atlas.values.push_back(nan);
                atlas.problem = error.what();
            }
            if (context.progress)
                context.progress(static_cast<double>(atlas.values.size()) / (atlas.layers * atlas.heads));
        }
    return atlas;
}

}  // namespace ropewalk
