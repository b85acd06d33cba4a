// The inputs that logits depend on, to decide whether those of an earlier call can be reused.
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
    int window = 0;
    int seq_len = 0;

    static ScoreOrigin of(const Problem& problem) {
        return {problem.inputs.q, problem.inputs.k, problem.lowered, problem.positions,
                problem.mask,     problem.window,   problem.seq_len};
    }
    /// Returns the origin for the directions of constant queries and keys, without their factors.
    static ScoreOrigin of_directions(const Problem& problem) {
        ScoreOrigin origin = of(problem);
        origin.q = origin.q.direction(), origin.k = origin.k.direction();
        return origin;
    }
    bool operator==(const ScoreOrigin&) const = default;
};

struct LogitOrigin {
    ScoreOrigin scores;
    double scale = 0, softcap = 0, temperature = 0;

    static LogitOrigin of(const Problem& problem) {
        return {ScoreOrigin::of(problem), problem.scale, problem.softcap, problem.temperature};
    }
    bool operator==(const LogitOrigin&) const = default;
};

/// Cached data of two heads, or of the weights and the scores of one. `Cached` has an `origin`, of scores or logits.
template <class Cached>
class LastTwo {
  public:
    /// Returns the entry of these scores, or else the least recently used entry, which the caller has to fill again.
    Cached& of(const ScoreOrigin& scores) {
        if (!(scores_of(cached_[0].origin) == scores)) std::swap(cached_[0], cached_[1]);
        return cached_[0];
    }

    /// Clears the entry that was not returned last.
    void forget_other() { cached_[1] = {}; }

  private:
    static const ScoreOrigin& scores_of(const ScoreOrigin& origin) { return origin; }
    static const ScoreOrigin& scores_of(const LogitOrigin& origin) { return origin.scores; }

    std::array<Cached, 2> cached_;
};

}  // namespace ropewalk::cpu
