// Queries and keys as row sources that can be read for any range of tokens, so that no array of size [seq_len,
// head_dim] is needed.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/numbers/random.h"

namespace ropewalk {

/// How one Gaussian row is drawn: mean + deviation · N(0, 1), as `fill_gaussian` draws it in sample 0.
struct DrawnRow {
    RandomStream stream = RandomStream::query;
    double deviation = 1;
    std::vector<double> mean{};  // [head_dim]; empty: 0
    std::optional<int> token{};  // token whose random numbers are used; empty: the row's own token
};
struct DrawnRows {
    std::int64_t seed = 0;
    std::vector<DrawnRow> in_turn;      // token i uses element i modulo the size
    std::optional<DrawnRow> of_last{};  // replaces it for `last_token`
    int last_token = 0;                 // used with `of_last` only
    int silent_channels = 0;            // this many leading channels are 0 in all rows

    /// Writes the row of `token` to `row` [head_dim].
    void read(int token, std::span<double> row) const {
        const bool is_last = of_last && token == last_token;
        const DrawnRow& drawn = is_last ? *of_last : in_turn[static_cast<std::size_t>(token) % in_turn.size()];
        fill_gaussian(
            {.seed = seed, .stream = drawn.stream, .token = static_cast<std::uint32_t>(drawn.token.value_or(token))},
            row);
        for (std::size_t channel = 0; channel < row.size(); ++channel) {
            row[channel] *= drawn.deviation;
            if (!drawn.mean.empty()) row[channel] += drawn.mean[channel];
            if (static_cast<int>(channel) < silent_channels) row[channel] = 0;
        }
    }
};

/// Rows of [head_dim] doubles in pair order: entries 2t and 2t+1 are the two channels of pair t, for either pairing
/// (see `PairLayout`). Thread-safe if the given function is pure.
class RowSource {
  public:
    using Fill = std::function<void(int token, std::span<double> row)>;

    RowSource() = default;
    /// Returns a source with the same row at every token: `factor` times `direction` [head_dim].
    static RowSource constant(std::vector<double> direction, double factor = 1) {
        RowSource source;
        source.direction_ = direction;
        source.factor_ = factor;
        source.constant_ = std::move(direction);
        for (double& entry : source.constant_) entry *= factor;
        return source;
    }
    /// Returns a source whose rows are written by `fill(token, row)`.
    static RowSource of(Fill fill) {
        RowSource source;
        source.fill_ = std::make_shared<const Fill>(std::move(fill));
        return source;
    }

    static RowSource of(DrawnRows drawn) {
        const auto shared = std::make_shared<const DrawnRows>(std::move(drawn));
        RowSource source = of([shared](int token, std::span<double> row) { shared->read(token, row); });
        source.drawn_ = shared;
        return source;
    }

    /// Returns whether the rows are known to be equal: equal constants, or copies of one source.
    bool operator==(const RowSource&) const = default;

    bool is_constant() const { return !constant_.empty(); }
    /// Returns the row [head_dim] of a constant source; empty for others.
    std::span<const double> constant_row() const { return constant_; }
    /// Returns factor and direction, whose product is the row of a constant source. What is linear in the row can be
    /// reused when only the factor changes. Other sources return 1 and themselves.
    double factor() const { return factor_; }
    RowSource direction() const { return is_constant() ? constant(direction_) : *this; }

    /// Returns how the rows are drawn; null if they are not known to be random draws.
    const DrawnRows* drawn() const { return drawn_.get(); }

    /// Writes the row of `token` to `row` [head_dim].
    void read(int token, std::span<double> row) const {
        if (is_constant())
            std::copy(constant_.begin(), constant_.end(), row.begin());
        else
            (*fill_)(token, row);
    }
    std::vector<double> row(int token, int head_dim) const {
        std::vector<double> row(static_cast<std::size_t>(head_dim));
        read(token, row);
        return row;
    }

  private:
    std::vector<double> direction_, constant_;
    double factor_ = 1;
    std::shared_ptr<const Fill> fill_;
    std::shared_ptr<const DrawnRows> drawn_;
};

/// What one sample consists of. pair: a query and a key. margin: a query and the difference of two keys; its curve is
/// the difference of their scores, because whatever an encoding adds to keys or logits cancels. match: a query and the
/// one key it should find.
enum class SampleOf { pair, margin, match };

/// The unrotated queries and keys of one head.
struct HeadInputs {
    RowSource q, k;

    /// Draws one independent (q, k) for statistics over samples: `sample(s, q, k)` with s in [0, samples), from any
    /// thread.
    int samples = 0;
    std::function<void(int sample, std::span<double> q, std::span<double> k)> sample;

    /// What one sample consists of.
    SampleOf sample_of = SampleOf::pair;

    /// The expected product of a sample's q and k in each channel, if it is known and products of different channels
    /// have mean 0.
    std::optional<double> expected_product;

    /// First distance of the decay curve: 1 if a query's own key is not part of the pattern.
    int first_distance = 0;

    /// Names of the first tokens, such as words or "BOS"; empty if tokens have none.
    std::vector<std::string> labels;

    /// Returns whether all queries are equal and all keys are equal. With a relative encoding, scores then depend on
    /// the distance alone.
    bool is_constant() const { return q.is_constant() && k.is_constant(); }
};

}  // namespace ropewalk
