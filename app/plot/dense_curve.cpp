#include "app/plot/dense_curve.h"

namespace ropewalk {
namespace {

/// Returns whether a line through the first and last sample would lose an extreme.
bool goes_up_and_down(const Column& column, const Curve& curve) {
    if (column.count() <= few_samples) return false;
    const Extent range = column.extent(curve);
    const auto [min, max] = std::minmax({curve.y_at(column.first), curve.y_at(column.past_last - 1)});
    return !range.empty() && (min != range.min || max != range.max);
}

/// Returns how often samples [begin, end) change from rising to falling or back.
std::size_t turns_between(std::size_t begin, std::size_t end, const Curve& curve) {
    std::size_t turns = 0;
    for (std::size_t k = begin + 1; k + 1 < end; ++k)
        turns += (curve.y_at(k) - curve.y_at(k - 1)) * (curve.y_at(k + 1) - curve.y_at(k)) < 0;
    return turns;
}

/// Returns whether lines through the samples around a column would merge into a smear: there are several turns within a
/// few pixels, and about a sample per pixel or more.
bool does_zigzag(std::size_t i, const std::vector<Column>& columns, const Curve& curve) {
    constexpr std::size_t most_turns = 3;
    const std::size_t low = i < area_window ? 0 : i - area_window, high = std::min(columns.size() - 1, i + area_window);
    const std::size_t begin = columns[low].first, end = columns[high].past_last;
    if (end - begin < high - low || columns[high].middle - columns[low].middle > 2 * area_window + 1) return false;
    return turns_between(begin, end, curve) > most_turns;
}

Dense kind_of_one(const Column& column, const Curve& curve) {
    const bool has_many = column.count() > few_samples && !column.extent(curve).empty();
    return has_many && goes_up_and_down(column, curve) ? Dense::peak : Dense::no;
}

/// Makes areas of runs of columns that rise and fall, or zigzag.
void find_areas(const std::vector<Column>& columns, std::vector<Dense>& kinds, const Curve& curve) {
    std::size_t first = 0, rises = 0, last = 0;  // of the current run
    const auto end_run = [&](std::size_t end) {
        constexpr std::size_t fewest = 3;  // adjacent columns; the peak of a smooth curve takes one or two
        if (rises >= fewest) std::fill(kinds.begin() + first, kinds.begin() + end, Dense::area);
        rises = 0;
    };
    constexpr std::size_t longest_gap = area_window;  // columns in an area that do not rise and fall
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool zigzags =
            kinds[i] == Dense::no && columns[i].count() <= 3 * few_samples && does_zigzag(i, columns, curve);
        if (columns[i].extent(curve).empty() || (columns[i].count() <= few_samples && !zigzags)) end_run(i);
        if (rises > 0 && i - last > longest_gap) end_run(last + 1);
        if (!zigzags && kinds[i] != Dense::peak) continue;
        if (rises++ == 0) first = i;
        last = i;
    }
    end_run(rises > 0 ? last + 1 : columns.size());
}

/// Makes one area of two with little between them: a few columns, or turns, which would look like spikes beside means.
void join_areas(const std::vector<Column>& columns, std::vector<Dense>& kinds, const Curve& curve) {
    constexpr double narrow = 2 * area_window, widest = 3 * narrow;  // pixels
    const std::size_t none = columns.size();
    std::size_t area = none;  // the last column of one
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].extent(curve).empty()) area = none;
        if (kinds[i] != Dense::area) continue;
        const double gap = area == none ? infinity : columns[i].middle - columns[area].middle;
        if (gap <= narrow ||
            (gap <= widest && turns_between(columns[area].past_last - 1, columns[i].first + 1, curve) > 1))
            std::fill(kinds.begin() + area, kinds.begin() + i, Dense::area);
        area = i;
    }
}

/// Draws short areas as what is beside them: a piece of area within a line would look like a blot.
void drop_pieces(const std::vector<Column>& columns, std::vector<Dense>& kinds, const Curve& curve) {
    constexpr double shortest = 4 * area_window;  // pixels
    const auto is_finite = [&](std::size_t i) { return i < columns.size() && !columns[i].extent(curve).empty(); };
    for (std::size_t begin = 0, end = 0; begin < kinds.size(); begin = std::max(end, begin + 1)) {
        if (kinds[begin] != Dense::area) continue;
        end = static_cast<std::size_t>(
            std::find_if(kinds.begin() + begin, kinds.end(), [](Dense kind) { return kind != Dense::area; }) -
            kinds.begin());
        const bool is_within = begin > 0 && is_finite(begin - 1) && is_finite(end);
        if (!is_within || columns[end - 1].middle - columns[begin].middle >= shortest) continue;
        for (std::size_t i = begin; i < end; ++i) kinds[i] = kind_of_one(columns[i], curve);
    }
}

/// Continues an area to the end of the curve: the last samples alone would be a stroke across the end of the area.
void complete_last_area(std::vector<Dense>& kinds) {
    std::size_t end = kinds.size();
    while (end > 0 && kinds.size() - end < area_window && kinds[end - 1] != Dense::area) --end;
    if (end > 0 && kinds[end - 1] == Dense::area) std::fill(kinds.begin() + end, kinds.end(), Dense::area);
}

}  // namespace

DenseCurve::DenseCurve(const Curve& curve, const Frame& frame) {
    for_each_column(curve, frame, [&](const Column& column) {
        columns.push_back(column);
        kinds.push_back(kind_of_one(column, curve));
    });
    find_areas(columns, kinds, curve);
    join_areas(columns, kinds, curve);
    complete_last_area(kinds);
    drop_pieces(columns, kinds, curve);
}

Column DenseCurve::around(std::size_t i) const {
    Column window = columns[i];
    for (std::size_t before = i; before > 0 && i - before < area_window && kinds[before - 1] == Dense::area;)
        window.first = columns[--before].first;
    for (std::size_t after = i + 1; after < kinds.size() && after - i <= area_window && kinds[after] == Dense::area;)
        window.past_last = columns[after++].past_last;
    return window;
}

double share_of_area(const Curve& curve, const Frame& frame) {
    const std::vector<Dense> kinds = DenseCurve(curve, frame).kinds;
    return static_cast<double>(std::count(kinds.begin(), kinds.end(), Dense::area)) /
           static_cast<double>(std::max<std::size_t>(1, kinds.size()));
}

}  // namespace ropewalk
