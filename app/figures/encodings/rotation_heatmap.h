// cos(r·w) of every pair over distance (Hong et al. 2024, Fig. 2), or the angle itself.
#pragma once

#include "app/figures/parts/cells/count_per_cell.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/tables/frequency_formula.h"

namespace ropewalk {

struct RotationHeatmapFigure : FigureDefaults {
    static constexpr auto id = "rotation_heatmap", title = "Rotation";
    static constexpr auto summary = "cos(r·wₜ): how far each pair is rotated at each distance. Fast pairs are on top.";
    static constexpr bool has_color_bar = true;
    Depicted depicted() const { return Depicted::encoding; }
    RotationPart part = RotationPart::cosine;
    AxisScale axis = AxisScale::linear;
    int distances = 0;
    std::vector<double> marked{0};

    bool operator==(const RotationHeatmapFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "part",
                .label = "Quantity",
                .help = "The cosine, which weights the pair's part of the score, or the angle, in cyclic colours. If "
                        "the distances of a pixel span half a turn or more, the angle is blank and the cosine has the "
                        "colour of 0."},
          s.part);
        f(Field{.name = "axis",
                .label = "Distance axis",
                .help = "A logarithmic axis starts at distance 1 and shows how each pair begins to rotate."},
          s.axis);
        f(Field{.name = "distances",
                .label = "Distances",
                .unit = "tokens",
                .min = 0,
                .max = 1 << 24,
                .slider_min = 16,
                .slider_max = longest_sequence,
                .logarithmic = true,
                .min_means = "sequence",
                .help = "Length of the axis; 0 is the sequence length."},
          s.distances);
        f(Field{.name = "marked",
                .label = "Marked",
                .min = 0,
                .max = 1 << 24,
                .help = "Distances to mark with a line."},
          s.marked);
    }

    int reach(const Experiment& experiment) const { return distances > 0 ? distances : experiment.seq_len; }

    Needs needs(const Experiment& experiment, PlotPixels pixels) const {
        return {RotationQuestion{.distances = {0, reach(experiment)},
                                 .cells = std::clamp(pixels.across, 1, reach(experiment)),
                                 .part = part,
                                 .scale = scale()}};
    }

    /// Returns "each cell averages 131 distances", or nothing if every distance has its own cell.
    Badge badge(const FigureInput& input) const {
        const auto answered = map_in(input.results);
        if (!answered || pooled(*answered) <= 1) return {};
        const double most = pooled(*answered);
        const std::string count = axis == AxisScale::logarithmic ? "up to " + readable(most) : count_per_cell(most);
        return pooling_badge(fmt::format("each cell averages {} distances", count),
                             fmt::format("{} distances per cell", count),
                             "There are more values than pixels. Pairs that rotate by half a turn or more within a "
                             "cell have one colour, since their means would show false waves.");
    }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto answered = map_in(input.results);
        const bool is_phase = part == RotationPart::phase;
        const double max = is_phase ? std::numbers::pi : 1;
        HeatMap map{.scale = {.map = is_phase ? ColorMap::twilight : ColorMap::diverging, .min = -max, .max = max},
                    .not_a_number = is_phase ? input.theme.plot_background : input.theme.not_a_number};
        if (answered)
            map.values = answered->answer, map.rows = input.results.problem->lowered.pairs(),
            map.columns = answered->question.cells;
        PlotOptions options;
        options.x = distance_axis(axis == AxisScale::logarithmic ? 0.5 : -0.5, reach(input.experiment()) - 0.5, axis);
        options.y = pairs_downwards(input);
        options.color_bar = color_bar_of(input, map, is_phase ? "$r\\cdot w_t$ (rad)" : "$\\cos(r\\cdot w_t)$");
        options.grid = false;
        Frame frame = layout(options, canvas, rect, input.theme);
        draw_background(options, frame, canvas, input.theme);
        if (answered) draw_heat_map(map, frame, canvas);
        std::vector<Rect> covered;
        if (answered && !is_phase) covered = cover_aliases(*answered, input, frame, canvas);
        std::vector<Mark> marks = marks_to_drag(handles(input), input);
        for (const double distance : marked)
            if (distance > 0)
                marks.push_back(
                    {.at = distance, .label = "$r$ = " + readable(distance), .color = input.theme.warning, .dash = {}});
        draw_mark_lines(marks, frame, canvas);
        const double distance = std::abs(input.cursor.distance());
        if (input.cursor_shown)
            draw_cross_hair(frame.x.contains(distance) ? distance : nan, input.cursor.pair, frame, canvas);
        draw_axes(options, frame, canvas, input.theme);
        const std::vector<Rect> taken = draw_mark_names(marks, input, frame, canvas);
        draw_reason(covered, taken, marks, input.theme, frame, canvas);
        return frame;
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_down(frame, at, input.experiment().head_dim / 2);
        const auto distance = index_across(frame, at, reach(input.experiment()));
        if (!pair || !distance) return std::nullopt;
        Cursor cursor = input.cursor.at_distance(*distance, input.experiment().seq_len);
        cursor.pair = *pair;
        return cursor;
    }

    std::string readout(const FigureInput& input) const {
        const int distance = input.cursor.distance(), pair = input.cursor.pair;
        const long double w = input.results.problem->lowered.inv_freq[static_cast<std::size_t>(pair)];
        const double angle = angle_of(phase_at(std::int64_t{distance} * input.results.problem->step(), phase_of(w)));
        const std::string place = fmt::format("r = {}   pair {}   ", readable(distance), pair);
        if (part == RotationPart::cosine) return place + "cos(r·w) = " + readable(std::cos(angle));
        return place + fmt::format("r·w = {} rad, {}°", readable(angle), readable(angle * 180 / std::numbers::pi));
    }

    std::vector<Handle> handles(const FigureInput& input) const {
        return joined(distance_handles(input), pair_handles(input, Mark::Way::across));
    }

    DataTable table(const Results& results) const {
        const auto answered = *map_in(results);
        const Interval r = answered.question.distances;
        const int cells = answered.question.cells;
        const bool is_whole = cells == r.size() && axis == AxisScale::linear && part == RotationPart::cosine;
        return {.shape = {static_cast<std::int64_t>(answered.answer->size()) / cells, cells},
                .columns = numbered_columns(cells < r.size() ? "cell_" : "distance_", cells),
                .values = *answered.answer,
                .formula = is_whole ? rotation_formula(results.request.experiment, results.problem->step(), r)
                                    : std::string()};
    }

  private:
    DistanceScale scale() const {
        return axis == AxisScale::logarithmic ? DistanceScale::logarithmic : DistanceScale::linear;
    }

    /// Returns the number of distances in a cell; in the last one on a logarithmic axis.
    static double pooled(const Answered<RotationQuestion>& map) {
        const RotationQuestion& asked = map.question;
        return asked.scale == DistanceScale::linear
                   ? static_cast<double>(asked.distances.size()) / asked.cells
                   : distances_of_cell(asked.distances, asked.cells, asked.scale, asked.cells - 1).size();
    }

    /// Returns where the distances of a cell begin to span half a turn of a pair, logical pixels.
    static double begin_of_aliases(long double w, const Answered<RotationQuestion>& map, const FigureInput& input,
                                   const Frame& frame) {
        const double turned = std::abs(static_cast<double>(w)) * input.results.problem->step();  // per distance
        if (map.question.scale == DistanceScale::linear)
            return turned * pooled(map) >= std::numbers::pi ? frame.plot.x : frame.plot.right();
        const double share = std::log(frame.x.high / frame.x.low) / map.question.cells,
                     first = std::max(1.0, std::numbers::pi / (turned * std::expm1(share)));
        return first < frame.x.high ? frame.to_pixels(first, 0).x : frame.plot.right();
    }

    /// Draws the colour of 0 over pairs that are sampled too rarely to show how fast they rotate. Returns the covered
    /// rectangles, from the top.
    static std::vector<Rect> cover_aliases(const Answered<RotationQuestion>& map, const FigureInput& input,
                                           const Frame& frame, Canvas& canvas) {
        std::vector<Rect> all;
        if (pooled(map) <= 1) return all;
        const auto& inv_freq = input.results.problem->lowered.inv_freq;
        const auto table = table_of(ColorMap::diverging);
        const auto begin_of = [&](long double w) { return begin_of_aliases(w, map, input, frame); };
        // One rectangle for adjacent pairs, to avoid seams.
        for (auto first = inv_freq.begin(), last = first; first != inv_freq.end(); first = last) {
            const double begin = begin_of(*first);
            last = std::find_if(first, inv_freq.end(), [&](long double w) { return begin_of(w) != begin; });
            if (begin >= frame.plot.right()) continue;
            const auto y_before = [&](auto pair) {
                return frame.to_pixels(1, static_cast<double>(pair - inv_freq.begin()) - 0.5).y;
            };
            all.push_back({begin, y_before(first), frame.plot.right() - begin, y_before(last) - y_before(first)});
            canvas.fill_rect(all.back(), table[table.size() / 2]);
        }
        return all;
    }

    /// Says once why pairs have one colour, in as many words as fit beside what is `taken`.
    static void draw_reason(std::span<const Rect> covered, std::span<const Rect> taken, std::span<const Mark> marks,
                            const Theme& theme, const Frame& frame, Canvas& canvas) {
        const TextStyle style{.size = theme.tick_size, .color = Color{70, 74, 84}, .across = Align::middle};
        for (const char* const reason : {"faster than the pixels can show: mean 0", "too fast to show"}) {
            const double width = canvas.measure(reason, style.size, style.weight).width + 6, height = 2 * style.size;
            for (std::size_t first = 0; first < covered.size(); ++first) {
                Rect room = covered[first];  // of this rectangle and of those below it, as far as necessary
                for (std::size_t next = first + 1; next < covered.size() && room.height <= height; ++next) {
                    if (std::abs(covered[next].y - room.bottom()) > 0.5) break;
                    const double left = std::max(room.x, covered[next].x);
                    room = {left, room.y, room.right() - left, covered[next].bottom() - room.y};
                }
                const Rect box{room.centre().x - width / 2, room.centre().y - 0.7 * style.size, width,
                               1.4 * style.size};
                if (room.height <= height || room.width <= width + 10 ||
                    std::any_of(taken.begin(), taken.end(), [&](const Rect& name) { return name.overlaps(box); }))
                    continue;
                const auto table = table_of(ColorMap::diverging);
                if (count_in(box, marks, frame) > 0) canvas.fill_rect(box, table[table.size() / 2]);
                canvas.text(room.centre(), reason, style);
                return;
            }
        }
    }

    std::optional<Answered<RotationQuestion>> map_in(const Results& results) const {
        for (const auto& answered : results.all_of<RotationQuestion>())
            if (answered.question.distances == Interval{0, reach(results.request.experiment)} &&
                answered.question.part == part && answered.question.scale == scale())
                return answered;
        return std::nullopt;
    }
};

}  // namespace ropewalk
