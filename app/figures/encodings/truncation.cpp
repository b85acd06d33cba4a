#include "app/figures/encodings/truncation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/elide.h"

namespace ropewalk {

Badge TruncationFigure::badge(const FigureInput& input) const {
    const double fraction = fraction_of(input.experiment());
    if (rotating_fraction(input.experiment()) == fraction) return {};
    return {fmt::format("p = {}", readable(fraction)), "Fraction p",
            "Fraction of rotated pairs, the same in all rows."};
}

Frame TruncationFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const Theme& theme = input.theme;
    const std::vector<Kind> kinds = spectra(input.experiment());
    const double context = spanned_positions(*input.results.problem);
    const Reach reach = reach_shown(kinds, input);
    const auto count = static_cast<double>(kinds.size());
    PlotOptions options;
    options.x = reach.axis();
    options.y = {.low = -0.5, .high = count - 0.5, .downwards = true, .whole = true};
    std::vector<Color> colors;
    for (const Kind& kind : kinds) colors.push_back(theme.curve(place_of_encoding(kind.id, input.experiment())).color);
    options = zoomed(options, {.x = x_range});
    // Names are above their rows, so the axis has no labels.
    std::vector<LegendEntry> legend;
    const bool names_fit = rect.height / count > min_lane;
    for (std::size_t row = 0; !names_fit && row < kinds.size(); ++row)
        legend.push_back({kinds[row].title, colors[row]});
    if (!names_fit) canvas.report_omitted("the slowest wavelengths of each row");
    legend.push_back(
        {.label = fmt::format("sequence, {} {}", readable(context), reach.unit), .color = theme.text_dim, .dash = 5});
    const Rect room = without_legend(legend, rect, canvas, theme);
    Frame frame = with_shelf(layout(options, canvas, room, theme), reach, rect, theme);
    draw_background(options, frame, canvas, theme);
    draw_legend(legend, rect, room, frame, canvas, theme);
    const std::vector<Mark> marks = marks_to_drag(handles(input), input);
    draw_mark_lines(marks, frame, canvas);
    const double name_height = names_fit ? theme.tick_size * 1.5 : 0;
    const double half = std::clamp((frame.plot.height / count - name_height) / 2 - 2.5, 1.0, 14.0);
    std::vector<Lane> lanes;
    for (std::size_t row = 0; row < kinds.size(); ++row) {
        // A name and its bar are centred together in their lane.
        const double y = frame.to_pixels(10, static_cast<double>(row)).y + name_height / 2;
        lanes.push_back({kinds[row], colors[row], name_height, y - half, y + half});
    }
    std::vector<Rect> names;
    canvas.push_clip(frame.plot);
    draw_pairs(lanes, reach, input, frame, canvas);
    draw_vertical_rule(context, frame, canvas, {.color = theme.text_dim, .width = 1.25, .dash = 5});
    const TextStyle style{.size = theme.tick_size, .color = theme.text};
    if (names_fit) {  // with their own background, which no line crosses
        const auto texts = names_that_fit(kinds, reach, frame.plot.width - 16, style, canvas);
        for (std::size_t row = 0; row < lanes.size(); ++row)
            names.push_back(draw_name(texts[row], lanes[row], style, theme, frame, canvas));
    }
    canvas.pop_clip();
    draw_axes(options, frame, canvas, theme);
    draw_mark_names(marks, input, frame, canvas, [&](const Rect& box) {
        const auto overlaps = [&](const Rect& name) { return box.overlaps(name); };
        return std::any_of(names.begin(), names.end(), overlaps) ? too_much : 0;
    });
    return frame;
}

std::optional<Cursor> TruncationFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const auto kinds = spectra(input.experiment());
    const auto row = index_down(frame, at, static_cast<int>(kinds.size()));
    if (!row || !frame.plot.contains(at)) return std::nullopt;
    const auto& wavelengths = kinds[static_cast<std::size_t>(*row)].wavelengths;
    const Reach reach = reach_shown(kinds, input);
    const auto distance = [&](std::size_t pair) {
        return std::abs(frame.to_pixels(reach.place_of(wavelengths[pair]), 0).x - at.x);
    };
    std::size_t nearest = 0;
    for (std::size_t pair = 1; pair < wavelengths.size(); ++pair)
        if (distance(pair) < distance(nearest)) nearest = pair;
    return Cursor{input.cursor.query, input.cursor.key, static_cast<int>(nearest)};
}

