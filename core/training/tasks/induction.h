// A task for two layers: continue a passage that was seen before (Olsson et al. 2022, arXiv:2209.11895).
#pragma once

#include "core/training/tasks/common.h"

namespace ropewalk {

struct Induction : TaskDefaults {
    static constexpr auto id = "induction", title = "Induction", source = "Olsson et al. 2022, arXiv:2209.11895";
    static constexpr auto summary =
        "Different tokens, then the same tokens again, starting at a random one; the model continues them.";

    bool operator==(const Induction&) const = default;

    static void fields(auto&, auto&&) {}

    std::optional<std::string> check(const TaskShape& shape) const {
        if (shape.context < 4)
            return fmt::format("context is {}; it must be at least 4 to repeat tokens", shape.context);
        return check_vocabulary(shape, shape.context / 2, "half of the context without a repetition");
    }
    double chance(const TaskShape& shape) const { return 1.0 / (shape.vocabulary - 1); }

    /// As many different tokens as half of the training length. The distance between two occurrences differs from
    /// sequence to sequence, so that it cannot be learned; in longer sequences the tokens are repeated more than once.
    /// What follows the last different token is not asked for: nothing before it says so.
    void write(const TaskShape& shape, TaskPart, UniformNumbers& numbers, const TaskSequence& sequence) const {
        const int count = std::max(1, std::min(sequence.length(), shape.context) / 2);
        const std::vector<int> passage = draw_distinct(numbers, count, 0, shape.vocabulary);
        const int start = draw_below(numbers, count);
        for (int i = 0; i < sequence.length(); ++i) {
            const int at = i < count ? i : (start + i - count) % count;
            sequence.tokens[i] = passage[at];
            sequence.targets[i] = i < count || at + 1 == count ? no_target : passage[at + 1];
        }
    }
};

}  // namespace ropewalk
