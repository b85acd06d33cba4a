// Where queries and keys come from: a source of rows that can be asked for any range of tokens, so that nothing of size
// [seq_len, head_dim] need exist.
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

/// Gaussian rows by what they are drawn for: mean + deviation · N(0, 1), as `fill_gaussian` draws it in sample 0.
struct DrawnRow {
    RandomStream stream = RandomStream::query;
    double deviation = 1;
    std::vector<double> mean{};  // [head_dim]; empty: 0
    std::optional<int> token{};  // drawn for; empty: for its own
};
struct DrawnRows {
    std::int64_t seed = 0;
    std::vector<DrawnRow> in_turn;      // token i has the one numbered i modulo their number,
    std::optional<DrawnRow> of_last{};  // but for the last, if it has one of its own,
    int last_token = 0;                 // which is this
    int silent_channels = 0;            // the first so many are 0 in all rows

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

/// Rows of [head_dim] doubles in pair order: entries 2t and 2t+1 are the two channels of pair t, whatever the pairing
/// of the experiment (see `PairLayout`). Thread-safe: the function given must be pure.
class RowSource {
  public:
    using Fill = std::function<void(int token, std::span<double> row)>;

    RowSource() = default;
    /// The same row at every token: `factor` times a direction.
    static RowSource constant(std::vector<double> direction, double factor = 1) {
        RowSource source;
        source.direction_ = direction;
        source.factor_ = factor;
        source.constant_ = std::move(direction);
        for (double& entry : source.constant_) entry *= factor;
        return source;
    }
    /// `fill(token, row)` writes one row.
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

    /// Whether the rows are known to be the same: of one constant, or of copies of one source.
    bool operator==(const RowSource&) const = default;

    bool is_constant() const { return !constant_.empty(); }
    /// [head_dim]; only of a constant source.
    std::span<const double> constant_row() const { return constant_; }
    /// A constant source is so many times its direction: what is linear in it need not be made anew when the factor
    /// alone moves. 1, and the source itself, of others.
    double factor() const { return factor_; }
    RowSource direction() const { return is_constant() ? constant(direction_) : *this; }

    /// What its rows are drawn for; null if they are not known to be drawn.
    const DrawnRows* drawn() const { return drawn_.get(); }

    /// Writes the row of `token` to `row` [head_dim].
    void read(int token, std::span<double> row) const {
        if (is_constant())
            std::copy(constant_.begin(), constant_.end(), row.begin());
        else
            (*fill_)(token, row);
    }

  private:
    std::vector<double> direction_, constant_;
    double factor_ = 1;
    std::shared_ptr<const Fill> fill_;
    std::shared_ptr<const DrawnRows> drawn_;
};

/// A query and a key; a query and the difference of two keys, so that its curve is what the key adds to one of zeros,
/// whatever an encoding adds to keys or to the logit; the query and the one key that it is to find.
enum class SampleOf { pair, margin, match };

/// The unrotated queries and keys of one head.
struct HeadInputs {
    RowSource q, k;

    /// Independent draws of one (q, k) each, for statistics over samples: `sample(s, q, k)` for s in [0, samples),
    /// from any thread.
    int samples = 0;
    std::function<void(int sample, std::span<double> q, std::span<double> k)> sample;

    /// What a sample's curve is of.
    SampleOf sample_of = SampleOf::pair;

    /// The decay curve starts here: 1 where the query's own key is not part of the pattern.
    int first_distance = 0;

    /// Names of the first tokens, as many as have one: words, "BOS". Empty where tokens have none.
    std::vector<std::string> labels;

    /// With constant queries and keys and a relative encoding, scores depend on the distance alone.
    bool is_constant() const { return q.is_constant() && k.is_constant(); }
};

}  // namespace ropewalk
