#include "core/models/run/model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <list>
#include <utility>

#include "core/error.h"
#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "core/models/not_finite.h"
#include "core/models/run/forward.h"
#include "core/models/run/linear_layers.h"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds patience{5};  // between two looks at whether waiting is still worthwhile

}  // namespace

bool LayerCapture::is_finite(int head, int key_head) const {
    const auto rows = [&](const LargeVector<float>& all, int row_head) {
        const std::size_t count = static_cast<std::size_t>(tokens) * head_dim;
        return std::span(all.data() + count * static_cast<std::size_t>(row_head), count);
    };
    return all_finite(rows(queries, head)) && all_finite(rows(keys, key_head));
}

ModelRun::ModelRun(std::shared_ptr<const Model> model, RunRequest request)
    : model_(std::move(model)), request_(std::move(request)) {
    ensure(!request_.tokens.empty(), "a run needs tokens");
    for (const int token : request_.tokens)
        ensure(token >= 0 && token < model_->config.vocabulary, "tokens must be in the vocabulary");
    const std::vector<int>& targets = request_.targets;
    ensure(targets.empty() || targets.size() == request_.tokens.size(), "each token needs a target, or none does");
    for (const int target : targets) ensure(target < model_->config.vocabulary, "targets must be in the vocabulary");
    layers_.reserve(model_->layers.size());  // publishing one needs no memory
}

ModelRun::~ModelRun() = default;

std::shared_ptr<const LayerCapture> ModelRun::published(int layer) const {
    const std::lock_guard lock(publishing_);
    const auto at = static_cast<std::size_t>(layer);
    return at < layers_.size() ? layers_[at] : nullptr;
}

void ModelRun::publish(std::shared_ptr<const LayerCapture> capture) {
    const std::lock_guard lock(publishing_);
    layers_.push_back(std::move(capture));
}

int ModelRun::published_count() const {
    const std::lock_guard lock(publishing_);
    return static_cast<int>(layers_.size());
}

std::shared_ptr<const LayerCapture> ModelRun::computed(int layer, const Cancel& cancel, const Progress& progress) {
    constexpr int most_runs_at_once =
        3;  // of the head, of the reference or the previous head, and of the results still shown
    require_memory_for_run(model_->config, static_cast<int>(request_.tokens.size()), layer + 1,
                           memory_bytes() / most_runs_at_once);
    if (!forward_) {
        forward_ = std::make_unique<Forward>(*model_, request_);
        bytes_ += forward_->bytes();
    }
    while (forward_->begun() <= layer) {
        auto capture = forward_->next_layer(cancel);
        require_intact();
        if (published_count() < forward_->begun()) {
            bytes_ += (capture->queries.size() + capture->keys.size()) * sizeof(float);
            publish(std::move(capture));
        }
        if (progress) progress(forward_->begun() / (model_->config.layer_count() + 1.0));
    }
    return published(layer);
}

void ModelRun::drop_forward() {
    bytes_ -= forward_->bytes();
    forward_.reset();
}

void ModelRun::require_intact() try { model_->require_intact(); } catch (...) {
    drop_forward();
    throw;
}

std::shared_ptr<const LayerCapture> ModelRun::layer(int layer, const Cancel& cancel, const Progress& progress) {
    std::unique_lock turn(computing_, std::defer_lock);
    for (;;) {
        if (auto capture = published(layer)) return capture;
        cancel.check();
        if (turn.try_lock_for(patience)) break;
    }
    if (auto capture = published(layer)) return capture;
    return computed(layer, cancel, progress);
}

namespace {

/// Returns [heads, tokens, head_dim] as activations.
Activations as_activations(const LargeVector<float>& rows, int tokens, int head_dim) {
    const int heads = static_cast<int>(rows.size() / static_cast<std::size_t>(tokens) / head_dim);
    Activations x(tokens, std::int64_t{heads} * head_dim);
    for (int head = 0; head < heads; ++head)
        for (int token = 0; token < tokens; ++token)
            for (int channel = 0; channel < head_dim; ++channel)
                x.at(token, std::int64_t{head} * head_dim + channel) =
                    rows[(static_cast<std::size_t>(head) * tokens + token) * head_dim + channel];
    return x;
}

}  // namespace

