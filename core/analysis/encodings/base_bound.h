// The context that a RoPE base supports, and the smallest base that supports a context (Men et al. 2024,
// arXiv:2405.14591). B_m(base) = Σ_t cos(m·base^(−2t/d)) is the expected margin of a similar key over a random key m
// tokens back, in units of 2σ². A base is feasible for a context L if B_m ≥ 0 for every m = 0 … L. Feasibility is not
// monotone in the base: larger bases may fail where smaller ones do not, so bisection does not work.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Fills `margins` with B_m for m = first, first + 1, …
void similarity_margins(double base, int head_dim, int first, std::span<double> margins, const Cancel& cancel);

/// Returns the first m ≤ `most` with B_m < 0, if there is one, by direct scan.
std::optional<int> first_negative_margin(double base, int head_dim, int most, const Cancel& cancel);

/// Returns the smallest base a · 10^k, a = 1.0, 1.1, … 9.9, that is feasible for a context, by trying all of them from
/// 1 to 10^15; nothing if none is. Bases between them are not tried.
std::optional<double> min_base_on_grid(int context_length, int head_dim, const Cancel& cancel);

/// The largest base that searches try.
inline constexpr double max_base = 1e15;

/// Bounds on the smallest feasible base. Every base from 1 to `excluded` is proven infeasible (up to feasible windows
/// narrower than 1e-6 of the base, in which some B_m is so close to 0 that its sign is not certain), and `feasible` is
/// feasible by direct scan. Without `feasible`, either all bases up to `max_base` are excluded, or the search ended at
/// `excluded` because a sign was uncertain.
struct MinBase {
    double excluded = 1;
    std::optional<double> feasible{};
};

/// Callback for the base up to which all bases are excluded so far.
using BaseProgress = std::function<void(double excluded)>;

/// Returns the result of a certified search. From an infeasible base, one m with B_m < 0 excludes all bases up to where
/// a bound on |dB_m/d ln base| lets B_m reach 0. `feasible` is within a relative 1e-6 of `excluded`.
MinBase min_base(int context_length, int head_dim, const Cancel& cancel, const BaseProgress& progress = {});

inline constexpr int published_head_dim = 128;

/// An entry of the paper's table of minimum bases, for `published_head_dim`. Not every entry is feasible: see
/// `first_negative_margin`.
struct PublishedBase {
    int context_length = 0;  // tokens, 1k being 1000
    double base = 0;
};
inline constexpr std::array<PublishedBase, 11> published_bases{{{1'000, 4.3e3},
                                                                {2'000, 1.6e4},
                                                                {4'000, 2.7e4},
                                                                {8'000, 8.4e4},
                                                                {16'000, 3.1e5},
                                                                {32'000, 6.4e5},
                                                                {64'000, 2.1e6},
                                                                {128'000, 7.8e6},
                                                                {256'000, 3.6e7},
                                                                {512'000, 6.4e7},
                                                                {1'000'000, 5.1e8}}};

/// B_0 … B_{count−1} of one base, and its longest context.
struct Margins {
    std::vector<double> values;
    int longest_context = 0;
};

struct MarginsQuestion : QuestionDefaults {
    using Answer = Margins;
    static constexpr auto stage = "margins";
    double base = 10'000;
    int head_dim = 0, count = 0;

    bool operator==(const MarginsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor&) { return {}; }
    Answer answer(const AnalysisContext& context) const;
};

/// The minimum base for one context, found by both methods.
struct MinBases {
    int context_length = 0;
    std::optional<double> on_grid;
    std::optional<MinBase> certified;
};

struct MinBaseQuestion : QuestionDefaults {
    using Answer = MinBases;
    static constexpr auto stage = "min base";
    int context_length = 0, head_dim = 0;

    bool operator==(const MinBaseQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor&) { return {}; }
    static bool is_job(const Problem&) { return true; }
    Answer answer(const AnalysisContext& context) const;
};

/// A published entry, the first m at which it fails (if any), and the minimum bases found here.
struct PublishedComparison {
    PublishedBase published;
    std::optional<int> first_negative;
    MinBases found;
};

/// Asks for the comparison of all published entries. Only contexts up to `certify_up_to` get a certified search,
/// because it takes longer for longer contexts.
struct PublishedBasesQuestion : QuestionDefaults {
    using Answer = std::vector<PublishedComparison>;
    static constexpr auto stage = "published bases";
    int certify_up_to = 0;  // tokens

    bool operator==(const PublishedBasesQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor&) { return {}; }
    static bool is_job(const Problem&) { return true; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
