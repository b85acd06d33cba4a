// A task for positional heads: name the token r back (Barbero et al. 2024, arXiv:2410.06205, Thm 5.3 and Prop. 5.2).
#pragma once

#include "core/training/tasks/common.h"

namespace ropewalk {

struct Back : TaskDefaults {
    static constexpr auto id = "back", title = "Look back",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Thm 5.3 and Prop. 5.2";
    static constexpr auto summary =
        "The tokens are random; at each one, the model must name the token r positions back.";
    int distance = 1;

    bool operator==(const Back&) const = default;

    static void fields(auto& s, auto&& f) { f(distance_field, s.distance); }

    std::optional<std::string> check(const TaskShape& shape) const { return check_distance(distance, 0, shape); }
    double chance(const TaskShape& shape) const { return distance == 0 ? 1 : 1.0 / shape.vocabulary; }

    void write(const TaskShape& shape, TaskPart, UniformNumbers& numbers, const TaskSequence& sequence) const {
        for (int i = 0; i < sequence.length(); ++i) {
            sequence.tokens[i] = draw_below(numbers, shape.vocabulary);
            sequence.targets[i] = i < distance ? no_target : sequence.tokens[i - distance];
        }
    }
};

}  // namespace ropewalk
