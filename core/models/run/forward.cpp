#include "core/models/run/forward.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/machine/parallel.h"
#include "core/models/not_finite.h"
#include "core/models/run/kernels.h"
#include "core/models/run/linear_layers.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr int most_vocabulary_parts = 64;  // whose sums are added in order, whatever the threads

/// Copies [tokens, heads · head_dim] to [heads, tokens, head_dim].
LargeVector<float> by_head(const Activations& all, int head_dim) {
    const int heads = static_cast<int>(all.channels()) / head_dim, tokens = all.tokens();
    LargeVector<float> rows(static_cast<std::size_t>(all.channels()) * static_cast<std::size_t>(tokens));
    for_each_in_parallel(heads, [&](int head) {
        for (int channel = 0; channel < head_dim; ++channel)
            for (int token = 0; token < tokens; ++token)
                rows[(static_cast<std::size_t>(head) * tokens + token) * head_dim + channel] =
                    all.at(token, std::int64_t{head} * head_dim + channel);
    });
    return rows;
}

/// Returns the length of every head's row, [heads, tokens].
std::vector<float> norms_by_head(const Activations& all, int head_dim) {
    const int heads = static_cast<int>(all.channels()) / head_dim, tokens = all.tokens();
    std::vector<float> norms(static_cast<std::size_t>(heads) * tokens);
    for_each_in_parallel(heads, [&](int head) {
        for (int token = 0; token < tokens; ++token) {
            double sum = 0;
            for (int channel = 0; channel < head_dim; ++channel) {
                const double x = static_cast<double>(all.at(token, std::int64_t{head} * head_dim + channel));
                sum += x * x;
            }
            norms[static_cast<std::size_t>(head) * tokens + token] = static_cast<float>(std::sqrt(sum));
        }
    });
    return norms;
}

Activations copy(const Activations& x) {
    Activations same(x.tokens(), x.channels());
    add(same, x);
    return same;
}

}  // namespace

Forward::Forward(const Model& model, const RunRequest& request)
    : model_(model), config_(model.config), request_(request), encodings_(model.config, tokens()), x_(embedded()) {}

Activations Forward::embedded() const {
    Activations x(tokens(), config_.width);
    for_each_in_parallel(tokens(), [&](int token) {
        std::vector<float> row(static_cast<std::size_t>(config_.width));
        widen(model_.embedding, std::int64_t{request_.tokens[static_cast<std::size_t>(token)]} * config_.width, row);
        for (int channel = 0; channel < config_.width; ++channel)
            x.at(token, channel) = row[static_cast<std::size_t>(channel)] * static_cast<float>(model_.embedding_factor);
    });
    return x;
}

std::shared_ptr<const LayerCapture> Forward::next_layer(const Cancel& cancel) {
    end_layer(cancel);
    const ModelLayer& layer = model_.layers[static_cast<std::size_t>(begun_)];
    Activations y = copy(x_);
    if (config_.norm_before) normalize(y, config_.width, layer.before_attention, config_.norm, config_.norm_epsilon);
    queries_.emplace(apply(layer.query, y, cancel));
    keys_.emplace(apply(layer.key, y, cancel));
    if (config_.projection_norm != ProjectionNorm::none) {
        const bool whole = config_.projection_norm == ProjectionNorm::whole;
        const auto channels = [&](const Activations& of) { return whole ? of.channels() : config_.head_dim; };
        normalize(*queries_, channels(*queries_), layer.query_norm, config_.projection_norm_kind, config_.norm_epsilon);
        normalize(*keys_, channels(*keys_), layer.key_norm, config_.projection_norm_kind, config_.norm_epsilon);
    }
    values_.emplace(apply(layer.value, y, cancel));
    if (config_.residual == Residual::parallel_one_norm) normed_.emplace(std::move(y));
    const auto capture = std::make_shared<LayerCapture>();
    capture->tokens = tokens(), capture->head_dim = config_.head_dim;
    capture->queries = by_head(*queries_, config_.head_dim);
    capture->keys = by_head(*keys_, config_.head_dim);
    capture->value_norms = norms_by_head(*values_, config_.head_dim);
    ++begun_;
    return capture_ = capture;
}

void Forward::require_finite(const Activations& x, std::int64_t first, std::int64_t channels, int stage,
                             const Cancel& cancel) const {
    for (int panel = 0; panel < x.panels(); ++panel)
        if (!all_finite({x.row(panel, first), static_cast<std::size_t>(channels * x.width())}))
            reject_not_finite(model_, request_.tokens, stage, cancel);
}

