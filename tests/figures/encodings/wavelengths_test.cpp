// Wavelengths against pairs and against channels.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <tuple>

#include "app/figures/figure_list.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

bool has_circle(const RecordingCanvas& canvas, Point centre) {
    return std::any_of(canvas.drawn().begin(), canvas.drawn().end(), [&](const Drawn& drawn) {
        const auto* circle = std::get_if<DrawnCircle>(&drawn.what);
        return circle && std::hypot(circle->centre.x - centre.x, circle->centre.y - centre.y) < 0.6;
    });
}

/// Returns whether the cursor's band is here.
bool has_band(const RecordingCanvas& canvas, double x) {
    return std::any_of(canvas.drawn().begin(), canvas.drawn().end(), [&](const Drawn& drawn) {
        const auto* band = std::get_if<DrawnRect>(&drawn.what);
        return band && band->rect.width == cursor_band && std::abs(band->rect.centre().x - x) < 1.1;
    });
}

TEST(Reference, WavelengthsHaveOneRangeWithIt) {
    const Figure figure = WavelengthsFigure{};
    const auto a = results_for(figure, changed({}, "encoding.base=100"), {}, {}),
               b = results_for(figure, changed({}, "encoding.base=1e6 seq_len=4096"), {}, {});
    FigureMemo memo;
    const auto axis = [&](const Results& shown, const Results* other) {
        RecordingCanvas canvas({0, 0, 400, 300});
        const FigureInput input{.results = shown, .theme = light_theme(), .memo = memo, .reference = other};
        return draw(figure, input, canvas, {0, 0, 400, 300}).y;
    };
    EXPECT_EQ(axis(*a, b.get()).low, axis(*b, a.get()).low);
    EXPECT_EQ(axis(*a, b.get()).high, axis(*b, a.get()).high);
    EXPECT_LT(axis(*a, nullptr).high, axis(*a, b.get()).high);
}

TEST(Wavelengths, AgainstChannelsAWaveIsWhereItIsAdded) {
    // Sines in the first half, cosines in the second; the pairing of neighbours does not change this.
    const Figure figure = WavelengthsFigure{.axis = WavelengthsAxis::channel};
    const RecordingCanvas canvas =
        drawn(figure, changed({.head_dim = 16}, "pairing=interleaved encoding=sinusoidal encoding.layout=halves"), {},
              {0, 0, 500, 300});
    std::vector<Point> dots;
    for (const Drawn& one : canvas.drawn())
        if (const auto* circle = std::get_if<DrawnCircle>(&one.what); circle && circle->radius > 2)  // not the legend's
            dots.push_back(circle->centre);
    std::sort(dots.begin(), dots.end(), [](Point a, Point b) { return a.x < b.x; });
    ASSERT_EQ(dots.size(), 16u);
    for (std::size_t channel = 0; channel < 8; ++channel)
        EXPECT_NEAR(dots[channel].y, dots[channel + 8].y, 1e-9) << channel;
    for (std::size_t channel = 1; channel < 8; ++channel)
        EXPECT_LT(dots[channel].y, dots[channel - 1].y) << "longer and longer";
}

TEST(Wavelengths, AgainstChannelsAPairIsWhereItIsStored) {
    const Figure figure = WavelengthsFigure{.axis = WavelengthsAxis::channel};
    const Cursor cursor{.query = 9, .key = 4, .pair = 3};
    const Rect rect{0, 0, 500, 300};
    // With p-RoPE and partial RoPE, half split pairs the halves of the rotated channels, and of the others.
    for (const auto& [settings, first, second] :
         {std::tuple{"pairing=interleaved", 6, 7},
          {"pairing=half_split", 3, 11},
          {"pairing=half_split encoding=p_rope encoding.p=0.5", 3, 11},
          {"pairing=half_split encoding=partial encoding.fraction=0.5", 3, 7}}) {
        const auto results = results_for(figure, changed({.head_dim = 16, .seq_len = 32}, settings), cursor);
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        const FigureInput input{
            .results = *results, .cursor = cursor, .cursor_shown = true, .theme = light_theme(), .memo = memo};
        const Frame frame = draw(figure, input, canvas, rect);
        for (const int channel : {first, second}) {
            const auto picked = pick(figure, input, frame, frame.to_pixels(channel, frame.y.low));
            ASSERT_TRUE(picked) << settings;
            EXPECT_EQ(*picked, cursor) << settings << " " << channel;
            if (std::string_view(settings).find("encoding") != std::string_view::npos) continue;
            const Point dot = frame.to_pixels(channel, 2 * std::numbers::pi * std::pow(1e4, 6.0 / 16));
            EXPECT_TRUE(has_circle(canvas, dot)) << settings << " " << channel;
            EXPECT_TRUE(has_band(canvas, dot.x)) << settings << " " << channel;
        }
        EXPECT_THAT(readout(figure, input), testing::HasSubstr(fmt::format("channels {} and {}", first, second)));
    }
}

}  // namespace
}  // namespace ropewalk
