#include "app/figures/heads/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figures/parts/cells/cell_values.h"
#include "app/figures/parts/cells/count_per_cell.h"
#include "app/figures/parts/cells/difference_badge.h"
#include "core/analysis/heads/entries.h"

namespace ropewalk {

std::optional<std::string> AttentionFigure::check() const {
    if (range_low > range_high)
        return fmt::format("range_low is {} and range_high is {}; range_low must not be above range_high", range_low,
                           range_high);
    if (auto sentence = rows.check("rows")) return sentence;
    return columns.check("columns");
}

void AttentionFigure::badge_clicked() {
    constexpr int ways = static_cast<int>(EnumText<Pooling>::names.size());
    const Pooling seen = effective_pooling();
    do pooling = static_cast<Pooling>((static_cast<int>(pooling) + 1) % ways);
    while (effective_pooling() == seen);
}

void AttentionFigure::adopt(const AttentionFigure& before, const FigureInput& input) {
    if (range != RangeMode::locked || before.range == RangeMode::locked) return;
    const auto view = before.view_of(input);
    if (!view) return;
    const ColorScale scale = before.heat_map(view, input).scale;
    range_low = scale.min, range_high = scale.max;
}

ViewQuestion AttentionFigure::question(const Experiment& experiment, PlotPixels pixels) const {
    const Interval r = rows.tokens(experiment.seq_len), c = columns.tokens(experiment.seq_len);
    const Viewport viewport{.rows = r,
                            .columns = c,
                            .cells_down = std::clamp(pixels.down, 1, r.size()),
                            .cells_across = std::clamp(pixels.across, 1, c.size()),
                            .content = content(experiment.seq_len)};
    return {.viewport = viewport, .of_scores = quantity == Quantity::scores};
}

CellContent AttentionFigure::content(int seq_len) const {
    constexpr int short_sequence = 2048;
    if (seq_len <= short_sequence) return {};
    CellContent wanted = CellContent::of(effective_pooling());
    wanted.logits = is_signed(), wanted.weights = !is_signed();
    return wanted;
}

Needs AttentionFigure::needs(const Experiment& experiment, PlotPixels pixels) const {
    Needs all{question(experiment, pixels), ContributionsQuestion{}};
    if (const auto whole = whole_question(experiment, pixels)) all.emplace_back(*whole);
    return all;
}

std::optional<ViewQuestion> AttentionFigure::whole_question(const Experiment& experiment, PlotPixels pixels) const {
    const bool ends_at_one = quantity == Quantity::weights && range == RangeMode::automatic && !without_first_key &&
                             experiment.mask != Mask::none && effective_pooling() == Pooling::max;
    if (ends_at_one || compares() || range == RangeMode::percentile || range == RangeMode::locked) return std::nullopt;
    AttentionFigure whole = *this;
    whole.show({});
    const ViewQuestion asked = whole.question(experiment, pixels);
    const Viewport own = question(experiment, pixels).viewport;
    return own.rows == asked.viewport.rows && own.columns == asked.viewport.columns ? std::nullopt
                                                                                    : std::optional(asked);
}

std::optional<Needs> AttentionFigure::needs_beside(const Experiment& experiment, PlotPixels pixels,
                                                   const Experiment& reference) const {
    Needs all = needs(experiment, pixels);
    if (compares() && reference.seq_len == experiment.seq_len)
        all.push_back(RowDivergencesQuestion::affordable(experiment, reference));
    return all;
}

Badge AttentionFigure::badge(const FigureInput& input) const {
    const auto view = view_of(input);
    if (view && compared_with(*view, input))
        return difference_badge(heat_map(view, input), *values_of(view, shown_pooling(*view), input),
                                view->viewport.is_one_to_one() ? "" : in_words(shown_pooling(*view)),
                                max_divergence(input));
    if (const auto missing = compares() ? missing_difference_badge(input) : std::nullopt; view && missing)
        return *missing;
    if (!view || view->viewport.is_one_to_one()) return {};
    if (view->sum_error > 0) {
        const bool has_sums = quantity == Quantity::weights || quantity == Quantity::log_weights;
        const std::string text = has_sums ? fmt::format("estimate ± {:.1f} %", 100 * view->sum_error) : "estimate";
        return {text, "Estimate",
                fmt::format("{}Computed from about 1 key in 16; the exact result follows.",
                            has_sums ? text + ": two standard errors of a row's softmax sum. " : "")};
    }
    const Viewport& v = view->viewport;
    const std::string counts =
        counts_per_cell(v.rows.size() * 1.0 / v.cells_down, v.columns.size() * 1.0 / v.cells_across);
    const char* const pooled = in_words(shown_pooling(*view));
    const std::string text = fmt::format("{} of {} entries per cell{}", pooled, counts,
                                         what_is_sampled(v, shown_pooling(*view), is_signed()));
    return pooling_badge(text, fmt::format("{}, {}", counts, pooled),
                         "Click to change the pooling: mean, min, max or largest magnitude.");
}

Frame AttentionFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto view = view_of(input);
    const HeatMap map = view ? heat_map(view, input) : HeatMap{};
    const PlotOptions options = plot_options(input, map);
    const bool has_track = compares() && has_divergence_track(input);  // also while the reference is shown
    Frame frame = layout(options, canvas, has_track ? beside_divergence_track(rect) : rect, input.theme);
    if (has_track) draw_divergence_track(input, rect, frame, canvas);
    draw_background(options, frame, canvas, input.theme);
    if (view) {
        const Viewport& v = view->viewport;
        const Point top_left = frame.to_pixels(v.columns.begin - 0.5, v.rows.begin - 0.5),
                    bottom_right = frame.to_pixels(v.columns.end - 0.5, v.rows.end - 0.5);
        canvas.push_clip(frame.plot);
        canvas.heat_map({top_left.x, top_left.y, bottom_right.x - top_left.x, bottom_right.y - top_left.y}, map);
        if (has_room_for_values(v, frame)) draw_cell_values(map, v, frame, canvas, input.theme);
        canvas.pop_clip();
    }
    if (input.cursor_shown && view && has_room_for_values(view->viewport, frame))
        draw_cell_frame(input.cursor, frame, canvas);
    else if (input.cursor_shown)
        draw_cross_hair(input.cursor.key, input.cursor.query, frame, canvas);
    draw_axes(options, frame, canvas, input.theme);
    return frame;
}

