// The kernels of row_scan.cpp. Included once per instruction set.
#if defined(ROPEWALK_CORE_CPU_ROW_SCAN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_CPU_ROW_SCAN_INL_H
#undef ROPEWALK_CORE_CPU_ROW_SCAN_INL_H
#else
#define ROPEWALK_CORE_CPU_ROW_SCAN_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/cpu/kernels/products-inl.h"
#include "core/cpu/kernels/row_scan.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int buffer_keys = 96;  // whose scores fit into the first-level cache
constexpr int groups_ahead = 2;  // whose keys are prefetched, so that the products do not wait for memory
constexpr int timed_in = 17;     // one in this many buffers of scores is timed; odd, because some come in pairs
static_assert(buffer_keys % key_group == 0 && buffer_keys % drawn_keys == 0);

template <class T>
using Scores = T[buffer_keys * panel_width<T>];

/// Multiplies groups of keys, [groups, head_dim, key_group], with a panel of queries, which stays in the first-level
/// cache, and with `factor`.
template <class T>
HWY_INLINE void multiply(int head_dim, const T* panel, const T* keys, int groups, T factor, T* products) {
    const hn::ScalableTag<T> d;
    const auto of_all = hn::Set(d, factor);
    const std::ptrdiff_t group_entries = std::ptrdiff_t{head_dim} * key_group;
    for_groups_together(0, groups, [&](int group, auto together) HWY_ATTR {
        const T* const rows = keys + group * group_entries;
        for (int begin = 0; begin < head_dim; begin += stretch) {
            const Fetch<Pace::spread, T> fetch(
                rows + groups_ahead * together * group_entries + begin * together * key_group, together * key_group,
                std::min(stretch, head_dim - begin));
            multiply_stretch<together>(head_dim, begin, panel, rows, products + group * key_group * panel_width<T>,
                                       panel_width<T>, fetch,
                                       [of_all](hn::Vec<decltype(d)> sum) HWY_ATTR { return hn::Mul(sum, of_all); });
        }
    });
}

/// Computes scores of the panel against keys first … first + count − 1, times `factor`.
template <class T>
HWY_INLINE void fill_scores(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel,
                            int first, int count, T factor, T* scores) {
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    const std::ptrdiff_t offset = std::ptrdiff_t{first - keys.begin} * settings.head_dim;
    const int groups = (count + key_group - 1) / key_group;
    const int first_token = keys.token(first), last_token = keys.token(first + count - 1);
    const bool all_far = settings.has_far() && last_token <= panel.min_row - settings.far_tokens;
    const bool some_far = settings.has_far() && first_token <= panel.max_row - settings.far_tokens;
    multiply(settings.head_dim, all_far ? panel.far : panel.near, (all_far ? keys.far : keys.near) + offset, groups,
             factor, scores);
    if (!some_far || all_far) return;
    HWY_ALIGN Scores<T> far_scores;
    multiply(settings.head_dim, panel.far, keys.far + offset, groups, factor, far_scores);
    const auto far_tokens = hn::Set(d, static_cast<T>(settings.far_tokens));
    for (int i = 0; i < count; ++i) {
        const auto key = hn::Set(d, static_cast<T>(keys.token(first + i)));
        for (int v = 0; v < register_vectors; ++v) {
            T* const at = scores + i * width + v * lanes;
            const auto is_far = hn::Ge(hn::Sub(hn::Load(d, panel.rows + v * lanes), key), far_tokens);
            hn::Store(hn::IfThenElse(is_far, hn::Load(d, far_scores + i * width + v * lanes), hn::Load(d, at)), d, at);
        }
    }
}

