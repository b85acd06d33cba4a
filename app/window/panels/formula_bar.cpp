#include "app/window/panels/formula_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/plot/fonts.h"
#include "app/plot/math/math_text.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/prose.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double formula_size = 13, inset = 10, clause_gap = 28;  // logical pixels

constexpr std::string_view more = "…";  // after the clauses that fit

/// A piece of a formula's part: a sign or a number.
struct Piece {
    std::string text{};
    bool is_number = false;

    Weight weight() const { return is_number ? Weight::semibold : Weight::regular; }
    double width() const { return measure_text(text, formula_size, weight()).width; }
};

std::vector<Piece> pieces_of(const FormulaPart& part, const Results* results) {
    std::vector<Piece> pieces;
    for (const Span& span : part.text)
        pieces.push_back({.text = !span.number ? span.text
                                  : results    ? span.number->shown(*results)
                                               : "…",
                          .is_number = span.number.has_value()});
    return pieces;
}

double width_of(const FormulaPart& part, const Results* results) {
    double width = 0;
    for (const Piece& piece : pieces_of(part, results)) width += piece.width();
    return width;
}

double width_of(const FormulaClause& clause, const Results* results) {
    double width = 0;
    for (const FormulaPart& part : clause) width += width_of(part, results);
    return width;
}

/// Draws the reason in place of the formula, as far as it fits.
void draw_obstacle(Ui& ui, const std::string& reason, const Rect& strip) {
    const Rect box = strip.inset(ui.px(4));
    const std::string shown = fitted(ui, reason, strip.width / ui.scale - 2 * inset, formula_size);
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {strip.x + ui.px(inset), strip.centre().y}, shown,
                  {.size = formula_size, .color = ui.theme->text_dim});
    ui.registry.add({.id = "formula", .label = "", .rect = strip, .value = reason});
    if (shown != reason && is_pointed_at(box)) tooltip(ui, "formula.reason", {.title = "Formula", .text = reason}, box);
}

}  // namespace

Rect FormulaBar::draw(Ui& ui, Session& session, const Rect& room, const std::optional<ReadoutItem>& compared) {
    const double strip_height = std::round(ui.px(height)), gap = std::round(ui.px(6));
    const Rect strip{room.x, room.y, room.width, strip_height};
    // As in the figures, Shift shows another head. Its results are requested before that.
    const auto other = session.other_on_shift();
    const bool is_of_other = other && ui.modifiers.shift;
    // Uses the last results, because their encoding is concrete.
    if (const auto newest =
            is_of_other ? session.computation.results_for(*other, {}) : session.computation.results_for({});
        newest) {
        const Experiment& experiment = newest->request.experiment;
        const Cursor cursor = session.document.view.cursor.clamped(experiment);
        const bool is_masked = !newest->problem->sees(cursor.query, cursor.key);
        if (formula_.empty() || !(of_ == experiment) || of_masked_ != is_masked) {
            of_ = experiment, of_masked_ = is_masked;
            formula_ = formula_of(of_, *newest->problem, is_masked);
        }
    }
    const auto needs_for = [this, &session](const Experiment& experiment) {
        return needs_of(formula_, experiment, session.document.view.cursor.clamped(experiment));
    };
    std::shared_ptr<const Results> results;
    std::string obstacle = session.document.fault();  // why there are no numbers
    if (other) session.computation.also_ask(*other, needs_for);
    if (obstacle.empty()) {
        const Needs needs = needs_for(session.document.experiment());
        session.computation.also_ask(needs_for);
        results = session.computation.results_for(needs), obstacle = session.computation.failure(needs);
    }
    if (is_of_other) {
        const auto& head = other == Other::before ? session.document.before() : session.document.reference();
        results = session.computation.results_for(*other, needs_for(*head)), obstacle.clear();
    }
    panel_background(ui, strip);
    pointed_ = nullptr;
    const Rect rest{room.x, room.y + strip_height + gap, room.width, std::max(1.0, room.height - strip_height - gap)};
    if (!obstacle.empty()) {
        if (lit_ != Lit{}) lit_ = {}, ui.wake_after = 0;
        draw_obstacle(ui, obstacle, strip);
        return rest;
    }
    const double taken = compared ? draw_compared(ui, *compared, strip) : 0;
    draw_clauses(ui, {strip.x, strip.y, std::max(1.0, strip.width - taken), strip.height}, results.get());
    if (results && !is_of_other && session.computation.is_stale(*results))  // dimmed as in figures
        fill(ui, {strip.x + 1, strip.y + 1, strip.width - 2, strip.height - 2}, ui.theme->panel.with_alpha(0.35), 5);
    Lit lit = pointed_ ? Lit{pointed_->controls, pointed_->figures} : Lit{};
    if (lit != lit_) lit_ = std::move(lit), ui.wake_after = 0;  // the highlighted controls were drawn earlier
    return rest;
}

