#include "core/analysis/alignment.h"

#include <cmath>
#include <numeric>

#include "core/analysis/contributions.h"

namespace ropewalk {
namespace {

double norm_at(const RowSource& source, int token, int head_dim) {
    std::vector<double> row(static_cast<std::size_t>(head_dim));
    source.read(token, row);
    return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

double score_at(const Problem& problem, int query, int key) {
    const auto parts = contributions(problem, query, key);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

std::vector<TokenAlignment> alignment(const Problem& problem, Interval tokens, const Cancel& cancel) {
    const int d = problem.head_dim();
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    const double bound_scale = scale * problem.lowered.attention_scaling * problem.lowered.attention_scaling;
    std::vector<TokenAlignment> aligned;
    for (int token = tokens.begin; token < tokens.end; ++token) {
        cancel.check();
        const double q = norm_at(problem.inputs.q, token, d);
        TokenAlignment& at = aligned.emplace_back();
        at.token = token;
        at.diagonal = scale * score_at(problem, token, token);
        at.diagonal_bound = bound_scale * q * norm_at(problem.inputs.k, token, d);
        if (token == 0) continue;
        at.previous = scale * score_at(problem, token, token - 1);
        at.previous_bound = bound_scale * q * norm_at(problem.inputs.k, token - 1, d);
    }
    return aligned;
}

}  // namespace ropewalk