/// Computes logits of the panel against keys first … first + count − 1, −∞ if masked.
template <class T>
HWY_INLINE void fill_logits(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel,
                            int first, int count, T* logits) {
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    const auto factor = hn::Set(d, settings.factor);
    if (!panel.has_scores)
        fill_scores(settings, keys, panel, first, count, panel.scores ? T{1} : settings.factor, logits);
    if (panel.scores) {
        T* const scores = panel.scores + std::ptrdiff_t{first} * width;
        if (!panel.has_scores) std::copy_n(logits, count * width, scores);
        for (int i = 0; i < count * width; i += lanes)
            hn::Store(hn::Mul(hn::Load(d, scores + i), factor), d, logits + i);
    }

    const bool some_masked =
        settings.masks_some(keys.token(first), keys.token(first + count - 1), panel.min_row, panel.max_row);
    if (settings.bias_per_token == 0 && settings.max_logit == 0 && !some_masked) return;
    const auto masked_logit = hn::Set(d, -std::numeric_limits<T>::infinity());
    const auto bias = hn::Set(d, settings.bias_per_token), max_logit = hn::Set(d, settings.max_logit);
    const auto reach = hn::Set(
        d, settings.mask == Mask::window ? static_cast<T>(settings.window) : std::numeric_limits<T>::infinity());
    for (int i = 0; i < count; ++i) {
        const auto key = hn::Set(d, static_cast<T>(keys.token(first + i)));
        for (int v = 0; v < register_vectors; ++v) {
            T* const at = logits + i * width + v * lanes;
            auto logit = hn::Load(d, at);
            const auto distance = hn::Sub(hn::Load(d, panel.rows + v * lanes), key);
            if (settings.bias_per_token != 0) logit = hn::NegMulAdd(bias, distance, logit);
            if (settings.max_logit != 0) logit = hn::Mul(max_logit, hn::Tanh(d, hn::Div(logit, max_logit)));
            if (some_masked)
                logit = hn::IfThenElse(hn::And(hn::Ge(distance, hn::Zero(d)), hn::Lt(distance, reach)), logit,
                                       masked_logit);
            hn::Store(logit, d, at);
        }
    }
}

/// Raises the reference of lanes v … to `reference` and rescales their sums.
template <class D, class T>
HWY_INLINE void raise_reference(D d, hn::Vec<D> reference, int v, OpenPiece<T>& open) {
    HWY_ALIGN T factor[hn::MaxLanes(D{})];
    const auto before = exponent_origin(d, hn::Load(d, open.reference + v));
    hn::Store(factor_between(d, before, exponent_origin(d, reference)), d, factor);
    hn::Store(reference, d, open.reference + v);
    for (int lane = 0; lane < static_cast<int>(hn::MaxLanes(D{})); ++lane)
        open.exponentials[v + lane] *= static_cast<double>(factor[lane]);
}

/// Adds `count` ≤ run_keys keys to a piece. Tests for masked logits only if there are some.
enum class Masked { none, some };
enum class Wanted { everything, exponentials };  // and max logits
template <Masked masked, Wanted wanted, class T>
HWY_INLINE void add_run(const T* logits, int count, OpenPiece<T>& open) {
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    const V boundless = hn::Set(d, std::numeric_limits<T>::infinity());
    V max_logit[register_vectors], min_logit[register_vectors], sum[register_vectors], exponentials[register_vectors];
    for (int v = 0; v < register_vectors; ++v) {
        max_logit[v] = hn::Neg(boundless);
        min_logit[v] = boundless;
        sum[v] = hn::Zero(d);
    }
    for (int i = 0; i < count; ++i) {
        for (int v = 0; v < register_vectors; ++v) {
            V logit = hn::Load(d, logits + i * width + v * lanes);
            max_logit[v] = hn::Max(max_logit[v], logit);
            if constexpr (wanted == Wanted::exponentials) continue;
            if constexpr (masked == Masked::some) {
                const auto visible = hn::Gt(logit, hn::Neg(boundless));
                min_logit[v] = hn::Min(min_logit[v], hn::IfThenElse(visible, logit, boundless));
                sum[v] = hn::Add(sum[v], hn::IfThenElseZero(visible, logit));
            } else {
                min_logit[v] = hn::Min(min_logit[v], logit);
                sum[v] = hn::Add(sum[v], logit);
            }
        }
    }
    V reference[register_vectors];
    for (int v = 0; v < register_vectors; ++v) {
        T* const max_so_far = open.max_logit + v * lanes;
        T* const min_so_far = open.min_logit + v * lanes;
        hn::Store(hn::Max(hn::Load(d, max_so_far), max_logit[v]), d, max_so_far);
        if constexpr (wanted == Wanted::everything)
            hn::Store(hn::Min(hn::Load(d, min_so_far), min_logit[v]), d, min_so_far);
        const V before = hn::Load(d, open.reference + v * lanes);
        reference[v] = hn::Max(before, max_logit[v]);
        if (!hn::AllTrue(d, hn::Eq(reference[v], before))) raise_reference(d, reference[v], v * lanes, open);
    }
    for (int v = 0; v < register_vectors; ++v) {
        const V origin = exponent_origin(d, reference[v]);
        const auto exponential = [&](int i) HWY_ATTR {
            return exp_from(d, hn::Load(d, logits + i * width + v * lanes), origin);
        };
        V even = hn::Zero(d), odd = hn::Zero(d);
        int i = 0;
        for (; i + 2 <= count; i += 2) {
            even = hn::Add(even, exponential(i));
            odd = hn::Add(odd, exponential(i + 1));
        }
        if (i < count) even = hn::Add(even, exponential(i));
        exponentials[v] = hn::Add(even, odd);
    }
    HWY_ALIGN T run_sum[width], run_logits[width];
    for (int v = 0; v < register_vectors; ++v) {
        hn::Store(exponentials[v], d, run_sum + v * lanes);
        hn::Store(sum[v], d, run_logits + v * lanes);
    }
    for (int lane = 0; lane < width; ++lane) {
        open.exponentials[lane] += static_cast<double>(run_sum[lane]);
        if constexpr (wanted == Wanted::everything) open.logits[lane] += static_cast<double>(run_logits[lane]);
    }
}

