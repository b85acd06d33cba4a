#include "core/models/run/head_attention.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/machine/parallel.h"
#include "core/models/run/kernels.h"

namespace ropewalk {
namespace {

/// Returns cosines and sines, [tokens, 2 · pairs], of the rotation by one map. Those of rotating channels include the
/// attention scaling.
Activations turns_of(const LoweredEncoding& lowered, const PositionMap& map, int tokens) {
    Activations turns(tokens, 2 * std::int64_t{lowered.pairs()});
    for_each_in_parallel(tokens, [&](int token) {
        for (int pair = 0; pair < lowered.pairs(); ++pair) {
            const double angle =
                angle_of(rotation_phase(map, lowered.inv_freq[pair], lowered.position_in_model(token)));
            const double factor = 2 * pair < lowered.rotary_dim ? lowered.attention_scaling : 1;
            turns.at(token, pair) = static_cast<float>(factor * std::cos(angle));
            turns.at(token, lowered.pairs() + pair) = static_cast<float>(factor * std::sin(angle));
        }
    });
    return turns;
}

PairLayout layout_of(const LoweredEncoding& lowered) {
    return {Pairing::half_split, lowered.head_dim(), lowered.rotary_dim};
}

/// The keys of one head, encoded and in groups, [groups, head_dim, 4], for near and far distances.
struct EncodedKeys {
    LargeArray<float> near, far;
};

EncodedKeys encode_keys(const AttentionInputs& in, int key_head, const EncodedPositions& positions) {
    const int d = in.config.head_dim, width = in.keys.width();
    const std::size_t count = static_cast<std::size_t>(in.keys.panels()) * width * d;
    EncodedKeys keys{large_array<float>(count), positions.lowered().far ? large_array<float>(count) : nullptr};
    const auto panel_of = large_array<float>(static_cast<std::size_t>(d) * width);
    for (const bool far : {false, true}) {
        float* const to = far ? keys.far.get() : keys.near.get();
        if (!to) continue;
        for (int panel = 0; panel < in.keys.panels(); ++panel) {
            positions.encode(panel, in.keys.row(panel, std::int64_t{key_head} * d), EncodedPositions::Side::key, far,
                             panel_of.get());
            for (int group = 0; group < width / group_rows; ++group)
                for (int channel = 0; channel < d; ++channel)
                    std::copy_n(
                        panel_of.get() + channel * width + group * group_rows, group_rows,
                        to + ((std::size_t{static_cast<unsigned>(panel)} * width / group_rows + group) * d + channel) *
                                 group_rows);
        }
    }
    return keys;
}

/// Returns the values of one head in groups of channels, [groups, tokens, 4].
LargeArray<float> grouped_values(const AttentionInputs& in, int key_head) {
    const int d = in.config.head_dim, width = in.values->width(), tokens = in.values->panels() * width;
    const int groups = (d + group_rows - 1) / group_rows;
    auto values = large_array<float>(static_cast<std::size_t>(groups) * tokens * group_rows);
    std::fill_n(values.get(), static_cast<std::size_t>(groups) * tokens * group_rows, 0.0f);
    for (int channel = 0; channel < d; ++channel) {
        float* const to =
            values.get() + std::ptrdiff_t{channel / group_rows} * tokens * group_rows + channel % group_rows;
        for (int panel = 0; panel < in.values->panels(); ++panel) {
            const float* const from = in.values->row(panel, std::int64_t{key_head} * d + channel);
            for (int i = 0; i < width; ++i) to[(std::ptrdiff_t{panel} * width + i) * group_rows] = from[i];
        }
    }
    return values;
}

/// A panel's queries and the keys of a head as one encoding has them.
struct EncodedPanel {
    const LoweredEncoding& lowered;
    const float *queries = nullptr, *keys = nullptr, *far_queries = nullptr, *far_keys = nullptr;

