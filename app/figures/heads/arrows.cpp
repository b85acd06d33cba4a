#include "app/figures/heads/arrows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figures/parts/marks/arrow.h"
#include "app/figures/parts/marks/dial.h"
#include "app/figures/parts/marks/token_line.h"
#include "app/plot/elide.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {
namespace {

constexpr double row_of_text = 20, min_height_with_texts = 120, min_radius = 8;  // logical pixels

std::shared_ptr<const std::vector<TurningArrows>> arrows_of(const Results* results) {
    return results ? results->find(ArrowsQuestion{}) : nullptr;
}

const TurningArrows* arrows_of(const Results* results, int pair) {
    const auto arrows = arrows_of(results);
    return arrows && pair < static_cast<int>(arrows->size()) ? &(*arrows)[static_cast<std::size_t>(pair)] : nullptr;
}

/// Returns the state before the last change, or null if its pairs rotate otherwise because the head is wider or
/// narrower.
const Results* ghost_of(const FigureInput& input) {
    const bool has_same_pairs = input.ghost && input.ghost->request.experiment.head_dim == input.experiment().head_dim;
    return has_same_pairs ? input.ghost : nullptr;
}

double longest_of(const Results* results, const std::vector<int>& pairs) {
    double longest = 0;
    for (const int pair : pairs)
        if (const TurningArrows* arrows = arrows_of(results, pair))
            longest = std::max({longest, arrows->before.longest(), arrows->after.longest()});
    return longest;
}

/// Returns the length that the dials of these pairs have room for: that of the longest arrow. Other heads are cut off
/// at twice the length of the head's own arrows, which would become too small.
double room_for(const FigureInput& input, const std::vector<int>& pairs) {
    const double own = longest_of(&input.results, pairs),
                 others = std::max(longest_of(input.reference, pairs), longest_of(ghost_of(input), pairs));
    return input.reached("length", {0, own > 0 ? std::clamp(others, own, 2 * own) : others}).max;
}

/// Draws the arrows of the reference and of the state before a drag.
void draw_others(int pair, Arrows TurningArrows::*which, const Dial& dial, const FigureInput& input, Canvas& canvas) {
    if (const TurningArrows* before = arrows_of(ghost_of(input), pair))
        draw_pale_arrows(before->*which, dial, ghost_stroke(input.theme), canvas);
    if (const TurningArrows* other = arrows_of(input.reference, pair))
        draw_pale_arrows(other->*which, dial, {.color = input.theme.text_faint, .width = 1.5}, canvas);
}

/// Returns the pair with its wavelength, or without it if that does not fit.
std::string name_of_pair(const FigureInput& input, int pair, double width, const Canvas& canvas) {
    const LoweredEncoding& lowered = input.results.problem->lowered;
    const double length = wavelengths(lowered)[static_cast<std::size_t>(pair)];
    const std::string name = fmt::format("pair {}", pair);
    if (!std::isfinite(length)) return name + " · not rotated";
    const std::string full = fmt::format("{} · one {} in {} {}", name, lowered.rotates() ? "turn" : "wave",
                                         readable(length, 4), unit_of_positions(input.experiment()));
    return canvas.measure(full, input.theme.label_size, Weight::regular).width <= width ? full : name;
}

/// Returns the equation of the contribution, or only its value.
std::string equation(const Arrows& arrows, double width, double size, const Canvas& canvas) {
    const std::string value = readable(arrows.product(), 4);
    if (std::isnan(arrows.angle()))
        return fmt::format("{} on this pair", arrows.q != 0.0   ? "$k$ = 0"
                                              : arrows.k != 0.0 ? "$q$ = 0"
                                                                : "$q$ = $k$ = 0");
    const double angle = std::abs(arrows.angle()) * 180 / std::numbers::pi, shown = std::round(10 * angle) / 10;
    const bool is_exact = std::abs(angle - shown) < 1e-9;
    const std::string full = fmt::format("$g_t$ = $\\|q\\|\\,\\|k\\|$ cos {}° {} {}", readable(shown),
                                         is_exact ? "=" : "≈", is_exact ? value : readable(arrows.product(), 3));
    return canvas.measure(full, size, Weight::semibold).width <= width ? full : "$g_t$ = " + value;
}

/// Names the thin arrows where the pointer is on them.
void add_tooltip_of_thin(const FigureInput& input, const Arrows& arrows, const Dial& dial, Canvas& canvas) {
    constexpr double around = 4;  // logical pixels
    const bool rotates = input.results.problem->lowered.rotates();
    for (const std::complex<double>& arrow : {arrows.k, arrows.q}) {
        if (arrow == 0.0) continue;
        const Point tip = dial.tip(arrow), from = dial.centre;
        const Rect box{std::min(from.x, tip.x), std::min(from.y, tip.y), std::abs(tip.x - from.x),
                       std::abs(tip.y - from.y)};
        canvas.add_tooltip(
            box.inset(-around), rotates ? "Before rotation" : "As constructed",
            rotates ? "Shows query and key before rotation." : "Shows query and key before waves are added.");
    }
}

/// Names the thin arrow of the query outside a large circle, unless a thick arrow has its name there.
void name_thin(const FigureInput& input, const TurningArrows& arrows, const Dial& dial, Canvas& canvas) {
    constexpr double gap = 8, needed = 0.6;  // logical pixels; radians to a thick arrow
    const double angle = std::arg(arrows.before.q);
    for (const std::complex<double>& other : {arrows.after.q, arrows.after.k})
        if (std::abs(std::arg(other * std::conj(arrows.before.q))) < needed) return;
    const double x = std::cos(angle);
    const Align across = x > 0.3 ? Align::start : x < -0.3 ? Align::end : Align::middle;
    canvas.text(at_angle(dial.centre, dial.radius + gap, angle),
                input.results.problem->lowered.rotates() ? "before rotation" : "as constructed",
                {.size = input.theme.tick_size, .color = input.theme.text_dim, .across = across});
}

/// Draws a line of text across the middle of a rect, shortened if necessary.
void draw_line_of_text(const std::string& text, TextStyle style, const Rect& rect, Canvas& canvas) {
    style.across = Align::middle;
    canvas.text(rect.centre(), elided(text, rect.width, style, canvas), style);
}

}  // namespace

