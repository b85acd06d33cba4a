#include "core/models/run/model_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <list>
#include <utility>

#include "core/error.h"
#include "core/machine/parallel.h"
#include "core/models/run/forward.h"
#include "core/models/run/linear_layers.h"

namespace ropewalk {

bool Intervention::covers(int layer, int head) const {
    const auto lists = [](const std::vector<int>& list, int number) {
        return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
    };
    return lists(layers, layer) && lists(heads, head);
}

ModelRun::ModelRun(std::shared_ptr<const Model> model, RunRequest request)
    : model_(std::move(model)), request_(std::move(request)) {
    ensure(!request_.tokens.empty(), "a run needs tokens");
    for (const int token : request_.tokens)
        ensure(token >= 0 && token < model_->config.vocabulary, "tokens must be in the vocabulary");
}

ModelRun::~ModelRun() = default;

std::unique_lock<std::timed_mutex> ModelRun::turn(const Cancel& cancel) const {
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(5))) cancel.check();
    return lock;
}

void ModelRun::advance(int layer, const Cancel& cancel, const Progress& progress) {
    if (layer < static_cast<int>(layers_.size())) return;
    if (!forward_) forward_ = std::make_unique<Forward>(*model_, request_);
    while (static_cast<int>(layers_.size()) <= layer) {
        const int next = static_cast<int>(layers_.size());
        if (next > ended_) {  // beginning a layer may be cancelled after the one before was ended
            forward_->end_layer(next - 1, cancel);
            ended_ = next;
        }
        auto capture = forward_->begin_layer(next, cancel);
        model_->require_intact();
        bytes_ += (capture->queries.size() + capture->keys.size()) * sizeof(float);
        layers_.push_back(std::move(capture));
        if (progress) progress((next + 1.0) / (model_->config.layer_count() + 1.0));
    }
}

std::shared_ptr<const LayerCapture> ModelRun::layer(int layer, const Cancel& cancel, const Progress& progress) {
    const auto lock = turn(cancel);
    advance(layer, cancel, progress);
    return layers_[static_cast<std::size_t>(layer)];
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

std::vector<std::vector<float>> ModelRun::pictures(int number, int cells, const Cancel& cancel) {
    const auto capture = layer(number, cancel);
    const ModelConfig& config = model_->config;
    const Activations queries = as_activations(capture->queries, capture->tokens, config.head_dim),
                      keys = as_activations(capture->keys, capture->tokens, config.head_dim);
    PreparedEncodings encodings(config, capture->tokens);
    return pooled_weights(
        {queries, keys, nullptr, config, request_.tokens, config.layers[static_cast<std::size_t>(number)].window},
        head_plans(config, request_, *capture, number, encodings), std::min(cells, capture->tokens), cancel);
}

std::shared_ptr<const ModelOutputs> ModelRun::outputs(const Cancel& cancel, const Progress& progress) {
    const auto lock = turn(cancel);
    if (outputs_) return outputs_;
    const int last = model_->config.layer_count() - 1;
    advance(last, cancel, progress);
    if (!finished_) {
        forward_->end_layer(last, cancel);
        streams_ = forward_->finish();
        finished_ = true;
    }
    auto outputs = std::make_shared<ModelOutputs>();
    outputs->loss = forward_->loss(cancel);
    outputs->streams = std::move(streams_);
    model_->require_intact();
    bytes_ += outputs->streams.size() * sizeof(float);
    outputs_ = std::move(outputs);
    forward_.reset();
    return outputs_;
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
    return logits;
}

std::size_t ModelRun::bytes() const {
    return bytes_;
}

std::shared_ptr<ModelRun> run_of(const std::shared_ptr<const Model>& model, const RunRequest& request) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30, fewest_runs = 2;
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
        run = ++kept > fewest_runs && bytes > most_bytes ? runs.erase(run) : std::next(run);
    }
    return runs.front();
}

}  // namespace ropewalk
