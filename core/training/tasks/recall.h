// A task for semantic heads: find an earlier pair of key and value by its key (associative recall: Olsson et al. 2022,
// arXiv:2209.11895; Arora et al. 2023, arXiv:2312.04927).
#pragma once

#include "core/training/tasks/common.h"

namespace ropewalk {

struct Recall : TaskDefaults {
    static constexpr auto id = "recall", title = "Recall",
                          source = "Arora et al. 2023, arXiv:2312.04927 (associative recall)";
    static constexpr auto summary =
        "Key, value, key, value …; at a key that occurred before, the model names its value.";

    bool operator==(const Recall&) const = default;

    static void fields(auto&, auto&&) {}

    std::optional<std::string> check(const TaskShape& shape) const {
        if (auto sentence = check_vocabulary(shape, 4, "two keys and two values")) return sentence;
        if (shape.context >= 3) return std::nullopt;
        return fmt::format("context is {}; it must be at least 3 for a key to occur again", shape.context);
    }
    double chance(const TaskShape& shape) const { return 1.0 / (shape.vocabulary - keys(shape.vocabulary)); }

    std::string token_name(int vocabulary, int token) const {
        return token < keys(vocabulary) ? fmt::format("k{}", token) : fmt::format("v{}", token - keys(vocabulary));
    }

    /// Every sequence has a one-to-one map of its own from keys to values.
    void write(const TaskShape& shape, TaskPart, UniformNumbers& numbers, const TaskSequence& sequence) const {
        const int count = keys(shape.vocabulary);
        const std::vector<int> value_of = draw_distinct(numbers, count, count, shape.vocabulary - count);
        std::vector<bool> was_seen(static_cast<std::size_t>(count), false);
        for (int i = 0; i < sequence.length(); i += 2) {
            const int key = draw_below(numbers, count);
            sequence.tokens[i] = key;
            sequence.targets[i] = was_seen[key] ? value_of[key] : no_target;
            was_seen[key] = true;
            if (i + 1 == sequence.length()) break;
            sequence.tokens[i + 1] = value_of[key];
            sequence.targets[i + 1] = no_target;
        }
    }

  private:
    static int keys(int vocabulary) { return vocabulary / 2; }
};

}  // namespace ropewalk
