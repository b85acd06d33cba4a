// What logits follow from, to know whether those of an earlier call still hold.
#pragma once

#include <array>
#include <utility>

#include "core/attention/attention.h"

namespace ropewalk::cpu {

struct ScoreOrigin {
    RowSource q, k;
    LoweredEncoding lowered;
    Positions positions;
    Mask mask = Mask::causal;
    int seq_len = 0;

    static ScoreOrigin of(const Problem& problem) {
        return {problem.inputs.q, problem.inputs.k, problem.lowered, problem.positions, problem.mask, problem.seq_len};
    }
    /// Of the scores of constant queries and keys, but for their factors.
    static ScoreOrigin of_directions(const Problem& problem) {
        ScoreOrigin origin = of(problem);
        origin.q = origin.q.direction(), origin.k = origin.k.direction();
        return origin;
    }
    bool operator==(const ScoreOrigin&) const = default;
};

struct LogitOrigin {
    ScoreOrigin scores;
    double scale = 0, temperature = 0;

    static LogitOrigin of(const Problem& problem) {
        return {ScoreOrigin::of(problem), problem.scale, problem.temperature};
    }
    bool operator==(const LogitOrigin&) const = default;
};

/// What is kept of two heads, or of the weights and the scores of one. `Kept` has an `origin`, of scores or logits.
template <class Kept>
class LastTwo {
  public:
    /// What is kept of these scores, or else what was asked for longest ago, to be made anew.
    Kept& of(const ScoreOrigin& scores) {
        if (!(scores_of(kept_[0].origin) == scores)) std::swap(kept_[0], kept_[1]);
        return kept_[0];
    }

    /// Than what was asked for last.
    void forget_other() { kept_[1] = {}; }

  private:
    static const ScoreOrigin& scores_of(const ScoreOrigin& origin) { return origin; }
    static const ScoreOrigin& scores_of(const LogitOrigin& origin) { return origin.scores; }

    std::array<Kept, 2> kept_;
};

}  // namespace ropewalk::cpu
