// One row of the matrix: the attention of the cursor's query.
#pragma once

#include <optional>

#include "app/figures/parts/curves/zoom.h"

namespace ropewalk {

enum class RowQuantity { weights, logits };
template <>
struct EnumText<RowQuantity> {
    static constexpr std::array<EnumName, 2> names{{{"weights", "Weights"}, {"logits", "Logits"}}};
};

struct AttentionRowFigure : ZoomableFigure {
    static constexpr auto id = "attention_row", title = "Attention of one query";
    static constexpr auto brief_title = "Attention row";
    static constexpr auto summary = "Weights or logits of the cursor's query over all its keys.";
    static constexpr auto table_shape = "[seq_len, 3]: key, logit, weight";
    static constexpr bool has_row_per_x = true;
    RowQuantity quantity = RowQuantity::weights;

    static constexpr bool moves = true;

    bool operator==(const AttentionRowFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "quantity",
                .label = "Quantity",
                .help = "Weights sum to 1 over the row. Logits are the input of the softmax."},
          s.quantity);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {RowQuestion{}}; }

    /// Returns the divergence from the reference's row, Σ p ln(p/p_ref) in nats.
    Badge badge(const FigureInput& input) const {
        const auto row = input.results.find(RowQuestion{});
        const auto other = input.reference ? input.reference->find(RowQuestion{}) : nullptr;
        if (!row || !other || row->logits.size() != other->logits.size()) return {};
        const double divergence = row_divergence(row->logits, other->logits);
        return {fmt::format("KL from the reference {}", readable(divergence)), "Kullback–Leibler divergence",
                "Σ p ln(p/p_ref) of this row in nats. The grey curve is the reference's row.",
                fmt::format("KL {}", readable(divergence, 3))};
    }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto visible_of = [&](const Results* results) {
            return results ? visible_values(*results, input.memo) : Curve{};
        };
        Curve values = visible_values(input.results, input.memo);
        const Curve others = visible_of(input.reference), before = visible_of(input.ghost);
        std::vector<double> moving;
        if (const Curve from = visible_of(input.blended_from); from.size() > 0 && from.size() == values.size()) {
            moving.assign(values.y.begin(), values.y.end());
            input.move(moving, from.y);
            values = {.y = moving};
        }
        ValueRange range = range_of(values);
        for (const Curve& other : {others, before})
            if (other.size() > 0) range = united(range, range_of(other));
        if (values.size() > 0) range = input.reached("y", range);
        if (quantity == RowQuantity::weights)
            range = {0, padded({0, range.max}).max};
        else
            range = padded(united(range, {0, 0}));
        PlotOptions options;
        const double last = std::max(1.0, values.first + static_cast<double>(values.size())) - 1,
                     room = room_at_ends(last);
        options.x = input.reached(key_axis(input, -room, last + room));
        options.y = {.title = value_name(), .brief = value_name(), .low = range.min, .high = range.max};
        options = zoomed(options, {x_range, y_range});
        if (const auto row = input.results.find(RowQuestion{}))
            options.y.title += fmt::format(" of query {}", readable(row->query));
        const auto entries = others.size() > 0 ? legend_of_compared(input) : std::vector<LegendEntry>{};
        const Rect below = without_legend(entries, rect, canvas, input.theme);
        Frame frame = layout(options, canvas, below, input.theme);
        draw_background(options, frame, canvas, input.theme);
        const bool as_bars = has_room_for_bars(values, frame);
        const auto draw_compared = [&](const Curve& curve, const Stroke& stroke) {
            if (as_bars) return draw_steps(curve, stroke, frame, canvas);
            draw_curve(curve, stroke, frame, canvas);
        };
        if (before.size() > 0) draw_compared(before, ghost_stroke(input.theme));
        if (others.size() > 0) draw_compared(others, reference_stroke(input.theme));
        if (as_bars)
            draw_bars(values, 0.8, input.theme.series[0], input.theme.series[0], frame, canvas);
        else
            draw_curve(values, input.theme.curve(0), frame, canvas);
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_mark_lines(marks, frame, canvas);
        if (input.cursor_shown) {
            draw_cursor_band(input.cursor.key, frame, canvas, input.theme);
            if (const auto value = value_at(input.cursor.key, values))
                draw_point({static_cast<double>(input.cursor.key), *value}, point_radius, input.theme.series[0], frame,
                           canvas, input.theme);
        }
        draw_axes(options, frame, canvas, input.theme);
        draw_mark_names(marks, input, frame, canvas, [&](const Rect& box) { return count_in(box, values, frame); });
        draw_legend(entries, rect, below, frame, canvas, input.theme);
        frame.outer = rect;
        return frame;
    }

    std::string readout(const FigureInput& input) const {
        const auto row = input.results.find(RowQuestion{});
        if (!row) return place_text(input, input.cursor);
        const Cursor cursor{row->query, input.cursor.key,
                            input.cursor.pair};  // the row that is drawn, until the next one arrives
        const Curve values = visible_values(input.results, input.memo);
        const auto value = value_at(cursor.key, values);
        if (!value) return fmt::format("{}   {} = masked", place_text(input, cursor), value_name());
        return fmt::format("{}   {} {}", place_text(input, cursor), value_name(), readable(*value));
    }

    /// Returns the distance handles, at query − distance.
    std::vector<Handle> handles(const FigureInput& input) const {
        const auto row = input.results.find(RowQuestion{});
        if (!row) return {};
        std::vector<Handle> all = distance_handles(input);
        for (Handle& handle : all) {
            handle.mark.at = row->query - handle.mark.at;
            handle.value_at = [of_distance = handle.value_at, query = row->query](double key) {
                return of_distance(query - key);
            };
        }
        return all;
    }

    DataTable table(const Results& results) const {
        const auto row = results.find(RowQuestion{});
        return table_of_columns(
            {{"key", counted(row->logits.size())}, {"logit", copied(row->logits)}, {"weight", copied(row->weights)}});
    }

  private:
    const char* value_name() const { return quantity == RowQuantity::weights ? "weight" : "logit"; }

    /// Returns the value of a key; nothing if it is masked.
    static std::optional<double> value_at(int key, const Curve& seen) {
        const int place = key - static_cast<int>(seen.first);
        if (place < 0 || place >= static_cast<int>(seen.size())) return std::nullopt;
        return seen.y[static_cast<std::size_t>(place)];
    }
    /// Returns the row's values at the keys that it sees.
    Curve visible_values(const Results& results, FigureMemo& memo) const {
        const auto row = results.find(RowQuestion{});
        if (!row) return {};
        const SharedNumbers all = SharedNumbers(row, quantity == RowQuantity::weights ? row->weights : row->logits);
        const Interval seen = results.problem->seen_keys(row->query);
        return memo.quick({std::span(*all).subspan(seen.begin, seen.size()), static_cast<double>(seen.begin)}, all);
    }
};

}  // namespace ropewalk
