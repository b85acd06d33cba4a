#include "core/analysis/encodings/base_bound.h"

#include <algorithm>
#include <cmath>

#include "core/encodings/common.h"
#include "core/numbers/numbers.h"
#include "core/series/cosine_sums.h"
#include "core/series/sum_by_distance.h"

namespace ropewalk {
namespace {

constexpr int first_chunk = 4096;  // margins computed first; each further chunk doubles their number

/// Returns the index of the first negative margin, or the number of margins.
int index_of_negative(std::span<const double> margins) {
    return static_cast<int>(std::find_if(margins.begin(), margins.end(), [](double b) { return b < 0; }) -
                            margins.begin());
}

/// Returns the first m of `distances` with B_m < 0, if there is one. Computes longer and longer parts of the margins
/// until then, and calls `seen(first, margins)` for each.
template <class Seen>
std::optional<int> first_negative_in(Interval distances, double base, int head_dim, const Cancel& cancel, Seen&& seen) {
    std::vector<double> margins;
    for (int first = distances.begin; first < distances.end; first += static_cast<int>(margins.size())) {
        const int count = std::min(std::max(first - distances.begin, first_chunk), distances.end - first);
        margins.resize(static_cast<std::size_t>(count));
        similarity_margins(base, head_dim, first, margins, cancel);
        seen(first, margins);
        if (const int index = index_of_negative(margins); index < count) return first + index;
    }
    return std::nullopt;
}

/// The certified search of `min_base`, in u = ln base.
class CertifiedSearch {
  public:
    CertifiedSearch(int context_length, int head_dim, const Cancel& cancel)
        : context_(context_length), head_dim_(head_dim), cancel_(cancel) {}

    MinBase run(const BaseProgress& progress) {
        double u = 0;  // all bases below are excluded
        for (int step = 0; u < std::log(max_base); ++step) {
            cancel_.check();
            if (progress && step % 256 == 0) progress(std::exp(u));
            double reach = furthest(u, +1);
            if (reach <= u) {
                collect_candidates(u);
                reach = furthest(u, +1);
            }
            if (reach <= u) {
                const Window window = cross(u);
                if (window.kind == Window::Kind::feasible) return {std::exp(u), std::exp(window.end)};
                if (window.kind == Window::Kind::uncertain) return {std::exp(u)};
                reach = window.end;
            }
            u = reach;
        }
        return {max_base};
    }

  private:
    /// Returns a bound on the error of B_m.
    double rounding_of(int m) const { return 5e-16 * head_dim_ / 2 * (1.0 + m); }  // see `cosine_sums`
    /// Follows B_m from u in a direction (+1 or −1) as far as it is certainly negative. Returns u itself if it is not
    /// negative there.
    double follow(int m, double u, int direction) const {
        while (true) {
            const CosineSums at = cosine_sums(head_dim_, u, m);  // B_m(u), its slope and curvature
            const double depth = -at.value - rounding_of(m), slope = direction * at.slope;
            if (depth <= rounding_of(m)) return u;
            // A single pair rotates by 1 rad per token for every base, so a failure holds for all bases.
            if (at.curvature == 0) return direction > 0 ? infinity : 0;
            cancel_.check();
            // The step h that solves slope·h + curvature·h²/2 = depth, in the form without cancellation. The bound on
            // the curvature holds for a neighbourhood that begins longest_step below u.
            const double curvature = at.curvature * std::exp(2 * longest_step) * 1.001;
            const double root = std::sqrt(slope * slope + 2 * curvature * depth);
            const double step = slope > 0 ? 2 * depth / (root + slope) : (root - slope) / curvature;
            u += direction * std::min(step, longest_step);
            if (direction < 0 && u <= 0) return 0;
        }
    }

    /// Returns how far the known candidates exclude bases from u in a direction. Along the way every followed margin is
    /// negative by more than rounding.
    double furthest(double u, int direction) {
        double reach = u;
        for (int& m : candidates_) {
            if (cosine_sums(head_dim_, reach, m).value >= 0) continue;
            const double end = follow(m, u, direction);
            if (!(direction * (end - reach) > 0)) continue;
            reach = end;
            if (!std::isfinite(reach)) break;
            std::swap(m, candidates_.front());  // often reaches furthest again
        }
        return reach;
    }

    /// Makes the m with negative or almost negative B_m at u candidates. Returns true if B_m ≥ 0 for all.
    bool collect_candidates(double u) {
        candidates_.clear();
        const auto collect = [&](int first, const std::vector<double>& margins) {
            for (std::size_t i = 0; i < margins.size(); ++i)
                if (margins[i] < near_negative) candidates_.push_back(first + static_cast<int>(i));
        };
        // The neighbours of the last first negative m are likely negative now. A smaller m excludes more bases.
        const int nearby = static_cast<int>(0.99 * first_negative_);
        auto negative = first_negative_in({nearby, context_ + 1}, std::exp(u), head_dim_, cancel_, collect);
        if (!negative) negative = first_negative_in({0, nearby}, std::exp(u), head_dim_, cancel_, collect);
        if (negative) first_negative_ = *negative;
        return !negative;
    }

