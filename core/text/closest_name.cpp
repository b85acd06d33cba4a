#include "core/text/closest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ropewalk {
namespace {

std::size_t edits_between(std::string_view from, std::string_view to) {
    // edits[i][j]: edits from the first i letters of `from` to the first j of `to`.
    std::vector<std::vector<std::size_t>> edits(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i)
        for (std::size_t j = 0; j <= to.size(); ++j) {
            if (i == 0 || j == 0) {
                edits[i][j] = i + j;
                continue;
            }
            const std::size_t change = from[i - 1] == to[j - 1] ? 0 : 1;
            edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[from.size()][to.size()];
}

}  // namespace

std::string closest_name(std::string_view written, std::span<const std::string> names) {
    constexpr std::size_t longest = 64;  // letters; longer input is not a mistyped name
    if (written.size() > longest) return {};
    std::string closest;
    std::size_t min = written.size() / 3 + 1;
    for (const std::string& name : names)
        if (const std::size_t edits = edits_between(written, name); edits < min) min = edits, closest = name;
    return closest;
}

std::string meant_or(std::string_view written, std::span<const std::string> names, std::string_view otherwise) {
    const std::string meant = closest_name(written, names);
    return meant.empty() ? std::string(otherwise) : fmt::format("did you mean '{}'?", meant);
}

}  // namespace ropewalk
