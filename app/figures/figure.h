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

#include "app/plot/axes.h"
#include "app/plot/marks.h"
#include "app/plot/theme.h"
#include "core/evaluate.h"

namespace ropewalk {

/// What a figure draws from. `results` may be of an older experiment than the one being edited; they are always whole.
struct FigureInput {
    const Results& results;
    Cursor cursor;
    bool cursor_shown = false;
    const Theme& theme;

    const Experiment& experiment() const { return results.request.experiment; }
};

/// Device pixels that a figure's plot area will have: nothing finer need be computed.
struct PlotPixels {
    int across = 600, down = 600;
};

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

/// The range with a margin of 5 %, and of some height even if all values are equal.
inline ValueRange padded(ValueRange range) {
    double margin = (range.greatest - range.least) * 0.05;
    if (!(margin > std::abs(range.greatest) * 1e-12)) margin = range.greatest == 0 ? 1 : std::abs(range.greatest) * 0.1;
    return {range.least - margin, range.greatest + margin};
}

inline Stroke cursor_stroke(const Theme& theme) { return {.color = theme.cursor, .width = 1, .dash = 4}; }

/// "i = 12  j = 3  r = 9"
inline std::string place_text(const Cursor& cursor) { return fmt::format("i = {}   j = {}   r = {}", cursor.query, cursor.key, cursor.distance()); }

/// A whole number at the pointer, if it lies in [0, count).
inline std::optional<int> index_at(double value, int count) {
    const double rounded = std::round(value);
    if (!(rounded >= 0 && rounded < count)) return std::nullopt;
    return static_cast<int>(rounded);
}

}  // namespace ropewalk
