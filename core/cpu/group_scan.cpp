#include "core/cpu/group_scan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "core/cpu/parallel.h"
#include "core/cpu/rotated_rows.h"

namespace ropewalk::cpu {
namespace {

static_assert(task_keys % drawn_keys == 0);

/// What has passed was a scan of these panels; of each a part was timed.
template <class T>
void lap_scan(GeneralTask<T>& task, std::span<QueryPanel<T>> panels) {
    ScanTime all;
    for (QueryPanel<T>& panel : panels) {
        const ScanTime time = std::exchange(panel.time, {});
        all.products += time.products, all.cells += time.cells, all.softmax += time.softmax;
    }
    task.clock.lap({{attention_stage::products, all.products},
                    {attention_stage::cells, all.cells},
                    {attention_stage::softmax, all.softmax}});
}

template <class T>
bool fits(const GeneralTask<T>& task, double query_length, double key_length) {
    return std::is_same_v<T, double> || fits_float(query_length, key_length, task.problem.logit_factor());
}

/// Takes out of a panel the logits of the keys that it has just seen, into what is to hold logits or weights.
template <class T>
void take_entries(const KeyRange<T>& keys, std::size_t panel, const RowGroup<T>& group, AttentionView& view) {
    const Interval columns = view.viewport.columns;
    const int begin = std::max(keys.begin, columns.begin), end = std::min(keys.end, columns.end);
    std::vector<double>& entries = view.viewport.content.logits ? view.logits.mean : view.weights.mean;
    if (begin >= end || entries.empty()) return;
    const int width = panel_rows<T>(), first = static_cast<int>(panel) * width;
    const T* const seen = group.queries.panels()[panel].cells;
    for (int lane = 0; lane < std::min(width, group.listed.size() - first); ++lane) {
        double* const row = entries.data() + std::ptrdiff_t{group.listed.begin + first + lane} * columns.size();
        for (int key = begin; key < end; ++key)
            row[key - columns.begin] = static_cast<double>(seen[std::ptrdiff_t{key - begin} * width + lane]);
    }
}

template <class T>
void finish_panels(const ScanSettings<T>& settings, std::span<QueryPanel<T>> panels, const Cancel& cancel) {
    tbb::parallel_for(std::size_t{0}, panels.size(), [&](std::size_t p) {
        cancel.check();
        finish(settings, panels[p]);
    });
}

/// Calls visit(first panel, last) for every few panels; the last ones see the most keys, so they come first.
template <class T, class Visit>
void for_each_task(std::span<QueryPanel<T>> panels, Visit visit) {
    const int count = static_cast<int>(panels.size());
    const int shared = std::clamp(count / core_count(), 1, task_panels);  // no core is to be left without
    const int tasks = (count + shared - 1) / shared;
    for_each_in_order(tasks, [&](int reversed) {
        const int first = (tasks - 1 - reversed) * shared;
        visit(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(first + shared, count)));
    });
}

/// Runs the group's first panels over all keys, or over their scores with them. False if float cannot hold the
/// products.
template <class T>
bool scan_all(GeneralTask<T>& task, RowGroup<T>& group, std::span<QueryPanel<T>> panels, KeptInPrecision<T>& kept,
              AttentionView& view) {
    if (panels.empty()) return true;
    KeyStore<T>& keys = kept.keys;
    QueryPanels<T>& queries = group.queries;
    // With known denominators the keys outside the viewport need not be looked at.
    const bool has_totals = std::all_of(panels.begin(), panels.end(), [](const auto& p) { return p.has_totals; });
    const int first_key = has_totals ? task.settings.boundaries.front() / key_group * key_group : 0;
    const int keys_end = std::min(task.problem.visible_keys(panels.back().greatest_row),
                                  has_totals ? task.settings.boundaries.back() : task.problem.seq_len);
    const bool keeps_scores = panels.front().scores, has_scores = panels.front().has_scores;
    if (has_scores && !fits(task, queries.greatest_length(), kept.scores.greatest_key_length())) return false;
    for (int begin = first_key / keys.stretch() * keys.stretch(); begin < keys_end; begin += keys.stretch()) {
        KeyRange<T> stretch{.begin = begin, .end = begin + keys.stretch()};
        if (!has_scores) {
            stretch = keys.load(begin, task.cancel);
            queries.damp(task.problem, begin, task.cancel);
            if (!fits(task, queries.greatest_length(), keys.greatest_length())) return false;
            task.clock.lap(attention_stage::rotation);
        }
        for_each_task(panels, [&](std::size_t first, std::size_t last) {
            const int own_end = std::min(stretch.end, keys_end);
            for (int key = std::max(stretch.begin, first_key); key < own_end; key += task_keys) {
                task.cancel.check();
                const std::ptrdiff_t offset = std::ptrdiff_t{key - stretch.begin} * task.settings.head_dim;
                const KeyRange<T> part{.begin = key,
                                       .end = std::min(key + task_keys, own_end),
                                       .near = stretch.near ? stretch.near + offset : nullptr,
                                       .far = stretch.far ? stretch.far + offset : nullptr};
                for (std::size_t p = first; p < last; ++p) {
                    scan(task.settings, part, panels[p]);
                    if (task.settings.keeps_entries) take_entries(part, p, group, view);
                }
            }
        });
        lap_scan(task, panels);
    }
    if (keeps_scores && !has_scores) kept.scores.keep(keys.greatest_length());
    finish_panels(task.settings, panels, task.cancel);
    return true;
}

/// Runs the group's last panels over the keys that were drawn. False if float cannot hold the products.
template <class T>
bool scan_drawn(GeneralTask<T>& task, const RowGroup<T>& group, std::span<QueryPanel<T>> panels, KeyStore<T>& keys,
                const KeySample& sample) {
    if (panels.empty()) return true;
    const std::vector<int> groups = sample.groups_before(task.problem.visible_keys(panels.back().greatest_row));
    const T* const drawn = keys.load_some(groups, task.cancel);
    if (!fits(task, group.queries.greatest_length(), keys.greatest_length())) return false;
    task.clock.lap(attention_stage::rotation);
    ScanSettings<T> settings = task.settings;
    settings.keys_per_drawn = sample.keys_per_drawn;
    const int keys_end = static_cast<int>(groups.size()) * key_group;
    for_each_task(panels, [&](std::size_t first, std::size_t last) {
        for (int begin = 0; begin < keys_end; begin += task_keys) {
            task.cancel.check();
            for (std::size_t p = first; p < last; ++p) {
                const int own_end = sample.keys_before(task.problem.visible_keys(panels[p].greatest_row));
                scan(settings,
                     {.begin = begin,
                      .end = std::min(begin + task_keys, own_end),
                      .near = drawn + std::ptrdiff_t{begin} * settings.head_dim,
                      .runs = sample.runs.data()},
                     panels[p]);
            }
        }
    });
    lap_scan(task, panels);
    finish_panels(settings, panels, task.cancel);
    for (QueryPanel<T>& panel : panels) weigh_begun_cells(sample, settings, panel);
    return true;
}

}  // namespace

