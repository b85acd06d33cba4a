#include "app/figures/parts/cells/divergence_track.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/plot/axes_metrics.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr double track_width = 56, track_gap = 12;  // logical pixels
constexpr double infinite_shelf = 14;
constexpr double min_scale = 1e-9;            // nats; larger than rounding errors, so that their bars stay short
constexpr double min_width_with_track = 260;  // of the whole figure, so that enough is left for the matrix

/// Orders by divergence. NaN, as after an overflow of logits, comes first.
bool by_nats(const RowDivergence& a, const RowDivergence& b) {
    return std::isnan(a.nats) ? !std::isnan(b.nats) : a.nats < b.nats;
}

/// Returns the largest divergence in every pixel row of the plot; NaN where no row was sampled or none has a number.
std::vector<double> of_pixel_rows(const RowDivergences& rows, const Frame& frame) {
    std::vector<double> max(static_cast<std::size_t>(frame.plot.height), nan);
    const double half = rows.size() > 1 ? (rows[1].row - rows[0].row) / 2.0 : 0.5;
    for (const RowDivergence& row : rows) {
        const double top = frame.to_pixels(0, row.row - half).y - frame.plot.y,
                     bottom = frame.to_pixels(0, row.row + half).y - frame.plot.y;
        const auto end = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(bottom - 1e-6), 0.0, frame.plot.height));
        for (auto y = static_cast<std::ptrdiff_t>(std::clamp(std::floor(top + 1e-6), 0.0, frame.plot.height)); y < end;
             ++y) {
            double& reached = max[static_cast<std::size_t>(y)];
            reached = std::fmax(reached, row.nats);
        }
    }
    return max;
}

/// Returns the parts of the track that have values. The others stay blank, since they must not look equal to the
/// reference.
std::vector<Rect> backgrounds_of(const std::vector<double>& values, const Rect& track) {
    std::vector<Rect> backgrounds;
    for (std::size_t from = 0, to = 0; from < values.size(); from = to) {
        while (to < values.size() && std::isnan(values[to]) == std::isnan(values[from])) ++to;
        const double top = track.y + static_cast<double>(from),
                     bottom = to == values.size() ? track.bottom() : track.y + static_cast<double>(to);
        if (!std::isnan(values[from])) backgrounds.push_back({track.x, top, track.width, bottom - top});
    }
    return backgrounds;
}

bool has_unsampled_rows(const RowDivergences& rows, const FigureInput& input) {
    return static_cast<int>(rows.size()) < input.experiment().seq_len;
}

/// The track's rectangle and the scale of its bars.
struct Track {
    Rect rect;
    double scale, scale_end;  // pixels for `scale_end` nats; infinite values extend beyond the scale
    bool has_infinite;

    double length_of(double nats) const {
        if (!(nats > 0)) return 0;
        return std::isinf(nats) ? rect.width : scale * std::min(1.0, nats / scale_end);
    }
};

/// Draws the bars of pixel rows; adjacent ones as one area, since a scaled page would show seams between them.
void draw_bars_of_rows(const std::vector<double>& values, const Track& track, Canvas& canvas, const Theme& theme) {
    for (std::size_t from = 0, to = 0; from < values.size(); from = to) {
        const bool is_infinite = std::isinf(values[from]);
        std::vector<Point> ends, feet;
        for (; to < values.size() && track.length_of(values[to]) > 0 && std::isinf(values[to]) == is_infinite; ++to)
            for (const double edge : {0.0, 1.0}) {
                const double y = track.rect.y + static_cast<double>(to) + edge;
                ends.push_back({track.rect.x + track.length_of(values[to]), y}), feet.push_back({track.rect.x, y});
            }
        if (!ends.empty())
            canvas.fill_between(ends, feet, is_infinite ? theme.faded(theme.series[0], 0.6) : theme.series[0]);
        else
            ++to;
    }
}

/// Draws the numbers and the title below the track, as far as they fit beside the matrix's own labels.
void draw_track_labels(const Track& track, const Frame& frame, const Rect& rect, Canvas& canvas, const Theme& theme) {
    TextStyle style = tick_style(theme);
    const Rect& place = track.rect;
    const double row = place.bottom() + label_offset + theme.tick_size / 2;
    const auto width_of = [&](const std::string& label) {
        return canvas.measure(label, style.size, style.weight).width;
    };
    constexpr double between = 6;  // labels
    double taken = rect.x;         // right end of the matrix's labels
    for (const Tick& tick : frame.x_ticks)
        taken = std::max(taken, frame.to_pixels(tick.value, 0).x + width_of(tick.label) / 2);
    const bool has_zero =
        taken + between <= place.x &&
        place.x + width_of("0") + between <= place.x + track.scale - width_of(readable(track.scale_end, 2));
    for (const auto& [x, value, across] : {std::tuple{place.x, 0.0, Align::start},
                                           {place.x + track.scale, track.scale_end, Align::end},
                                           {place.right(), infinity, Align::end}}) {
        if ((value <= 0 && (x > place.x || !has_zero)) || (std::isinf(value) && !track.has_infinite)) continue;
        canvas.fill_rect({x == place.x ? x - 1 : x, place.bottom() + 1, 1, tick_length}, theme.axis);
        style.across = across;
        canvas.text({x, row}, readable(value, 2), style);
    }
    if (frame.x.title.empty()) return;
    canvas.text({place.centre().x, frame.plot.bottom() + title_row(theme.tick_size, theme)}, "KL (nats)",
                axis_title_style(theme));
}

}  // namespace