/// Adds the logits of keys [first, end) to their pieces.
template <class T>
HWY_INLINE void add_keys(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel,
                         int first, int end, const T* logits, OpenPiece<T>& open) {
    for (int key = first; key < end;) {
        const int token = keys.token(key);
        while (token >= keys.boundaries[open.piece + 1]) close_piece(settings, panel, open);
        const int run_end =
            std::min({end, key + run_keys, keys.neighbours_end(key), key + keys.boundaries[open.piece + 1] - token});
        const T* const run = logits + (key - first) * panel_width<T>;
        if (settings.masks_some(token, keys.token(run_end - 1), panel.min_row, panel.max_row))
            add_run<Masked::some, Wanted::everything>(run, run_end - key, open);
        else if (settings.keeps(min))
            add_run<Masked::none, Wanted::everything>(run, run_end - key, open);
        else
            add_run<Masked::none, Wanted::exponentials>(run, run_end - key, open);
        key = run_end;
    }
}

template <class T>
HWY_INLINE void scan_keys(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel,
                          T* entries, OpenPiece<T>& open, ScanTime& time) {
    HWY_ALIGN Scores<T> logits;
    using Clock = std::chrono::steady_clock;
    // The times of all buffers, extrapolated from one in timed_in.
    const auto seconds = [](Clock::duration passed) {
        return timed_in * std::chrono::duration<double>(passed).count();
    };
    const bool is_causal = settings.mask != Mask::none;
    const int keys_end = is_causal && !keys.runs ? std::min(keys.end, panel.max_row + 1) : keys.end;
    for (int first = keys.begin; first < keys_end; first += buffer_keys) {
        const int end = std::min(first + buffer_keys, keys_end);
        const bool is_timed = time.buffers_to_timed-- == 0;
        const auto start = is_timed ? Clock::now() : Clock::time_point{};
        fill_logits(settings, keys, panel, first, end - first, logits);
        const auto multiplied = is_timed ? Clock::now() : start;
        if (entries)
            std::copy_n(logits, (end - first) * panel_width<T>,
                        entries + std::ptrdiff_t{first - keys.begin} * panel_width<T>);
        const auto copied = is_timed ? Clock::now() : start;
        if (!panel.has_totals) add_keys(settings, keys, panel, first, end, logits, open);
        if (!is_timed) continue;
        (panel.has_scores ? time.softmax : time.products) += seconds(multiplied - start);
        time.cells += seconds(copied - multiplied);
        time.softmax += seconds(Clock::now() - copied);
        time.buffers_to_timed = timed_in - 1;
    }
}

/// Computes the max logits of these pieces, and Σ exp(logit − reference) of each.
template <class T>
HWY_INLINE void find_references(const ScanSettings<T>& settings, Interval pieces, QueryPanel<T>& panel) {
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    for (int v = 0; v < width; v += lanes) {
        auto most = hn::Set(d, -std::numeric_limits<T>::infinity());
        for (int piece = pieces.begin; piece < pieces.end; ++piece)
            most = hn::Max(most, hn::Load(d, panel.statistics + settings.place(piece, shift, width) + v));
        hn::Store(most, d, panel.max_logit + v);
        for (int piece = pieces.begin; piece < pieces.end; ++piece) {
            T* const sums = panel.statistics + settings.place(piece, exp_sum, width) + v;
            const auto from = hn::Load(d, panel.statistics + settings.place(piece, shift, width) + v);
            const auto factor = factor_between(d, exponent_origin(d, from), exponent_origin(d, most));
            hn::Store(hn::Mul(hn::Load(d, sums), factor), d, sums);
        }
    }
}

/// The combined statistics of a cell's pieces, by row.
template <class T>
class CellSums {
  public:
    CellSums(const ScanSettings<T>& settings, const CellPieces& pieces, QueryPanel<T>& panel)
        : settings_(settings), pieces_(pieces), panel_(panel) {}

