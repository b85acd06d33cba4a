#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "app/plot/colormap.h"
#include "app/plot/theme.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr Color masked{1, 2, 3}, hatch{4, 5, 6}, not_a_number{7, 8, 9};

HeatMap row_of(std::vector<double> values, const ColorScale& scale) {
    const int columns = static_cast<int>(values.size());
    return {.values = SharedNumbers::of(std::move(values)),
            .rows = 1,
            .columns = columns,
            .scale = scale,
            .masked = masked,
            .hatch = hatch,
            .not_a_number = not_a_number};
}

/// Returns CIE L* of an sRGB colour.
double lightness(Color color) {
    const auto linear = [](std::uint8_t part) {
        const double c = part / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 116 * std::cbrt(0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)) - 16;
}

TEST(ColorMap, TablesAreThePublishedOnes) {
    const auto viridis = table_of(ColorMap::viridis);
    EXPECT_EQ(viridis[0], (Color{68, 1, 84}));
    EXPECT_EQ(viridis[64], (Color{59, 82, 139}));
    EXPECT_EQ(viridis[128], (Color{33, 145, 140}));
    EXPECT_EQ(viridis[192], (Color{94, 201, 98}));
    EXPECT_EQ(viridis[255], (Color{253, 231, 37}));
    EXPECT_EQ(table_of(ColorMap::magma)[0], (Color{0, 0, 4}));
    EXPECT_EQ(table_of(ColorMap::magma)[128], (Color{183, 55, 121}));
    EXPECT_EQ(table_of(ColorMap::magma)[255], (Color{252, 253, 191}));
    EXPECT_EQ(table_of(ColorMap::cividis)[0], (Color{0, 34, 78}));
    EXPECT_EQ(table_of(ColorMap::cividis)[255], (Color{254, 232, 56}));
    // ColorBrewer's RdBu, reversed: its two ends are among the eleven published colours.
    EXPECT_EQ(table_of(ColorMap::diverging)[0], (Color{5, 48, 97}));
    EXPECT_EQ(table_of(ColorMap::diverging)[255], (Color{103, 0, 31}));
}

TEST(ColorMap, SequentialOnesGrowLighter) {
    for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::magma}) {
        const auto table = table_of(map);
        for (std::size_t i = 8; i < table.size(); ++i)
            EXPECT_GT(lightness(table[i]), lightness(table[i - 8])) << name_of(map).id << " at " << i;
    }
}

TEST(ColorMap, DivergingOneIsLightestInTheMiddle) {
    const auto table = table_of(ColorMap::diverging);
    for (std::size_t i = 8; i < 128; ++i) EXPECT_GT(lightness(table[i]), lightness(table[i - 8])) << i;
    for (std::size_t i = 136; i < 256; ++i) EXPECT_LT(lightness(table[i]), lightness(table[i - 8])) << i;
    EXPECT_GT(lightness(table[127]), 95);
    EXPECT_GT(table[0].b, table[0].r);
    EXPECT_GT(table[255].r, table[255].b);
}

TEST(ColorScale, PositionIsLinearAndClamped) {
    const ColorScale scale{ColorMap::viridis, -2, 6, false};
    EXPECT_EQ(scale.position(-2), 0);
    EXPECT_EQ(scale.position(0), 0.25);
    EXPECT_EQ(scale.position(6), 1);
    EXPECT_EQ(scale.position(-infinity), 0);
    EXPECT_EQ(scale.position(infinity), 1);
    EXPECT_TRUE(std::isnan(scale.position(nan)));
}

TEST(ColorScale, PositionIsLogarithmicOnRequest) {
    const ColorScale scale{ColorMap::viridis, 1e-4, 1, true};
    for (const double value : {1e-4, 3e-4, 1e-3, 0.02, 0.5, 0.70710678, 1.0})
        EXPECT_NEAR(scale.position(value), std::log10(value) / 4 + 1, 1e-9) << value;
    for (const double value : {0.0, -1.0, -infinity, 5e-324}) EXPECT_EQ(scale.position(value), 0) << value;
    EXPECT_NEAR(scale.position(infinity), 1, 1e-12);
    EXPECT_TRUE(std::isnan(scale.position(nan)));
    const ColorScale wide{ColorMap::viridis, 1e-300, 1e300, true};
    for (const double value : {1e-300, 1e-150, 1.0, 1e300})
        EXPECT_NEAR(wide.position(value), std::log10(value) / 600 + 0.5, 1e-9) << value;
}

TEST(ColorScale, PositionIsTheMiddleOfAnEmptyRange) {
    for (const bool logarithmic : {false, true})
        for (const double value : {-infinity, 0.0, 3.0, infinity})
            EXPECT_EQ((ColorScale{ColorMap::viridis, 3, 3, logarithmic}).position(value), 0.5) << value;
}

TEST(ColorScale, SpansTheWholeRangeOfDoubles) {
    constexpr double max = std::numeric_limits<double>::max();
    const ColorScale scale{ColorMap::viridis, -max, max, false};
    EXPECT_EQ(scale.position(-max), 0);
    EXPECT_EQ(scale.position(0), 0.5);
    EXPECT_EQ(scale.position(max), 1);
}

TEST(ColorScale, RejectsInvalidRanges) {
    EXPECT_THROW((ColorScale{ColorMap::viridis, 1, 0, false}).position(0), std::logic_error);
    EXPECT_THROW((ColorScale{ColorMap::viridis, 0, 1, true}).position(0), std::logic_error);
    EXPECT_THROW((ColorScale{ColorMap::viridis, nan, 1, false}).position(0), std::logic_error);
}