/// Heads without an output cannot spoil the stream.
void Forward::require_finite_inputs(const std::vector<HeadPlan>& plans, int layer, const Cancel& cancel) const {
    const std::int64_t d = config_.head_dim;
    for (int head = 0; head < config_.heads; ++head) {
        if (plans[static_cast<std::size_t>(head)].is_silent) continue;
        const int key_head = config_.key_head(head);
        require_finite(*queries_, head * d, d, inputs_stage_of(layer), cancel);
        require_finite(*keys_, key_head * d, d, inputs_stage_of(layer), cancel);
        require_finite(*values_, key_head * d, d, stream_stage_after(layer), cancel);
    }
}

void Forward::end_layer(const Cancel& cancel) {
    const int number = static_cast<int>(outputs_.size());
    if (number == begun_) return;  // it was ended before the next was cancelled
    LayerOutputs outputs;
    const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
    const int window = config_.layers[static_cast<std::size_t>(number)].window;
    const std::vector<HeadPlan> plans = head_plans(config_, request_, *capture_, number, encodings_);
    require_finite_inputs(plans, number, cancel);
    Activations mixed =
        attend({*queries_, *keys_, &*values_, config_, request_.tokens, window}, plans, outputs.statistics, cancel);
    outputs.norms = norms_by_head(mixed, config_.head_dim);
    Activations attention = apply(layer.output, mixed, cancel);
    if (config_.norm_after)
        normalize(attention, config_.width, layer.after_attention, config_.norm, config_.norm_epsilon);
    Activations next = copy(x_);
    if (config_.residual == Residual::sequential) add(next, attention);
    const bool is_parallel = config_.residual != Residual::sequential;
    if (config_.feed_forward > 0) {  // otherwise the layers have attention only
        Activations y = copy(normed_ ? *normed_ : is_parallel ? x_ : next);
        if (config_.norm_before && !normed_)
            normalize(y, config_.width, layer.before_mlp, config_.norm, config_.norm_epsilon);
        Activations mlp = apply_mlp(layer, y, cancel);
        if (config_.norm_after) normalize(mlp, config_.width, layer.after_mlp, config_.norm, config_.norm_epsilon);
        if (is_parallel) add(next, attention);
        add(next, mlp);
    }
    require_finite(next, 0, config_.width, stream_stage_after(number), cancel);
    outputs_.push_back(std::move(outputs));  // may throw; then the next call ends the layer
    x_ = std::move(next);
    queries_.reset(), keys_.reset(), values_.reset(), normed_.reset();
}

double forward_bytes(const ModelConfig& config, int tokens, int layers) {
    const double queries = config.heads * config.head_dim, keys = config.key_heads * config.head_dim;
    const double left = layers * (queries + keys + config.heads + config.key_heads);
    const double projected = queries + 2 * keys, mixed = queries;
    const double streams = 4.0 * config.width;  // before and after the layer, and its two branches
    const double hidden = (config.gated ? 2.0 : 1.0) * config.feed_forward;
    return (left + projected + mixed + streams + hidden) * tokens * sizeof(float);
}

std::size_t Forward::bytes() const {
    const std::int64_t projections = std::int64_t{config_.heads + 2 * config_.key_heads} * config_.head_dim;
    return static_cast<std::size_t>(tokens()) * static_cast<std::size_t>(config_.width + projections) * sizeof(float);
}

ModelOutputs Forward::finish(const Cancel& cancel) {
    end_layer(cancel);
    if (!finished_) normalize(x_, config_.width, model_.last_norm, config_.norm, config_.norm_epsilon);
    finished_ = true;
    LargeVector<float> rows(static_cast<std::size_t>(tokens()) * config_.width);
    for_each_in_parallel(tokens(), [&](int token) {
        for (int channel = 0; channel < config_.width; ++channel)
            rows[static_cast<std::size_t>(token) * config_.width + channel] = x_.at(token, channel);
    });
    ModelOutputs outputs{.layers = outputs_, .loss = {}, .streams = std::move(rows)};
    add_losses(outputs, cancel);
    return outputs;
}