template <class T>
bool scan_group(GeneralTask<T>& task, RowGroup<T>& group, KeptInPrecision<T>& kept, AttentionView& view,
                SumVariance& variance) {
    const std::span<QueryPanel<T>> panels = group.queries.panels();
    if (!task.sample) return scan_all(task, group, panels, kept, view);
    const auto first_drawn = std::partition_point(
        panels.begin(), panels.end(), [&](const auto& panel) { return panel.least_row < task.sample->exact_rows; });
    const auto exact = panels.first(static_cast<std::size_t>(first_drawn - panels.begin()));
    const auto drawn = panels.subspan(exact.size());
    if (!scan_all(task, group, exact, kept, view) || !scan_drawn(task, group, drawn, kept.keys, *task.sample))
        return false;
    const int width = panel_rows<T>();
    std::vector<SumVariance> of_panel(drawn.size());
    tbb::parallel_for(std::size_t{0}, drawn.size(), [&](std::size_t p) {
        const int first = static_cast<int>(exact.size() + p) * width;
        of_panel[p] = sum_variance(*task.sample, task.settings, drawn[p], std::min(width, group.listed.size() - first));
    });
    for (const SumVariance& panel : of_panel) variance.add(panel);
    return true;
}

template bool scan_group(GeneralTask<float>&, RowGroup<float>&, KeptInPrecision<float>&, AttentionView&, SumVariance&);
template bool scan_group(GeneralTask<double>&, RowGroup<double>&, KeptInPrecision<double>&, AttentionView&,
                         SumVariance&);

}  // namespace ropewalk::cpu
