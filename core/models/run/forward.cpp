#include "core/models/run/forward.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/machine/parallel.h"
#include "core/models/run/kernels.h"
#include "core/models/run/linear_layers.h"

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

std::shared_ptr<const LayerCapture> Forward::begin_layer(int number, const Cancel& cancel) {
    const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
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
    capture_ = std::make_shared<LayerCapture>();
    capture_->tokens = tokens(), capture_->head_dim = config_.head_dim;
    capture_->queries = by_head(*queries_, config_.head_dim);
    capture_->keys = by_head(*keys_, config_.head_dim);
    capture_->value_norms = norms_by_head(*values_, config_.head_dim);
    return capture_;
}

void Forward::end_layer(int number, const Cancel& cancel) {
    const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
    const int window = config_.layers[static_cast<std::size_t>(number)].window;
    Activations mixed =
        attend({*queries_, *keys_, &*values_, config_, request_.tokens, window},
               head_plans(config_, request_, *capture_, number, encodings_), capture_->statistics, cancel);
    capture_->output_norms = norms_by_head(mixed, config_.head_dim);
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
    x_ = std::move(next);
    queries_.reset(), keys_.reset(), values_.reset(), normed_.reset();
}

LargeVector<float> Forward::finish() {
    normalize(x_, config_.width, model_.last_norm, config_.norm, config_.norm_epsilon);
    LargeVector<float> rows(static_cast<std::size_t>(tokens()) * config_.width);
    for_each_in_parallel(tokens(), [&](int token) {
        for (int channel = 0; channel < config_.width; ++channel)
            rows[static_cast<std::size_t>(token) * config_.width + channel] = x_.at(token, channel);
    });
    return rows;
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

    void add(double logit) {
        if (logit > largest) {
            sum = sum * std::exp(largest - logit) + 1;
            largest = logit;
        } else {
            sum += std::exp(logit - largest);
        }
    }
    void add(const RowSum& other) {
        const double all = std::max(largest, other.largest);
        sum = sum * std::exp(largest - all) + other.sum * std::exp(other.largest - all);
        largest = all;
        target += other.target;
    }
};

}  // namespace

std::vector<double> Forward::loss(const Cancel& cancel) const {
    const int chunks = std::min(most_vocabulary_parts, (config_.vocabulary + 63) / 64);
    std::vector<std::vector<RowSum>> sums(static_cast<std::size_t>(chunks),
                                          std::vector<RowSum>(static_cast<std::size_t>(tokens())));
    for_each_in_order(chunks, [&](int chunk) {
        const std::int64_t begin = std::int64_t{config_.vocabulary} * chunk / chunks;
        const std::int64_t end = std::int64_t{config_.vocabulary} * (chunk + 1) / chunks;
        std::vector<RowSum>& rows = sums[static_cast<std::size_t>(chunk)];
        constexpr std::int64_t at_once = 128;
        for (std::int64_t first = begin; first < end; first += at_once) {
            cancel.check();
            const std::int64_t count = std::min(at_once, end - first);
            const Activations logits = apply_rows(model_.output, first, count, x_, cancel);
            for (int row = 0; row + 1 < tokens(); ++row) {
                const int target = request_.tokens[static_cast<std::size_t>(row) + 1];
                for (std::int64_t i = 0; i < count; ++i) {
                    const double logit = static_cast<double>(capped(logits.at(row, i), config_.output_softcap));
                    rows[static_cast<std::size_t>(row)].add(logit);
                    if (first + i == target) rows[static_cast<std::size_t>(row)].target = logit;
                }
            }
        }
    });
    std::vector<double> loss(static_cast<std::size_t>(tokens()), 0);
    for (int row = 0; row + 1 < tokens(); ++row) {
        RowSum all;
        for (const auto& chunk : sums) all.add(chunk[static_cast<std::size_t>(row)]);
        loss[static_cast<std::size_t>(row) + 1] = all.largest + std::log(all.sum) - all.target;
    }
    return loss;
}

}  // namespace ropewalk