std::string TruncationFigure::readout(const FigureInput& input) const {
    std::string text = fmt::format("pair {}", input.cursor.pair);
    for (const Kind& kind : spectra(input.experiment()))
        text += fmt::format("   {} {}", kind.title,
                            readable(kind.wavelengths[pair_at_cursor(input, kind.wavelengths.size())]));
    return text;
}

std::vector<Handle> TruncationFigure::handles(const FigureInput& input) const {
    const Experiment& experiment = input.experiment();
    const Shape shape = experiment.shape();
    const auto rope_wavelengths = spectra(experiment).front().wavelengths;
    const double step = rope_wavelengths.size() > 1 ? std::log(rope_wavelengths[1] / rope_wavelengths[0]) : 0;
    if (!(step > 0)) return {};
    std::vector<Handle> all = p > 0 ? construction_pair_handles(input) : pair_handles(input);
    if (p > 0 || !rotating_fraction(experiment)) {
        const double fraction = fraction_of(experiment);
        all.push_back(own_handle(input, *this, "p", Mark::Way::up, shape.pairs_in(fraction) - 0.5));
        all.back().mark.label = fmt::format("{} = {}", own_label, readable(fraction));
        all.back().value_at = [shape](double end) { return fraction_ending_at(std::max(end, 0.5), shape); };
    }
    for (Handle& handle : all) {
        handle.mark.at = rope_wavelengths[0] * std::exp(step * handle.mark.at);
        handle.value_at = [of_pair = handle.value_at, first = rope_wavelengths[0], step](double wavelength) {
            return of_pair(std::log(wavelength / first) / step);
        };
    }
    return all;
}

DataTable TruncationFigure::table(const Results& results) const {
    const auto kinds = spectra(results.request.experiment);
    std::vector<std::pair<std::string, std::vector<double>>> columns{
        {"pair", counted(kinds.front().wavelengths.size())}};
    for (const Kind& kind : kinds) columns.emplace_back(kind.id, kind.wavelengths);
    return table_of_columns(columns);
}

auto TruncationFigure::reach_shown(const std::vector<Kind>& kinds, const FigureInput& input) -> Reach {
    double longest = spanned_positions(*input.results.problem);
    for (const double wavelength : kinds.front().wavelengths) longest = std::max(longest, wavelength);
    const double longest_shown = std::max(longest, longest_of_clipped);
    Reach reach{.unit = unit_of_positions(input.experiment())};
    for (const Kind& kind : kinds)
        for (const double wavelength : kind.wavelengths)
            if (wavelength <= longest_shown)
                longest = std::max(longest, wavelength);
            else
                reach.goes_beyond |= std::isfinite(wavelength);
    const double decades = std::ceil(std::log10(longest * 2));
    reach.decades = static_cast<int>(input.reached("decades", {decades, decades}).max);
    reach.goes_beyond = input.reached("beyond", {0, reach.goes_beyond ? 1.0 : 0.0}).max > 0;
    return reach;
}

Frame TruncationFigure::with_shelf(Frame frame, const Reach& reach, const Rect& rect, const Theme& theme) {
    const double left = std::min(rect.x + 14, frame.plot.x);
    frame.plot = {left, frame.plot.y, std::max(0.0, frame.plot.right() - left), frame.plot.height};
    frame.y_ticks.clear();
    const double shelf_x = frame.to_pixels(reach.shelf(), 0).x, label_room = theme.tick_size;
    std::erase_if(frame.x_ticks, [&](const Tick& tick) {
        return tick.value > reach.end() * 0.999 || frame.to_pixels(tick.value, 0).x > shelf_x - 2 * label_room;
    });
    if (frame.x.contains(reach.shelf()) && shelf_x + label_room / 2 < rect.right())
        frame.x_ticks.push_back({reach.shelf(), "∞"});
    return frame;
}

