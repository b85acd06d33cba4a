#include "app/figures/heads/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "app/figures/parts/marks/pair_marks.h"
#include "core/error.h"

namespace ropewalk {

Badge TargetFigure::badge(const FigureInput& input) const {
    const auto fit = fit_of(input.results);
    if (!fit || !fit->complaint.empty() || check()) return {};
    const std::string most = fmt::format("max {} at r = {}", readable(fit->max, 3), readable(fit->max_at));
    std::string help = fmt::format(
        "Root mean square of the residual: {}; {}. {} of {} cosines and sines are linearly independent over these "
        "distances.",
        readable(fit->rms), most, fit->rank, 2 * pairs_in_play(input));
    if (fit->fitted_distances < static_cast<int>(fit->target.size()))
        help += fmt::format(
            " {} of {} distances were fitted, one drawn from each of as many intervals; the residual is over all "
            "distances.",
            readable(fit->fitted_distances), readable(static_cast<double>(fit->target.size())));
    return {fmt::format("rms {}, {}", readable(fit->rms, 3), most), "Residual", help};
}

Frame TargetFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    Frame frame = CurveFigure::draw(input, canvas, rect);
    if (frame.above.empty()) frame.above = {frame};  // callers expect the logit's plot first
    return frame;
}

std::optional<Cursor> TargetFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const bool is_on_pairs = frame.above.size() == 2 && frame.plot.contains(at);
    return pick_on(input, is_on_pairs ? frame : frame.above.front(), at);
}

std::string TargetFigure::readout(const FigureInput& input) const {
    const int distance = input.cursor.distance();
    std::string text = fmt::format("r = {}", readable(distance));
    const auto fit = fit_of(input.results);
    if (const double target = check() ? nan : curve().at(distance); std::isfinite(target))
        text += fmt::format("   target {}", readable(target));
    if (!fit || !fit->complaint.empty()) return text;
    if (distance >= 0 && distance < static_cast<int>(fit->logits.size()))
        text += fmt::format("   fit {}", readable(fit->logits[static_cast<std::size_t>(distance)]));
    const std::size_t pair = pair_at_cursor(input, fit->share.size());
    return text + fmt::format("   pair {}: amplitude {} logits, {} % of the squares", pair,
                              readable(fit->logit_amplitude[pair]), readable(100 * fit->share[pair], 3));
}

DataTable TargetFigure::table(const Results& results) const {
    const auto fit = fit_of(results);
    if (const auto sentence = check()) throw InputError(no_curve(*sentence));
    if (!fit->complaint.empty()) throw InputError(fit->complaint);
    std::vector<double> fitted;
    for (std::size_t i = 0; i < fit->target.size(); ++i) fitted.push_back(fit->target[i] + fit->left_over[i]);
    return table_of_columns({{"distance", counted(fit->target.size(), fit->first_distance)},
                             {"target", fit->target},
                             {"fit", fitted},
                             {"left_over", fit->left_over},
                             {"pair", counted(fit->bands.size())},
                             {"cosine", fit->cosine},
                             {"sine", fit->sine},
                             {"amplitude", column_of(fit->bands, &Band::amplitude)},
                             {"phase", column_of(fit->bands, &Band::phase)},
                             {"share", fit->share}});
}

std::vector<CurvePlot> TargetFigure::plots_of(const FigureInput& input) const {
    const auto fit = fit_of(input.results);
    const bool is_fitted = fit && fit->complaint.empty() && !check();
    const auto fitted = is_fitted ? fit : nullptr;
    return {logit_plot(input, fit), residual_plot(input, fitted), pair_plot(input, fitted)};
}

bool TargetFigure::draws_at(const Frame& frame, Point at) const {
    return !frame.above.empty() && frame.above.front().plot.contains(at);
}

