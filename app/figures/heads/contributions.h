// Each pair's contribution to the score at the cursor, and the running sum (Hong et al. 2024, eq. 8–13).
#pragma once

#include <numeric>

#include "app/figures/parts/curves/zoom.h"
#include "core/analysis/heads/arrows.h"

namespace ropewalk {

enum class ContributionOf { pair, channel };
template <>
struct EnumText<ContributionOf> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"channel", "Channel"}}};
};

struct ContributionsFigure : ZoomableFigure {
    static constexpr auto id = "contributions", title = "Contributions";
    static constexpr auto summary =
        "What each pair contributes to the score at the cursor (gₜ), within ± ‖qₜ‖‖kₜ‖, and the running sum. Dots mark "
        "up to five top pairs.";
    static constexpr auto table_shape = "[d/2, 4]";
    static constexpr bool moves = true;
    ContributionOf of = ContributionOf::pair;

    bool operator==(const ContributionsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "of",
                .label = "Bars",
                .help = "Pair: gₜ = h₂ₜ + h₂ₜ₊₁, with its bound. Channel: both products h = q ⊙ k after the rotation, "
                        "which do depend on the positions."},
          s.of);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {ArrowsQuestion{}}; }

    Badge badge(const FigureInput& input) const {
        const std::size_t marked = top_pairs(Sums(&input.results).parts).size();
        if (marked == 0 || of == ContributionOf::channel) return {};
        return {marked == 1 ? "top pair marked" : fmt::format("top {} marked", marked), "Top pairs",
                "The five pairs that contribute most to the score, as in Hong et al.: those with the largest gₜ. Those "
                "that a sixth matches within 1 % are not marked."};
    }

    /// Draws bars above and, if it fits, their running sum below. On a common axis, the sum of many small contributions
    /// would flatten them.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Sums other(input.reference), before(input.ghost), from(input.blended_from);
        Sums own(&input.results);
        for (const auto values : {&Sums::parts, &Sums::running, &Sums::bounds, &Sums::channels})
            input.move(own.*values, from.*values);
        const bool has_sum = rect.height >= min_height_of_two;
        const auto [upper_room, lower_part] = has_sum ? stacked(rect, 0.5, 4) : std::pair{rect, Rect{}};
        const auto options_of = [&](const Rect& part, const char* y_title, std::vector<double> Sums::*values) {
            PlotOptions options = zoomed({.x = input.reached(pair_axis(input))}, {.x = x_range});
            Extent seen;
            for (const Sums* sums : std::array<const Sums*, 3>{&own, &other, &before})
                seen.take(extent_within(sums->curve(values), options.x));
            if (const Extent bounds = extent_within({own.bounds}, options.x); values == &Sums::parts && !bounds.empty())
                seen.take(bounds.max), seen.take(-bounds.max);  // unlike the parts, the same at every distance
            ValueRange range = seen.empty() ? ValueRange{} : ValueRange{seen.min, seen.max};
            if (!own.is_empty()) range = input.reached(y_title, range);
            options.y = y_axis(range, part.height);
            options.y.title = y_title;
            return values == &Sums::running ? options : zoomed(options, {.y = y_range});
        };
        auto entries = other.is_empty() ? std::vector<LegendEntry>{} : legend_of_compared(input);
        if (has_sum && of == ContributionOf::pair)
            entries.push_back({.label = "$\\pm‖q_t‖‖k_t‖$", .color = bound_stroke(input.theme).color});
        const Rect upper_part = without_legend(entries, upper_room, canvas, input.theme);
        const bool has_pairs = of == ContributionOf::pair;
        PlotOptions upper = has_pairs ? options_of(upper_part, "$g_t$", &Sums::parts)
                                      : options_of(upper_part, "$h=q\\odot k$", &Sums::channels);
        upper.x_labels = !has_sum;
        const PlotOptions lower = options_of(lower_part, "$\\sum g_t$", &Sums::running);
        Frame upper_frame = layout(upper, canvas, upper_part, input.theme);
        Frame lower_frame = has_sum ? layout(lower, canvas, lower_part, input.theme) : Frame{};
        if (has_sum) align(upper_frame, lower_frame);
        draw_plot(upper, upper_frame, {}, input, canvas, [&] {
            draw_bars_of({&own, &other, &before}, input, upper_frame, canvas);
        });
        draw_legend(entries, upper_room, upper_part, upper_frame, canvas, input.theme);
        if (!has_sum) {
            canvas.report_omitted("the running sum");
            if (has_pairs) canvas.report_omitted("the name of the bound");
            return upper_frame;
        }
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_plot(lower, lower_frame, marks, input, canvas,
                  [&] { draw_sums(own.running, other.running, before.running, input, lower_frame, canvas); });
        draw_mark_names(marks, input, lower_frame, canvas,
                        [&](const Rect& box) { return count_in(box, Curve{own.running}, lower_frame); });
        lower_frame.outer = rect;
        lower_frame.above = {std::move(upper_frame)};
        return lower_frame;
    }

    std::string readout(const FigureInput& input) const {
        const Sums sums(&input.results);
        if (sums.is_empty()) return {};
        const Cursor cursor = input.results.request.cursor;
        const std::size_t pair = pair_at_cursor(input, sums.parts.size());
        const bool is_masked = !input.results.problem->sees(cursor.query, cursor.key);
        const std::string value =
            of == ContributionOf::pair
                ? fmt::format("g = {}   bound ± {}", readable(sums.parts[pair]), readable(sums.bounds[pair]))
                : fmt::format("h = {} and {}", readable(sums.channels[2 * pair]),
                              readable(sums.channels[2 * pair + 1]));
        return fmt::format("{}   score {}{}   pair {}   {}", place_text(input, cursor), readable(sums.running.back()),
                           is_masked ? ", before the mask" : "", pair, value);
    }

    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }

    DataTable table(const Results& results) const {
        const Sums sums(&results);
        std::vector<double> first, second;
        for (std::size_t pair = 0; pair < sums.parts.size(); ++pair)
            first.push_back(sums.channels[2 * pair]), second.push_back(sums.channels[2 * pair + 1]);
        return table_of_columns(
            {{"contribution", sums.parts}, {"bound", sums.bounds}, {"h_first", first}, {"h_second", second}});
    }

  private:
    static constexpr double min_height_of_two = 150, mark_radius = 3;  // logical pixels

    static Stroke bound_stroke(const Theme& theme) { return {.color = theme.text_faint, .width = 1.5}; }

    /// The contributions of pairs and channels, the pairs' bounds and their running sum; empty without an answer.
    struct Sums {
        std::vector<double> parts, running, bounds, channels;

        explicit Sums(const Results* results) {
            const auto answer = results ? results->find(ArrowsQuestion{}) : nullptr;
            if (!answer) return;
            for (const TurningArrows& arrows : *answer) {
                const auto& [q, k] = arrows.after;
                parts.push_back(arrows.after.product());
                bounds.push_back(std::abs(q) * std::abs(k));
                channels.insert(channels.end(), {q.real() * k.real(), q.imag() * k.imag()});
            }
            running.resize(parts.size());
            std::partial_sum(parts.begin(), parts.end(), running.begin());
        }
        bool is_empty() const { return parts.empty(); }
        /// Returns values of pairs, or of channels, at their places on an axis of pairs.
        Curve curve(std::vector<double> Sums::*values) const {
            return values == &Sums::channels ? Curve{.y = channels, .first = -0.25, .step = 0.5}
                                             : Curve{.y = this->*values};
        }
    };

    /// Draws the bars of the current head, the bounds, the outlines of the others (reference, before a drag) and dots
    /// on the top pairs.
    void draw_bars_of(std::array<const Sums*, 3> heads, const FigureInput& input, const Frame& frame,
                      Canvas& canvas) const {
        const Theme& theme = input.theme;
        const auto& [own, other, before] = heads;
        const bool has_pairs = of == ContributionOf::pair;
        const auto bars_of = [&](const Sums& sums) { return sums.curve(has_pairs ? &Sums::parts : &Sums::channels); };
        if (!before->is_empty()) draw_steps(bars_of(*before), ghost_stroke(theme), frame, canvas);
        draw_bars(bars_of(*own), 0.8, theme.series[0], theme.series[1], frame, canvas);
        if (has_pairs) {
            std::vector<double> below(own->bounds);
            for (double& bound : below) bound = -bound;
            for (const std::span<const double> bound :
                 {std::span<const double>(own->bounds), std::span<const double>(below)})
                draw_steps({bound}, bound_stroke(theme), frame, canvas);
        }
        if (!other->is_empty()) draw_steps(bars_of(*other), reference_stroke(theme), frame, canvas);
        if (!has_pairs) return;
        for (const std::size_t pair : top_pairs(own->parts))
            draw_point({static_cast<double>(pair), own->parts[pair]}, mark_radius, theme.warning, frame, canvas, theme);
    }

    static void draw_sums(std::span<const double> own, std::span<const double> other, std::span<const double> before,
                          const FigureInput& input, const Frame& frame, Canvas& canvas) {
        if (!before.empty()) draw_curve({before}, ghost_stroke(input.theme), frame, canvas);
        if (!other.empty()) draw_curve({other}, reference_stroke(input.theme), frame, canvas);
        draw_curve({own}, input.theme.curve(0), frame, canvas);
    }

    /// Returns an axis that includes zero and the range, with room for a dot at either end of a plot of this height.
    static Axis y_axis(const ValueRange& range, double height) {
        ValueRange shown = padded({std::min(0.0, range.min), std::max(0.0, range.max)});
        const double mark = (shown.max - shown.min) * (mark_radius + 1.5) / std::max(24.0, height - 30);
        if (range.max > 0) shown.max = std::max(shown.max, range.max + mark);
        if (range.min < 0) shown.min = std::min(shown.min, range.min - mark);
        return {.low = shown.min, .high = shown.max};
    }

    /// Returns the pairs whose g is positive and matched by at most four others, as Hong et al. record the five that
    /// contribute most. Values closer than 1 % count as equal, and values below 10⁻⁹ of the largest do not count.
    static std::vector<std::size_t> top_pairs(std::span<const double> parts) {
        constexpr double visible = 0.01, nothing = 1e-9;
        constexpr std::size_t most = 5;
        std::vector<double> sorted(parts.begin(), parts.end());
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        if (sorted.empty() || sorted.front() <= 0) return {};
        const double largest = std::max(sorted.front(), -sorted.back()),
                     sixth = sorted.size() > most ? std::max(sorted[most], 0.0) : 0;
        const double min = std::max(sixth * (1 + visible), largest * nothing);
        std::vector<std::size_t> found;
        for (std::size_t pair = 0; pair < parts.size(); ++pair)
            if (parts[pair] > min) found.push_back(pair);
        return found;
    }
};

}  // namespace ropewalk
