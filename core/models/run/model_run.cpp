#include "core/models/run/model_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/machine/parallel.h"
#include "core/models/run/head_attention.h"
#include "core/models/run/kernels.h"
#include "core/models/run/linear_layers.h"

namespace ropewalk {
namespace {

constexpr double mean_loss_chunks = 64;  // parts of the vocabulary, whose sums are added in order

Shape shape_of(const ModelConfig& config, double rotary_fraction, int tokens) {
    return {.head_dim = config.head_dim,
            .seq_len = tokens,
            .pairing = Pairing::half_split,
            .rotary_fraction = rotary_fraction};
}

/// Encodings prepared for the tokens of a run, each once.
class PreparedEncodings {
  public:
    PreparedEncodings(const ModelConfig& config, int tokens) : config_(config), tokens_(tokens) {}

    std::shared_ptr<const EncodedPositions> get(const Encoding& encoding, double rotary_fraction) {
        for (const Entry& entry : entries_)
            if (entry.encoding == encoding && entry.rotary_fraction == rotary_fraction) return entry.positions;
        const LoweredEncoding lowered = lower(encoding, shape_of(config_, rotary_fraction, tokens_));
        return add(encoding, rotary_fraction, lowered);
    }
    /// Returns the same layout of pairs without any rotation, bias or damping.
    std::shared_ptr<const EncodedPositions> without_rotation(const LoweredEncoding& lowered) {
        LoweredEncoding still;
        still.inv_freq.assign(lowered.inv_freq.size(), 0);
        still.rotary_dim = lowered.rotary_dim;
        return std::make_shared<const EncodedPositions>(still, tokens_);
    }

  private:
    struct Entry {
        Encoding encoding;
        double rotary_fraction = 1;
        std::shared_ptr<const EncodedPositions> positions;
    };

    std::shared_ptr<const EncodedPositions> add(const Encoding& encoding, double rotary_fraction,
                                                const LoweredEncoding& lowered) {
        entries_.push_back({encoding, rotary_fraction, std::make_shared<const EncodedPositions>(lowered, tokens_)});
        return entries_.back().positions;
    }

    const ModelConfig& config_;
    int tokens_;
    std::vector<Entry> entries_;
};

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

/// Marks the `count` pairs of a head with the largest product of mean ‖q_t‖ and mean ‖k_t‖.
std::vector<bool> largest_pairs(const LayerCapture& capture, int head, int key_head, const PairLayout& layout,
                                int count) {
    const int pairs = layout.head_dim / 2;
    std::vector<double> query(static_cast<std::size_t>(pairs)), key(query);
    for (int token = 0; token < capture.tokens; ++token)
        for (int pair = 0; pair < pairs; ++pair) {
            const auto length = [&](std::span<const float> row) {
                return std::hypot(static_cast<double>(row[layout.first(pair)]),
                                  static_cast<double>(row[layout.second(pair)]));
            };
            query[pair] += length(capture.query(head, token));
            key[pair] += length(capture.key(key_head, token));
        }
    std::vector<int> order(static_cast<std::size_t>(pairs));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return query[a] * key[a] > query[b] * key[b]; });
    std::vector<bool> marked(static_cast<std::size_t>(pairs), false);
    for (int i = 0; i < std::min(count, pairs); ++i) marked[static_cast<std::size_t>(order[i])] = true;
    return marked;
}

/// A forward pass in progress.
class Forward {
  public:
    Forward(const Model& model, const RunRequest& request, const Cancel& cancel)
        : model_(model),
          config_(model.config),
          request_(request),
          cancel_(cancel),
          encodings_(model.config, tokens()),
          x_(embedded()) {}

    int tokens() const { return static_cast<int>(request_.tokens.size()); }

    /// Computes queries, keys and values of the next layer.
    std::shared_ptr<const LayerCapture> begin_layer(int number) {
        const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
        Activations y = copy(x_);
        if (config_.norm_before)
            normalize(y, config_.width, layer.before_attention, config_.norm, config_.norm_epsilon);
        queries_.emplace(apply(layer.query, y, cancel_));
        keys_.emplace(apply(layer.key, y, cancel_));
        if (config_.projection_norm != ProjectionNorm::none) {
            const bool whole = config_.projection_norm == ProjectionNorm::whole;
            const auto channels = [&](const Activations& of) { return whole ? of.channels() : config_.head_dim; };
            normalize(*queries_, channels(*queries_), layer.query_norm, config_.projection_norm_kind,
                      config_.norm_epsilon);
            normalize(*keys_, channels(*keys_), layer.key_norm, config_.projection_norm_kind, config_.norm_epsilon);
        }
        values_.emplace(apply(layer.value, y, cancel_));
        if (config_.residual == Residual::parallel_one_norm) normed_.emplace(std::move(y));
        capture_ = std::make_shared<LayerCapture>();
        capture_->tokens = tokens(), capture_->head_dim = config_.head_dim;
        capture_->queries = by_head(*queries_, config_.head_dim);
        capture_->keys = by_head(*keys_, config_.head_dim);
        capture_->value_norms = norms_by_head(*values_, config_.head_dim);
        return capture_;
    }