void TruncationFigure::draw_pairs(const std::vector<Lane>& lanes, const Reach& reach, const FigureInput& input,
                                  const Frame& frame, Canvas& canvas) const {
    const auto draw_pair = [&](double wavelength, const Lane& lane, const Stroke& stroke) {
        const double x = frame.to_pixels(reach.place_of(wavelength), 0).x;
        canvas.line({x, lane.top}, {x, lane.bottom}, stroke);
    };
    const std::vector<Kind> before = input.ghost ? spectra(input.ghost->request.experiment) : std::vector<Kind>();
    for (std::size_t row = 0; row < before.size(); ++row)
        for (const double wavelength : before[row].wavelengths)
            if (wavelength <= reach.end() || !std::isfinite(wavelength))
                draw_pair(wavelength, lanes[row], {.color = ghost_stroke(input.theme).color, .width = 1.25});
    const auto pair = static_cast<std::size_t>(input.cursor.pair);
    for (const Lane& lane : lanes) {
        for (const double wavelength : lane.kind.wavelengths)
            draw_pair(wavelength, lane, {.color = lane.color, .width = 1.25});
        if (input.cursor_shown && pair < lane.kind.wavelengths.size())
            draw_pair(lane.kind.wavelengths[pair], lane, {.color = input.theme.cursor, .width = 2.5});
    }
}

Rect TruncationFigure::draw_name(const std::string& name, const Lane& lane, const TextStyle& style, const Theme& theme,
                                 const Frame& frame, Canvas& canvas) {
    const double width = canvas.measure(name, style.size, style.weight).width;
    const Rect background{frame.plot.x + 4, lane.top - lane.name_height, width + 8, lane.name_height};
    canvas.fill_rect(background, theme.plot_background);
    canvas.text({frame.plot.x + 8, lane.top - lane.name_height / 2}, name, style);
    return background;
}

std::vector<std::string> TruncationFigure::names_of(const Kind& kind, const Reach& reach) {
    const double slowest = finite_range(kind.wavelengths).max;
    const auto unrotated = std::count_if(kind.wavelengths.begin(), kind.wavelengths.end(),
                                         [](double wavelength) { return !std::isfinite(wavelength); });
    const auto beyond = std::count_if(kind.wavelengths.begin(), kind.wavelengths.end(), [&](double wavelength) {
        return wavelength > reach.end() && std::isfinite(wavelength);
    });
    const std::string count = fmt::format("{} of {}", unrotated, kind.wavelengths.size());
    const std::string off_axis =
        beyond > 0 ? fmt::format(", {} beyond {}", beyond, power_of_ten(reach.decades)) : std::string();
    std::vector<std::string> about(4, "no pair rotates");
    if (slowest > 0)
        about = {fmt::format("slowest {} {}{}, {} pairs not rotated", readable(slowest), reach.unit, off_axis, count),
                 fmt::format("slowest {}{}, {} not rotated", readable(slowest), off_axis, count),
                 count + " pairs not rotated" + off_axis, count + " not rotated"};
    for (std::string& text : about) text = fmt::format("{}: {}", kind.title, text);
    about.push_back(kind.title);
    return about;
}

std::vector<std::string> TruncationFigure::names_that_fit(const std::vector<Kind>& kinds, const Reach& reach,
                                                          double room, const TextStyle& style, Canvas& canvas) {
    std::vector<std::vector<std::string>> all;
    for (const Kind& kind : kinds) all.push_back(names_of(kind, reach));
    const std::size_t last = all.front().size() - 1;
    const auto fit = [&](std::size_t form) {
        return std::all_of(all.begin(), all.end(), [&](const auto& names) {
            return canvas.measure(names[form], style.size, style.weight).width <= room;
        });
    };
    std::size_t form = 0;
    while (form < last && !fit(form)) ++form;
    if (form == last) canvas.report_omitted("the slowest wavelengths of each row");
    std::vector<std::string> names;
    for (const auto& forms : all) names.push_back(elided(forms[form], room, style, canvas));
    return names;
}

double TruncationFigure::fraction_of(const Experiment& experiment) const {
    constexpr double usual = 0.25;
    return p > 0 ? p : rotating_fraction(experiment).value_or(usual);
}

auto TruncationFigure::spectra(const Experiment& experiment) const -> std::vector<Kind> {
    const double fraction = fraction_of(experiment);
    const Shape shape = experiment.shape();
    std::vector<Kind> kinds;
    for (Encoding& encoding : alternatives_of<Encoding>()) {
        keep_common_fields(ConstChoiceRef(experiment.encoding).fields(), ChoiceRef(encoding).fields());
        const bool is_plain = kinds.empty();  // RoPE itself comes first
        if (truncate_to(encoding, fraction, shape) || is_plain)
            kinds.push_back({id_of(encoding), title_of(encoding), wavelengths(lower(encoding, shape))});
    }
    return kinds;
}

}  // namespace ropewalk
