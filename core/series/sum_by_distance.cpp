#include "core/series/sum_by_distance.h"

#include <hwy/cache_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/series/sum_by_distance.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/series/aligned_doubles.h"
#include "core/series/phase_sincos-inl.h"
#include "core/series/slow_terms.h"

// Method: angle addition. Distances are divided into tiles of 2H. With c the middle of a tile and b = ½, 3/2, … H − ½,
//     f(c ± b) = Σ_t C_t(c) cos(b·w_t)  ±  Σ_t S_t(c) sin(b·w_t),
//     C = cosine·cos(c·w) + sine·sin(c·w),   S = sine·cos(c·w) − cosine·sin(c·w),
// Both sums are matrix products [tiles, pairs] × [pairs, H], each used for two distances. Only C, S and the H columns
// of cosines and sines need trigonometric functions, and all phases are exact integers.
//
// Waves much longer than a tile are expanded in polynomials of b: their cosines and sines are sums of T_2k(b/H) and
// T_(2k+1)(b/H), so Σ_t C_t(c) even_tk and Σ_t S_t(c) odd_tk replace all of them in the product. This halves the
// product for 128 pairs and 2²⁰ distances.
//
// Damped sums are not even or odd about a middle. Their tiles are H wide and begin at c, with b = 0, 1, … H − 1, and
//     f(c + b) = Σ_t e^(−c·δ) C_t(c) · e^(−b·δ) cos(b·w_t) + e^(−c·δ) S_t(c) · e^(−b·δ) sin(b·w_t).

#ifndef ROPEWALK_CORE_CPU_SUM_BY_DISTANCE_ONCE
#define ROPEWALK_CORE_CPU_SUM_BY_DISTANCE_ONCE
namespace ropewalk {

constexpr int group_tiles = 6;                 // tiles whose sums are in registers together
constexpr int group_stride = 8;                // rounded up to whole vectors
constexpr int task_groups = 8;                 // groups that share one pass over the table of columns
constexpr std::size_t worthwhile_tiles = 128;  // with fewer tiles, expansions cost more than they save

/// The kernels' arguments.
struct DistanceSum {
    std::span<const DistanceTerm> terms;  // expanded ones last
    std::size_t fast = 0;                 // number of terms that are not expanded
    WaveExpansion slow{};                 // of the others
    std::int64_t first = 0;
    bool damped = false;
    int half_width = 0;      // H, a multiple of panel_columns()
    AlignedDoubles columns;  // [H / panel_columns, cosine | sine, rows, panel_columns]
    AlignedDoubles turns{};  // [terms, cosine | sine, group_stride]

    /// Returns the number of terms and polynomials in the product.
    std::size_t rows() const { return fast + static_cast<std::size_t>(slow.order); }
    int tile_width() const { return damped ? half_width : 2 * half_width; }
    /// Returns the phase from a whole distance down to the middle between two; 0 for damped sums, whose tiles have no
    /// middle. Half of the angle in [−π, π), as in expansions.
    Phase half_step(std::size_t term) const {
        return damped ? 0 : static_cast<Phase>(static_cast<std::int64_t>(terms[term].per_step) >> 1);
    }
    double decay(std::size_t term, std::int64_t distance) const {
        return damped ? std::exp(-terms[term].damping * static_cast<double>(distance)) : 1;
    }
};

/// C and S of the tiles of a group: two matrices [rows, group_stride].
struct Centres {
    std::size_t rows = 0;
    AlignedDoubles c, s;

    explicit Centres(std::size_t count)
        : rows(count), c(aligned_doubles(count * group_stride + 1)), s(aligned_doubles(count * group_stride + 1)) {}
};

}  // namespace ropewalk
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
using Phases = hn::RebindToUnsigned<Doubles>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Doubles{}));
constexpr int panel_vectors = 2;
constexpr int group_vectors = group_stride / lanes;

int panel_columns() {
    return panel_vectors * lanes;
}

