#include "core/analysis/heads/frequency_usage.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

FrequencyUsage UsageQuestion::answer(const AnalysisContext& context) const {
    constexpr int most_tokens = 64;  // of a cell; more would not change its mean visibly
    const Problem& problem = context.problem;
    const int pairs = problem.lowered.pairs();
    FrequencyUsage usage{.cells = cells, .pairs = pairs};
    std::vector<double> row(static_cast<std::size_t>(problem.head_dim()));
    const Viewport read{.rows = tokens.size() > 0 ? tokens : Interval{0, problem.seq_len}, .cells_down = cells};
    for (auto [source, norms] :
         {std::pair{&problem.inputs.q, &usage.query}, std::pair{&problem.inputs.k, &usage.key}}) {
        norms->assign(static_cast<std::size_t>(cells) * pairs, 0);
        for (int cell = 0; cell < cells; ++cell) {
            context.cancel.check();
            const Interval range = read.cell_rows(cell);
            const int count = source->is_constant() ? 1 : std::min(range.size(), most_tokens);
            usage.tokens_per_cell = std::max(usage.tokens_per_cell, count);
            for (int i = 0; i < count; ++i) {
                source->read(range.begin + static_cast<int>(std::int64_t{i} * range.size() / count), row);
                for (int pair = 0; pair < pairs; ++pair)
                    (*norms)[static_cast<std::size_t>(pair) * cells + cell] +=
                        std::hypot(row[2 * pair], row[2 * pair + 1]) / count;
            }
        }
    }
    return usage;
}

}  // namespace ropewalk