bool has_divergence_track(const FigureInput& input) {
    return input.reference && input.reference->request.experiment.seq_len == input.experiment().seq_len;
}

std::shared_ptr<const RowDivergences> divergences_of(const FigureInput& input) {
    for (const Results* results : {&input.results, input.reference})
        if (results)
            for (const auto& [asked, rows] : results->all_of<RowDivergencesQuestion>())
                if (!rows->empty()) return rows;
    return nullptr;
}

Rect beside_divergence_track(const Rect& rect) {
    const double taken = rect.width >= min_width_with_track ? track_gap + track_width : 0;
    return {rect.x, rect.y, rect.width - taken, rect.height};
}

void draw_divergence_track(const FigureInput& input, const Rect& rect, Frame& frame, Canvas& canvas) {
    const Theme& theme = input.theme;
    const Rect& plot = frame.plot;
    frame.outer = rect;
    if (beside_divergence_track(rect) == rect || frame.empty()) return canvas.report_omitted("the divergence of rows");
    const Rect place{plot.right() + track_gap, plot.y, track_width, plot.height};
    if (frame.color_bar && frame.color_bar->x > plot.right()) frame.color_bar->x += track_gap + track_width;
    const auto rows = divergences_of(input);
    double max = 0;  // of the finite values
    bool has_infinite = false;
    for (std::size_t i = 0; rows && i < rows->size(); ++i)
        if (std::isfinite((*rows)[i].nats))
            max = std::max(max, (*rows)[i].nats);
        else
            has_infinite |= std::isinf((*rows)[i].nats);
    max = input.reached("divergence", {0, max}).max;
    const Track track{.rect = place,
                      .scale = place.width - (has_infinite ? infinite_shelf : 0),
                      .scale_end = max > 0 ? std::max(max, min_scale) : 0,
                      .has_infinite = has_infinite};
    const std::vector<double> values = rows ? of_pixel_rows(*rows, frame) : std::vector<double>();
    const std::vector<Rect> backgrounds = rows ? backgrounds_of(values, place) : std::vector{place};
    if (theme.plot_background.a > 0)
        for (const Rect& background : backgrounds) canvas.fill_rect(background, theme.plot_background);
    if (rows) {
        draw_bars_of_rows(values, track, canvas, theme);
        const RowDivergence& largest = *std::max_element(rows->begin(), rows->end(), by_nats);
        const double y = frame.to_pixels(0, largest.row).y;
        constexpr double radius = 3;
        if (largest.nats > min_scale && y >= place.y && y <= place.bottom())
            canvas.circle({place.x + std::clamp(track.length_of(largest.nats), radius, place.width - radius), y},
                          radius, theme.warning, {theme.plot_background, 1, 0});
    }
    if (input.cursor_shown && frame.y.fraction(input.cursor.query) >= 0 && frame.y.fraction(input.cursor.query) <= 1) {
        const double y = frame.to_pixels(0, input.cursor.query).y;
        canvas.fill_rect({place.x, std::round(y - cursor_band / 2), place.width, cursor_band},
                         theme.cursor.with_alpha(0.16));
    }
    for (const Rect& background : backgrounds) canvas.stroke_rect(background.inset(-0.5), {.color = theme.axis});
    canvas.add_tooltip(place, "KL from the reference",
                       fmt::format("The Kullback–Leibler divergence Σ p ln(p/p_ref) of each row's weights from the "
                                   "reference's, in nats{}. The dot marks the largest{}.{}",
                                   max > 0 ? ", up to " + readable(max, 3) : "",
                                   has_infinite ? ", pale bars the rows with weight where the reference has none" : "",
                                   rows && has_unsampled_rows(*rows, input) ? " Blank rows were not sampled." : ""));
    if (frame.x_ticks.empty()) return canvas.report_omitted("the numbers of the divergence of rows");
    draw_track_labels(track, frame, rect, canvas, theme);
}

std::string max_divergence(const FigureInput& input) {
    const auto rows = divergences_of(input);
    if (!rows) return {};
    const RowDivergence& largest = *std::max_element(rows->begin(), rows->end(), by_nats);
    const int all = input.experiment().seq_len;
    const std::string sampled =
        has_unsampled_rows(*rows, input)
            ? fmt::format(", {} of {} rows sampled", readable(static_cast<double>(rows->size())), readable(all))
            : std::string();
    return fmt::format(", max KL from the reference {} nats (row {}{})", readable(largest.nats, 3),
                       readable(largest.row), sampled);
}

std::string divergence_at_cursor(const FigureInput& input) {
    const auto rows = divergences_of(input);
    if (!rows) return {};
    const auto found = std::find_if(rows->begin(), rows->end(),
                                    [&](const RowDivergence& row) { return row.row == input.cursor.query; });
    return found == rows->end() ? std::string() : fmt::format("   KL of the row {} nats", readable(found->nats));
}

}  // namespace ropewalk