/// Cosines or sines of one panel, [rows, panel_columns].
enum class Part { cosine, sine };
double* columns_of(const DistanceSum& sum, int panel, Part part) {
    const auto at = static_cast<std::size_t>(2 * panel + (part == Part::sine ? 1 : 0));
    return sum.columns.get() + at * sum.rows() * panel_columns();
}

/// Fills one panel of the table of columns: cosine and sine of b·w, damped.
void fill_columns(const DistanceSum& sum, int panel) {
    const Doubles d;
    const Phases du;
    HWY_ALIGN std::uint64_t phases[lanes];
    HWY_ALIGN double decays[lanes];
    double* out = columns_of(sum, panel, Part::cosine);
    const std::size_t sines = sum.rows() * panel_columns();
    for (std::size_t term = 0; term < sum.fast; ++term) {
        for (int v = 0; v < panel_vectors; ++v) {
            for (int lane = 0; lane < lanes; ++lane) {
                const int b = panel * panel_columns() + v * lanes + lane;
                phases[lane] = phase_at(b, sum.terms[term].per_step) + sum.half_step(term);
                decays[lane] = sum.decay(term, b);
            }
            Vector sine, cosine;
            phase_sincos(d, hn::Load(du, phases), sine, cosine);
            const auto decay = hn::Load(d, decays);
            hn::Store(hn::Mul(decay, cosine), d, out + v * lanes);
            hn::Store(hn::Mul(decay, sine), d, out + sines + v * lanes);
        }
        out += panel_columns();
    }
    for (int v = 0; v < panel_vectors && sum.slow.order > 0; ++v) {
        const double first = panel * panel_columns() + v * lanes + 0.5;
        const Vector x = hn::Div(hn::Add(hn::Iota(d, 0), hn::Set(d, first)), hn::Set(d, sum.half_width));
        const Vector twice = hn::Add(x, x);
        Vector even = hn::Set(d, 1), odd = x;  // T_2k, T_(2k+1)
        for (int k = 0; k < sum.slow.order; ++k) {
            hn::Store(even, d, out + k * panel_columns() + v * lanes);
            hn::Store(odd, d, out + sines + k * panel_columns() + v * lanes);
            even = hn::MulSub(twice, odd, even);
            odd = hn::MulSub(twice, even, odd);
        }
    }
}

/// Fills the table of turns: the rotation and damping of each wave from the first tile of a group to the others.
void fill_turns(const DistanceSum& sum, std::size_t term) {
    HWY_ALIGN std::uint64_t phases[group_stride];
    for (int tile = 0; tile < group_stride; ++tile)
        phases[tile] = phase_at(std::int64_t{tile} * sum.tile_width(), sum.terms[term].per_step);
    double* const out = sum.turns.get() + term * 2 * group_stride;
    const Doubles d;
    for (int tile = 0; tile < group_stride; tile += lanes) {
        HWY_ALIGN double decays[lanes];
        for (int lane = 0; lane < lanes; ++lane)
            decays[lane] = sum.decay(term, std::int64_t{tile + lane} * sum.tile_width());
        Vector sine, cosine;
        phase_sincos(d, hn::Load(Phases(), phases + tile), sine, cosine);
        const Vector decay = hn::Load(d, decays);
        hn::Store(hn::Mul(decay, cosine), d, out + tile);
        hn::Store(hn::Mul(decay, sine), d, out + group_stride + tile);
    }
}

