#include "app/figures/figures.h"

#include <algorithm>

#include "app/figures/figure_list.h"
#include "app/figures/parts/text/readout_text.h"
#include "core/error.h"
#include "core/fields/indirect-inl.h"
#include "core/visit.h"

namespace ropewalk {

template class Indirect<FigureVariant>;
template const ChoiceType& choice_type<Figure>();

Figure figure_of(std::string_view id) {
    Figure figure;
    ensure(choose(figure, id), "there must be a figure of this id");
    return figure;
}

std::vector<Figure> usual_figures() {
    return {AttentionFigure{}, DecayFigure{}, ContributionsFigure{}};
}

Needs needs_of(const Figure& figure, const Experiment& experiment, PlotPixels pixels, const Experiment* reference) {
    return visit_alternative(
        [&](const auto& f) {
            if (reference)
                if (auto needs = f.needs_beside(experiment, pixels, *reference)) return *std::move(needs);
            return f.needs(experiment, pixels);
        },
        *figure);
}

CursorUse cursor_use(const Figure& figure, const Experiment& experiment) {
    const LoweredEncoding none;  // the cursor's part does not depend on it
    CursorUse use = CursorUse::none;
    for (const Question& question : needs_of(figure, experiment, {})) {
        const Cursor used = key_of(question, {experiment, none, {.query = 1, .key = 1}}).dependence.cursor;
        if (used.key != 0) return CursorUse::cell;
        if (used.query != 0) use = CursorUse::query;
    }
    return use;
}

Frame draw(const Figure& figure, const FigureInput& input, Canvas& canvas, const Rect& rect) {
    return visit_alternative([&](const auto& f) { return f.draw(input, canvas, rect); }, *figure);
}

std::optional<Cursor> pick(const Figure& figure, const FigureInput& input, const Frame& frame, Point at) {
    return visit_alternative([&](const auto& f) { return f.pick(input, frame, at); }, *figure);
}

std::string chosen(const Figure& figure, const FigureInput& input, const Frame& frame, Point at) {
    return visit_alternative([&](const auto& f) { return f.chosen(input, frame, at); }, *figure);
}

bool scrubs_at(const Figure& figure, const FigureInput& input, const Frame& frame, Point at) {
    return visit_alternative([&](const auto& f) { return f.scrubs_at(input, frame, at); }, *figure);
}

std::optional<Cursor> scrubbed(const Figure& figure, const FigureInput& input, const Frame& frame, const Scrub& scrub) {
    return visit_alternative([&](const auto& f) { return f.scrubbed(input, frame, scrub); }, *figure);
}

std::string readout(const Figure& figure, const FigureInput& input) {
    return visit_alternative([&](const auto& f) { return f.readout(input); }, *figure);
}

std::string readout_with_before(const Figure& figure, const FigureInput& input) {
    std::string now = readout(figure, input);
    if (!input.ghost || input.is_before) return now;
    const auto before = visit_alternative([&](const auto& f) { return f.readout_before(input); }, *figure);
    return changed_readout(before ? *before : readout(figure, input.of_ghost()), now);
}

Badge badge(const Figure& figure, const FigureInput& input) {
    return visit_alternative([&](const auto& f) { return f.badge(input); }, *figure);
}

std::vector<Handle> handles_of(const Figure& figure, const FigureInput& input) {
    return visit_alternative([&](const auto& f) { return f.handles(input); }, *figure);
}

std::optional<std::string> check(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.check(); }, *figure);
}

bool compares(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.compares(); }, *figure);
}

bool draws_reference(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.draws_reference(); }, *figure);
}

bool draws_reference(const Figure& figure, const FigureInput& input) {
    if (!input.reference || !draws_reference(figure)) return false;
    return visit_alternative([&](const auto& f) { return f.draws_this_reference(input); }, *figure);
}

std::string_view brief_title_of(const Figure& figure) {
    const std::string_view brief =
        visit_alternative([](const auto& f) -> std::string_view { return f.brief_title; }, *figure);
    return brief.empty() ? title_of(figure) : brief;
}

