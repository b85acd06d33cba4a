// Colour maps with exact 256-entry tables, and the mapping of numbers to colours for both screen and export.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/plot/canvas.h"
#include "core/fields/fields.h"
#include "core/numbers/interval.h"
#include "core/numbers/shared_numbers.h"

namespace ropewalk {

/// Colour maps. viridis, cividis, magma: sequential, for weights. diverging: from blue over near-white to red, for
/// signed values. twilight: cyclic, for angles; both ends are the same light grey and the middle is dark.
enum class ColorMap { viridis, cividis, magma, diverging, twilight };
template <>
struct EnumText<ColorMap> {
    static constexpr std::array<EnumName, 5> names{{{"viridis", "Viridis"},
                                                    {"cividis", "Cividis"},
                                                    {"magma", "Magma"},
                                                    {"diverging", "Diverging"},
                                                    {"twilight", "Twilight"}}};
};

/// Returns the map's 256 colours, from the minimum to the maximum.
std::span<const Color, 256> table_of(ColorMap map);

/// Maps a value to a colour: the table's entries divide the range evenly. Requires min ≤ max. `logarithmic` maps
/// log10(value) and requires min > 0; values ≤ 0 then count as `min`.
struct ColorScale {
    ColorMap map = ColorMap::viridis;
    double min = 0, max = 1;  // clamped outside
    bool logarithmic = false;

    /// Returns the position in [0, 1]; ½ if the range is empty, NaN for NaN.
    double position(double value) const;
    Color color(double value, Color not_a_number) const;
    bool operator==(const ColorScale&) const = default;
};

/// Values [rows, columns], row-major, and how to colour them. In row i the cells of visible[i] count, or all if
/// `visible` is null; the others are masked: drawn in `masked` with a hatch in `hatch`. Both arrays are immutable, so
/// their addresses can be cache keys while they are held.
struct HeatMap {
    SharedNumbers values{};
    std::shared_ptr<const std::vector<Interval>> visible{};
    int rows = 0, columns = 0;
    ColorScale scale{};
    Color masked{}, hatch{}, not_a_number{};

    Interval visible_in(int row) const {
        return visible ? (*visible)[static_cast<std::size_t>(row)] : Interval{0, columns};
    }
    bool operator==(const HeatMap&) const = default;
};

/// Returns whether any cell is masked.
bool has_masked(const HeatMap& map);

/// Returns one pixel per cell. Masked cells are fully transparent, so that the hatch below is visible.
Image colored(const HeatMap& map);

}  // namespace ropewalk