/// Computes C and S, damped, of the terms begin … end for all tiles of a group. The first tile's middle is half a step
/// below `upper`; a damped tile begins at `upper`.
void fill_waves(const DistanceSum& sum, std::size_t begin, std::size_t end, std::int64_t upper, double* c, double* s) {
    const Doubles d;
    HWY_ALIGN std::uint64_t phases[lanes] = {};
    HWY_ALIGN double sines[lanes], cosines[lanes];
    for (std::size_t first = begin; first < end; first += lanes) {
        const std::size_t count = std::min<std::size_t>(lanes, end - first);
        for (std::size_t lane = 0; lane < count; ++lane)
            phases[lane] = phase_at(upper, sum.terms[first + lane].per_step) - sum.half_step(first + lane);
        Vector sine, cosine;
        phase_sincos(d, hn::Load(Phases(), phases), sine, cosine);
        hn::Store(sine, d, sines);
        hn::Store(cosine, d, cosines);
        for (std::size_t lane = 0; lane < count; ++lane, c += group_stride, s += group_stride) {
            const DistanceTerm& term = sum.terms[first + lane];
            const double decay = sum.decay(first + lane, upper);
            const Vector c0 = hn::Set(d, decay * (term.cosine * cosines[lane] + term.sine * sines[lane])),
                         s0 = hn::Set(d, decay * (term.sine * cosines[lane] - term.cosine * sines[lane]));
            const double* const turn = sum.turns.get() + (first + lane) * 2 * group_stride;
            for (int tile = 0; tile < group_stride; tile += lanes) {
                const Vector cosine_on = hn::Load(d, turn + tile), sine_on = hn::Load(d, turn + group_stride + tile);
                hn::Store(hn::MulAdd(s0, sine_on, hn::Mul(c0, cosine_on)), d, c + tile);
                hn::Store(hn::NegMulAdd(c0, sine_on, hn::Mul(s0, cosine_on)), d, s + tile);
            }
        }
    }
}

/// Writes Σ over waves of their centres [waves, group_stride] times coefficients [waves, order] to `out` [order,
/// group_stride].
void expand(const double* centres, std::size_t waves, const std::vector<double>& coefficients, int order, double* out) {
    const Doubles d;
    for (int k = 0; k < order; k += read_together) {
        Vector sums[read_together][group_vectors];
        for (auto& polynomial : sums)
            for (Vector& sum : polynomial) sum = hn::Zero(d);
        for (std::size_t wave = 0; wave < waves; ++wave) {
            const double* const factors = coefficients.data() + wave * static_cast<std::size_t>(order) + k;
            Vector tiles[group_vectors];
            for (int v = 0; v < group_vectors; ++v) tiles[v] = hn::Load(d, centres + wave * group_stride + v * lanes);
            for (int p = 0; p < read_together; ++p) {
                const Vector factor = hn::Set(d, factors[p]);
                for (int v = 0; v < group_vectors; ++v) sums[p][v] = hn::MulAdd(factor, tiles[v], sums[p][v]);
            }
        }
        for (int p = 0; p < std::min(read_together, order - k); ++p)
            for (int v = 0; v < group_vectors; ++v) hn::Store(sums[p][v], d, out + (k + p) * group_stride + v * lanes);
    }
}

/// Computes C and S of a group of tiles. The first tile's middle is half a step below `upper`; a damped tile begins at
/// `upper`.
void fill_centres(const DistanceSum& sum, std::int64_t upper, const Centres& slow, Centres& centres) {
    const std::size_t waves = sum.terms.size() - sum.fast;
    fill_waves(sum, 0, sum.fast, upper, centres.c.get(), centres.s.get());
    fill_waves(sum, sum.fast, sum.terms.size(), upper, slow.c.get(), slow.s.get());
    expand(slow.c.get(), waves, sum.slow.even, sum.slow.order, centres.c.get() + sum.fast * group_stride);
    expand(slow.s.get(), waves, sum.slow.odd, sum.slow.order, centres.s.get() + sum.fast * group_stride);
}

/// The sums of a group's tiles over one panel of columns.
struct Sums {
    Vector of[group_tiles][panel_vectors];

    Sums() {
        for (auto& tile : of)
            for (Vector& sum : tile) sum = hn::Zero(Doubles{});
    }
    /// Adds the product of one matrix of centres [rows, group_stride] with one part of a panel.
    HWY_INLINE void add(const double* centre, std::size_t rows, const double* columns) {
        const Doubles d;
        for (std::size_t row = 0; row < rows; ++row, centre += group_stride, columns += panel_columns()) {
            Vector column[panel_vectors];
            for (int v = 0; v < panel_vectors; ++v) column[v] = hn::Load(d, columns + v * lanes);
            for (int tile = 0; tile < group_tiles; ++tile) {
                const Vector factor = hn::Set(d, centre[tile]);
                for (int v = 0; v < panel_vectors; ++v) of[tile][v] = hn::MulAdd(factor, column[v], of[tile][v]);
            }
        }
    }
};