    /// Returns the score of one query of the panel and one key, in double.
    double score(int lane, int key, int distance, int width) const {
        const PairLayout layout = layout_of(lowered);
        const bool is_far = lowered.far && distance >= lowered.far->window;
        const float *const q = is_far ? far_queries : queries, *const k = is_far ? far_keys : keys;
        double sum = 0;
        for (int pair = 0; pair < lowered.pairs(); ++pair) {
            double term = 0;
            for (const int channel : {layout.first(pair), layout.second(pair)})
                term += static_cast<double>(q[channel * width + lane]) *
                        static_cast<double>(
                            k[(std::ptrdiff_t{key / group_rows} * lowered.head_dim() + channel) * group_rows +
                              key % group_rows]);
            sum += term * lowered.left_over(pair, std::max(0, distance));
        }
        return sum;
    }
};

/// Writes the scores of keys [begin, end), [keys, width], in double: the terms of a damped encoding depend on both
/// tokens, and a head with a share of unrotated logits has two scores.
void scores_in_double(const cpu::PanelAttention& a, int width, const EncodedPanel& encoded,
                      const EncodedPanel* unrotated, double share) {
    for (int key = a.begin; key < a.end; ++key)
        for (int lane = 0; lane < width; ++lane) {
            const int distance = a.first_query + lane - key;
            double score = encoded.score(lane, key, distance, width);
            if (unrotated) score = share * score + (1 - share) * unrotated->score(lane, key, distance, width);
            a.scores[(key - a.begin / group_rows * group_rows) * width + lane] = static_cast<float>(score);
        }
}

}  // namespace

EncodedPositions::EncodedPositions(const LoweredEncoding& lowered, int tokens) : lowered_(lowered) {
    if (!lowered_.rotates()) {
        waves_.emplace(tokens, lowered_.head_dim());
        const PairLayout layout = layout_of(lowered_);
        for (int token = 0; token < tokens; ++token)
            for (int pair = 0; pair < lowered_.pairs(); ++pair) {
                waves_->at(token, layout.first(pair)) =
                    static_cast<float>(wave_at(lowered_, lowered_.added_waves[2 * pair], token));
                waves_->at(token, layout.second(pair)) =
                    static_cast<float>(wave_at(lowered_, lowered_.added_waves[2 * pair + 1], token));
            }
        return;
    }
    turns_.push_back(turns_of(lowered_, lowered_.near.query, tokens));
    if (lowered_.near.query == lowered_.near.key && !lowered_.far) return;
    turns_.push_back(turns_of(lowered_, lowered_.near.key, tokens));
    if (!lowered_.far) return;
    turns_.push_back(turns_of(lowered_, lowered_.far->maps.query, tokens));
    turns_.push_back(turns_of(lowered_, lowered_.far->maps.key, tokens));
}

const Activations& EncodedPositions::turns(Side side, bool far) const {
    const std::size_t index = (far ? 2 : 0) + (side == Side::key ? 1 : 0);
    return turns_[std::min(index, turns_.size() - 1)];
}

void EncodedPositions::encode(int panel, const float* in, Side side, bool far, float* out) const {
    const int d = lowered_.head_dim();
    if (waves_) {
        const std::ptrdiff_t count = std::ptrdiff_t{d} * waves_->width();
        for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = in[i] + waves_->panel(panel)[i];
        return;
    }
    const Activations& turn = turns(side, far);
    const int width = turn.width();
    const PairLayout layout = layout_of(lowered_);
    for (int pair = 0; pair < lowered_.pairs(); ++pair) {
        const float *cosines = turn.row(panel, pair), *sines = turn.row(panel, lowered_.pairs() + pair);
        const float *x = in + layout.first(pair) * width, *y = in + layout.second(pair) * width;
        float *to_x = out + layout.first(pair) * width, *to_y = out + layout.second(pair) * width;
        for (int i = 0; i < width; ++i) {
            to_x[i] = x[i] * cosines[i] - y[i] * sines[i];
            to_y[i] = x[i] * sines[i] + y[i] * cosines[i];
        }
    }
}

namespace {

/// Sums over queries, from which a head's statistics follow.
struct StatisticSums {
    HeadStatistics sums;
    int queries = 0, with_previous = 0, with_induction = 0;

    void add(const StatisticSums& other) {
        sums.previous += other.sums.previous, sums.diagonal += other.sums.diagonal, sums.first += other.sums.first;
        sums.induction += other.sums.induction, sums.entropy += other.sums.entropy;
        queries += other.queries, with_previous += other.with_previous, with_induction += other.with_induction;
    }
    HeadStatistics means() const {
        const auto mean = [](double sum, int count) { return count > 0 ? sum / count : 0; };
        return {mean(sums.previous, with_previous), mean(sums.diagonal, queries), mean(sums.first, queries),
                mean(sums.induction, with_induction), mean(sums.entropy, queries)};
    }
};

/// The places of every token of a text.
std::map<int, std::vector<int>> places_of(const std::vector<int>& ids) {
    std::map<int, std::vector<int>> places;
    for (int i = 0; i < static_cast<int>(ids.size()); ++i) places[ids[static_cast<std::size_t>(i)]].push_back(i);
    return places;
}

/// What the tasks of one layer share.
struct LayerTask {
    const AttentionInputs& in;
    const std::vector<HeadPlan>& plans;
    // By key head, and for each encoding that its heads use.
    std::map<std::pair<int, const EncodedPositions*>, EncodedKeys> keys;
    std::vector<LargeArray<float>> values;
    std::map<int, std::vector<int>> places;  // by token