void ModelRun::require_finite(int number, int head, const Cancel& cancel) {
    if (layer(number, cancel)->is_finite(head, model_->config.key_head(head))) return;
    reject_not_finite(*model_, request_.tokens, inputs_stage_of(number), cancel);
}

std::vector<std::vector<float>> ModelRun::pictures(int number, int cells, const Cancel& cancel) {
    const auto capture = layer(number, cancel);
    const ModelConfig& config = model_->config;
    const Activations queries = as_activations(capture->queries, capture->tokens, config.head_dim),
                      keys = as_activations(capture->keys, capture->tokens, config.head_dim);
    PreparedEncodings encodings(config, capture->tokens);
    auto pictures = pooled_weights(
        {queries, keys, nullptr, config, request_.tokens, config.layers[static_cast<std::size_t>(number)].window},
        head_plans(config, request_, *capture, number, encodings), std::min(cells, capture->tokens), cancel);
    for (int head = 0; head < config.heads; ++head)
        if (!capture->is_finite(head, config.key_head(head)))
            std::ranges::fill(pictures[static_cast<std::size_t>(head)], std::numeric_limits<float>::quiet_NaN());
    return pictures;
}

std::shared_ptr<const ModelOutputs> ModelRun::outputs(const Cancel& cancel, const Progress& progress) {
    std::unique_lock turn(computing_, std::defer_lock);
    while (!turn.try_lock_for(patience)) cancel.check();
    if (outputs_) return outputs_;
    computed(model_->config.layer_count() - 1, cancel, progress);
    auto outputs = std::make_shared<const ModelOutputs>(forward_->finish(cancel));
    require_intact();
    bytes_ += outputs->streams.size() * sizeof(float);
    drop_forward();
    return outputs_ = std::move(outputs);
}

LargeVector<float> ModelRun::next_token_logits(std::span<const int> rows, const Cancel& cancel) {
    const auto all = outputs(cancel);
    const int width = model_->config.width, vocabulary = model_->config.vocabulary;
    Activations x(static_cast<int>(rows.size()), width);
    for (int i = 0; i < x.tokens(); ++i)
        for (int channel = 0; channel < width; ++channel)
            x.at(i, channel) =
                all->streams[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]) * width + channel];
    const Activations y = apply(model_->output, x, cancel);
    model_->require_intact();
    LargeVector<float> logits(rows.size() * static_cast<std::size_t>(vocabulary));
    for_each_in_parallel(x.tokens(), [&](int i) {
        for (int token = 0; token < vocabulary; ++token)
            logits[static_cast<std::size_t>(i) * vocabulary + token] =
                capped(y.at(i, token), model_->config.output_softcap);
    });
    if (!all_finite(logits)) reject_not_finite(*model_, request_.tokens, output_stage, cancel);
    return logits;
}

std::size_t ModelRun::bytes() const {
    return bytes_;
}

void require_memory_for_run(const ModelConfig& config, int tokens, int layers, double most) {
    const double bytes = forward_bytes(config, tokens, layers);
    if (bytes <= most) return;
    constexpr double gibibyte = 1 << 30;
    throw LimitError(
        fmt::format("a run of the model over {} tokens needs about {:.1f} GiB of memory up to layer {}, but at most "
                    "{:.1f} GiB may be used; choose a shorter sequence{}",
                    tokens, bytes / gibibyte, layers - 1, most / gibibyte, layers > 1 ? " or an earlier layer" : ""));
}

std::shared_ptr<ModelRun> run_of(const std::shared_ptr<const Model>& model, const RunRequest& request) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30, fewest_runs = 2, most_runs = 64;
    static std::mutex mutex;
    static std::list<std::shared_ptr<ModelRun>> runs;  // the most recently used first
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const std::shared_ptr<ModelRun>& run) {
        return run->model() == model && run->request() == request;
    });
    if (found != runs.end())
        runs.splice(runs.begin(), runs, found);
    else
        runs.push_front(std::make_shared<ModelRun>(model, request));
    std::size_t bytes = 0, kept = 0;
    for (auto run = runs.begin(); run != runs.end();) {
        bytes += (*run)->bytes();
        run = ++kept > most_runs || (kept > fewest_runs && bytes > most_bytes) ? runs.erase(run) : std::next(run);
    }
    return runs.front();
}

}  // namespace ropewalk
