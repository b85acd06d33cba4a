// Simulation of colour-vision deficiencies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/plot/color_vision.h"
#include "app/plot/theme.h"

namespace ropewalk {
namespace {

constexpr Sight deficiencies[] = {Sight::protanopia, Sight::deuteranopia, Sight::tritanopia, Sight::grey};

int apart(Color a, Color b) {
    return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
}

TEST(ColorVision, GreyStaysGrey) {
    for (const Sight sight : deficiencies)
        for (int level = 0; level < 256; ++level) {
            const auto value = static_cast<std::uint8_t>(level);
            EXPECT_LE(apart(as_seen(Color{value, value, value, 77}, sight), {value, value, value}), 3);
            EXPECT_EQ(as_seen(Color{value, value, value, 77}, sight).a, 77);
        }
}

/// The first columns of the published matrices, with the transfer function of sRGB applied by hand.
TEST(ColorVision, RedIsAsPublished) {
    const auto encoded = [](double light) {
        return static_cast<int>(std::lround(255 * (1.055 * std::pow(light, 1 / 2.4) - 0.055)));
    };
    const Color red{255, 0, 0};
    EXPECT_EQ(as_seen(red, Sight::protanopia),
              (Color{static_cast<std::uint8_t>(encoded(0.152286)), static_cast<std::uint8_t>(encoded(0.114503)), 0}));
    EXPECT_EQ(as_seen(red, Sight::deuteranopia),
              (Color{static_cast<std::uint8_t>(encoded(0.367322)), static_cast<std::uint8_t>(encoded(0.280085)), 0}));
    EXPECT_EQ(as_seen(red, Sight::grey).g, encoded(0.2126));
}

/// With protanopia or deuteranopia, a red and a green of equal lightness are confused; with other vision they are not.
TEST(ColorVision, RedAndGreenAreConfused) {
    const Color red{200, 60, 60}, green{110, 110, 50};
    EXPECT_GT(apart(red, green), 140);
    EXPECT_LT(apart(as_seen(red, Sight::deuteranopia), as_seen(green, Sight::deuteranopia)), 70);
    EXPECT_GT(apart(as_seen(red, Sight::tritanopia), as_seen(green, Sight::tritanopia)), 110);
}

TEST(ColorVision, TheFirstCurvesStayApart) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Sight sight : {Sight::protanopia, Sight::deuteranopia, Sight::tritanopia})
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; b < a; ++b)
                    EXPECT_GT(apart(as_seen(theme->series[a], sight), as_seen(theme->series[b], sight)), 40)
                        << theme->id << ' ' << a << ' ' << b;
}

double light(std::uint8_t part) {
    const double encoded = part / 255.0;
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

using Light = std::array<double, 3>;  // red, green, blue
using Matrix = std::array<Light, 3>;

Light light(Color color) {
    return {light(color.r), light(color.g), light(color.b)};
}

Light times(const Matrix& matrix, const Light& v) {
    Light result{};
    for (std::size_t i = 0; i < 3; ++i) result[i] = std::inner_product(v.begin(), v.end(), matrix[i].begin(), 0.0);
    return result;
}

/// Converts to OKLab: Björn Ottosson 2020, "A perceptual color space for image processing".
std::array<double, 3> oklab(const Light& color) {
    auto cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                         {0.2119034982, 0.6806995451, 0.1073969566},
                         {0.0883024619, 0.2817188376, 0.6299787005}}},
                       color);
    for (double& part : cones) part = std::cbrt(part);
    return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                   {1.9779984951, -2.4285922050, 0.4505937099},
                   {0.0259040371, 0.7827717662, -0.8086757660}}},
                 cones);
}

double perceived_distance(const Light& one, const Light& other) {
    const auto a = oklab(one), b = oklab(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double perceived_distance(Color one, Color other) {
    return perceived_distance(light(one), light(other));
}

TEST(ColorVision, SeriesDifferForEveryEye) {
    // Severity 1 of Machado, Oliveira and Fernandes 2009.
    const Matrix eyes[] = {
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
        {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};
    const auto seen = [](const Matrix& eye, Color color) {
        Light parts = times(eye, light(color));
        for (double& part : parts) part = std::clamp(part, 0.0, 1.0);
        return parts;
    };
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Matrix& eye : eyes)
            for (std::size_t i = 0; i < theme->series.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_GT(perceived_distance(seen(eye, theme->series[i]), seen(eye, theme->series[j])),
                              i < 4 ? 0.08 : 0.06)
                        << theme->id << ": " << i << " and " << j;
}

/// Any two curves differ in their width or, for any colour vision, in their colour. None is dashed.
TEST(ColorVision, CurvesAreDistinguishable) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (std::size_t a = 0; a < Theme::curves; ++a) {
            EXPECT_TRUE(theme->curve(a).dash.is_solid()) << a;
            for (std::size_t b = 0; b < a; ++b) {
                if (theme->curve(a).width != theme->curve(b).width) continue;
                for (const Sight sight : {Sight::all_colors, Sight::protanopia, Sight::deuteranopia, Sight::tritanopia})
                    EXPECT_GT(perceived_distance(as_seen(theme->curve(a).color, sight),
                                                 as_seen(theme->curve(b).color, sight)),
                              0.08)
                        << theme->id << ' ' << a << ' ' << b;
            }
        }
}

/// The head's own curve is in the first colour; the others must differ from it in more than width.
TEST(ColorVision, NoCurveLooksLikeWhatItIsComparedWith) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (std::size_t other = 1; other < theme->series.size(); ++other)
            EXPECT_GT(perceived_distance(theme->series[0], theme->series[other]), 0.12) << theme->id << ' ' << other;
}

/// Success criterion 1.4.11 of WCAG 2.1, by its relative luminance.
TEST(ColorVision, CurvesHaveAContrastOfThreeToOne) {
    const auto luminance = [](Color c) { return 0.2126 * light(c.r) + 0.7152 * light(c.g) + 0.0722 * light(c.b); };
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Color& color : theme->series) {
            const auto [darker, lighter] = std::minmax({luminance(color), luminance(theme->plot_background)});
            EXPECT_GE((lighter + 0.05) / (darker + 0.05), 3) << theme->id;
        }
}

TEST(ColorVision, AnImageIsSeenPixelByPixel) {
    const Image image{2, 1, {{255, 0, 0}, {0, 0, 255}}};
    const Image seen = as_seen(image, Sight::protanopia);
    EXPECT_EQ(seen.pixels[0], as_seen(Color{255, 0, 0}, Sight::protanopia));
    EXPECT_EQ(seen.pixels[1], as_seen(Color{0, 0, 255}, Sight::protanopia));
    EXPECT_EQ(as_seen(image, Sight::all_colors).pixels, image.pixels);
}

}  // namespace
}  // namespace ropewalk