    /// The window beyond u in which no B_m is certainly negative. Its end is feasible, certainly infeasible,
    /// or uncertain like the rest of it.
    struct Window {
        enum class Kind { feasible, infeasible, uncertain } kind;
        double end;
    };
    Window cross(double u) {
        using enum Window::Kind;
        constexpr double widest = 5e-7, narrowest = 1e-12;
        for (double step = widest; step > narrowest;) {
            cancel_.check();
            if (collect_candidates(u + step)) return {feasible, u + step};
            const double beginning = furthest(u + step, -1);
            if (beginning <= u) return {infeasible, u + step};
            step = std::min(beginning - u, step) / 2;
        }
        for (double step = narrowest; step < widest; step *= 2) {
            cancel_.check();
            if (collect_candidates(u + step)) return {feasible, u + step};
            if (furthest(u + step, -1) < u + step) return {infeasible, u + step};
        }
        return {uncertain, u + widest};
    }

    static constexpr double near_negative = 0.5;  // such margins may soon be negative, so they are candidates
    static constexpr double longest_step = 0.01;
    int context_, head_dim_;
    const Cancel& cancel_;
    std::vector<int> candidates_;
    int first_negative_ = 0;
};

}  // namespace

void similarity_margins(double base, int head_dim, int first, std::span<double> margins, const Cancel& cancel) {
    std::vector<DistanceTerm> terms;
    for (const long double w : rope_frequencies(base, head_dim))
        terms.push_back({.cosine = 1, .per_step = phase_of(w)});
    sum_by_distance(terms, first, margins, cancel);
}

std::optional<int> first_negative_margin(double base, int head_dim, int most, const Cancel& cancel) {
    return first_negative_in({0, most + 1}, base, head_dim, cancel, [](int, const std::vector<double>&) {});
}

std::optional<double> min_base_on_grid(int context_length, int head_dim, const Cancel& cancel) {
    for (double power = 1; power < max_base; power *= 10)
        for (int tenths = 10; tenths < 100; ++tenths) {
            const double base = tenths * power / 10;
            if (!first_negative_margin(base, head_dim, context_length, cancel)) return base;
        }
    return std::nullopt;
}

MinBase min_base(int context_length, int head_dim, const Cancel& cancel, const BaseProgress& progress) {
    return CertifiedSearch(context_length, head_dim, cancel).run(progress);
}

Margins MarginsQuestion::answer(const AnalysisContext& context) const {
    Margins margins{.values = std::vector<double>(static_cast<std::size_t>(std::max(count, 0)))};
    similarity_margins(base, head_dim, 0, margins.values, context.cancel);
    margins.longest_context = index_of_negative(margins.values) - 1;
    return margins;
}

MinBases MinBaseQuestion::answer(const AnalysisContext& context) const {
    // Progress by the logarithm of the base, assuming a minimum base of 0.04 · L^1.63, which fits the published table.
    // Only the progress bar uses this estimate.
    const double expected = std::log(0.04) + 1.63 * std::log(static_cast<double>(std::max(context_length, 16)));
    const auto report = [&](double excluded) {
        if (context.progress) context.progress(std::min(std::log(excluded) / expected, 0.99));
    };
    if (context.progress) context.progress(0);
    return {.context_length = context_length,
            .on_grid = min_base_on_grid(context_length, head_dim, context.cancel),
            .certified = min_base(context_length, head_dim, context.cancel, report)};
}

std::vector<PublishedComparison> PublishedBasesQuestion::answer(const AnalysisContext& context) const {
    std::vector<PublishedComparison> all;
    for (const PublishedBase& published : published_bases) {
        AnalysisContext part = context;
        part.progress = [&, done = static_cast<double>(all.size())](double fraction) {
            if (context.progress) context.progress((done + fraction) / published_bases.size());
        };
        PublishedComparison& row = all.emplace_back();
        row.published = published;
        row.first_negative =
            first_negative_margin(published.base, published_head_dim, published.context_length, context.cancel);
        if (published.context_length <= certify_up_to)
            row.found =
                MinBaseQuestion{.context_length = published.context_length, .head_dim = published_head_dim}.answer(
                    part);
        else
            row.found = {.context_length = published.context_length,
                         .on_grid = min_base_on_grid(published.context_length, published_head_dim, context.cancel)};
    }
    return all;
}

}  // namespace ropewalk