/// Multiplies one panel of columns for a group of tiles; `out` is [group_tiles, 2H].
void multiply_panel(const DistanceSum& sum, const Centres& centres, int panel, double* out) {
    const Doubles d;
    // Prefetches what is written last.
    for (int tile = 0; tile < group_tiles; ++tile) {
        const double* middle = out + (std::size_t{2} * tile + 1) * sum.half_width;
        hwy::Prefetch(middle + panel * panel_columns());
        hwy::Prefetch(middle - (panel + 1) * panel_columns());
    }
    HWY_ALIGN double even[group_tiles * panel_vectors * lanes];
    {
        Sums sums;
        sums.add(centres.c.get(), centres.rows, columns_of(sum, panel, Part::cosine));
        for (int tile = 0; tile < group_tiles; ++tile)
            for (int v = 0; v < panel_vectors; ++v)
                hn::Store(sums.of[tile][v], d, even + (tile * panel_vectors + v) * lanes);
    }
    Sums odd;
    odd.add(centres.s.get(), centres.rows, columns_of(sum, panel, Part::sine));
    for (int tile = 0; tile < group_tiles; ++tile) {
        double* middle = out + (std::size_t{2} * tile + 1) * sum.half_width;
        for (int v = 0; v < panel_vectors; ++v) {
            const int b = panel * panel_columns() + v * lanes;
            const Vector e = hn::Load(d, even + (tile * panel_vectors + v) * lanes), o = odd.of[tile][v];
            hn::StoreU(hn::Add(e, o), d, middle + b);
            hn::StoreU(hn::Reverse(d, hn::Sub(e, o)), d, middle - b - lanes);
        }
    }
}

/// Multiplies one panel for damped tiles, which begin at their centres; `out` is [group_tiles, H].
void multiply_damped_panel(const DistanceSum& sum, const Centres& centres, int panel, double* out) {
    Sums sums;
    sums.add(centres.c.get(), centres.rows, columns_of(sum, panel, Part::cosine));
    sums.add(centres.s.get(), centres.rows, columns_of(sum, panel, Part::sine));
    for (int tile = 0; tile < group_tiles; ++tile)
        for (int v = 0; v < panel_vectors; ++v)
            hn::StoreU(sums.of[tile][v], Doubles{},
                       out + std::ptrdiff_t{tile} * sum.half_width + panel * panel_columns() + v * lanes);
}