std::vector<int> ArrowsFigure::shown_pairs(int all, int at_cursor) const {
    if (pairs <= 1) return {std::clamp(at_cursor, 0, all - 1)};
    const int shown = std::min(pairs, all);
    std::vector<int> chosen;
    for (int i = 0; i < shown; ++i)
        chosen.push_back(shown == 1 ? 0 : static_cast<int>(std::lround(i * (all - 1.0) / (shown - 1))));
    return chosen;
}

Rect ArrowsFigure::Grid::tile(int place) const {
    const double width = rect.width / columns, height = rect.height / rows;
    return {rect.x + place % columns * width, rect.y + place / columns * height, width, height};
}

auto ArrowsFigure::grid_of(const Rect& rect, int tiles) -> Grid {
    Grid best{.rect = rect};
    double most = -1;
    for (int columns = 1; columns <= tiles; ++columns) {
        const int rows = (tiles + columns - 1) / columns;
        const double size = std::min(rect.width / columns, rect.height / rows - 2 * row_of_text);
        if (size > most) most = size, best.columns = columns, best.rows = rows;
    }
    return best;
}

Frame ArrowsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const TokenLine line(input, rect);
    if (arrows_of(&input.results)) {
        if (pairs <= 1)
            draw_one(input, canvas, line.above());
        else
            draw_several(input, canvas, line.above());
    }
    return line.draw(canvas);
}

