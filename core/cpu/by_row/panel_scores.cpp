#include "core/cpu/by_row/panel_scores.h"

#include <algorithm>
#include <utility>

namespace ropewalk::cpu {

template <class T>
void PanelScores<T>::lend(const Problem& problem, std::span<const int> rows, std::span<QueryPanel<T>> panels) {
    ScoreOrigin origin = ScoreOrigin::of(problem);
    const auto is_wanted = [&](const List& list) {
        return list.origin == origin && std::equal(list.rows.begin(), list.rows.end(), rows.begin(), rows.end());
    };
    if (!is_wanted(lists_[0])) std::swap(lists_[0], lists_[1]);
    List& list = lists_[0];
    if (!is_wanted(list)) {
        list = {.origin = std::move(origin), .rows = {rows.begin(), rows.end()}, .scores = {}};
        return;
    }
    const auto size_of = [&](const QueryPanel<T>& panel) {
        return static_cast<std::size_t>(problem.seen_keys(panel.max_row).end) * panel_rows<T>();
    };
    std::size_t size = 0;
    for (const QueryPanel<T>& panel : panels) size += size_of(panel);
    if (size > most_bytes / sizeof(T)) return;
    if (size + lists_[1].scores.size > most_bytes / sizeof(T)) lists_[1] = {};
    list.scores.resize(size);
    T* at = list.scores.values.get();
    for (QueryPanel<T>& panel : panels) {
        panel.scores = at;
        panel.has_scores = list.is_filled;
        at += size_of(panel);
    }
}

template <class T>
void PanelScores<T>::keep(double max_key_length) {
    List& list = lists_[0];
    list.is_filled = list.scores.size > 0;
    list.max_key_length = max_key_length;
}

template class PanelScores<float>;
template class PanelScores<double>;

}  // namespace ropewalk::cpu
