// What every figure is given and what figures share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/data_table.h"
#include "app/plot/axes.h"
#include "app/plot/marks.h"
#include "app/plot/theme.h"
#include "core/evaluate.h"
#include "core/memo.h"

namespace ropewalk {

/// The least and greatest finite value; (0, 0) if there is none.
struct ValueRange {
    double least = 0, greatest = 0;
};
template <class Values>
ValueRange finite_range(const Values& values) {
    ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double value : values)
        if (std::isfinite(value)) range = {std::min(range.least, value), std::max(range.greatest, value)};
    return range.least <= range.greatest ? range : ValueRange{};
}

/// Which values a range is of. The pointers are compared: results never change.
struct RangeKey {
    std::shared_ptr<const std::vector<double>> values;
    std::shared_ptr<const std::vector<double>> mask;  // null, or −∞ where a value does not count
    int columns = 0, skipped_columns = 0;             // of each row of `columns` values, the first so many do not count
    double outermost = 0;                             // this fraction is left out at either end

    bool operator==(const RangeKey&) const = default;
};

/// Values that belong to `owner`, which keeps them alive.
inline std::shared_ptr<const std::vector<double>> part_of(const std::shared_ptr<const void>& owner,
                                                          const std::vector<double>& values) {
    return {owner, &values};
}

/// What drawing would otherwise find anew in every frame. Belongs to whoever draws.
struct FigureMemo {
    Memo<RangeKey, ValueRange> ranges{16};
};

/// What a figure draws from. `results` may be of an older experiment than the one being edited; they are always whole.
struct FigureInput {
    const Results& results;
    Cursor cursor;
    bool cursor_shown = false;
    const Theme& theme;
    FigureMemo& memo;

    const Experiment& experiment() const { return results.request.experiment; }
    ValueRange range_of(const RangeKey& key) const;
};

/// Device pixels that a figure's plot area will have: nothing finer need be computed.
struct PlotPixels {
    int across = 600, down = 600;
};

/// The range with a margin of 5 %, and of some height even if all values are equal.
inline ValueRange padded(ValueRange range) {
    double margin = (range.greatest - range.least) * 0.05;
    if (!(margin > std::abs(range.greatest) * 1e-12)) margin = range.greatest == 0 ? 1 : std::abs(range.greatest) * 0.1;
    return {range.least - margin, range.greatest + margin};
}

inline Stroke cursor_stroke(const Theme& theme) {
    return {.color = theme.cursor, .width = 1, .dash = 4};
}

/// The cursor's lines over a heat map: light dashes on a dark ground, to be seen on every colour. NaN leaves a line
/// out.
inline void draw_cross_hair(double x, double y, const Frame& frame, Canvas& canvas) {
    for (const Stroke& stroke : {Stroke{.color = Color{20, 22, 28}.with_alpha(0.45), .width = 1.6},
                                 Stroke{.color = Color{245, 247, 252}, .width = 1, .dash = 4}}) {
        if (!std::isnan(x)) draw_vertical_rule(x, frame, canvas, stroke);
        if (!std::isnan(y)) draw_horizontal_rule(y, frame, canvas, stroke);
    }
}

/// Makes two plots that stand above each other begin at the same x.
inline void align_left(Frame& upper, Frame& lower) {
    const double left = std::max(upper.plot.x, lower.plot.x);
    for (Frame* frame : {&upper, &lower})
        frame->plot = {left, frame->plot.y, frame->plot.right() - left, frame->plot.height};
}

/// "i = 12  j = 3  r = 9"
inline std::string place_text(const Cursor& cursor) {
    return fmt::format("i = {}   j = {}   r = {}", cursor.query, cursor.key, cursor.distance());
}

/// A whole number at the pointer, if it lies in [0, count).
inline std::optional<int> index_at(double value, int count) {
    const double rounded = std::round(value);
    if (!(rounded >= 0 && rounded < count)) return std::nullopt;
    return static_cast<int>(rounded);
}

}  // namespace ropewalk
