// What logits follow from, to know whether those of an earlier call still hold.
#pragma once

#include "core/attention.h"

namespace ropewalk::cpu {

struct LogitOrigin {
    RowSource q, k;
    Lowered lowered;
    Positions positions;
    Mask mask = Mask::causal;
    int seq_len = 0;
    double scale = 0, temperature = 0;

    static LogitOrigin of(const Problem& problem) {
        return {problem.inputs.q, problem.inputs.k, problem.lowered, problem.positions,
                problem.mask,     problem.seq_len,  problem.scale,   problem.temperature};
    }
    bool operator==(const LogitOrigin&) const = default;
};

}  // namespace ropewalk::cpu
