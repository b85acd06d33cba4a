// Colour maps from exact 256-entry tables, and how numbers become colours: the same function for screen and export.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/plot/canvas.h"
#include "core/fields/fields.h"

namespace ropewalk {

/// viridis, cividis, magma: sequential, for weights. diverging: from blue over near-white to red, for signed values.
/// twilight: cyclic, for angles; its ends are one light grey and its middle is dark.
enum class ColorMap { viridis, cividis, magma, diverging, twilight };
template <>
struct EnumText<ColorMap> {
    static constexpr std::array<EnumName, 5> names{{{"viridis", "Viridis"},
                                                    {"cividis", "Cividis"},
                                                    {"magma", "Magma"},
                                                    {"diverging", "Diverging"},
                                                    {"twilight", "Twilight"}}};
};

/// The map's 256 colours, from its least value to its greatest.
std::span<const Color, 256> table_of(ColorMap map);

/// How a value becomes a colour: the table's entries share the range evenly. least ≤ greatest; `logarithmic` maps
/// log10(value) and needs least > 0; values ≤ 0 then count as `least`.
struct ColorScale {
    ColorMap map = ColorMap::viridis;
    double min = 0, max = 1;  // clamped outside
    bool logarithmic = false;

    /// Position in [0, 1], ½ if the range is empty; NaN for NaN.
    double position(double value) const;
    Color color(double value, Color not_a_number) const;
    bool operator==(const ColorScale&) const = default;
};

/// Values [rows, columns] row-major and how to colour them. Of every row the first `visible` [rows] cells count, or all
/// if it is null; the others are masked: drawn in `masked` with a hatch in `hatch`. Both are immutable, so that their
/// addresses may key a cache while they are held.
struct HeatMap {
    std::shared_ptr<const std::vector<double>> values{};
    std::shared_ptr<const std::vector<int>> visible{};
    int rows = 0, columns = 0;
    ColorScale scale{};
    Color masked{}, hatch{}, not_a_number{};

    int visible_in(int row) const { return visible ? (*visible)[static_cast<std::size_t>(row)] : columns; }
    bool operator==(const HeatMap&) const = default;
};

/// Whether any cell is masked.
bool has_masked(const HeatMap& map);

/// One pixel a cell; masked cells are `masked` with no opacity at all, so that the hatch below shows.
Image colored(const HeatMap& map);

}  // namespace ropewalk
