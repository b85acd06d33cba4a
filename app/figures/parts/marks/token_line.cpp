#include "app/figures/parts/marks/token_line.h"

#include <algorithm>
#include <cmath>

#include "app/figures/parts/marks/arrow.h"

namespace ropewalk {
namespace {

// Logical pixels.
constexpr double query_radius = 8, key_radius = 6, rim_width = 1.5, touching = query_radius + key_radius + rim_width,
                 text_row = 18, min_height_with_line = 190, min_width_with_line = 60;

}  // namespace

TokenLine::TokenLine(const FigureInput& input, const Rect& rect) : input_(input), figure_(rect) {
    const double taken = rect.height >= min_height_with_line && rect.width >= min_width_with_line ? height : 0;
    rect_ = {rect.x, rect.bottom() - taken, rect.width, taken};
    y_ = rect_.y + text_row + query_radius + 2;
    const double last = std::max(input.experiment().seq_len - 1, 1);
    frame_ = {.outer = rect, .plot = {rect_.x + 12, rect_.y, std::max(0.0, rect_.width - 24), rect_.height}};
    frame_.x = input.reached(token_axis(input, "token", 0, last));
}

int TokenLine::token_at(double x) const {
    return static_cast<int>(std::lround(std::clamp(frame_.x_at(x), 0.0, input_.experiment().seq_len - 1.0)));
}

auto TokenLine::grasped(double x, const Cursor& cursor) const -> Part {
    const auto [query, key] = marks_of(cursor);
    const double left = std::min(query, key), right = std::max(query, key),
                 reach = std::min(query_radius + 4, (right - left) / 3);
    if (right - left > touching && x > left + reach && x < right - reach) return Part::both;
    const double left_radius = query < key ? query_radius : key_radius,
                 border = left + left_radius + (right - left - query_radius - key_radius) / 2;
    return (x < border) == (query < key) ? Part::query : Part::key;
}

auto TokenLine::marks_of(const Cursor& cursor) const -> Marks {
    Marks marks{x_of(cursor.query), x_of(cursor.key)};
    if (std::abs(marks.query - marks.key) >= touching) return marks;
    const bool is_key_right = cursor.key > cursor.query;
    const double left_radius = is_key_right ? query_radius : key_radius, left = rect_.x + left_radius + rim_width,
                 right = rect_.right() - (touching - left_radius),
                 middle = std::clamp((marks.query + marks.key) / 2, left + touching / 2, right - touching / 2);
    (is_key_right ? marks.query : marks.key) = middle - touching / 2;
    (is_key_right ? marks.key : marks.query) = middle + touching / 2;
    return marks;
}

Cursor TokenLine::dragged(const Scrub& scrub) const {
    const int last = input_.experiment().seq_len - 1;
    const bool is_causal = input_.results.problem->mask != Mask::none;
    Cursor cursor = scrub.begun_at;
    const Marks marks = marks_of(cursor);
    // A mark that is pressed stays where it is until the mouse moves; beside it, the mark comes to the mouse.
    const auto token_of = [&](int begun_at, double mark, double radius) {
        const bool is_pressed = std::abs(scrub.from.x - mark) <= radius;
        return token_at(is_pressed ? x_of(begun_at) + scrub.to.x - scrub.from.x : scrub.to.x);
    };
    switch (grasped(scrub.from.x, cursor)) {
        case Part::query:
            cursor.query = std::max(token_of(cursor.query, marks.query, query_radius), is_causal ? cursor.key : 0);
            break;
        case Part::key:
            cursor.key = std::min(token_of(cursor.key, marks.key, key_radius), is_causal ? cursor.query : last);
            break;
        case Part::both: {
            const auto moved = static_cast<int>(std::lround(frame_.x_at(scrub.to.x) - frame_.x_at(scrub.from.x)));
            const int by =
                std::clamp(moved, -std::min(cursor.query, cursor.key), last - std::max(cursor.query, cursor.key));
            cursor.query += by, cursor.key += by;
        }
    }
    return cursor;
}

void TokenLine::draw_tokens(Canvas& canvas) const {
    constexpr double spacing = 56, least_between_dots = 5, gap = 8;
    const Theme& theme = input_.theme;
    canvas.fill_rect({frame_.plot.x, y_ - 1, frame_.plot.width, 2}, theme.grid, 1);
    const double step = x_of(1) - x_of(0);
    if (step >= least_between_dots)
        for (int token = 0; token <= static_cast<int>(frame_.x.high); ++token)
            canvas.circle({x_of(token), y_}, 2, theme.axis, no_outline);
    const double below = y_ + query_radius + 9;
    const TextStyle style{.size = theme.tick_size, .color = theme.text_dim, .across = Align::middle};
    double free = rect_.x;  // from here on
    const auto label = [&](double token, const std::string& text) {
        const double half = canvas.measure(text, style.size, style.weight).width / 2;
        if (2 * half > rect_.width) return;
        const double x = std::clamp(x_of(token), rect_.x + half, rect_.right() - half);
        if (x - half < free) return;
        canvas.text({x, below}, text, style);
        free = x + half + gap;
    };
    const auto is_wide = [&](const std::string& name) {
        return canvas.measure(name, style.size, style.weight).width > 2 * step;
    };
    if (frame_.x.names && 2 * std::ranges::count_if(*frame_.x.names, is_wide) <= std::ssize(*frame_.x.names)) {
        for (std::size_t i = 0; i < frame_.x.names->size(); ++i) label(static_cast<double>(i), (*frame_.x.names)[i]);
    } else {
        for (const Tick& tick : ticks(frame_.x, frame_.plot.width, spacing)) label(tick.value, tick.label);
    }
}

void TokenLine::draw_names(Canvas& canvas) const {
    constexpr double gap = 10;
    const Theme& theme = input_.theme;
    const Cursor& cursor = input_.results.request.cursor;
    struct Name {
        std::string text;
        double x = 0, width = 0;
        Color color;
    };
    Name names[] = {{"key $j$ = " + readable(cursor.key), x_of(cursor.key), 0, key_color(theme)},
                    {"query $i$ = " + readable(cursor.query), x_of(cursor.query), 0, query_color(theme)}};
    if (cursor.key > cursor.query) std::swap(names[0], names[1]);
    double all = gap;
    const auto width = [&](const std::string& text) {
        return canvas.measure(text, theme.tick_size, Weight::semibold).width;
    };
    for (Name& name : names) all += name.width = width(name.text);
    if (all > rect_.width) return canvas.report_omitted("the names of the marks");
    auto& [left, right] = names;
    double left_at = std::clamp(left.x - left.width / 2, rect_.x, rect_.right() - left.width),
           right_at = std::clamp(right.x - right.width / 2, rect_.x, rect_.right() - right.width);
    if (left_at + left.width + gap > right_at) {  // side by side around their middle
        left_at = std::clamp((left.x + right.x - all) / 2, rect_.x, rect_.right() - all);
        right_at = left_at + left.width + gap;
    }
    const double above = rect_.y + text_row / 2;
    TextStyle style{.size = theme.tick_size, .weight = Weight::semibold};
    style.color = left.color;
    canvas.text({left_at, above}, left.text, style);
    style.color = right.color;
    canvas.text({right_at, above}, right.text, style);
    const std::string distance = "$r$ = " + readable(cursor.distance());
    const double free = right_at - left_at - left.width, taken = width(distance);
    if (free > taken + 2 * gap)
        canvas.text({left_at + left.width + (free - taken) / 2, above}, distance,
                    {.size = theme.tick_size, .color = theme.text_dim});
}

Frame TokenLine::draw(Canvas& canvas) const {
    if (!is_shown()) {
        canvas.report_omitted("the line of tokens");
        return frame_;
    }
    const Theme& theme = input_.theme;
    const Cursor& cursor = input_.results.request.cursor;
    draw_tokens(canvas);
    const Stroke rim{.color = theme.panel, .width = rim_width};
    const auto [query, key] = marks_of(cursor);
    canvas.fill_rect({std::min(query, key), y_ - 2, std::abs(query - key), 4}, theme.text_dim, 2);
    canvas.circle({query, y_}, query_radius, query_color(theme), rim);
    canvas.circle({key, y_}, key_radius, key_color(theme), rim);
    draw_names(canvas);
    canvas.add_tooltip({rect_.x, y_ - query_radius, rect_.width, 2 * query_radius}, "Query and key",
                       "Drag a mark to move it. Drag between the marks to move both and keep their distance.");
    return frame_;
}

}  // namespace ropewalk