    HWY_INLINE void add(int piece) {
        const int cell = pieces_.cell[piece];
        if (cell != cell_) finish();
        const double keys = pieces_.keys_per_drawn.empty() ? 1 : pieces_.keys_per_drawn[cell];
        const T* const of_piece = at(piece, exp_sum);
        for (int lane = 0; lane < width; ++lane) {
            const double sum = keys * static_cast<double>(of_piece[lane]);
            panel_.sum[lane] += sum;
            exponentials_[lane] += sum;
        }
        if (settings_.keeps(logit_sum))
            for (int lane = 0; lane < width; ++lane)
                logits_[lane] += keys * static_cast<double>(at(piece, logit_sum)[lane]);
        const bool is_first = cell != cell_;
        cell_ = cell;
        if (cell < 0) return;
        // A cell is stored at or before the place of its pieces, so it overwrites nothing that is still needed.
        const auto combine = [&](Statistic which, auto&& of_both) {
            if (!settings_.keeps(which)) return;
            T* const so_far = at(cell, which);
            for (int lane = 0; lane < width; ++lane)
                so_far[lane] = is_first ? at(piece, which)[lane] : of_both(so_far[lane], at(piece, which)[lane]);
        };
        combine(max, [](T a, T b) { return std::max(a, b); });
        combine(min, [](T a, T b) { return std::min(a, b); });
    }
    /// Writes a cell after its last piece.
    HWY_INLINE void finish() {
        if (cell_ >= 0) {
            std::copy_n(exponentials_, width, at(cell_, exp_sum));
            if (settings_.keeps(logit_sum)) std::copy_n(logits_, width, at(cell_, logit_sum));
            panel_.seen_cells = cell_ + 1;
        }
        std::fill_n(exponentials_, width, 0.0);
        std::fill_n(logits_, width, 0.0);
        cell_ = -1;
    }

  private:
    static constexpr int width = panel_width<T>;
    HWY_INLINE T* at(int piece, Statistic which) const {
        return panel_.statistics + settings_.place(piece, which, width);
    }

    const ScanSettings<T>& settings_;
    const CellPieces& pieces_;
    QueryPanel<T>& panel_;
    int cell_ = -1;
    double exponentials_[width] = {}, logits_[width] = {};
};

template <class T>
HWY_INLINE void finish_panel(const ScanSettings<T>& settings, const CellPieces& pieces, QueryPanel<T>& panel) {
    if (panel.has_totals) return;
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    const auto begins = pieces.boundaries.first(pieces.cell.size());
    const auto pieces_to = [&](int key) {
        return static_cast<int>(std::upper_bound(begins.begin(), begins.end(), key) - begins.begin());
    };
    const Interval seen{
        settings.mask == Mask::window ? pieces_to(std::max(0, panel.min_row + 1 - settings.window)) - 1 : 0,
        settings.mask == Mask::none ? static_cast<int>(begins.size()) : pieces_to(panel.max_row)};
    find_references(settings, seen, panel);
    CellSums<T> sums(settings, pieces, panel);
    for (int piece = seen.begin; piece < seen.end; ++piece) sums.add(piece);
    sums.finish();
    HWY_ALIGN T reciprocal[width];
    for (int lane = 0; lane < width; ++lane) reciprocal[lane] = static_cast<T>(1 / panel.sum[lane]);
    for (int cell = std::max(0, pieces.cell[seen.begin]); cell < panel.seen_cells; ++cell) {
        T* const weights = panel.statistics + settings.place(cell, exp_sum, width);
        for (int v = 0; v < width; v += lanes)
            hn::Store(hn::Min(hn::Mul(hn::Load(d, weights + v), hn::Load(d, reciprocal + v)), hn::Set(d, T{1})), d,
                      weights + v);
    }
}

double reference_of_float(float max_logit) {
    return reference_logit(max_logit);
}
int panel_rows_of_floats() {
    return panel_width<float>;
}
int panel_rows_of_doubles() {
    return panel_width<double>;
}
void scan_floats(const ScanSettings<float>& settings, const KeyRange<float>& keys, const QueryPanel<float>& panel,
                 float* entries, OpenPiece<float>& open, ScanTime& time) {
    scan_keys(settings, keys, panel, entries, open, time);
}
void scan_doubles(const ScanSettings<double>& settings, const KeyRange<double>& keys, const QueryPanel<double>& panel,
                  double* entries, OpenPiece<double>& open, ScanTime& time) {
    scan_keys(settings, keys, panel, entries, open, time);
}
void finish_floats(const ScanSettings<float>& settings, const CellPieces& pieces, QueryPanel<float>& panel) {
    finish_panel(settings, pieces, panel);
}
void finish_doubles(const ScanSettings<double>& settings, const CellPieces& pieces, QueryPanel<double>& panel) {
    finish_panel(settings, pieces, panel);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