    /// Computes the weights of one panel's queries, and, with values, their mix; calls use(attention).
    template <class Use>
    void attend(int head, int panel, Activations* out, Use use) const {
        const HeadPlan& plan = plans[static_cast<std::size_t>(head)];
        const ModelConfig& config = in.config;
        const int d = config.head_dim, width = in.queries.width(), tokens = in.queries.tokens();
        const LoweredEncoding& lowered = plan.positions->lowered();
        const int key_head = config.key_head(head);
        const EncodedKeys& encoded = keys.at({key_head, plan.positions.get()});
        cpu::PanelAttention a{.head_dim = d, .tokens = tokens, .first_query = panel * width};
        a.end = std::min(tokens, (panel + 1) * width);
        if (in.window > 0) a.begin = std::max(0, panel * width - in.window + 1);
        const auto queries = large_array<float>(static_cast<std::size_t>(d) * width * 2);
        const float* const head_queries = in.queries.row(panel, std::int64_t{head} * d);
        for (const bool far : {false, true}) {
            if (far && !lowered.far) continue;
            float* const to = queries.get() + (far ? std::ptrdiff_t{d} * width : 0);
            plan.positions->encode(panel, head_queries, EncodedPositions::Side::query, far, to);
            silence(plan, lowered, width, to);
        }
        a.queries = queries.get(), a.keys = encoded.near.get();
        if (lowered.far) {
            a.far_queries = queries.get() + std::ptrdiff_t{d} * width, a.far_keys = encoded.far.get();
            a.far_tokens = static_cast<int>(std::min<std::int64_t>(lowered.far->window, tokens));
        }
        if (in.values) {
            a.values = values[static_cast<std::size_t>(key_head)].get();
            a.value_stride = std::ptrdiff_t{in.values->panels()} * width * group_rows;
        }
        a.scale = static_cast<float>(config.scale);
        a.bias_per_token = static_cast<float>(lowered.bias_slope);
        a.softcap = static_cast<float>(config.softcap), a.window = in.window;
        const auto scores = large_array<float>(static_cast<std::size_t>(a.end - a.begin + 2 * group_rows) * width);
        const auto mixed = large_array<float>(static_cast<std::size_t>(d + group_rows) * width);
        a.scores = scores.get(), a.out = mixed.get();
        const EncodedPanel encoded_panel{lowered, a.queries, a.keys, a.far_queries, a.far_keys};
        if (plan.unrotated) {
            const auto plain = large_array<float>(static_cast<std::size_t>(d) * width);
            plan.unrotated->encode(panel, head_queries, EncodedPositions::Side::query, false, plain.get());
            silence(plan, plan.unrotated->lowered(), width, plain.get());
            const EncodedPanel unrotated{plan.unrotated->lowered(), plain.get(),
                                         keys.at({key_head, plan.unrotated.get()}).near.get()};
            scores_in_double(a, width, encoded_panel, &unrotated, plan.encoded_share);
            a.has_scores = true;
            a.bias_per_token *= static_cast<float>(plan.encoded_share);
        } else if (!lowered.damping.empty()) {
            scores_in_double(a, width, encoded_panel, nullptr, 1);
            a.has_scores = true;
        }
        std::vector<double> sums(static_cast<std::size_t>(width)), entropies(sums);
        a.sums = sums.data(), a.entropies = entropies.data();
        cpu::attend(a);
        if (out) std::copy_n(mixed.get(), std::ptrdiff_t{d} * width, out->row(panel, std::int64_t{head} * d));
        use(a);
    }

    static double weight_of(const cpu::PanelAttention& a, int key, int lane, int width) {
        const std::ptrdiff_t row = key - a.begin / group_rows * group_rows;
        return static_cast<double>(a.scores[row * width + lane]) / a.sums[lane];
    }

    StatisticSums statistics_of(const cpu::PanelAttention& a, int width) const {
        StatisticSums all;
        for (int lane = 0; lane < width && a.first_query + lane < a.tokens; ++lane) {
            const int query = a.first_query + lane;
            const auto weight = [&](int key) {
                return key < a.begin || key > query ? 0 : weight_of(a, key, lane, width);
            };
            all.queries += 1, all.with_previous += query > 0 ? 1 : 0;
            all.sums.diagonal += weight(query), all.sums.first += weight(0);
            all.sums.previous += query > 0 ? weight(query - 1) : 0;
            all.sums.entropy += a.entropies[lane];
            const std::vector<int>& places_of_token = places.at(in.token_ids[static_cast<std::size_t>(query)]);
            all.with_induction += places_of_token.front() < query ? 1 : 0;
            auto place = std::lower_bound(places_of_token.begin(), places_of_token.end(), a.begin - 1);
            for (; *place < query; ++place) all.sums.induction += weight(*place + 1);
        }
        return all;
    }