double FormulaBar::draw_compared(Ui& ui, const ReadoutItem& item, const Rect& strip) {
    constexpr double size = 18;  // logical pixels
    const auto [before, now] = before_and_now(item);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    double x = strip.right() - ui.px(inset);
    const auto add = [&](const std::string& text, double size_of_text, Color color, Weight weight) {
        x -= ui.px(measure_text(text, size_of_text, weight).width);
        ui.fonts.draw(list, {x, strip.centre().y}, text, {.size = size_of_text, .color = color, .weight = weight});
    };
    add(now, size, ui.theme->accent, Weight::semibold);
    add(before, size, ui.theme->text_dim, Weight::semibold);
    add(item.label + "  ", formula_size, ui.theme->text_dim, Weight::regular);
    const Rect place{x, strip.y, strip.right() - x, strip.height};
    ui.registry.add({.id = "compared", .label = item.label, .rect = place, .value = before + now});
    return place.width + ui.px(inset);
}

void FormulaBar::draw_clauses(Ui& ui, const Rect& strip, const Results* results) {
    const TooltipsBelow below(ui, strip.bottom() + ui.px(4));  // the formula stays visible
    double wanted = 2 * inset - clause_gap;
    for (const FormulaClause& clause : formula_) wanted += width_of(clause, results) + clause_gap;
    const double more_width = measure_text(more, formula_size, Weight::regular).width;
    const bool is_whole = ui.px(wanted) <= strip.width;
    const double end = strip.right() - ui.px(inset + (is_whole ? 0 : more_width + inset));
    Point at{strip.x + ui.px(inset), strip.centre().y};
    std::string read, omitted;
    for (const FormulaClause& clause : formula_) {
        if (at.x + ui.px(width_of(clause, results)) > end) {  // a later one may be shorter
            for (const FormulaPart& part : clause)
                for (const Piece& piece : pieces_of(part, results)) omitted += piece.text;
            omitted += "\n";
            continue;
        }
        for (const FormulaPart& part : clause) {
            for (const Piece& piece : pieces_of(part, results)) read += piece.text;
            at.x += draw_part(ui, part, at, strip, results);
        }
        read += "   ";
        at.x += ui.px(clause_gap);
    }
    ui.registry.add({.id = "formula", .label = "", .rect = strip, .value = without_math(read)});
    if (omitted.empty()) return;
    const Rect box{strip.right() - ui.px(inset + more_width), strip.y + ui.px(4), ui.px(more_width),
                   strip.height - ui.px(8)};
    text_in(ui, box, more, ui.theme->text_dim, Align::start);
    ui.registry.add({.id = "formula.more", .label = "", .rect = box, .value = without_math(omitted)});
    if (is_pointed_at(box.inset(-ui.px(4))))
        tooltip(ui, "formula.more", {.title = "More of the formula", .text = omitted}, box);
}

double FormulaBar::draw_part(Ui& ui, const FormulaPart& part, Point left_middle, const Rect& strip,
                             const Results* results) {
    const double width = ui.px(width_of(part, results));
    const Rect box{left_middle.x, strip.y + ui.px(4), width, strip.height - ui.px(8)};
    const bool is_symbol = !part.title.empty();
    if (is_symbol && is_pointed_at(box)) {
        pointed_ = &part;
        fill(ui, {box.x - ui.px(2), box.y, box.width + ui.px(4), box.height}, ui.theme->accent.with_alpha(0.16), 4);
        tooltip(ui, "formula." + part.title, {.title = part.title, .text = part.help}, box);
    }
    double x = left_middle.x;
    for (const Piece& piece : pieces_of(part, results)) {
        ui.fonts.draw(*ImGui::GetWindowDrawList(), {x, left_middle.y}, piece.text,
                      {.size = formula_size,
                       .color = piece.is_number ? ui.theme->accent
                                : is_symbol     ? ui.theme->text
                                                : ui.theme->text_dim,
                       .weight = piece.weight()});
        x += ui.px(piece.width());
    }
    if (is_symbol) ui.registry.add({.id = "formula." + part.title, .label = part.title, .rect = box});
    return width;
}

}  // namespace ropewalk
