// The loss of a network once more, in long double and in the plainest way: one token, one pair, one number at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/encodings/lowered_encoding.h"
#include "core/training/network/parameter_list.h"

namespace ropewalk::training_test {

using Real = long double;
using Row = std::vector<Real>;

class PlainNetwork {
  public:
    PlainNetwork(NetworkShape shape, LoweredEncoding lowered) : shape_(std::move(shape)), lowered_(std::move(lowered)) {
        for (const ParameterTensor& tensor : parameter_list(shape_)) tensors_.emplace(tensor.name, tensor);
    }

    /// Returns Σ −ln p(target) over the scored targets of one sequence.
    Real loss(const std::vector<Real>& parameters, const std::vector<int>& tokens, const std::vector<int>& targets) {
        parameters_ = &parameters;
        std::vector<Row> x;
        for (const int token : tokens) x.push_back(row("model.embed_tokens.weight", token));
        for (int layer = 0; layer < shape_.layers; ++layer) {
            const std::string at = "model.layers." + std::to_string(layer) + ".";
            add(x, attention(layer, normed(x, at + "input_layernorm.weight")));
            if (shape_.feed_forward == 0) continue;
            for (Row& token : x) {
                const Row y = norm(token, at + "post_attention_layernorm.weight");
                const Row gate = linear(at + "mlp.gate_proj.weight", y), up = linear(at + "mlp.up_proj.weight", y);
                Row hidden;
                for (std::size_t i = 0; i < gate.size(); ++i)
                    hidden.push_back(gate[i] / (1 + std::exp(-gate[i])) * up[i]);
                const Row out = linear(at + "mlp.down_proj.weight", hidden);
                for (std::size_t i = 0; i < out.size(); ++i) token[i] += out[i];
            }
        }
        Real sum = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (targets[i] < 0) continue;
            const Row logits = linear("lm_head.weight", norm(x[i], "model.norm.weight"));
            Real all = 0;
            for (const Real logit : logits) all += std::exp(logit);
            sum += std::log(all) - logits[static_cast<std::size_t>(targets[i])];
        }
        return sum;
    }

  private:
    const Real* numbers(const std::string& name) const { return parameters_->data() + tensors_.at(name).offset; }
    Row row(const std::string& name, int r) const {
        const int columns = tensors_.at(name).columns();
        const Real* const from = numbers(name) + std::ptrdiff_t{r} * columns;
        return Row(from, from + columns);
    }
    Row linear(const std::string& name, const Row& x) const {
        Row y;
        for (int r = 0; r < tensors_.at(name).rows(); ++r) {
            const Row weights = row(name, r);
            Real sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += weights[i] * x[i];
            y.push_back(sum);
        }
        return y;
    }
    Row norm(const Row& x, const std::string& name) const {
        Real squares = 0;
        for (const Real number : x) squares += number * number;
        const Real length = std::sqrt(squares / static_cast<Real>(x.size()) + 1e-6L);
        Row y;
        for (std::size_t i = 0; i < x.size(); ++i) y.push_back(x[i] / length * numbers(name)[i]);
        return y;
    }
    std::vector<Row> normed(const std::vector<Row>& x, const std::string& name) const {
        std::vector<Row> y;
        for (const Row& token : x) y.push_back(norm(token, name));
        return y;
    }
    static void add(std::vector<Row>& x, const std::vector<Row>& y) {
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] += y[i][c];
    }

    /// The position by which a token rotates.
    Real mapped(const PositionMap& map, int token) const {
        const Real position = lowered_.positions ? static_cast<Real>(lowered_.positions[token]) : token;
        return std::floor(position / map.group) + map.offset;
    }
    /// The logit of query i and key j with this head's channels, with the encoding or without.
    Real logit(const Row& q, const Row& k, int i, int j, bool encoded) const {
        const int d = shape_.head_dim, rotary = lowered_.rotary_dim;
        Real score = 0;
        for (int pair = 0; pair < d / 2; ++pair) {
            const bool rotates = pair < rotary / 2;
            const int first = rotates ? pair : rotary + pair - rotary / 2;
            const int second = first + (rotates ? rotary / 2 : (d - rotary) / 2);
            Real q0 = q[first], q1 = q[second], k0 = k[first], k1 = k[second], angle = 0, factor = 1;
            if (encoded && !lowered_.added_waves.empty()) {
                const auto wave = [&](int number, int token) {
                    const Real turned = lowered_.inv_freq[number / 2] * token;
                    return number % 2 == 0 ? std::sin(turned) : std::cos(turned);
                };
                q0 += wave(lowered_.added_waves[2 * pair], i), q1 += wave(lowered_.added_waves[2 * pair + 1], i);
                k0 += wave(lowered_.added_waves[2 * pair], j), k1 += wave(lowered_.added_waves[2 * pair + 1], j);
            } else if (encoded) {
                const bool far = lowered_.far && i - j >= lowered_.far->window;
                const Regime& maps = far ? lowered_.far->maps : lowered_.near;
                angle = (mapped(maps.query, i) - mapped(maps.key, j)) * lowered_.inv_freq[pair];
                if (rotates) factor = static_cast<Real>(lowered_.attention_scaling) * lowered_.attention_scaling;
                if (!lowered_.damping.empty()) factor *= std::exp(-lowered_.damping[pair] * (i - j));
            }
            score += factor * ((q0 * k0 + q1 * k1) * std::cos(angle) + (q0 * k1 - q1 * k0) * std::sin(angle));
        }
        return score / std::sqrt(static_cast<Real>(d)) -
               (encoded ? static_cast<Real>(lowered_.bias_slope) * (i - j) : 0);
    }

    std::vector<Row> attention(int layer, const std::vector<Row>& y) const {
        const std::string at = "model.layers." + std::to_string(layer) + ".self_attn.";
        std::vector<Row> queries, keys, values, mixed;
        for (const Row& token : y) {
            queries.push_back(linear(at + "q_proj.weight", token));
            keys.push_back(linear(at + "k_proj.weight", token));
            values.push_back(linear(at + "v_proj.weight", token));
            mixed.emplace_back(queries.back().size());
        }
        const int d = shape_.head_dim, tokens = static_cast<int>(y.size());
        for (int head = 0; head < shape_.heads; ++head) {
            const HeadKind kind = shape_.kind(layer, head);
            Real share = kind == HeadKind::encoded ? 1 : 0;
            if (kind == HeadKind::gated) share = 1 / (1 + std::exp(-numbers(at + "rope_gate")[head]));
            const auto part = [&](const Row& all) {
                return Row(all.begin() + std::ptrdiff_t{head} * d, all.begin() + std::ptrdiff_t{head + 1} * d);
            };
            for (int i = 0; i < tokens; ++i) {
                Row weights;
                Real sum = 0;
                for (int j = 0; j <= i; ++j) {
                    const Row q = part(queries[i]), k = part(keys[j]);
                    const Real both = share * logit(q, k, i, j, true) + (1 - share) * logit(q, k, i, j, false);
                    weights.push_back(std::exp(both));
                    sum += weights.back();
                }
                for (int j = 0; j <= i; ++j)
                    for (int c = 0; c < d; ++c) mixed[i][head * d + c] += weights[j] / sum * values[j][head * d + c];
            }
        }
        std::vector<Row> out;
        for (const Row& token : mixed) out.push_back(linear(at + "o_proj.weight", token));
        return out;
    }

    NetworkShape shape_;
    LoweredEncoding lowered_;
    std::map<std::string, ParameterTensor> tensors_;
    const std::vector<Real>* parameters_ = nullptr;
};

}  // namespace ropewalk::training_test
