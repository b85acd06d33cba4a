// The contribution of each pair to one score (Hong et al. 2024, eq. 8–13).
#pragma once

#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns each pair's part [head_dim / 2] of q·k, two rows in pair order.
std::vector<double> pair_products(std::span<const double> q, std::span<const double> k);

/// A query and a key, [head_dim] each in pair order, as they are multiplied.
struct EncodedRows {
    std::vector<double> q, k;
};
/// Returns the rows at the positions of query and key, rotated or with waves added, without attention scaling and
/// damping.
EncodedRows encoded_rows(const Problem& problem, int query, int key);

/// Returns g_t [head_dim / 2], in double: each pair's part of q·k at the positions of query and key, rotated (and
/// damped) or with waves added. Their sum is the score.
std::vector<double> contributions(const Problem& problem, int query, int key);

/// Asks for the contributions at the cursor's query and key.
struct ContributionsQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "contributions";

    bool operator==(const ContributionsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_cell(head); }
    Answer answer(const AnalysisContext& context) const {
        return contributions(context.problem, context.cursor.query, context.cursor.key);
    }
    ContributionsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