TEST(Colored, SharesTheRangeEvenlyAmongTheTable) {
    std::vector<double> values;
    for (int i = 0; i < 256; ++i) values.insert(values.end(), {i / 256.0, (i + 0.999) / 256.0});
    const Image image = colored(row_of(values, {ColorMap::magma, 0, 1, false}));
    ASSERT_EQ(image.width, 512);
    ASSERT_EQ(image.height, 1);
    for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(image.pixels[i], table_of(ColorMap::magma)[i / 2]) << i;
}

TEST(Colored, AgreesWithTheScaleCellByCell) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (int i = 0; i < 3001; ++i)
        values.push_back(i % 97 == 0 ? nan : i % 89 == 0 ? infinity : std::exp(3 * normal(random)) - 0.01);
    for (const ColorScale& scale :
         {ColorScale{ColorMap::viridis, 0, 7, false}, ColorScale{ColorMap::cividis, 1e-3, 1e3, true}}) {
        const Image image = colored(row_of(values, scale));
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(image.pixels[i], scale.color(values[i], not_a_number)) << values[i];
    }
}

std::shared_ptr<const std::vector<Interval>> cells_seen(std::vector<Interval> seen) {
    return std::make_shared<const std::vector<Interval>>(std::move(seen));
}

TEST(Colored, GivesNanItsColourAndLeavesMaskedCellsOpen) {
    HeatMap map = row_of({nan, 0, 0, 1}, {});
    EXPECT_FALSE(has_masked(map));
    map.rows = map.columns = 2;
    map.visible = cells_seen({{0, 1}, {0, 2}});
    EXPECT_TRUE(has_masked(map));
    const Image image = colored(map);
    EXPECT_EQ(image.pixels[0], not_a_number);
    EXPECT_EQ(image.pixels[1], masked.with_alpha(0));
    EXPECT_EQ(image.pixels[2], table_of(ColorMap::viridis)[0]);
    EXPECT_EQ(image.pixels[3], table_of(ColorMap::viridis)[255]);
    map.visible = cells_seen({{1, 2}, {1, 2}});
    EXPECT_TRUE(has_masked(map));
    EXPECT_EQ(colored(map).pixels[0], masked.with_alpha(0)) << "before the first";
    EXPECT_EQ(colored(map).pixels[1], table_of(ColorMap::viridis)[0]);
    map.visible = cells_seen({{0, 2}, {0, 2}});
    EXPECT_FALSE(has_masked(map));
}

TEST(Colored, OfNothingIsEmpty) {
    const Image image = colored({});
    EXPECT_EQ(image.width, 0);
    EXPECT_TRUE(image.pixels.empty());
}

TEST(Colored, RefusesValuesOfAnotherShape) {
    HeatMap map = row_of({1, 2, 3}, {});
    map.rows = 2;
    EXPECT_THROW(colored(map), std::logic_error);
    map.rows = 1;
    map.visible = cells_seen({{0, 1}, {0, 1}});
    EXPECT_THROW(colored(map), std::logic_error);
}

TEST(Theme, TextAndSeriesContrastWithTheirBackgrounds) {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        const auto contrast = [](Color a, Color b) { return std::abs(lightness(a) - lightness(b)); };
        EXPECT_GT(contrast(theme->text, theme->panel), 70) << theme->id;
        EXPECT_GT(contrast(theme->text_dim, theme->panel), 40) << theme->id;
        for (const Color& color : theme->series) EXPECT_GT(contrast(color, theme->plot_background), 35) << theme->id;
    }
}

TEST(ColorMap, CyclicOneEndsWhereItBeginsAndIsDarkBetween) {
    const auto table = table_of(ColorMap::twilight);
    // matplotlib's twilight, at five places.
    EXPECT_EQ(table[0], (Color{226, 217, 226}));
    EXPECT_EQ(table[64], (Color{98, 117, 186}));
    EXPECT_EQ(table[128], (Color{48, 20, 55}));
    EXPECT_EQ(table[192], (Color{179, 89, 83}));
    EXPECT_NEAR(lightness(table[255]), lightness(table[0]), 1);
    for (std::size_t i = 8; i < 120; ++i) EXPECT_LT(lightness(table[i]), lightness(table[i - 8])) << i;
    for (std::size_t i = 144; i < 256; ++i) EXPECT_GT(lightness(table[i]), lightness(table[i - 8])) << i;
}

TEST(Theme, FadedIsBetweenTheColourAndThePlotsBackground) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        const Color ground = theme->plot_background, color = theme->series[0];
        EXPECT_EQ(theme->faded(color, 1), color);
        EXPECT_EQ(theme->faded(color, 0), ground);
        const Color half = theme->faded(color, 0.5);
        EXPECT_NEAR(half.r, (color.r + ground.r) / 2.0, 0.51);
        EXPECT_NEAR(half.g, (color.g + ground.g) / 2.0, 0.51);
        EXPECT_NEAR(half.b, (color.b + ground.b) / 2.0, 0.51);
        EXPECT_EQ(half.a, 255) << "printers have no translucent lines";
        // A transparent page is used on a background as light or dark as the theme.
        Theme transparent = *theme;
        transparent.plot_background = transparent.panel = Color{0, 0, 0, 0};
        EXPECT_EQ(transparent.faded(color, 0.5), half);
    }
}

}  // namespace
}  // namespace ropewalk