std::string AttentionFigure::readout(const FigureInput& input) const {
    const Cursor& cursor = input.cursor;
    const std::string place = place_text(input, cursor);
    if (quantity != Quantity::scores && !input.results.problem->sees(cursor.query, cursor.key))
        return place + fmt::format("   {} = masked", name_of_one(quantity));
    const auto view = view_of(input);
    if (!view || !view->viewport.rows.contains(cursor.query) || !view->viewport.columns.contains(cursor.key))
        return place;
    const Viewport& v = view->viewport;
    const int down = v.row_cell(cursor.query), across = v.cell_columns(v.column_cell(cursor.key)).size();
    const Interval seen = rows_seen(v, down, shown_pooling(*view), is_signed());
    const char* const pooled = in_words(shown_pooling(*view));
    const auto of_cell_in = [&](const auto& each) {
        return (*values_of(each, shown_pooling(*view), input))[v.cell_of(cursor.query, cursor.key)];
    };
    const auto other = compared_with(*view, input);
    const std::string compared =
                          other ? difference_text(of_cell_in(view), of_cell_in(other)) + divergence_at_cursor(input)
                                : "",
                      of_cell = readable(of_cell_in(view)) + compared;
    if (const auto entry = entry_value(*view, input))
        return place + fmt::format("   {} {}", name_of_one(quantity), readable(*entry)) +
               (seen.size() * across > 1 ? fmt::format("   cell: {} {}", pooled, of_cell) : compared);
    std::string of_what = fmt::format("{} of {} × {} entries{}", pooled, readable(seen.size()), readable(across),
                                      what_is_sampled(v, shown_pooling(*view), is_signed()));
    if (seen.size() < v.cell_rows(down).size() && seen.size() == 1)  // usually not the cursor's row
        of_what = fmt::format("in row {}", readable(seen.begin)) +
                  (across > 1 ? fmt::format(", {} of {} entries", pooled, readable(across)) : "");
    return place + fmt::format("   {}: {} {}", of_what, name_of_one(quantity), of_cell);
}

DataTable AttentionFigure::table(const Results& results) const {
    const auto view = view_in(results, {});
    if (!view) return {};
    return table_of_cells(view->viewport, grid(*view).values(shown_pooling(*view)));
}

