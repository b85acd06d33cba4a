#include "core/cpu/by_row/group_scan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <vector>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/machine/parallel.h"

namespace ropewalk::cpu {
namespace {

constexpr int most_scanned_numbers = 1 << 17;  // of keys, between two checks for cancellation
constexpr int rotated_groups = 16;             // groups, between two such checks

template <class T>
bool fits(const GeneralTask<T>& task, double query_length, double key_length) {
    return std::is_same_v<T, double> || fits_float(query_length, key_length, task.problem.logit_factor());
}

/// Scans some panels of a group, in the order of their rows, over the keys of a plan, block by block.
template <class T>
class BlockScan {
  public:
    /// `sample` is the sample of keys; null if all keys are used.
    BlockScan(GeneralTask<T>& task, RowGroup<T>& group, std::span<QueryPanel<T>> panels, const KeyPlan& plan,
              const KeySample* sample, CachedInPrecision<T>& cached, AttentionView& view)
        : task_(task), group_(group), panels_(panels), plan_(plan), sample_(sample), cached_(cached), view_(view) {}

    /// Runs the scan. Returns false if the products exceed the range of float.
    bool run() {
        if (panels_.empty()) return true;
        const bool has_scores = panels_.front().has_scores;
        if (has_scores && !fits(task_, group_.queries.max_length(), cached_.scores.max_key_length())) return false;
        const double max_length = scan_blocks();
        lap();
        if (!fits_) return false;
        if (panels_.front().scores && !has_scores) cached_.scores.keep(max_length);
        tbb::parallel_for(std::size_t{0}, panels_.size(), [&](std::size_t p) {
            task_.cancel.check();
            finish(task_.settings, {plan_.pieces, plan_.cell, drawn_weights()}, panels_[p]);
        });
        return true;
    }

  private:
    std::span<const double> drawn_weights() const {
        return sample_ ? std::span<const double>(sample_->keys_per_drawn) : std::span<const double>();
    }
    /// Returns the end of the keys that a panel's rows see.
    int keys_end(const QueryPanel<T>& panel) const {
        const int visible = task_.problem.seen_keys(panel.max_row).end;
        return sample_ ? sample_->keys_before(visible) : visible;
    }

    /// Returns a range of a block's keys with all that the panels' rows see, or an empty one. It begins at a run of the
    /// block, because sums must not depend on which rows share a panel. Keys are not sampled under a window.
    Interval keys_seen(std::span<const QueryPanel<T>> panels, Interval block) const {
        if (task_.problem.mask != Mask::window) return {block.begin, std::min(block.end, keys_end(panels.back()))};
        Interval seen{block.end, block.begin};
        for (const QueryPanel<T>& panel : panels)
            for (int lane = 0; lane < panel_rows<T>(); ++lane) {
                const Interval keys = task_.problem.seen_keys(static_cast<int>(panel.rows[lane]));
                if (keys.end <= block.begin || keys.begin >= block.end) continue;
                seen = {std::min(seen.begin, keys.begin), std::max(seen.end, keys.end)};
            }
        if (seen.begin >= seen.end) return {block.begin, block.begin};
        const int before = std::max(0, seen.begin - block.begin);
        return {block.begin + before / run_keys * run_keys, std::min(block.end, seen.end)};
    }

    /// Returns the length of the longest rotated key. The first blocks are seen by the most rows, so they are first.
    double scan_blocks() {
        std::vector<double> lengths(static_cast<std::size_t>(plan_.block_count()));
        for_each_in_order(plan_.block_count(), [&](int block) {
            if (fits_) lengths[static_cast<std::size_t>(block)] = scan_block(block);
        });
        return *std::max_element(lengths.begin(), lengths.end());
    }

