#include "core/analysis/heads/alignment.h"

#include <cmath>
#include <numeric>

#include "core/analysis/heads/contributions.h"

namespace ropewalk {
namespace {

/// Returns the norm of the encoded row. Rotation does not change it, but added waves do.
double norm_at(const Problem& problem, std::vector<double> row, int token) {
    encode(row, problem.lowered, {}, problem.position(token));
    return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

double score_at(const Problem& problem, int query, int key) {
    const auto parts = contributions(problem, query, key);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

std::vector<TokenAlignment> AlignmentQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    const double scale = 1 / std::sqrt(static_cast<double>(problem.head_dim()));
    const double bound_scale = scale * problem.lowered.score_scaling();
    std::vector<TokenAlignment> aligned;
    for (int token = 0; token < count; ++token) {
        context.cancel.check();
        const double q = norm_at(problem, problem.query(token), token);
        TokenAlignment& at = aligned.emplace_back();
        at.token = token;
        at.diagonal = scale * score_at(problem, token, token);
        at.diagonal_bound = bound_scale * q * norm_at(problem, problem.key(token), token);
        if (token == 0) continue;
        at.previous = scale * score_at(problem, token, token - 1);
        at.previous_bound = bound_scale * q * norm_at(problem, problem.key(token - 1), token - 1);
    }
    return aligned;
}

}  // namespace ropewalk
