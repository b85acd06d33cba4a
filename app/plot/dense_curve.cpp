#include "app/plot/dense_curve.h"

#include <iterator>

namespace ropewalk {
namespace {

/// Returns whether a line through the first and last sample would lose an extreme.
bool goes_up_and_down(const Column& column, const Curve& curve) {
    if (column.count() <= few_samples) return false;
    const Extent range = column.extent(curve);
    const auto [min, max] = std::minmax({curve.y_at(column.first), curve.y_at(column.past_last - 1)});
    return !range.empty() && (min != range.min || max != range.max);
}

/// Returns whether the samples of a column can still be told apart, though lines through them may merge.
bool has_few_samples(const Column& column) {
    return column.count() <= 3 * few_samples;
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
        const bool zigzags = kinds[i] == Dense::no && has_few_samples(columns[i]) && does_zigzag(i, columns, curve);
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

/// Makes a curve of one kind where patches of area would alternate with a line: areas with few samples in a column are
/// joined if they cover half of it, and are else drawn as what is beside them, as are short ones.
void unify_areas(const std::vector<Column>& columns, std::vector<Dense>& kinds, const Curve& curve) {
    constexpr double shortest = 4 * area_window;             // pixels
    constexpr std::ptrdiff_t longest_end = 8 * area_window;  // columns of a line before or after the area
    const auto is_area = [](Dense kind) { return kind == Dense::area; };
    const std::size_t size = kinds.size();
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < size; begin = end + 1) {
        end = begin;
        while (end < size && !columns[end].extent(curve).empty()) ++end;
        const auto from = kinds.begin() + static_cast<std::ptrdiff_t>(begin),
                   to = kinds.begin() + static_cast<std::ptrdiff_t>(end);
        const auto first = std::find_if(from, to, is_area);
        if (first == to) continue;
        const auto last = std::find_if(std::reverse_iterator(to), std::reverse_iterator(from), is_area).base();
        const bool joins = 2 * std::count_if(from, to, is_area) >= to - from;
        auto run = first, stop = last;
        if (joins && first - from <= longest_end) run = from;
        if (joins && to - last <= longest_end) stop = to;
        for (auto past = run; run != stop; run = past) {
            const bool is_in_area = is_area(*run);
            past = std::find_if(run, stop, [&](Dense kind) { return is_area(kind) != is_in_area; });
            const auto at = static_cast<std::size_t>(run - kinds.begin()),
                       past_at = static_cast<std::size_t>(past - kinds.begin());
            const bool is_sparse = std::all_of(columns.begin() + (run - kinds.begin()),
                                               columns.begin() + (past - kinds.begin()), has_few_samples);
            const bool is_short = columns[past_at - 1].middle - columns[at].middle < shortest;
            if (!is_in_area && joins && is_sparse) std::fill(run, past, Dense::area);
            if (is_in_area && !joins && (is_sparse || is_short))
                for (std::size_t i = at; i < past_at; ++i) kinds[i] = kind_of_one(columns[i], curve);
        }
    }
}

/// Continues an area to the end of the curve: the last samples alone would be a stroke across the end of the area.
void complete_last_area(std::vector<Dense>& kinds) {
    std::size_t end = kinds.size();
    while (end > 0 && kinds.size() - end < area_window && kinds[end - 1] != Dense::area) --end;
    if (end > 0 && kinds[end - 1] == Dense::area) std::fill(kinds.begin() + end, kinds.end(), Dense::area);
}

}  // namespace

DenseCurve::DenseCurve(const Curve& curve, const Frame& frame) : place_(place_of(curve, frame)) {
    for_each_column(curve, frame, [&](const Column& column) {
        columns.push_back(column);
        kinds.push_back(kind_of_one(column, curve));
    });
    find_areas(columns, kinds, curve);
    join_areas(columns, kinds, curve);
    complete_last_area(kinds);
    unify_areas(columns, kinds, curve);
    parts.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (kinds[i] != Dense::area) continue;
        const Column window = around(i);
        parts[i] = {window.extent(curve), curve.mean(window.first, window.past_last)};
    }
}

DenseCurve::Place DenseCurve::place_of(const Curve& curve, const Frame& frame) {
    return {frame.x, frame.plot.x, frame.plot.width, curve.first, curve.step};
}

std::shared_ptr<const DenseCurve> DenseCurve::of(const Curve& curve, const Frame& frame) {
    std::shared_ptr<const DenseCurve> own;
    std::shared_ptr<const DenseCurve>& last = curve.extents ? curve.extents->drawn_ : own;
    if (!last || last->place_ != place_of(curve, frame)) last = std::make_shared<const DenseCurve>(curve, frame);
    return last;
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
    const auto dense = DenseCurve::of(curve, frame);
    const std::vector<Dense>& kinds = dense->kinds;
    return static_cast<double>(std::count(kinds.begin(), kinds.end(), Dense::area)) /
           static_cast<double>(std::max<std::size_t>(1, kinds.size()));
}

}  // namespace ropewalk