Depicted depicted_by(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.depicted(); }, *figure);
}

bool has_color_bar(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.has_color_bar; }, *figure);
}

bool moves(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.moves; }, *figure);
}

std::optional<Part> shown_part(const Figure& figure) {
    return visit_alternative([](const auto& f) -> std::optional<Part> { return f.shown_part(); }, *figure);
}

void show(Figure& figure, const Part& part) {
    visit_alternative([&](auto& f) { f.show(part); }, *figure);
}

std::optional<Zoom> zoom_of(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.zoom(); }, *figure);
}

void zoom_to(Figure& figure, const Zoom& zoom) {
    visit_alternative([&](auto& f) { f.zoom_to(zoom); }, *figure);
}

void show_all(Figure& figure) {
    show(figure, {});
    zoom_to(figure, {});
}

void click_badge(Figure& figure) {
    visit_alternative([&](auto& f) { f.badge_clicked(); }, *figure);
}

void adopt(Figure& figure, const Figure& before, const FigureInput& input) {
    visit_alternative(
        [&]<class F>(F& f) {
            if (const auto* same = std::get_if<F>(&*before)) f.adopt(*same, input);
        },
        *figure);
}

bool takes_brush(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.takes_brush; }, *figure);
}

bool draws_at(const Figure& figure, const Frame& frame, Point at) {
    return visit_alternative([&](const auto& f) { return f.draws_at(frame, at); }, *figure);
}

void draw_with(Figure& figure, const BrushMove& move, const Frame& frame, const FigureInput& input,
               Experiment& experiment) {
    visit_alternative([&](auto& f) { f.draw_with(move, frame, input, experiment); }, *figure);
}

bool has_row_per_x(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.has_row_per_x; }, *figure);
}

bool keeps_curves(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.keeps_curves; }, *figure);
}

std::optional<std::string> obstacle_to_pin(const Figure& figure, const Experiment& experiment) {
    return visit_alternative([&](const auto& f) { return f.obstacle_to_pin(experiment); }, *figure);
}

bool can_pin(const Figure& figure, const Experiment& experiment) {
    return keeps_curves(figure) && !obstacle_to_pin(figure, experiment);
}

void pin(Figure& figure, const Experiment& experiment) {
    visit_alternative([&](auto& f) { f.pin(experiment); }, *figure);
}

void unpin(Figure& figure, std::size_t which) {
    visit_alternative([&](auto& f) { f.unpin(which); }, *figure);
}

std::string pin_text(const Figure& figure, const FigureInput& input, std::size_t which) {
    return visit_alternative([&](const auto& f) { return f.pin_text(input, which); }, *figure);
}

std::span<const Preset> presets_of(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.presets(); }, *figure);
}

void apply_preset(Figure& figure, std::size_t preset, const FigureInput& input, Experiment& experiment) {
    visit_alternative([&](auto& f) { f.apply(preset, input, experiment); }, *figure);
}

std::optional<Proposal> proposal_of(const Figure& figure, const FigureInput& input, const Experiment& experiment) {
    return visit_alternative([&](const auto& f) { return f.proposal(input, experiment); }, *figure);
}

bool is_square(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.is_square; }, *figure);
}

bool is_text(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.is_text(); }, *figure);
}

bool is_played(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.is_played; }, *figure);
}

std::optional<DataTable> table_of(const Figure& figure, const Results& results) {
    return visit_alternative([&](const auto& f) -> std::optional<DataTable> { return f.table(results); }, *figure);
}

const char* table_shape(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.table_shape; }, *figure);
}

std::optional<std::string> own_name(const Figure& figure) {
    return visit_alternative([](const auto& f) { return f.own_name(); }, *figure);
}

void add_needs(Needs& needs, const Needs& more) {
    for (const Question& question : more) {
        const bool is_asked =
            std::any_of(needs.begin(), needs.end(), [&](Question& other) { return take_in(other, question); });
        if (!is_asked) needs.push_back(question);
    }
}

}  // namespace ropewalk