    /// Adds the branches of that layer to the stream.
    void end_layer(int number) {
        const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
        const int window = config_.layers[static_cast<std::size_t>(number)].window;
        Activations mixed = attend({*queries_, *keys_, *values_, config_, window}, plans(number), cancel_);
        capture_->output_norms = norms_by_head(mixed, config_.head_dim);
        queries_.reset(), keys_.reset(), values_.reset();
        Activations attention = apply(layer.output, mixed, cancel_);
        if (config_.norm_after)
            normalize(attention, config_.width, layer.after_attention, config_.norm, config_.norm_epsilon);
        if (config_.residual == Residual::sequential) add(x_, attention);
        Activations y = normed_ ? std::move(*normed_) : copy(x_);
        if (config_.norm_before && !normed_)
            normalize(y, config_.width, layer.before_mlp, config_.norm, config_.norm_epsilon);
        normed_.reset();
        Activations mlp = apply_mlp(layer, y);
        if (config_.norm_after) normalize(mlp, config_.width, layer.after_mlp, config_.norm, config_.norm_epsilon);
        if (config_.residual != Residual::sequential) add(x_, attention);
        add(x_, mlp);
    }

    /// Returns the stream after the last norm, [tokens, width].
    LargeVector<float> finish() {
        normalize(x_, config_.width, model_.last_norm, config_.norm, config_.norm_epsilon);
        LargeVector<float> rows(static_cast<std::size_t>(tokens()) * config_.width);
        for_each_in_parallel(tokens(), [&](int token) {
            for (int channel = 0; channel < config_.width; ++channel)
                rows[static_cast<std::size_t>(token) * config_.width + channel] = x_.at(token, channel);
        });
        return rows;
    }

    /// Returns −ln p(token i | those before), from the stream after the last norm, without holding all logits.
    std::vector<double> loss() const;

  private:
    Activations embedded() const {
        Activations x(tokens(), config_.width);
        for_each_in_parallel(tokens(), [&](int token) {
            std::vector<float> row(static_cast<std::size_t>(config_.width));
            widen(model_.embedding, std::int64_t{request_.tokens[static_cast<std::size_t>(token)]} * config_.width,
                  row);
            for (int channel = 0; channel < config_.width; ++channel)
                x.at(token, channel) =
                    row[static_cast<std::size_t>(channel)] * static_cast<float>(model_.embedding_factor);
        });
        return x;
    }

    static Activations copy(const Activations& x) {
        Activations same(x.tokens(), x.channels());
        add(same, x);
        return same;
    }

    Activations apply_mlp(const ModelLayer& layer, const Activations& y) const {
        static constexpr cpu::GateKind kinds[] = {cpu::GateKind::silu, cpu::GateKind::gelu_tanh,
                                                  cpu::GateKind::gelu_erf};
        const cpu::GateKind kind = kinds[static_cast<int>(config_.activation)];
        Activations up = apply(layer.up, y, cancel_);
        std::optional<Activations> gate;
        if (config_.gated) gate.emplace(apply(layer.gate, y, cancel_));
        Activations& activated = gate ? *gate : up;
        for_each_in_parallel(up.panels(), [&](int panel) {
            const std::span<float> values(activated.panel(panel), static_cast<std::size_t>(activated.panel_stride()));
            cpu::activate(kind, values, gate ? up.panel(panel) : nullptr);
        });
        return apply(layer.down, activated, cancel_);
    }

    std::vector<HeadPlan> plans(int number) {
        const LayerConfig& own = config_.layers[static_cast<std::size_t>(number)];
        auto positions = encodings_.get(own.encoding, own.rotary_fraction);
        if (const auto& change = request_.encoding; change && rotates(positions->lowered())) {
            const LayerConfig& like = config_.layers[static_cast<std::size_t>(change->like)];
            if (like.encoding == own.encoding) positions = encodings_.get(change->encoding, change->rotary_fraction);
        }
        std::vector<HeadPlan> plans(static_cast<std::size_t>(config_.heads), HeadPlan{positions});
        for (const Intervention& intervention : request_.interventions)
            for (int head = 0; head < config_.heads; ++head)
                if (intervention.covers(number, head))
                    change_plan(intervention, head, own, plans[static_cast<std::size_t>(head)]);
        return plans;
    }