void ArrowsFigure::draw_one(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    constexpr double narrow = 300, for_labels = 20;  // logical pixels
    constexpr double shortest = 0.35;                // of an arrow beside a long one
    const bool is_narrow = rect.width < narrow;
    const double to_next = is_narrow ? 24 : 40, around_arrow = is_narrow ? 0 : 8;
    const Theme& theme = input.theme;
    const int pair = shown_pairs(input.experiment().head_dim / 2, input.cursor.pair).front();
    const TurningArrows& arrows = *arrows_of(&input.results, pair);
    const double texts = rect.height >= min_height_with_texts ? row_of_text : 0;
    const Rect heading{rect.x, rect.y, rect.width, texts}, equals{rect.x, rect.bottom() - texts, rect.width, texts};
    // The dials are stacked where that makes them larger.
    const double width = (rect.width - to_next) / 2, height = rect.height - 3 * texts,
                 stacked_height = (height - texts - to_next) / 2;
    const bool is_stacked = stacked_height > std::min(width, height);
    const Rect left{rect.x, rect.y + texts, is_stacked ? rect.width : width, is_stacked ? stacked_height : height},
        right{rect.right() - left.width, is_stacked ? left.bottom() + texts + to_next : left.y, left.width,
              left.height};
    const bool rotates = input.results.problem->lowered.rotates();
    const double longest = room_for(input, {pair});
    if (Dial::within(left, longest, for_labels).radius < min_radius) {
        canvas.report_omitted("the arrows before the rotation");
        Dial dial = Dial::within(rect, longest, 2);
        dial.shortest = shortest;
        draw_circles(arrows.after, dial, {.color = theme.axis, .width = 1}, canvas);
        return draw_arrows(arrows.after, dial, theme, canvas);
    }
    const struct {
        Rect part;
        Arrows TurningArrows::*which;
        const char* name;
    } sides[] = {{left, &TurningArrows::before, rotates ? "before rotation" : "as constructed"},
                 {right, &TurningArrows::after, rotates ? "after rotation" : "with waves added"}};
    bool is_to_scale = true;
    for (const auto& [part, which, name] : sides) {
        Dial dial = Dial::within(part, longest, for_labels);
        dial.shortest = shortest;
        const Arrows& shown = arrows.*which;
        is_to_scale = is_to_scale && dial.is_to_scale(shown.q) && dial.is_to_scale(shown.k);
        draw_circles(shown, dial, {.color = theme.axis, .width = 1}, canvas);
        draw_sector(shown, dial, theme, canvas);
        draw_others(pair, which, dial, input, canvas);
        draw_arrows(shown, dial, theme, canvas);
        label_arrows(shown, dial, theme, canvas, Angle::named);
        if (texts > 0)
            draw_line_of_text(name, {.size = theme.tick_size, .color = theme.text_dim},
                              {part.x, part.bottom(), part.width, texts}, canvas);
    }
    const Point middle = rect.centre();
    const Stroke stroke{.color = theme.text_faint, .width = 1.5};
    if (is_stacked)
        draw_arrow({middle.x, left.bottom() + texts}, {middle.x, right.y}, stroke, canvas);
    else
        draw_arrow({left.right() + around_arrow, left.centre().y}, {right.x - around_arrow, left.centre().y}, stroke,
                   canvas);
    if (texts == 0) return canvas.report_omitted("the pair and its contribution");
    const char* const scale = is_to_scale ? "" : " · lengths not to scale";
    draw_line_of_text(name_of_pair(input, pair, rect.width, canvas) + scale,
                      {.size = theme.label_size, .color = theme.text_dim}, heading, canvas);
    draw_line_of_text(equation(arrows.after, rect.width, theme.label_size, canvas),
                      {.size = theme.label_size, .color = theme.text, .weight = Weight::semibold}, equals, canvas);
}

void ArrowsFigure::draw_several(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    constexpr double for_arrowheads = 4, for_names = 20, min_radius_with_texts = 22;
    const Theme& theme = input.theme;
    const std::vector<int> shown = shown_pairs(input.experiment().head_dim / 2, input.cursor.pair);
    const double longest = room_for(input, shown);
    const Grid grid = grid_of(rect, static_cast<int>(shown.size()));
    for (std::size_t place = 0; place < shown.size(); ++place) {
        const int pair = shown[place];
        const TurningArrows& arrows = *arrows_of(&input.results, pair);
        const Rect tile = grid.tile(static_cast<int>(place)).inset(4);
        const double around = shown.size() == 1 ? for_names : for_arrowheads;
        const bool has_texts = Dial::within(tile, longest, row_of_text + around).radius >= min_radius_with_texts;
        const Dial dial = Dial::within(tile, longest, around + (has_texts ? row_of_text : 0));
        if (dial.radius < min_radius) return canvas.report_omitted("the arrows");
        const bool is_chosen = input.cursor_shown && pair == input.cursor.pair;
        draw_circles(arrows.after, dial,
                     {.color = is_chosen ? theme.cursor : theme.axis, .width = is_chosen ? 2.5 : 1.0}, canvas);
        draw_sector(arrows.after, dial, theme, canvas);
        draw_pale_arrows(arrows.before, dial, {.color = theme.axis, .width = 1.5}, canvas);
        add_tooltip_of_thin(input, arrows.before, dial, canvas);
        draw_others(pair, &TurningArrows::after, dial, input, canvas);
        draw_arrows(arrows.after, dial, theme, canvas);
        if (shown.size() == 1) {
            label_arrows(arrows.after, dial, theme, canvas, Angle::unnamed);  // the thin arrow is in its place
            name_thin(input, arrows, dial, canvas);
        }
        if (!has_texts) {
            canvas.report_omitted("the names of the pairs");
            continue;
        }
        draw_line_of_text(
            fmt::format("pair {}", pair), {.size = theme.tick_size, .color = is_chosen ? theme.text : theme.text_dim},
            {tile.x, dial.centre.y - dial.radius - row_of_text - around + 2, tile.width, row_of_text}, canvas);
        draw_line_of_text(equation(arrows.after, 0, theme.tick_size, canvas),
                          {.size = theme.tick_size, .color = theme.text, .weight = Weight::semibold},
                          {tile.x, dial.centre.y + dial.radius + around - 2, tile.width, row_of_text}, canvas);
    }
}

