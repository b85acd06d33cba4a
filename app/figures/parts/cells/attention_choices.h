// The options of the attention matrix: quantity, colours and comparison.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "app/plot/colormap.h"
#include "core/attention/attention.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

enum class Quantity { scores, logits, weights, log_weights };
template <>
struct EnumText<Quantity> {
    static constexpr std::array<EnumName, 4> names{
        {{"scores", "Scores"}, {"logits", "Logits"}, {"weights", "Weights"}, {"log_weights", "log₁₀ weights"}}};
};

inline const char* name_of_one(Quantity quantity) {
    return quantity == Quantity::scores ? "score" : quantity == Quantity::logits ? "logit" : "weight";
}

/// Returns "score, before the mask" for scores under a mask, else the quantity's name.
inline std::string in_full(Quantity quantity, Mask mask) {
    const bool ignores_mask = quantity == Quantity::scores && mask != Mask::none;
    return std::string(name_of_one(quantity)) + (ignores_mask ? ", before the mask" : "");
}

/// Returns the name of a pooling, as in the controls.
inline const char* in_words(Pooling pooling) {
    return pooling == Pooling::abs_max ? "largest magnitude" : name_of(pooling).id;
}

/// Returns whether colours reach the weight of token 0 on itself, which is 1 because it sees no other key. It counts
/// even where it is not shown or not computed, so that the colours of others do not depend on that.
inline bool reaches_first_weight(const Viewport& viewport, Pooling pooling, Mask mask) {
    return mask != Mask::none && (viewport.is_one_to_one() || pooling == Pooling::max);
}

/// Returns the rows that contribute to a cell's value.
inline Interval rows_seen(const Viewport& viewport, int cell, Pooling pooling, bool is_signed) {
    return is_signed || pooling != Pooling::mean ? viewport.shown_rows(cell) : viewport.computed_rows(cell);
}

/// Returns the badge's remark about sampling; empty if all rows were used.
inline std::string_view what_is_sampled(const Viewport& viewport, Pooling pooling, bool is_signed) {
    if (viewport.computed_row_count() == viewport.rows.size()) return "";
    const int last = viewport.cells_down - 1;  // no cell has more rows
    if (rows_seen(viewport, last, pooling, is_signed) != viewport.cell_rows(last)) return ", rows sampled";
    return is_signed ? "" : ", sums sampled";
}

/// The way to determine the colour range: the whole matrix, symmetric about 0, without the outermost 1 %, or locked. A
/// diverging map is centred on 0 unless the range is locked.
enum class RangeMode { automatic, symmetric, percentile, locked };
template <>
struct EnumText<RangeMode> {
    static constexpr std::array<EnumName, 4> names{
        {{"automatic", "Auto"}, {"symmetric", "±"}, {"percentile", "1–99 %"}, {"locked", "Locked"}}};
};

/// Returns the scale made valid for drawing. A logarithmic scale that is not locked spans at most eight decades, as
/// many as the eye can distinguish.
inline ColorScale drawable(ColorScale scale, RangeMode mode) {
    if (scale.logarithmic && mode != RangeMode::locked) {
        scale.max = scale.max > 0 ? scale.max : 1;
        scale.min = std::clamp(scale.min, scale.max * 1e-8, scale.max * 0.5);
    }
    if (scale.logarithmic) scale.min = std::max(scale.min, 1e-300);
    if (!(scale.max > scale.min)) scale.max = scale.min + (scale.min == 0 ? 1 : std::abs(scale.min));
    return scale;
}

/// What the matrix shows if there is a reference: the values, or their difference from the reference's.
enum class Against { nothing, reference };
template <>
struct EnumText<Against> {
    static constexpr std::array<EnumName, 2> names{{{"nothing", "Values"}, {"reference", "Difference"}}};
};

enum class MapChoice { automatic, viridis, cividis, magma, diverging };
template <>
struct EnumText<MapChoice> {
    static constexpr std::array<EnumName, 5> names{{{"automatic", "Auto"},
                                                    {"viridis", "Viridis"},
                                                    {"cividis", "Cividis"},
                                                    {"magma", "Magma"},
                                                    {"diverging", "Diverging"}}};
};

/// Returns the colour map; the automatic choice is diverging for signed values.
inline ColorMap color_map_of(MapChoice choice, bool is_signed) {
    if (choice == MapChoice::automatic) return is_signed ? ColorMap::diverging : ColorMap::viridis;
    return static_cast<ColorMap>(static_cast<int>(choice) - 1);  // both are listed in the same order
}

}  // namespace ropewalk