std::shared_ptr<const AttentionView> AttentionFigure::view_in(const Results& results,
                                                              std::optional<PlotPixels> pixels) const {
    std::shared_ptr<const AttentionView> best, newest;
    const Viewport own = question(results.request.experiment, pixels.value_or(PlotPixels{})).viewport;
    const auto apart = [&](const Viewport& v) {
        return std::abs(v.cells_down - own.cells_down) + std::abs(v.cells_across - own.cells_across);
    };
    for (const auto& [asked, view] : results.all_of<ViewQuestion>()) {
        const Viewport& v = asked.viewport;
        const bool has_quantity = is_signed() ? v.content.logits : v.content.weights;
        if (asked.of_scores != (quantity == Quantity::scores) || !has_quantity) continue;
        if (!newest) newest = view;
        const bool is_of_part = v.rows == own.rows && v.columns == own.columns;
        if (is_of_part && shown_pooling(*view) == effective_pooling() &&
            (!best || apart(view->viewport) < apart(best->viewport)))
            best = view;
    }
    return best ? best : newest;
}

std::shared_ptr<const AttentionView> AttentionFigure::whole_view_in(const Results& results) const {
    const auto asked = whole_question(results.request.experiment, {});
    if (!asked) return nullptr;
    for (const auto& [question, view] : results.all_of<ViewQuestion>())
        if (question.of_scores == asked->of_scores && question.viewport.rows == asked->viewport.rows &&
            question.viewport.columns == asked->viewport.columns &&
            (view->viewport.is_one_to_one() || grid(*view).has(shown_pooling(*view))))
            return view;
    return nullptr;
}

std::shared_ptr<const AttentionView> AttentionFigure::view_of(const FigureInput& input) const {
    return view_in(input.results, input.pixels);
}

Pooling AttentionFigure::effective_pooling() const {
    if (pooling != Pooling::abs_max) return pooling;
    return !is_signed() ? Pooling::max : compares() ? Pooling::mean : Pooling::abs_max;
}

Pooling AttentionFigure::shown_pooling(const AttentionView& view) const {
    const PooledGrid& cells = grid(view);
    if (view.viewport.is_one_to_one() || cells.has(effective_pooling())) return effective_pooling();
    return cells.has(Pooling::mean) ? Pooling::mean : cells.has(Pooling::min) ? Pooling::min : Pooling::max;
}

SharedNumbers AttentionFigure::values_of(const std::shared_ptr<const AttentionView>& view, Pooling pooled,
                                         const FigureInput& input) const {
    const PooledGrid& cells = grid(*view);
    if (pooled == Pooling::mean || !cells.has(pooled)) return SharedNumbers(view, cells.mean);
    if (pooled != Pooling::abs_max) return SharedNumbers(view, pooled == Pooling::min ? cells.min : cells.max);
    return input.memo.combined(SharedNumbers(view, cells.min), SharedNumbers(view, cells.max),
                               [&] { return cells.abs_max(); });
}

std::optional<double> AttentionFigure::entry_value(const AttentionView& view, const FigureInput& input) const {
    const Viewport& v = view.viewport;
    const Cursor &cursor = input.cursor, &answered = input.results.request.cursor;
    const int row = v.row_cell(cursor.query);
    const std::size_t cell = v.cell_of(cursor.query, cursor.key);
    const PooledGrid& cells = grid(view);
    if (!v.computed_rows(row).contains(cursor.query)) return std::nullopt;
    if (v.is_one_to_one()) return cells.mean[cell];
    const auto parts = input.results.find(ContributionsQuestion{});
    if (!parts || answered.query != cursor.query || answered.key != cursor.key) return std::nullopt;
    const bool is_sampled = v.computed_row_count() < v.rows.size();
    const auto listed = static_cast<std::size_t>(is_sampled ? row : cursor.query - v.rows.begin);
    const MatrixEntry entry = entry_of_parts(*input.results.problem, cursor.query, cursor.key, *parts,
                                             is_signed() ? 0 : view.row_log_sum[listed]);
    double value = quantity == Quantity::scores ? entry.score : is_signed() ? entry.logit : entry.weight;
    // Rounding of very large logits must not leave the cell's range.
    if (!cells.max.empty()) value = std::min(value, cells.max[cell]);
    if (!cells.min.empty()) value = std::max(value, cells.min[cell]);
    return value;
}

