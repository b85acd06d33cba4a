#include "core/cpu/by_row/query_panels.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/cpu/by_row/rotated_rows.h"

namespace ropewalk::cpu {

template <class T>
QueryPanels<T>::QueryPanels(const Task& task, std::span<const int> rows, int statistics) {
    const RowReader reader(task.problem, RowReader::Side::query, 1);
    const int head_dim = task.problem.head_dim(),
              count = (static_cast<int>(rows.size()) + panel_rows_ - 1) / panel_rows_;
    const std::size_t panel_entries = static_cast<std::size_t>(panel_rows_) * head_dim;
    const std::size_t panel_statistics = static_cast<std::size_t>(panel_rows_) * statistics;
    task.as_they_come.prepare(task.problem.inputs.q, head_dim, rows);
    near_ = task.workspace.template take<T>(count * panel_entries);
    if (reader.has_far()) far_ = task.workspace.template take<T>(count * panel_entries);
    statistics_ = task.workspace.template take<T>(count * panel_statistics);
    panels_.resize(static_cast<std::size_t>(count));
    std::vector<double> max_lengths(static_cast<std::size_t>(count));
    tbb::parallel_for(0, count, [&](int p) {
        task.cancel.check();
        const std::span<const int> own =
            rows.subspan(p * panel_rows_, std::min<std::size_t>(panel_rows_, rows.size() - p * panel_rows_));
        T* const near = near_.data() + p * panel_entries;
        T* const far = far_ ? far_.data() + p * panel_entries : nullptr;
        RowReader::Scratch scratch(head_dim);
        for (int lane = 0; lane < panel_rows_; ++lane) {
            // Lanes without a row repeat the last one, which is already in the scratch memory.
            if (lane < static_cast<int>(own.size())) {
                task.as_they_come.read(p * panel_rows_ + lane, scratch.row);
                max_lengths[p] = std::max(max_lengths[p], reader.rotate(own[lane], scratch));
            }
            for (int channel = 0; channel < head_dim; ++channel) {
                near[channel * panel_rows_ + lane] = static_cast<T>(scratch.near[channel]);
                if (far) far[channel * panel_rows_ + lane] = static_cast<T>(scratch.far[channel]);
            }
        }
        panels_[p].near = near;
        panels_[p].far = far;
        panels_[p].statistics = statistics_.data() + p * panel_statistics;
        set_rows(panels_[p], own);
    });
    for (const double length : max_lengths) max_length_ = std::max(max_length_, length);
}

template <class T>
void QueryPanels<T>::damp(const Problem& problem, std::size_t panel, int first_key, T* damped) const {
    const int pairs = problem.lowered.pairs();
    for (int lane = 0; lane < panel_rows_; ++lane) {
        const int row = static_cast<int>(panels_[panel].rows[lane]);
        // A causal query before the first key of a stretch sees none of it.
        const bool sees = problem.mask == Mask::none || row >= first_key;
        const std::int64_t distance = problem.position(row) - problem.position(first_key);
        for (int pair = 0; pair < pairs; ++pair) {
            const T factor = sees ? static_cast<T>(problem.lowered.left_over(pair, distance)) : 0;
            for (const int channel : {pair, pairs + pair}) {
                const int at = channel * panel_rows_ + lane;
                damped[at] = factor * panels_[panel].near[at];
            }
        }
    }
}

template class QueryPanels<float>;
template class QueryPanels<double>;

}  // namespace ropewalk::cpu
