#include "app/figures/encodings/phasors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/figures/parts/marks/pair_marks.h"

namespace ropewalk {
namespace {

/// Returns whether clocks and path have more room beside each other.
bool are_side_by_side(const Rect& rect) {
    return rect.width > rect.height * 1.15;
}

}  // namespace

Frame PhasorsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto phasors = input.results.find(PhasorsQuestion{});
    const auto [clocks, sum] = parts(above_track(input, rect), input.experiment().head_dim / 2);
    if (phasors) draw_clocks(*phasors, input, canvas, clocks);
    if (const Rect track = track_of(input, rect); track.height > 0) draw_track(input, canvas, track);
    const auto reference = input.reference ? input.reference->find(PhasorsQuestion{}) : nullptr;
    Frame frame = sums == PhasorDrawing::lengths ? draw_lengths(input, canvas, sum)
                                                 : draw_sum(phasors.get(), reference.get(), input, canvas, sum);
    frame.outer = rect;
    return frame;
}

bool PhasorsFigure::scrubs_at(const FigureInput& input, const Frame& frame, Point at) const {
    const Rect track = track_of(input, frame.outer);
    return track.height > 0 && at.y >= track.y && at.y <= track.bottom();
}

std::optional<Cursor> PhasorsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const int pairs = input.experiment().head_dim / 2;
    if (scrubs_at(input, frame, at)) {
        const Rect track = track_of(input, frame.outer);
        const double share = std::clamp((at.x - track.x - track_end) / (track.width - 2 * track_end), 0.0, 1.0);
        const int query = input.cursor.query;
        return Cursor{query, query - static_cast<int>(std::round(share * query)), input.cursor.pair};
    }
    const ClockGrid grid = grid_of(parts(above_track(input, frame.outer), pairs).first, pairs);
    if (grid.cell <= 0) return std::nullopt;
    const int column = static_cast<int>(std::floor((at.x - grid.origin.x) / grid.cell)),
              row = static_cast<int>(std::floor((at.y - grid.origin.y) / grid.cell));
    const int pair = row * grid.columns + column;
    if (column < 0 || column >= grid.columns || row < 0 || pair >= pairs) return std::nullopt;
    return Cursor{input.cursor.query, input.cursor.key, pair};
}

std::string PhasorsFigure::readout(const FigureInput& input) const {
    const auto phasors = input.results.find(PhasorsQuestion{});
    if (!phasors) return place_text(input, input.cursor);
    const Cursor cursor = input.results.request.cursor;
    const std::size_t pair = pair_at_cursor(input, phasors->unit.size());
    return fmt::format("{}   {} = {}   pair {}   hand at {} of a turn", place_text(input, cursor), sum_name(input),
                       readable(path_of(*phasors).back().real()), pair,
                       readable(std::arg(hand_of(*phasors, pair)) / (2 * std::numbers::pi)));
}

DataTable PhasorsFigure::table(const Results& results) const {
    const auto phasors = results.find(PhasorsQuestion{});
    const auto real = [](Complex number) { return number.real(); };
    const auto imaginary = [](Complex number) { return number.imag(); };
    return table_of_columns({{"unit_real", column_of(phasors->unit_walk, real)},
                             {"unit_imaginary", column_of(phasors->unit_walk, imaginary)},
                             {"head_real", column_of(phasors->weighted_walk, real)},
                             {"head_imaginary", column_of(phasors->weighted_walk, imaginary)}});
}

const std::vector<Complex>& PhasorsFigure::path_of(const Phasors& phasors) const {
    return steps == PhasorSteps::unit ? phasors.unit_walk : phasors.weighted_walk;
}

const char* PhasorsFigure::sum_name(const FigureInput& input) const {
    if (steps == PhasorSteps::head) return "Σ gₜ";
    return input.results.problem->lowered.rotates() ? "Σ cos" : "pₘ·pₙ = Σ cos";
}

Rect PhasorsFigure::track_of(const FigureInput& input, const Rect& rect) {
    const double enough = are_side_by_side(rect) ? min_height_beside_with_track : min_height_stacked_with_track,
                 height = input.cursor_shown && rect.height >= enough ? track_height : 0;
    return {rect.x, rect.bottom() - height, rect.width, height};
}

