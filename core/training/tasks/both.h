// A task that asks by position and by content, so that it needs fast pairs and pairs that hardly rotate (Barbero et al.
// 2024, arXiv:2410.06205, Table 1, learned).
#pragma once

#include "core/training/tasks/common.h"

namespace ropewalk {

struct Both : TaskDefaults {
    static constexpr auto id = "both", title = "Position and content",
                          source = "Barbero et al. 2024, arXiv:2410.06205, section 6.1 and Table 1, as a task";
    static constexpr auto summary =
        "Facts such as k2=v3 between queries; half of the queries ask for the token r positions back, half for the "
        "fact about a key.";
    int distance = 1;

    bool operator==(const Both&) const = default;

    static void fields(auto& s, auto&& f) {
        Field distance = distance_field;
        distance.min = 1;
        distance.help = "How many tokens back the answer to a query by position is.";
        f(distance, s.distance);
    }

    std::optional<std::string> check(const TaskShape& shape) const {
        if (auto sentence = check_vocabulary(shape, 7, "two keys with two values and the queries")) return sentence;
        return check_distance(distance, 1, shape);
    }
    /// A query by position names no key, a query by content does.
    double chance(const TaskShape& shape) const {
        const int n = keys(shape.vocabulary), first = std::min(distance, shape.context - distance),
                  rest = std::max(shape.context - 2 * distance, 0);
        const double by_position = (first + rest / 2.0) / (first + rest);
        return by_position / (n * n) + (1 - by_position) / n;
    }

    std::string token_name(int vocabulary, int token) const {
        const int n = keys(vocabulary);
        if (token < n * n) return fmt::format("k{}=v{}", token / n, token % n);
        if (token < n * n + n) return fmt::format("k{}?", token - n * n);
        return token == n * n + n ? fmt::format("{} back?", distance) : std::to_string(token);
    }

    /// From token r on, every second token is a query on average: by position if the token r back is a fact, otherwise
    /// by content, for a key that occurred before. Every sequence has its own map from keys to values.
    void write(const TaskShape& shape, TaskPart, UniformNumbers& numbers, const TaskSequence& sequence) const {
        const int n = keys(shape.vocabulary);
        std::vector<int> fact_of, seen;
        for (int key = 0; key < n; ++key) fact_of.push_back(key * n + draw_below(numbers, n));
        for (int i = 0; i < sequence.length(); ++i) {
            int &token = sequence.tokens[i], &target = sequence.targets[i];
            if (i < distance || draw_below(numbers, 2) == 0) {
                const int key = draw_below(numbers, n);
                token = fact_of[key];
                target = no_target;
                if (std::find(seen.begin(), seen.end(), key) == seen.end()) seen.push_back(key);
            } else if (const int back = sequence.tokens[i - distance]; back < n * n) {
                token = n * n + n;
                target = back;
            } else {
                const int key = seen[draw_below(numbers, static_cast<int>(seen.size()))];
                token = n * n + key;
                target = fact_of[key];
            }
        }
    }

  private:
    /// Returns the number n of keys, and of values: there are n² facts and n + 1 queries.
    static int keys(int vocabulary) {
        int n = 2;
        while ((n + 1) * (n + 1) + (n + 1) + 1 <= vocabulary) ++n;
        return n;
    }
};

}  // namespace ropewalk