    double scan_block(int block) {
        const Interval all = plan_.keys(block), columns = view_.viewport.columns;
        const bool has_totals = panels_.front().has_totals,
                   has_entries = task_.keeps_entries && all.begin < columns.end && columns.begin < all.end;
        // With known denominators the keys outside the viewport are not needed.
        if (has_totals && !has_entries) return 0;
        const auto first_seeing = std::partition_point(
            panels_.begin(), panels_.end(), [&](const QueryPanel<T>& panel) { return keys_end(panel) <= all.begin; });
        const auto end_seeing = std::partition_point(first_seeing, panels_.end(), [&](const QueryPanel<T>& panel) {
            return task_.problem.seen_keys(panel.min_row).begin < all.end;
        });
        if (first_seeing == end_seeing) return 0;
        KeyBlock<T>& own = cached_.blocks.local();
        ScanTime& time = times_.local();
        const Interval needed = keys_seen({first_seeing, end_seeing}, all);
        KeyRange<T> keys{.begin = needed.begin,
                         .end = needed.end,
                         .runs = sample_ ? sample_->runs.data() : nullptr,
                         .boundaries = plan_.pieces};
        const double length = panels_.front().has_scores ? 0 : rotate(keys, own, time);
        if (!fits(task_, group_.queries.max_length(), length)) {
            fits_ = false;
            return length;
        }
        own.entries.resize(has_entries ? static_cast<std::size_t>(plan_.block_keys) * panel_rows<T>() : 0);
        for (auto panel = end_seeing; panel-- != first_seeing;) {
            OpenPiece<T> open(plan_.pieces_of(block).begin);
            if (const Interval seen = keys_seen({panel, 1}, all); seen.size() > 0) {
                const KeyRange<T> part = part_of(keys, seen);
                scan_in_parts(part, static_cast<std::size_t>(panel - panels_.begin()), own, open, time);
                if (has_entries) take_entries(part, own.entries.values.get(), panel - panels_.begin());
            }
            if (!has_totals) close_pieces(task_.settings, plan_.pieces, *panel, plan_.pieces_of(block).end, open);
        }
        return length;
    }

    KeyRange<T> part_of(const KeyRange<T>& keys, Interval range) const {
        KeyRange<T> part = keys;
        part.begin = range.begin, part.end = range.end;
        const std::ptrdiff_t before = std::ptrdiff_t{range.begin - keys.begin} * task_.problem.head_dim();
        if (keys.near) part.near = keys.near + before;
        if (keys.far) part.far = keys.far + before;
        return part;
    }

    /// Scans a panel against a block, one stretch of damping and a limited number of keys at a time.
    void scan_in_parts(const KeyRange<T>& keys, std::size_t panel, KeyBlock<T>& own, OpenPiece<T>& open,
                       ScanTime& time) const {
        const int head_dim = task_.problem.head_dim(), width = panel_rows<T>(),
                  most_keys = std::max(drawn_keys, most_scanned_numbers / head_dim / drawn_keys * drawn_keys);
        const bool is_damped = !task_.problem.lowered.damping.empty() && !panels_[panel].has_scores;
        QueryPanel<T> damped;
        if (is_damped) {
            damped = panels_[panel];
            own.damped_queries.resize(static_cast<std::size_t>(head_dim) * width);
            damped.near = own.damped_queries.values.get();
        }
        for (int begin = keys.begin, end = 0; begin < keys.end; begin = end) {
            task_.cancel.check();
            const int stretch = begin / plan_.stretch * plan_.stretch;
            end = std::min({keys.end, begin + most_keys, stretch + plan_.stretch});
            const KeyRange<T> part = part_of(keys, {begin, end});
            const std::ptrdiff_t before = begin - keys.begin;
            if (is_damped && (before == 0 || begin == stretch))
                group_.queries.damp(task_.problem, panel, stretch, own.damped_queries.values.get());
            scan(task_.settings, part, is_damped ? damped : panels_[panel],
                 own.entries.size > 0 ? own.entries.values.get() + before * width : nullptr, open, time);
        }
    }

    /// Reads and rotates the keys of a block. Returns the length of the longest.
    double rotate(KeyRange<T>& keys, KeyBlock<T>& own, ScanTime& time) {
        const auto start = std::chrono::steady_clock::now();
        const int head_dim = task_.problem.head_dim();
        const std::size_t most = static_cast<std::size_t>(plan_.block_keys) * head_dim;
        own.near.resize(most);
        own.far.resize(cached_.keys.has_far() ? most : 0);
        typename KeyReader<T>::Scratch scratch(head_dim);
        double length = 0;
        for (int key = keys.begin; key < keys.end; key += key_group) {
            if ((key - keys.begin) % (rotated_groups * key_group) == 0) task_.cancel.check();
            const int damped_from = key / plan_.stretch * plan_.stretch;
            const std::ptrdiff_t offset = std::ptrdiff_t{key - keys.begin} * head_dim;
            length = std::max(length, cached_.keys.read(keys.token(key) / key_group, damped_from, scratch,
                                                        {own.near.values.get() + offset},
                                                        {own.far.size > 0 ? own.far.values.get() + offset : nullptr}));
        }
        keys.near = own.near.values.get();
        keys.far = own.far.values.get();
        time.rotation += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return length;
    }