void TargetFigure::draw_with(const BrushMove& move, const Frame& frame, const FigureInput& input, Experiment&) {
    if (frame.above.empty()) return;
    const Frame& plot = frame.above.front();
    const auto point_at = [&](Point at) {
        const double x = std::clamp(at.x, plot.plot.x, plot.plot.right());
        const double distance = std::clamp(std::round(plot.x_at(x)), 0.0, last_shown(input.experiment()));
        return TargetCurve::Point{distance, std::clamp(rounded_to_pixel(plot.y_at(at.y), plot), -1e12, 1e12)};
    };
    const TargetCurve before = check() ? TargetCurve() : curve();
    const auto from = point_at(move.from), to = point_at(move.to);
    const double half_pixel = (plot.y.high - plot.y.low) / std::max(1.0, plot.plot.height) / 2;
    const TargetCurve drawn = move.brush == Brush::draw ? before.with_line(from, to).simplified(half_pixel)
                                                        : before.without(point_at(move.start).distance, to.distance);
    if (drawn.points().size() > TargetCurve::most_points)
        throw InputError(
            fmt::format("A target curve can have at most {} points. Erase a larger part of it, then draw again",
                        TargetCurve::most_points));
    points = drawn.as_list();
}

void TargetFigure::apply(std::size_t preset, const FigureInput& input, Experiment&) {
    const double end = std::max(1.0, last_shown(input.experiment())), quarter = std::max(1.0, std::floor(end / 4));
    const std::string_view name = all_presets[preset].id;
    if (name == "window") points = {0, height, quarter - 1, height, quarter, 0, end, 0};
    if (name == "beyond") points = {0, 0, quarter - 1, 0, quarter, height, end, height};
    if (name == "slope") points = {0, height, end, 0};
    if (name == "flat") points = {0, 0, end, 0};
    if (name == "crest") {
        const double at = std::clamp<double>(input.cursor.distance(), 0, end),
                     width = std::max(1.0, std::floor(end / 16));
        points = TargetCurve({{0, 0}, {end, 0}})
                     .with_line({std::max(0.0, at - width), at < width ? height * (1 - at / width) : 0}, {at, height})
                     .with_line({at, height}, {std::min(end, at + width), 0})
                     .as_list();
    }
    if (name == "nothing") points = {};
}

std::optional<Proposal> TargetFigure::proposal(const FigureInput& input, const Experiment& experiment) const {
    // While drawing, the newest available fit is good enough.
    const auto fit = check() ? nullptr : input.drawn_on ? fit_of(input.results) : input.results.find(question());
    if (!fit || !fit->complaint.empty()) return std::nullopt;
    Experiment asked = input.experiment();
    asked.construction = experiment.construction;
    if (!(asked == experiment)) return std::nullopt;
    if (listed_bands(experiment) && alike(*listed_bands(experiment), fit->bands)) return std::nullopt;
    return Proposal{with_bands(experiment, fit->bands),
                    use == TargetUse::drawn ? Proposal::When::drawn : Proposal::When::asked};
}

bool TargetFigure::alike(const std::vector<Band>& some, const std::vector<Band>& others) {
    double max = 0, apart = 0;
    for (std::size_t pair = 0; pair < some.size(); ++pair) {
        max = std::max(max, some[pair].amplitude);
        apart = std::max(apart, std::abs(std::polar(some[pair].amplitude, some[pair].phase) -
                                         std::polar(others[pair].amplitude, others[pair].phase)));
    }
    return apart <= 1e-9 * max;
}

BandFitQuestion TargetFigure::question() const {
    return {.target = curve(),
            .rules = {.ridge = ridge, .first_pair = first_pair, .last_pair = last_pair, .weighting = weighting}};
}

std::shared_ptr<const BandFit> TargetFigure::fit_of(const Results& results) const {
    if (const auto own = check() ? nullptr : results.find(question())) return own;
    const auto all = results.all_of<BandFitQuestion>();
    return all.empty() ? nullptr : all.back().answer;
}

double TargetFigure::last_shown(const Experiment& experiment) const {
    const double last = std::max(1, experiment.seq_len - 1);
    return reach > 0 ? std::min<double>(reach, last) : last;
}