/// Sums consecutive groups of tiles from `first_group`; writes the part inside `out`, which begins at sum.first.
void sum_groups(const DistanceSum& sum, std::size_t first_group, std::size_t groups, std::span<double> out) {
    const std::size_t group_width = group_tiles * static_cast<std::size_t>(sum.tile_width());
    std::vector<Centres> centres;
    const Centres slow(sum.terms.size() - sum.fast);
    for (std::size_t group = 0; group < groups; ++group) {
        const auto before = static_cast<std::int64_t>((first_group + group) * group_width);
        centres.emplace_back(sum.rows());
        fill_centres(sum, sum.first + before + (sum.damped ? 0 : sum.half_width), slow, centres.back());
    }
    const std::size_t begin = first_group * group_width;
    const bool fits = begin + groups * group_width <= out.size();
    std::vector<double> spill(fits ? 0 : groups * group_width);
    double* target = fits ? out.data() + begin : spill.data();
    const auto multiply = sum.damped ? multiply_damped_panel : multiply_panel;
    for (int panel = 0; panel < sum.half_width / panel_columns(); ++panel)
        for (std::size_t group = 0; group < groups; ++group)
            multiply(sum, centres[group], panel, target + group * group_width);
    if (!fits) std::copy_n(spill.begin(), out.size() - begin, out.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace
}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk {
namespace {

HWY_EXPORT(panel_columns);
HWY_EXPORT(fill_columns);
HWY_EXPORT(fill_turns);
HWY_EXPORT(sum_groups);

/// Returns the H for which the columns and the groups of tiles need equally many sines and cosines.
int half_width_for(std::size_t count, bool damped) {
    const int panel = HWY_DYNAMIC_DISPATCH(panel_columns)();
    const int balanced = static_cast<int>(std::sqrt(static_cast<double>(count) / (group_tiles * (damped ? 1 : 2))));
    return std::clamp((balanced + panel - 1) / panel, 1, 1024 / panel) * panel;
}

/// Sorts the slowest terms last and returns the angle of each over half a tile [rad].
std::vector<double> sorted_by_turn(std::vector<DistanceTerm>& terms, int half_width) {
    const auto turn = [&](const DistanceTerm& term) { return angle_of(term.per_step) * half_width; };
    std::stable_sort(terms.begin(), terms.end(), [&](const DistanceTerm& a, const DistanceTerm& b) {
        return std::abs(turn(a)) > std::abs(turn(b));
    });
    std::vector<double> turns(terms.size());
    std::transform(terms.begin(), terms.end(), turns.begin(), turn);
    return turns;
}

}  // namespace

void sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, std::span<double> out,
                     const Cancel& cancel) {
    std::vector<DistanceTerm> present;
    std::copy_if(terms.begin(), terms.end(), std::back_inserter(present),
                 [](const DistanceTerm& term) { return term.cosine != 0 || term.sine != 0; });
    cancel.check();
    if (out.empty()) return;

    const bool damped =
        std::any_of(present.begin(), present.end(), [](const DistanceTerm& term) { return term.damping != 0; });
    DistanceSum sum{.terms = present,
                    .fast = present.size(),
                    .first = first,
                    .damped = damped,
                    .half_width = half_width_for(out.size(), damped),
                    .columns = {}};
    const std::size_t tiles = out.size() / static_cast<std::size_t>(sum.tile_width());
    if (!damped && tiles >= worthwhile_tiles) {
        const std::vector<double> turns = sorted_by_turn(present, sum.half_width);
        std::vector<double> sizes(turns.size());
        std::transform(turns.begin(), turns.end(), sizes.begin(), [](double turn) { return std::abs(turn); });
        sum.fast -= waves_to_expand(sizes, sum.half_width, tiles);
        if (sum.fast < present.size()) sum.slow = expand_waves(std::span(turns).subspan(sum.fast));
    }
    sum.columns = aligned_doubles(std::max<std::size_t>(1, 2 * sum.rows() * sum.half_width));
    const int panels = sum.half_width / HWY_DYNAMIC_DISPATCH(panel_columns)();
    tbb::parallel_for(0, panels, [&](int panel) { HWY_DYNAMIC_DISPATCH(fill_columns)(sum, panel); });

    sum.turns = aligned_doubles(present.size() * 2 * group_stride + 1);
    for (std::size_t term = 0; term < present.size(); ++term) HWY_DYNAMIC_DISPATCH(fill_turns)(sum, term);

    const std::size_t group_width = static_cast<std::size_t>(group_tiles * sum.tile_width());
    const std::size_t groups = (out.size() + group_width - 1) / group_width;
    const std::size_t tasks = (groups + task_groups - 1) / task_groups;
    tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
        cancel.check();
        const std::size_t begin = task * task_groups;
        HWY_DYNAMIC_DISPATCH(sum_groups)(sum, begin, std::min<std::size_t>(task_groups, groups - begin), out);
    });
}

Numbers sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, int count, const Cancel& cancel) {
    Numbers sums(static_cast<std::size_t>(std::max(count, 0)));
    sum_by_distance(terms, first, std::span<double>(sums), cancel);
    return sums;
}

}  // namespace ropewalk
#endif
