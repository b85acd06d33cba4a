#include "app/figures/figure.h"

#include <algorithm>

namespace ropewalk {

ValueRange FigureInput::range_of(const RangeKey& key) const {
    return memo.range(key, [&] {
        if (key.skipped_columns == 0 && key.outermost == 0 && !key.visible) return finite_range(*key.values);
        Numbers counted;
        counted.reserve(key.values->size());
        for (std::size_t i = 0; i < key.values->size(); ++i) {
            const double value = (*key.values)[i];
            const std::size_t columns = std::max<std::size_t>(1, static_cast<std::size_t>(key.columns));
            const int column = static_cast<int>(i % columns);
            const bool masked = key.visible && !(*key.visible)[i / columns].contains(column);
            if (column >= key.skipped_columns && !masked && std::isfinite(value)) counted.push_back(value);
        }
        if (key.outermost == 0 || counted.empty()) return finite_range(counted);
        const auto at = [&](double fraction) {
            const auto nth =
                counted.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(counted.size() - 1));
            std::nth_element(counted.begin(), nth, counted.end());
            return *nth;
        };
        return ValueRange{at(key.outermost), at(1 - key.outermost)};
    });
}

SharedNumbers FigureInput::on_the_way(const SharedNumbers& from, const SharedNumbers& to) const {
    constexpr std::size_t most = 1 << 16;
    if (!from || !to || from->size() != to->size() || to->size() > most) return to;
    std::vector<double> values(to->begin(), to->end());
    move(values, *from);
    return SharedNumbers::of(std::move(values));
}

void FigureInput::move(std::vector<double>& to, std::span<const double> from) const {
    if (from.size() != to.size()) return;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (std::isfinite(from[i]) && std::isfinite(to[i])) to[i] = std::lerp(from[i], to[i], blend);
}

Axis FigureInput::reached(Axis axis) const {
    const ValueRange all = reached("x: " + axis.title, {axis.low, axis.high});
    axis.low = all.min, axis.high = all.max;
    return axis;
}

void draw_cross_hair(double x, double y, const Frame& frame, Canvas& canvas) {
    // A grey veil between light edges is visible on every colour, and so is a light ring on a dark one. Over large
    // cells it would distort the colours of much of the picture.
    constexpr Color veil{122, 130, 146, 96}, edge{245, 247, 252, 64}, light{245, 247, 252}, dark{20, 22, 28, 170};
    constexpr double ring = 5.5, widest_veil = 28;
    const Point origin = frame.to_pixels(0, 0), next = frame.to_pixels(1, 1), at = frame.to_pixels(x, y);
    const Rect& plot = frame.plot;
    const double across = std::max(cursor_band, std::abs(next.x - origin.x)),
                 down = std::max(cursor_band, std::abs(next.y - origin.y));
    const auto draw_strip = [&](const Rect& strip) {
        if (std::min(strip.width, strip.height) > widest_veil) {
            canvas.stroke_rect(strip.inset(1.5), {.color = dark, .width = 3});
            return canvas.stroke_rect(strip.inset(1.5), {.color = light, .width = 1});
        }
        canvas.fill_rect(strip, veil);
        canvas.stroke_rect(strip.inset(-0.5), {.color = edge});
    };
    canvas.push_clip(plot);
    if (!std::isnan(x)) draw_strip({std::round(at.x - across / 2), plot.y - 2, std::round(across), plot.height + 4});
    if (!std::isnan(y)) draw_strip({plot.x - 2, std::round(at.y - down / 2), plot.width + 4, std::round(down)});
    if (!std::isnan(x) && !std::isnan(y)) {
        canvas.circle(at, ring, {0, 0, 0, 0}, {.color = dark, .width = 4});
        canvas.circle(at, ring, {0, 0, 0, 0}, {.color = light, .width = 2});
    }
    canvas.pop_clip();
}

double cursor_on(const Axis& axis, const FigureInput& input) {
    switch (axis.along) {
        case Along::nothing: return nan;
        case Along::distance: return shown_distance(input);
        case Along::pair: return input.cursor.pair;
        case Along::query: return input.cursor.query;
        case Along::key: return input.cursor.key;
    }
    return nan;
}

const Frame* plot_at(const Frame& frame, Point at) {
    if (frame.plot.contains(at)) return &frame;
    for (const Frame& above : frame.above)
        if (above.plot.contains(at)) return &above;
    return nullptr;
}

std::optional<Cursor> pick_on(const FigureInput& input, const Frame& frame, Point at) {
    const Experiment& experiment = input.experiment();
    const Frame* const under = plot_at(frame, at);
    const Frame& plot = under ? *under : frame;
    Cursor cursor = input.cursor;
    bool has_moved = false;
    for (const auto& [axis, value] : {std::pair{&plot.y, plot.y_at(at.y)}, {&plot.x, plot.x_at(at.x)}}) {
        if (axis->along == Along::nothing) continue;
        const int count = axis->along == Along::pair ? experiment.head_dim / 2 : experiment.seq_len;
        const auto index = index_on(*axis, value, count);
        if (!index) return std::nullopt;
        has_moved = true;
        if (axis->along == Along::distance) cursor = cursor.at_distance(*index, experiment.seq_len);
        if (axis->along == Along::pair) cursor.pair = *index;
        if (axis->along == Along::query) cursor.query = *index, cursor.key = std::min(cursor.key, *index);
        if (axis->along == Along::key) cursor.key = *index;
    }
    return has_moved ? std::optional(cursor) : std::nullopt;
}

}  // namespace ropewalk