    static bool rotates(const LoweredEncoding& lowered) {
        return std::any_of(lowered.inv_freq.begin(), lowered.inv_freq.end(), [](long double w) { return w != 0; });
    }

    void change_plan(const Intervention& intervention, int head, const LayerConfig& own, HeadPlan& plan) {
        using Kind = Intervention::Kind;
        const LoweredEncoding& lowered = plan.positions->lowered();
        switch (intervention.kind) {
            case Kind::rotation_off: plan.positions = encodings_.without_rotation(lowered); break;
            case Kind::encoding: plan.positions = encodings_.get(intervention.encoding, own.rotary_fraction); break;
            case Kind::zero_output: plan.is_silent = true; break;
            case Kind::only_pairs:
            case Kind::without_pairs: {
                const PairLayout layout{Pairing::half_split, config_.head_dim, lowered.rotary_dim};
                plan.silent_pairs = largest_pairs(*capture_, head, config_.key_head(head), layout, intervention.pairs);
                if (intervention.kind == Kind::only_pairs) plan.silent_pairs.flip();
            }
        }
    }

    const Model& model_;
    const ModelConfig& config_;
    const RunRequest& request_;
    const Cancel& cancel_;
    PreparedEncodings encodings_;
    Activations x_;
    std::optional<Activations> queries_, keys_, values_, normed_;
    std::shared_ptr<LayerCapture> capture_;
};

float capped(float logit, double cap) {
    return cap > 0 ? static_cast<float>(cap * std::tanh(static_cast<double>(logit) / cap)) : logit;
}

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

std::vector<double> Forward::loss() const {
    const int chunks = static_cast<int>(std::min<double>(mean_loss_chunks, (config_.vocabulary + 63) / 64));
    std::vector<std::vector<RowSum>> sums(static_cast<std::size_t>(chunks),
                                          std::vector<RowSum>(static_cast<std::size_t>(tokens())));
    for_each_in_order(chunks, [&](int chunk) {
        const std::int64_t begin = std::int64_t{config_.vocabulary} * chunk / chunks;
        const std::int64_t end = std::int64_t{config_.vocabulary} * (chunk + 1) / chunks;
        std::vector<RowSum>& rows = sums[static_cast<std::size_t>(chunk)];
        constexpr std::int64_t at_once = 128;
        for (std::int64_t first = begin; first < end; first += at_once) {
            cancel_.check();
            const std::int64_t count = std::min(at_once, end - first);
            const Activations logits = apply_rows(model_.output, first, count, x_, cancel_);
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

}  // namespace

bool Intervention::covers(int layer, int head) const {
    const auto lists = [](const std::vector<int>& list, int number) {
        return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
    };
    return lists(layers, layer) && lists(heads, head);
}

ModelRun run_model(const Model& model, const RunRequest& request, const Cancel& cancel, const Progress& progress,
                   const LayerDone& done) {
    for (const int token : request.tokens)
        ensure(token >= 0 && token < model.config.vocabulary, "tokens must be in the vocabulary");
    ensure(!request.tokens.empty(), "a run needs tokens");
    const int layers = model.config.layer_count(), last = request.last_layer < 0 ? layers - 1 : request.last_layer;
    ModelRun run{.tokens = request.tokens};
    Forward forward(model, request, cancel);
    for (int layer = 0; layer <= last; ++layer) {
        run.layers.push_back(forward.begin_layer(layer));
        model.require_intact();
        if (done) done(layer, run.layers.back());
        if (layer == last && request.last_layer >= 0) return run;
        forward.end_layer(layer);
        if (progress) progress((layer + 1.0) / (layers + 1.0));
    }
    run.outputs = forward.finish();
    run.loss = forward.loss();
    model.require_intact();
    return run;
}

LargeVector<float> next_token_logits(const Model& model, const ModelRun& run, std::span<const int> rows,
                                     const Cancel& cancel) {
    const int width = model.config.width, vocabulary = model.config.vocabulary;
    Activations x(static_cast<int>(rows.size()), width);
    for (int i = 0; i < x.tokens(); ++i)
        for (int channel = 0; channel < width; ++channel)
            x.at(i, channel) =
                run.outputs[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]) * width + channel];
    const Activations y = apply(model.output, x, cancel);
    LargeVector<float> logits(rows.size() * static_cast<std::size_t>(vocabulary));
    for_each_in_parallel(x.tokens(), [&](int i) {
        for (int token = 0; token < vocabulary; ++token)
            logits[static_cast<std::size_t>(i) * vocabulary + token] =
                capped(y.at(i, token), model.config.output_softcap);
    });
    return logits;
}

}  // namespace ropewalk