Rect PhasorsFigure::above_track(const FigureInput& input, const Rect& rect) {
    const double height = track_of(input, rect).height;
    return {rect.x, rect.y, rect.width, rect.height - (height > 0 ? height + 4 : 0)};
}

void PhasorsFigure::draw_track(const FigureInput& input, Canvas& canvas, const Rect& track) {
    const Theme& theme = input.theme;
    const Cursor& cursor = input.results.request.cursor;
    const double y = track.centre().y, left = track.x + track_end, width = track.width - 2 * track_end,
                 share = std::clamp(static_cast<double>(cursor.distance()) / std::max(cursor.query, 1), 0.0, 1.0);
    canvas.fill_rect({left, y - 1.5, width, 3}, theme.grid, 1.5);
    canvas.fill_rect({left, y - 1.5, share * width, 3}, theme.accent.with_alpha(0.6), 1.5);
    canvas.circle({left + share * width, y}, knob, theme.accent, {.color = theme.panel, .width = 1.5});
    canvas.add_tooltip(
        track, "Distance r",
        fmt::format("Drag along the row of query {}, from its own key to the first.", readable(cursor.query)));
}

std::pair<Rect, Rect> PhasorsFigure::parts(const Rect& rect, int pairs) {
    const auto [clocks, sum] = shared_parts(rect);
    if (grid_of(clocks, pairs).radius() < min_radius) return {{rect.x, rect.y, 0, 0}, rect};
    return {clocks, sum};
}

std::pair<Rect, Rect> PhasorsFigure::shared_parts(const Rect& rect) {
    if (are_side_by_side(rect)) {
        const double width = std::floor(rect.width * 0.45);
        return {{rect.x, rect.y, width - 8, rect.height}, {rect.x + width, rect.y, rect.width - width, rect.height}};
    }
    // In a small panel the clocks leave half of the height to the path, besides its labels and legend.
    constexpr double most = 0.4, least = 0.18, for_path = 0.5, around_path = 80;
    const double height =
        std::floor(std::clamp(rect.height * (1 - for_path) - around_path, least * rect.height, most * rect.height));
    return {{rect.x, rect.y, rect.width, height - 8}, {rect.x, rect.y + height, rect.width, rect.height - height}};
}

Rect PhasorsFigure::key_of(const Rect& part) {
    const double height = part.height >= min_height_with_key ? key_height : 0;
    return {part.x, part.bottom() - height, part.width, height};
}

auto PhasorsFigure::grid_of(const Rect& part, int pairs) -> ClockGrid {
    const Rect rect = Rect{part.x, part.y, part.width, part.height - key_of(part).height}.inset(2);
    constexpr double full_rows = 1.2;  // preferred over this much larger clocks
    ClockGrid grid;
    double best = 0;
    for (int columns = 1; columns <= pairs; ++columns) {
        const int rows = (pairs + columns - 1) / columns;
        const double cell = std::min({rect.width / columns, rect.height / rows, largest_clock}),
                     worth = cell * (pairs % columns == 0 ? full_rows : 1);
        if (worth > best) best = worth, grid.columns = columns, grid.cell = cell;
    }
    const int rows = (pairs + grid.columns - 1) / grid.columns;
    grid.origin = {rect.x + (rect.width - grid.cell * grid.columns) / 2, rect.y + (rect.height - grid.cell * rows) / 2};
    return grid;
}

Complex PhasorsFigure::hand_of(const Phasors& phasors, std::size_t pair) const {
    const Complex step = phasors.amplitudes[pair] * phasors.unit[pair];
    const double length = std::abs(step);
    return steps == PhasorSteps::unit || !(length > 0) ? phasors.unit[pair] : step / length;
}