int TargetFigure::pairs_in_play(const FigureInput& input) const {
    const int pairs = input.experiment().head_dim / 2;
    return std::max(0, (last_pair < 0 ? pairs : std::min(last_pair + 1, pairs)) - first_pair);
}

Axis TargetFigure::axis_of_distances(const FigureInput& input) const {
    const double low = axis == AxisScale::logarithmic ? 1 : 0;
    return distance_axis(low, std::max(low + 1, last_shown(input.experiment())), axis);
}

std::vector<Point> TargetFigure::outline(const TargetCurve& target, const Axis& x) {
    constexpr int steps = 600;
    std::vector<Point> path;
    const auto add = [&](double distance) {
        if (const double logit = target.at(distance); std::isfinite(logit)) path.push_back({distance, logit});
    };
    for (const TargetCurve::Point& point : target.points()) path.push_back({point.distance, point.logit});
    if (x.scale == AxisScale::logarithmic)
        for (int i = 0; i <= steps; ++i) add(x.value(i / static_cast<double>(steps)));
    std::sort(path.begin(), path.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    return path;
}

CurvePlot TargetFigure::logit_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit) const {
    const Theme& theme = input.theme;
    CurvePlot plot{.x = axis_of_distances(input), .y = {.title = "logit", .low = 0, .high = 1}, .share = 3};
    if (input.results.problem->softcap != 0) plot.y.title += " before the softcap";
    if (const auto sentence = check()) {
        plot.message = no_curve(*sentence);
        return plot;
    }
    const TargetCurve target = curve();
    ValueRange range{infinity, -infinity};
    for (const TargetCurve::Point& point : target.points()) range = united(range, {point.logit, point.logit});
    if (fit && fit->complaint.empty()) {
        range = united(range, {fit->min_logit, fit->max_logit});
        const auto logits = SharedNumbers(fit, fit->logits);
        plot.series.push_back({.values = logits, .color = theme.faded(theme.series[0], 0.4), .width = 1});
        const auto first = static_cast<std::size_t>(fit->first_distance);
        plot.series.push_back({.label = "closest head",
                               .values = {fit, std::span(fit->logits).subspan(first, fit->target.size())},
                               .first = static_cast<double>(first),
                               .color = theme.series[0],
                               .is_compared = true});
    } else if (fit && (!target.is_empty() || !input.drawn_on)) {
        plot.message = fit->complaint;
    }
    plot.series.push_back({.label = "target", .points = outline(target, plot.x), .color = theme.series[1], .width = 2});
    range = padded(range.min <= range.max ? input.reached("logit", range) : ValueRange{0, height});
    plot.y.low = range.min, plot.y.high = range.max;
    if (input.drawn_on && !input.drawn_on->above.empty())
        plot.y.low = input.drawn_on->above.front().y.low, plot.y.high = input.drawn_on->above.front().y.high;
    return plot;
}

CurvePlot TargetFigure::residual_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit) const {
    CurvePlot plot{.x = axis_of_distances(input), .y = {.title = "fit − target", .low = 0, .high = 0}, .share = 1.3};
    if (fit)
        plot.series = {{.values = SharedNumbers(fit, fit->left_over),
                        .first = static_cast<double>(fit->first_distance),
                        .color = input.theme.series[3],
                        .is_compared = true}};
    return plot;
}

CurvePlot TargetFigure::pair_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit) {
    CurvePlot plot{.x = pair_axis(input), .y = {.title = "$a_t$ (logits)", .low = 0, .high = 0}, .share = 1.7};
    if (!fit) return plot;
    const double max = input.reached("amplitude", finite_range(fit->logit_amplitude)).max;
    plot.y.high = max > 0 ? max * 1.08 : 1;
    plot.series = {{.values = SharedNumbers(fit, fit->logit_amplitude),
                    .as_bars = true,
                    .colors = colors_of_pairs(input.results.problem->lowered, input.theme)}};
    return plot;
}

}  // namespace ropewalk