Activations Forward::apply_mlp(const ModelLayer& layer, const Activations& y, const Cancel& cancel) const {
    static constexpr cpu::GateKind kinds[] = {cpu::GateKind::silu, cpu::GateKind::gelu_tanh, cpu::GateKind::gelu_erf};
    const cpu::GateKind kind = kinds[static_cast<int>(config_.activation)];
    Activations up = apply(layer.up, y, cancel);
    std::optional<Activations> gate;
    if (config_.gated) gate.emplace(apply(layer.gate, y, cancel));
    Activations& activated = gate ? *gate : up;
    for_each_in_parallel(up.panels(), [&](int panel) {
        const std::span<float> values(activated.panel(panel), static_cast<std::size_t>(activated.panel_stride()));
        cpu::activate(kind, values, gate ? up.panel(panel) : nullptr);
    });
    return apply(layer.down, activated, cancel);
}

float capped(float logit, double cap) {
    return cap > 0 ? static_cast<float>(cap * std::tanh(static_cast<double>(logit) / cap)) : logit;
}

namespace {

/// The sum of exponentials of some logits of one row, and the target's logit.
struct RowSum {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0, target = 0;

    void add(std::span<const float> logits) {
        const auto all = std::max(largest, static_cast<double>(*std::max_element(logits.begin(), logits.end())));
        sum *= std::exp(largest - all);
        largest = all;
        for (const float logit : logits) sum += static_cast<double>(std::exp(logit - static_cast<float>(all)));
    }
    void add(const RowSum& other) {
        const double all = std::max(largest, other.largest);
        sum = sum * std::exp(largest - all) + other.sum * std::exp(other.largest - all);
        largest = all;
        target += other.target;
    }
};

}  // namespace

void Forward::add_losses(ModelOutputs& outputs, const Cancel& cancel) const {
    const bool is_text = request_.targets.empty();
    std::vector<int> targets = request_.targets;
    if (is_text) targets.assign(request_.tokens.begin() + 1, request_.tokens.end()), targets.push_back(-1);
    const int chunks = std::min(most_vocabulary_parts, (config_.vocabulary + 63) / 64);
    std::vector<std::vector<RowSum>> sums(static_cast<std::size_t>(chunks),
                                          std::vector<RowSum>(static_cast<std::size_t>(tokens())));
    for_each_in_order(chunks, [&](int chunk) {
        const std::int64_t begin = std::int64_t{config_.vocabulary} * chunk / chunks;
        const std::int64_t end = std::int64_t{config_.vocabulary} * (chunk + 1) / chunks;
        std::vector<RowSum>& rows = sums[static_cast<std::size_t>(chunk)];
        constexpr std::int64_t at_once = 512, part_rows = 64;  // a panel's part stays in the first-level cache
        for (std::int64_t first = begin; first < end; first += at_once) {
            cancel.check();
            const std::int64_t count = std::min(at_once, end - first);
            const Activations logits = apply_rows(model_.output, first, count, x_, cancel);
            for (std::int64_t part = 0; part < count; part += part_rows) {
                const std::int64_t part_count = std::min(part_rows, count - part);
                std::array<float, part_rows> of_row;
                for (int row = 0; row < tokens(); ++row) {
                    if (targets[static_cast<std::size_t>(row)] < 0) continue;
                    for (std::int64_t i = 0; i < part_count; ++i)
                        of_row[static_cast<std::size_t>(i)] = capped(logits.at(row, part + i), config_.output_softcap);
                    RowSum& sum = rows[static_cast<std::size_t>(row)];
                    sum.add(std::span(of_row).first(static_cast<std::size_t>(part_count)));
                    const std::int64_t target = targets[static_cast<std::size_t>(row)] - first - part;
                    if (target >= 0 && target < part_count)
                        sum.target = static_cast<double>(of_row[static_cast<std::size_t>(target)]);
                }
            }
        }
    });
    outputs.loss.assign(static_cast<std::size_t>(tokens()), is_text ? 0 : nan);
    double sum = 0;
    int scored = 0;
    for (int row = 0; row < tokens(); ++row) {
        if (targets[static_cast<std::size_t>(row)] < 0) continue;
        RowSum all;
        for (const auto& chunk : sums) all.add(chunk[static_cast<std::size_t>(row)]);
        const double of_token = all.largest + std::log(all.sum) - all.target;
        if (!std::isfinite(of_token)) reject_not_finite(model_, request_.tokens, output_stage, cancel);
        outputs.loss[static_cast<std::size_t>(row) + (is_text ? 1 : 0)] = of_token;
        sum += of_token, ++scored;
    }
    outputs.mean_loss = scored > 0 ? sum / scored : nan;
}

}  // namespace ropewalk