void PhasorsFigure::draw_clocks(const Phasors& phasors, const FigureInput& input, Canvas& canvas,
                                const Rect& rect) const {
    const Theme& theme = input.theme;
    const std::size_t pairs = phasors.unit.size();
    const ClockGrid grid = grid_of(rect, static_cast<int>(pairs));
    const double radius = grid.radius();
    if (radius < min_radius) return canvas.report_omitted("the clocks");
    draw_key(key_of(rect), canvas, theme);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const auto row = static_cast<double>(pair / static_cast<std::size_t>(grid.columns)),
                   column = static_cast<double>(pair % static_cast<std::size_t>(grid.columns));
        const Point centre{grid.origin.x + (column + 0.5) * grid.cell, grid.origin.y + (row + 0.5) * grid.cell};
        const bool is_cursor = input.cursor_shown && static_cast<int>(pair) == input.cursor.pair;
        const bool rotates = input.results.problem->lowered.inv_freq[pair] != 0;
        canvas.circle(centre, radius, theme.plot_background,
                      {.color = is_cursor ? theme.cursor : theme.axis, .width = is_cursor ? 2.0 : 1.0});
        const Complex hand = hand_of(phasors, pair);
        canvas.line(centre, {centre.x + hand.real() * radius, centre.y - hand.imag() * radius},
                    {.color = rotates ? color_of_pair(pair, pairs, theme) : theme.text_faint,
                     .width = std::clamp(radius * 0.22, 1.5, 6.0)});
    }
}

void PhasorsFigure::draw_key(const Rect& key, Canvas& canvas, const Theme& theme) {
    constexpr int steps = 32;
    constexpr double length = 64, thickness = 4, gap = 6;
    const double left = std::round(key.centre().x - length / 2), y = key.bottom() - theme.tick_size / 2 - 2;
    if (key.height <= 0 || key.width < 2.5 * length) return canvas.report_omitted("the key of the pairs' colours");
    Image colors{steps, 1, {}};
    for (std::size_t i = 0; i < steps; ++i) colors.pixels.push_back(color_of_pair(i, steps, theme));
    canvas.image({left, std::round(y - thickness / 2), length, thickness}, colors);
    for (const auto& [x, word, across] :
         {std::tuple{left - gap, "fast", Align::end}, {left + length + gap, "slow", Align::start}})
        canvas.text({x, y}, word, {.size = theme.tick_size, .color = theme.text_dim, .across = across});
    canvas.add_tooltip({left - length / 2, key.y, 2 * length, key.height}, "Colours of the pairs",
                       "Clocks and steps have the colour of their pair, from the fastest to the slowest.");
}

std::vector<LegendEntry> PhasorsFigure::legend(const Phasors* phasors, const Phasors* reference,
                                               const FigureInput& input) const {
    std::vector<LegendEntry> entries;
    if (!phasors) return entries;
    entries.push_back(
        {.label = fmt::format("{} = {} at r = {}", sum_name(input), readable(path_of(*phasors).back().real()),
                              readable(input.results.request.cursor.distance())),
         .color = input.theme.warning,
         .dash = 4});
    const Stroke compared = reference_stroke(input.theme);
    if (reference) entries.push_back({.label = input.reference_name, .color = compared.color});
    return entries;
}

Frame PhasorsFigure::frame_of(std::initializer_list<const std::vector<Point>*> paths, PlotOptions& options,
                              const FigureInput& input, const Canvas& canvas, const Rect& rect) {
    ValueRange x, y;
    for (const auto* path : paths)
        for (const Point& point : *path) x = united(x, {point.x, point.x}), y = united(y, {point.y, point.y});
    x = input.reached("x", x), y = input.reached("y", y);
    // Round the ranges to a coarse grid. Otherwise a rotating path would move the axes with every step.
    if (const double span = std::max(x.max - x.min, y.max - y.min); span > 0) {
        const double step = std::exp2(std::ceil(std::log2(span / 8)));
        for (ValueRange* range : {&x, &y})
            *range = {std::floor(range->min / step) * step, std::ceil(range->max / step) * step};
    }
    Frame frame{.plot = {0, 0, 1, 1}};
    for (int pass = 0; pass < 2; ++pass) {  // the second pass knows the plot's shape
        const double across = std::max(frame.plot.width, 1.0), down = std::max(frame.plot.height, 1.0);
        double unit = std::max((x.max - x.min) / across, (y.max - y.min) / down) * 1.05;
        if (!(unit > 0)) unit = 2 / across;
        const auto axis_of = [&](const char* name, const ValueRange& range, double length) {
            const double middle = (range.min + range.max) / 2, half = unit * length / 2;
            return Axis{.title = name, .low = middle - half, .high = middle + half};
        };
        options.x = axis_of("real part", x, across), options.y = axis_of("imaginary part", y, down);
        frame = layout(options, canvas, rect, input.theme);
    }
    return frame;
}

