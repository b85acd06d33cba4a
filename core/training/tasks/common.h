// What all tasks share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fields/fields.h"
#include "core/numbers/random.h"
#include "core/training/tasks/task.h"

namespace ropewalk {

/// What a task may say beyond its fields; each task derives from it and redefines what it needs.
struct TaskDefaults {
    /// Whether its sequences are texts, each token of which is to be predicted from those before.
    static constexpr bool is_text = false;
    /// Returns a sentence if the task rejects the shape.
    std::optional<std::string> check(const TaskShape&) const { return std::nullopt; }
    /// Returns what figures show for a token.
    std::string token_name(int /*vocabulary*/, int token) const { return std::to_string(token); }

    bool operator==(const TaskDefaults&) const = default;
};

/// Returns a uniform number of 0 … bound − 1.
inline int draw_below(UniformNumbers& numbers, int bound) {
    return static_cast<int>(numbers.below(static_cast<std::uint32_t>(bound)));
}

/// Returns `count` different numbers of first … first + of − 1 in random order, uniformly among all such lists.
inline std::vector<int> draw_distinct(UniformNumbers& numbers, int count, int first, int of) {
    std::vector<int> all(static_cast<std::size_t>(of));
    std::iota(all.begin(), all.end(), first);
    for (int i = 0; i < count; ++i) std::swap(all[i], all[i + draw_below(numbers, of - i)]);
    all.resize(static_cast<std::size_t>(count));
    return all;
}

/// Returns a sentence if there are fewer tokens than the task needs.
inline std::optional<std::string> check_vocabulary(const TaskShape& shape, int needed, const char* what_for) {
    if (shape.vocabulary >= needed) return std::nullopt;
    return fmt::format("vocabulary is {}; it must be at least {} for {}", shape.vocabulary, needed, what_for);
}

inline constexpr Field distance_field{.name = "distance",
                                      .label = "Distance r",
                                      .unit = "tokens",
                                      .min = 0,
                                      .max = 4095,
                                      .slider_max = 63,
                                      .help = "How many tokens back the answer is."};

/// Returns a sentence if no token has an answer that far back.
inline std::optional<std::string> check_distance(int distance, int min, const TaskShape& shape) {
    if (distance < shape.context) return std::nullopt;
    return fmt::format("task.distance is {}; with context = {} it must be from {} to {}", distance, shape.context, min,
                       shape.context - 1);
}

}  // namespace ropewalk