std::optional<Cursor> ArrowsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    if (pairs <= 1) return std::nullopt;
    const std::vector<int> shown = shown_pairs(input.experiment().head_dim / 2, input.cursor.pair);
    const Grid grid = grid_of(TokenLine(input, frame.outer).above(), static_cast<int>(shown.size()));
    for (std::size_t place = 0; place < shown.size(); ++place)
        if (grid.tile(static_cast<int>(place)).contains(at))
            return Cursor{input.cursor.query, input.cursor.key, shown[place]};
    return std::nullopt;
}

bool ArrowsFigure::scrubs_at(const FigureInput& input, const Frame& frame, Point at) const {
    return TokenLine(input, frame.outer).contains(at);
}

std::optional<Cursor> ArrowsFigure::scrubbed(const FigureInput& input, const Frame& frame, const Scrub& scrub) const {
    return TokenLine(input, frame.outer).dragged(scrub);
}

std::string ArrowsFigure::readout(const FigureInput& input) const {
    const Cursor cursor = input.results.request.cursor;
    const TurningArrows* const arrows = arrows_of(&input.results, input.cursor.pair);
    if (!arrows) return place_text(input, cursor);
    const auto& [before, after] = *arrows;
    const bool is_masked = !input.results.problem->sees(cursor.query, cursor.key);
    double score = 0;
    for (const TurningArrows& each : *arrows_of(&input.results)) score += each.after.product();
    const std::string angle = std::isnan(after.angle()) ? "no angle" : "angle " + degrees(after.angle()),
                      before_rotation =
                          std::isnan(before.angle()) ? "" : "   before rotation " + degrees(before.angle());
    return fmt::format("{}   score {}{}   pair {}   {}   g = {}{}   ‖q‖ {}   ‖k‖ {}", place_text(input, cursor),
                       readable(score), is_masked ? ", before the mask" : "", input.cursor.pair, angle,
                       readable(after.product()), before_rotation, readable(std::abs(after.q)),
                       readable(std::abs(after.k)));
}

DataTable ArrowsFigure::table(const Results& results) const {
    const auto arrows = arrows_of(&results);
    DataTable table{.columns = {"pair", "q_before_0", "q_before_1", "k_before_0", "k_before_1", "q_after_0",
                                "q_after_1", "k_after_0", "k_after_1", "angle", "contribution"}};
    const std::vector<int> shown = shown_pairs(static_cast<int>(arrows->size()), results.request.cursor.pair);
    for (const int pair : shown) {
        const auto& [before, after] = (*arrows)[static_cast<std::size_t>(pair)];
        table.values.push_back(pair);
        for (const std::complex<double>& arrow : {before.q, before.k, after.q, after.k})
            table.values.insert(table.values.end(), {arrow.real(), arrow.imag()});
        table.values.insert(table.values.end(), {after.angle(), after.product()});
    }
    table.shape = {static_cast<std::int64_t>(shown.size()), static_cast<std::int64_t>(table.columns.size())};
    return table;
}

}  // namespace ropewalk