Frame PhasorsFigure::draw_lengths(const FigureInput& input, Canvas& canvas, const Rect& whole) const {
    const Theme& theme = input.theme;
    const auto lengths_of = [&](const Results* results) {
        const auto phasors = results ? results->find(PhasorsQuestion{}) : nullptr;
        return phasors ? column_of(path_of(*phasors), [](const Complex& sum) { return std::abs(sum); })
                       : std::vector<double>{};
    };
    const auto own = lengths_of(&input.results), other = lengths_of(input.reference), before = lengths_of(input.ghost);
    ValueRange range{0, steps == PhasorSteps::unit ? input.experiment().head_dim / 2.0 : 0};
    for (const auto* lengths : {&own, &other, &before})
        if (!lengths->empty()) range = united(range, finite_range(*lengths));
    range = input.reached("|S|", range);
    PlotOptions options{.x = {.title = "number $j$ of pairs, from the fastest",
                              .brief = "$j$",
                              .low = 0,
                              .high = std::max<double>(1, static_cast<double>(own.size()) - 1),
                              .whole = true},
                        .y = {.title = "$|S_j|$", .low = 0, .high = 1.04 * std::max(range.max, 1e-300)}};
    options.x.high *= 1.025;  // room for the last dot
    options.x = input.reached(options.x);
    const auto entries = other.empty() ? std::vector<LegendEntry>{} : legend_of_compared(input);
    const Rect rect = without_legend(entries, whole, canvas, theme);
    const Frame frame = layout(options, canvas, rect, theme);
    draw_background(options, frame, canvas, theme);
    if (!before.empty()) draw_curve({before}, ghost_stroke(theme), frame, canvas);
    if (!own.empty()) draw_curve({own}, {.color = theme.series[0], .width = 2}, frame, canvas);
    if (!other.empty()) draw_curve({other}, reference_stroke(theme), frame, canvas);
    if (!own.empty())
        draw_point({static_cast<double>(own.size()) - 1, own.back()}, 4, theme.series[0], frame, canvas, theme);
    draw_axes(options, frame, canvas, theme);
    draw_legend(entries, whole, rect, frame, canvas, theme);
    return frame;
}

Frame PhasorsFigure::draw_sum(const Phasors* phasors, const Phasors* reference, const FigureInput& input,
                              Canvas& canvas, const Rect& whole) const {
    const Theme& theme = input.theme;
    const std::vector<LegendEntry> entries = legend(phasors, reference, input);
    const Rect rect = without_legend(entries, whole, canvas, theme);
    const auto before = input.ghost ? input.ghost->find(PhasorsQuestion{}) : nullptr;
    const auto points_of = [&](const Phasors* summed) {
        std::vector<Point> points;
        if (summed)
            for (const Complex& point : path_of(*summed)) points.push_back({point.real(), point.imag()});
        return points;
    };
    const std::vector<Point> points = phasors ? points_of(phasors) : std::vector<Point>{{0, 0}},
                             others = points_of(reference), ghost = points_of(before.get());
    PlotOptions options;
    const Frame frame = frame_of({&points, &others, &ghost}, options, input, canvas, rect);
    draw_background(options, frame, canvas, theme);
    draw_vertical_rule(0, frame, canvas, {.color = theme.axis, .width = 1});
    if (!ghost.empty()) draw_path(ghost, ghost_stroke(theme), frame, canvas);
    if (!others.empty()) draw_path(others, reference_stroke(theme), frame, canvas);
    const Point end = points.back();
    const Point projection[] = {end, {end.x, 0}};
    draw_path(projection, {.color = theme.warning, .width = 1.25, .dash = 4}, frame, canvas);
    for (std::size_t j = 1; j < points.size(); ++j) {
        const Point step[] = {points[j - 1], points[j]};
        draw_path(step, {.color = color_of_pair(j - 1, points.size() - 1, theme), .width = 3}, frame, canvas);
    }
    draw_point({0, 0}, 4, theme.text_dim, frame, canvas, theme);
    draw_point(end, 6, theme.series[0], frame, canvas, theme);
    draw_point({end.x, 0}, 5, theme.warning, frame, canvas, theme);
    draw_axes(options, frame, canvas, theme);
    draw_legend(entries, whole, rect, frame, canvas, theme);
    return frame;
}

}  // namespace ropewalk
