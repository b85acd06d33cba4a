#include "app/figures/parts/curves/other_states.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ropewalk {
namespace {

/// Extends a fixed range to include the points.
void widen(Axis& axis, const std::vector<Point>& points) {
    constexpr double margin = 0.04;
    if (axis.low >= axis.high) return;
    const ValueRange set{axis.low, axis.high};
    for (const Point& point : points) {
        if (point.y > set.max) axis.high = std::max(axis.high, point.y + margin * (point.y - set.min));
        if (point.y < set.min) axis.low = std::min(axis.low, point.y - margin * (set.max - point.y));
    }
}

/// Adds the compared series of `theirs`, styled by `look` and without labels.
template <class Look>
void add_compared(CurvePlot& plot, const CurvePlot& theirs, Look&& look) {
    if (!plot.message.empty() || !theirs.message.empty()) return;
    for (Series series : theirs.series) {
        if (!series.is_compared || (!series.values && series.points.empty())) continue;
        series.label.clear();
        series.spread.clear(), series.spread_label.clear(), series.colors.clear();
        std::erase_if(series.points, [&](const Point& at) { return at.x < plot.x.low || at.x > plot.x.high; });
        widen(plot.y, series.points);
        look(series);
        plot.series.push_back(std::move(series));
    }
}

}  // namespace

void add_reference(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_reference,
                   const FigureInput& input) {
    const Stroke stroke = reference_stroke(input.theme);
    bool is_named = false;
    for (std::size_t i = 0; i < std::min(plots.size(), of_reference.size()); ++i) {
        std::vector<Series>& all = plots[i].series;
        const std::size_t own = all.size();
        add_compared(plots[i], of_reference[i], [&](Series& series) {
            if (!std::exchange(is_named, true)) series.label = input.reference_name;
            series.color = series.as_dots ? input.theme.text_dim : stroke.color;
            series.width = stroke.width, series.of = Series::Of::reference;
            series.dash = {};
        });
        if (all.size() == own || all[own].label.empty()) continue;
        for (std::size_t k = 0; k < own; ++k)
            if (all[k].is_compared && all[k].of == Series::Of::current && all[k].label.empty())
                all[k].label = input.own_name;
    }
}

void add_ghost(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_ghost, const FigureInput& input,
               const std::string& name) {
    const Stroke stroke = ghost_stroke(input.theme);
    bool is_named = name.empty();
    for (std::size_t i = 0; i < std::min(plots.size(), of_ghost.size()); ++i)
        add_compared(plots[i], of_ghost[i], [&](Series& series) {
            if (!std::exchange(is_named, true)) series.label = name;
            series.color = stroke.color, series.width = stroke.width, series.dash = {};
            series.of = Series::Of::ghost, series.is_named_first = false;
        });
}

void move(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& origin, const FigureInput& input) {
    const auto move_point = [&](Point& to, const Point& from) {
        to = {std::lerp(from.x, to.x, input.blend), std::lerp(from.y, to.y, input.blend)};
    };
    for (std::size_t i = 0; i < std::min(plots.size(), origin.size()); ++i)
        for (std::size_t k = 0; k < std::min(plots[i].series.size(), origin[i].series.size()); ++k) {
            Series& to = plots[i].series[k];
            const Series& from = origin[i].series[k];
            if (to.first == from.first && to.step == from.step) to.values = input.on_the_way(from.values, to.values);
            if (to.points.size() != from.points.size()) continue;
            for (std::size_t at = 0; at < to.points.size(); ++at) move_point(to.points[at], from.points[at]);
            input.move(to.spread, from.spread);
        }
}

}  // namespace ropewalk
