// What a person chooses of the attention matrix: which numbers, in which colours, against what.
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

/// "score, before the mask"
inline std::string in_full(Quantity quantity, Mask mask) {
    const bool ignores_mask = quantity == Quantity::scores && mask == Mask::causal;
    return std::string(name_of_one(quantity)) + (ignores_mask ? ", before the mask" : "");
}

/// "strongest", as the control has it.
inline const char* in_words(Pooling pooling) {
    return pooling == Pooling::abs_max ? "strongest" : name_of(pooling).id;
}

/// Whether cells show the weight of token 0 on itself, the only key it sees: 1. It counts even where its row is not one
/// of those that were computed, lest the colours change when it is.
inline bool sees_first_weight(const Viewport& viewport, Pooling pooling, Mask mask) {
    return mask == Mask::causal && viewport.rows.begin == 0 && viewport.columns.begin == 0 &&
           (viewport.is_one_to_one() || pooling == Pooling::max);
}

/// The rows that a cell's value is made of.
inline Interval rows_seen(const Viewport& viewport, int cell, Pooling pooling, bool is_signed) {
    return is_signed || pooling != Pooling::mean ? viewport.shown_rows(cell) : viewport.computed_rows(cell);
}

/// What was left out of its rows, as a badge has it.
inline std::string_view what_is_sampled(const Viewport& viewport, Pooling pooling, bool is_signed) {
    if (viewport.computed_row_count() == viewport.rows.size()) return "";
    const int last = viewport.cells_down - 1;  // no cell has more rows
    if (rows_seen(viewport, last, pooling, is_signed) != viewport.cell_rows(last)) return ", rows sampled";
    return is_signed ? "" : ", sums sampled";
}

/// How the colour range is found: from what is seen, symmetric about 0, without the outermost 1 %, or as locked. A
/// diverging map is centred on 0 in all but the last.
enum class RangeMode { automatic, symmetric, percentile, locked };
template <>
struct EnumText<RangeMode> {
    static constexpr std::array<EnumName, 4> names{
        {{"automatic", "Auto"}, {"symmetric", "±"}, {"percentile", "1–99 %"}, {"locked", "Locked"}}};
};

/// The scale where it holds any values; a logarithmic one that is not locked reaches over eight decades at most, which
/// is as much as an eye can tell apart.
inline ColorScale drawable(ColorScale scale, RangeMode mode) {
    if (scale.logarithmic && mode != RangeMode::locked) {
        scale.max = scale.max > 0 ? scale.max : 1;
        scale.min = std::clamp(scale.min, scale.max * 1e-8, scale.max * 0.5);
    }
    if (scale.logarithmic) scale.min = std::max(scale.min, 1e-300);
    if (!(scale.max > scale.min)) scale.max = scale.min + (scale.min == 0 ? 1 : std::abs(scale.min));
    return scale;
}

/// With a reference at hand: the values themselves, or by how much they exceed the reference's.
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

/// Diverging by itself where values have signs.
inline ColorMap color_map_of(MapChoice choice, bool is_signed) {
    switch (choice) {
        case MapChoice::automatic: return is_signed ? ColorMap::diverging : ColorMap::viridis;
        case MapChoice::viridis: return ColorMap::viridis;
        case MapChoice::cividis: return ColorMap::cividis;
        case MapChoice::magma: return ColorMap::magma;
        case MapChoice::diverging: return ColorMap::diverging;
    }
    return ColorMap::viridis;
}

}  // namespace ropewalk
