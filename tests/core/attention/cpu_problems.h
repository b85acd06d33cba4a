// Problems that backends are tried on.
#pragma once

#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/experiment/experiment.h"
#include "tests/core/attention/cpu_brute_force.h"

namespace ropewalk::cpu_test {

/// A head of independent normal queries and keys under RoPE, whose logits are of order 1.
inline Problem make_problem(int seq_len, int head_dim) {
    Problem problem;
    problem.seq_len = seq_len;
    problem.lowered.inv_freq = rotary_frequencies(head_dim);
    problem.lowered.rotary_dim = head_dim;
    problem.inputs = {.q = random_rows(seq_len, head_dim, std::pow(head_dim, -0.25), 1),
                      .k = random_rows(seq_len, head_dim, std::pow(head_dim, -0.25), 2),
                      .samples = 0,
                      .sample = {},
                      .first_distance = 0};
    return problem;
}

inline void make_constant(Problem& problem, double deviation = 0.5) {
    problem.inputs.q = RowSource::constant(random_row(problem.head_dim(), deviation, 3));
    problem.inputs.k = RowSource::constant(random_row(problem.head_dim(), deviation, 4));
}

inline void make_self_extend(Problem& problem, long double offset) {
    problem.lowered.far = {.window = 16,
                           .maps = {.query = {.group = 4, .offset = offset}, .key = {.group = 4, .offset = 0}}};
}

/// Problems of two regimes that change at each of these distances [positions], with tokens side by side and apart.
template <class Visit>
void for_each_far_window(int seq_len, std::initializer_list<std::int64_t> windows, Visit&& visit) {
    for (const std::int64_t window : windows)
        for (const int stride : {1, 3}) {
            Problem problem = make_problem(seq_len, 8);
            problem.mask = Mask::none;
            problem.positions.stride = stride;
            make_self_extend(problem, 7);
            problem.lowered.far->window = window;
            SCOPED_TRACE(testing::Message() << "window " << window << ", stride " << stride);
            visit(problem);
            if (testing::Test::HasFatalFailure()) return;
        }
}

/// The alternative with its limits so near that short sequences cross them.
template <class E>
Encoding near_its_limits(E encoding) {
    if constexpr (requires { encoding.original_length; }) encoding.original_length = 40;
    if constexpr (requires { encoding.window; }) encoding.window = 16;
    if constexpr (requires { encoding.scale_base; }) encoding.scale_base = 20;
    if constexpr (requires { encoding.upper; }) encoding.upper = 400;
    return encoding;
}

/// What an experiment under every encoding is, for those it is valid for.
template <class Visit>
void for_each_encoding(Experiment experiment, Visit&& visit) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        experiment.encoding =
            std::visit([](const auto& alternative) { return near_its_limits(alternative); }, *encoding);
        if (validate(experiment)) continue;
        SCOPED_TRACE(id_of(encoding));
        visit(experiment);
    }
}

}  // namespace ropewalk::cpu_test