    /// Removes pairs from encoded queries, and so from all scores.
    static void silence(const HeadPlan& plan, const LoweredEncoding& lowered, int width, float* queries) {
        const PairLayout layout = layout_of(lowered);
        for (int pair = 0; pair < static_cast<int>(plan.silent_pairs.size()); ++pair)
            if (plan.silent_pairs[static_cast<std::size_t>(pair)])
                for (const int channel : {layout.first(pair), layout.second(pair)})
                    std::fill_n(queries + channel * width, width, 0.0f);
    }
};

}  // namespace

namespace {

/// Returns the task with its keys and values prepared.
LayerTask prepared(const AttentionInputs& inputs, const std::vector<HeadPlan>& plans, const Cancel& cancel) {
    LayerTask task{inputs, plans, {}, {}, places_of(inputs.token_ids)};
    for (int head = 0; head < inputs.config.heads; ++head) {
        const HeadPlan& plan = plans[static_cast<std::size_t>(head)];
        for (const EncodedPositions* positions : {plan.positions.get(), plan.unrotated.get()})
            if (positions) task.keys[{inputs.config.key_head(head), positions}];
    }
    std::vector<std::pair<int, const EncodedPositions*>> wanted;
    for (const auto& [key, unused] : task.keys) wanted.push_back(key);
    for_each_in_order(static_cast<int>(wanted.size()), [&](int i) {
        cancel.check();
        const auto& [key_head, positions] = wanted[static_cast<std::size_t>(i)];
        task.keys.at(wanted[static_cast<std::size_t>(i)]) = encode_keys(inputs, key_head, *positions);
    });
    if (!inputs.values) return task;
    task.values.resize(static_cast<std::size_t>(inputs.config.key_heads));
    for_each_in_order(inputs.config.key_heads, [&](int key_head) {
        cancel.check();
        task.values[static_cast<std::size_t>(key_head)] = grouped_values(inputs, key_head);
    });
    return task;
}

}  // namespace

Activations attend(const AttentionInputs& inputs, const std::vector<HeadPlan>& plans,
                   std::vector<HeadStatistics>& statistics, const Cancel& cancel) {
    const LayerTask task = prepared(inputs, plans, cancel);
    Activations out(inputs.queries.tokens(), inputs.queries.channels());
    const int panels = out.panels(), heads = inputs.config.heads;
    std::vector<StatisticSums> sums(static_cast<std::size_t>(heads) * panels);
    for_each_in_order(heads * panels, [&](int at) {
        cancel.check();
        const int head = at % heads, panel = panels - 1 - at / heads;  // the longest rows first
        if (plans[static_cast<std::size_t>(head)].is_silent) return;
        task.attend(head, panel, &out, [&](const cpu::PanelAttention& a) {
            sums[static_cast<std::size_t>(head) * panels + panel] = task.statistics_of(a, out.width());
        });
    });
    statistics.clear();
    for (int head = 0; head < heads; ++head) {
        StatisticSums all;
        for (int panel = 0; panel < panels; ++panel) all.add(sums[static_cast<std::size_t>(head) * panels + panel]);
        statistics.push_back(all.means());
    }
    return out;
}

std::vector<std::vector<float>> pooled_weights(const AttentionInputs& inputs, const std::vector<HeadPlan>& plans,
                                               int cells, const Cancel& cancel) {
    const LayerTask task = prepared(inputs, plans, cancel);
    const int tokens = inputs.queries.tokens(), width = inputs.queries.width();
    std::vector<std::vector<float>> pictures(static_cast<std::size_t>(inputs.config.heads));
    const auto cell_of = [&](int token) { return static_cast<int>(std::int64_t{token} * cells / tokens); };
    for_each_in_order(inputs.config.heads, [&](int head) {
        std::vector<double> sums(static_cast<std::size_t>(cells) * cells);
        for (int panel = 0; panel < inputs.queries.panels(); ++panel) {
            cancel.check();
            task.attend(head, panel, nullptr, [&](const cpu::PanelAttention& a) {
                for (int key = a.begin; key < a.end; ++key)
                    for (int lane = 0; lane < width && a.first_query + lane < tokens; ++lane)
                        sums[static_cast<std::size_t>(cell_of(a.first_query + lane)) * cells + cell_of(key)] +=
                            LayerTask::weight_of(a, key, lane, width);
            });
        }
        std::vector<double> in_cell(static_cast<std::size_t>(cells));
        for (int token = 0; token < tokens; ++token) in_cell[static_cast<std::size_t>(cell_of(token))] += 1;
        std::vector<float>& picture = pictures[static_cast<std::size_t>(head)];
        for (int cell = 0; cell < cells * cells; ++cell)
            picture.push_back(static_cast<float>(
                sums[static_cast<std::size_t>(cell)] /
                (in_cell[static_cast<std::size_t>(cell / cells)] * in_cell[static_cast<std::size_t>(cell % cells)])));
    });
    return pictures;
}

}  // namespace ropewalk