    /// Copies the logits inside the viewport from a panel to the grid of logits or weights.
    void take_entries(const KeyRange<T>& keys, const T* logits, std::ptrdiff_t panel) const {
        const Interval columns = view_.viewport.columns;
        Numbers& entries = view_.viewport.content.logits ? view_.logits.mean : view_.weights.mean;
        if (entries.empty()) return;
        const int width = panel_rows<T>(), first = static_cast<int>(panel) * width;
        for (int lane = 0; lane < std::min(width, group_.listed.size() - first); ++lane) {
            double* const row = entries.data() + std::ptrdiff_t{group_.listed.begin + first + lane} * columns.size();
            for (int key = std::max(keys.begin, columns.begin); key < std::min(keys.end, columns.end); ++key)
                row[key - columns.begin] = static_cast<double>(logits[std::ptrdiff_t{key - keys.begin} * width + lane]);
        }
    }

    /// Assigns the time of this scan to its stages, in proportion to the timed part.
    void lap() {
        ScanTime all;
        for (const ScanTime& time : times_) {
            all.rotation += time.rotation, all.products += time.products;
            all.cells += time.cells, all.softmax += time.softmax;
        }
        task_.clock.lap({{attention_stage::rotation, all.rotation},
                         {attention_stage::products, all.products},
                         {attention_stage::cells, all.cells},
                         {attention_stage::softmax, all.softmax}});
    }

    GeneralTask<T>& task_;
    RowGroup<T>& group_;
    std::span<QueryPanel<T>> panels_;
    const KeyPlan& plan_;
    const KeySample* sample_;
    CachedInPrecision<T>& cached_;
    AttentionView& view_;
    std::atomic<bool> fits_ = true;
    tbb::enumerable_thread_specific<ScanTime> times_;
};

}  // namespace

template <class T>
bool scan_group(GeneralTask<T>& task, RowGroup<T>& group, CachedInPrecision<T>& cached, AttentionView& view,
                SumVariance& variance) {
    const std::span<QueryPanel<T>> panels = group.queries.panels();
    if (!task.sample) return BlockScan<T>(task, group, panels, task.plan, nullptr, cached, view).run();
    const KeySample& sample = *task.sample;
    const auto first_drawn = std::partition_point(panels.begin(), panels.end(),
                                                  [&](const auto& panel) { return panel.min_row < sample.exact_rows; });
    const auto exact = panels.first(static_cast<std::size_t>(first_drawn - panels.begin()));
    const auto drawn = panels.subspan(exact.size());
    if (!BlockScan<T>(task, group, exact, task.plan, nullptr, cached, view).run() ||
        !BlockScan<T>(task, group, drawn, *task.drawn_plan, &sample, cached, view).run())
        return false;
    const int width = panel_rows<T>();
    std::vector<SumVariance> of_panel(drawn.size());
    tbb::parallel_for(std::size_t{0}, drawn.size(), [&](std::size_t p) {
        const int first = static_cast<int>(exact.size() + p) * width;
        weigh_begun_cells(sample, task.settings, drawn[p]);
        of_panel[p] = sum_variance(sample, task.settings, drawn[p], std::min(width, group.listed.size() - first));
    });
    for (const SumVariance& panel : of_panel) variance.add(panel);
    return true;
}

template bool scan_group(GeneralTask<float>&, RowGroup<float>&, CachedInPrecision<float>&, AttentionView&,
                         SumVariance&);
template bool scan_group(GeneralTask<double>&, RowGroup<double>&, CachedInPrecision<double>&, AttentionView&,
                         SumVariance&);

}  // namespace ropewalk::cpu