std::shared_ptr<const AttentionView> AttentionFigure::reference_of(const AttentionView& view,
                                                                   const FigureInput& input) const {
    if (!input.reference) return nullptr;
    for (const auto& [asked, other] : input.reference->all_of<ViewQuestion>()) {
        if (asked.of_scores == (quantity == Quantity::scores) && view.viewport.has_same_cells(other->viewport) &&
            (view.viewport.is_one_to_one() || grid(*other).has(shown_pooling(view))))
            return other;
    }
    return nullptr;
}

std::shared_ptr<const AttentionView> AttentionFigure::compared_with(const AttentionView& view,
                                                                    const FigureInput& input) const {
    return compares() && !input.is_reference ? reference_of(view, input) : nullptr;
}

HeatMap AttentionFigure::heat_map(const std::shared_ptr<const AttentionView>& view, const FigureInput& input) const {
    HeatMap map{.values = values_of(view, shown_pooling(*view), input),
                .visible = {view, &view->visible_cells},
                .rows = view->viewport.cells_down,
                .columns = view->viewport.cells_across,
                .masked = input.theme.masked,
                .hatch = input.theme.hatch,
                .not_a_number = input.theme.not_a_number};
    if (const auto other = compared_with(*view, input))
        return difference_map(map, values_of(other, shown_pooling(*view), input), input);
    map.scale = color_scale(view, input);
    return map;
}

ColorScale AttentionFigure::color_scale(const std::shared_ptr<const AttentionView>& view,
                                        const FigureInput& input) const {
    ColorScale scale{.map = color_map_of(colors, is_signed()), .logarithmic = quantity == Quantity::log_weights};
    const auto range_in = [&](const std::shared_ptr<const AttentionView>& seen) {
        const Viewport& v = seen->viewport;
        const bool skips = without_first_key && v.columns.begin == 0 && v.cells_across > 1;
        return input.range_of({.values = values_of(seen, shown_pooling(*seen), input),
                               .visible = {seen, &seen->visible_cells},
                               .columns = v.cells_across,
                               .skipped_columns = skips ? 1 : 0,
                               .outermost = range == RangeMode::percentile ? 0.01 : 0});
    };
    ValueRange found = range_in(view);
    if (const auto other = reference_of(*view, input)) found = united(found, range_in(other));  // one range for both
    for (const Results* results : {&input.results, input.reference})
        if (const auto whole = results ? whole_view_in(*results) : nullptr) found = united(found, range_in(whole));
    found = input.reached("colours", found);
    if (range == RangeMode::locked) {
        found = {std::min(range_low, range_high), std::max(range_low, range_high)};
    } else if (range == RangeMode::symmetric || scale.map == ColorMap::diverging) {
        const double max = std::max(std::abs(found.min), std::abs(found.max));
        found = {-max, max};
    } else if (quantity == Quantity::weights && range == RangeMode::automatic) {
        const bool ends_at_one = reaches_first_weight(view->viewport, shown_pooling(*view), input.experiment().mask);
        found = {0, ends_at_one && !without_first_key ? 1 : found.max};
    }
    scale.min = found.min, scale.max = found.max;
    return drawable(scale, range);
}

PlotOptions AttentionFigure::plot_options(const FigureInput& input, const HeatMap& map) const {
    const int seq_len = input.experiment().seq_len;
    const TokenRange r = rows.within(seq_len), c = columns.within(seq_len);
    PlotOptions options;
    options.x = key_axis(input, c.low - 0.5, c.high - 0.5);
    options.y = query_axis(input, r.low - 0.5, r.high - 0.5);
    options.y.downwards = true;
    options.color_bar = color_bar(input, map);
    if (options.color_bar && compares() && input.reference) {
        const FigureInput swapped = input.swapped();
        if (const auto view = view_of(swapped))
            if (auto bar = color_bar(swapped, heat_map(view, swapped)))
                options.color_bar->in_turn = std::make_shared<const ColorBar>(*std::move(bar));
    }
    options.square_cells = true, options.grid = false;
    return options;
}

std::optional<ColorBar> AttentionFigure::color_bar(const FigureInput& input, const HeatMap& map) const {
    const auto view = view_of(input);
    const bool is_difference = view && compared_with(*view, input);
    return color_bar_of(input, map, (is_difference ? "Δ " : "") + in_full(quantity, input.experiment().mask));
}

}  // namespace ropewalk
