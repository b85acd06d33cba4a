#include "app/window/panels/figure_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/curves/curves.h"

namespace ropewalk {
namespace {

constexpr double card_radius = 6, around_ring = 8;  // logical pixels
constexpr double min_body = 40;                     // logical pixels; a smaller panel shows nothing
constexpr PlotPixels initial_pixels{64, 64};        // before it is known how much space the labels leave

Badge badge_of_reference(const Document& document) {
    return {document.has_foreign_reference() ? "reference from another scene" : "reference", "Reference",
            "The reference. Release Shift to return to the current head."};
}
Badge badge_of_before() {
    return {"before", "Before", "The head before the last change. Release Shift to return to the current head."};
}

}  // namespace

PlotPixels FigurePanel::pixels(const Ui& ui) const {
    const Rect& plot = frame_.plot;
    if (plot.width < 1 || plot.height < 1) return initial_pixels;
    const double across = plot.width * ui.scale, down = plot.height * ui.scale;
    // Square plots have one cell per pixel; others are limited to coarse steps, because labels change their size.
    const bool is_exact = drawn_ && is_square(*drawn_);
    const auto cells = [&](double length) {
        return std::max(
            64, static_cast<int>(std::lround(is_exact ? length : std::floor(length / square_step) * square_step)));
    };
    return {cells(across), cells(down)};
}

void FigurePanel::draw(PanelContext& panel, bool is_lit) {
    Ui& ui = panel.ui;
    const Session& session = panel.session;
    const Figure& figure = panel.figure();
    stroke_.keep_for(figure, session.document.scenes_opened());
    ImGui::PushID(panel.index);
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures, {panel.rect.x, panel.rect.y});
    const Rect card{0, 0, panel.rect.width / ui.scale, panel.rect.height / ui.scale};
    if (is_lit) {
        const Rect ring{card.x - around_ring, card.y, card.width + 2 * around_ring, card.height};
        canvas.stroke_rect(ring, {.color = ui.theme->accent.with_alpha(0.6)}, card_radius);
        ui.registry.add({.id = panel.id("lit"), .label = "", .rect = panel.rect, .value = id_of(figure)});
    }
    if (!panel.player.plays_sweep())
        ranges_.reset();
    else if (!ranges_ || !drawn_ || drawn_->index() != figure.index())
        ranges_.emplace();
    // Computed before the header is drawn, which shows parts of it.
    const Needs needs = session.document.fault().empty()
                            ? needs_of(figure, panel.experiment(), pixels(ui), session.document.reference())
                            : Needs{};
    const Shown shown = shown_results(panel, needs);
    blending_.follow(panel, shown.results, shown.head != Head::current || stroke_.is_ongoing());
    const std::optional<FigureInput> input = input_of(shown, panel);
    std::optional<Proposal> proposal =
        input && shown.head == Head::current ? proposal_of(figure, *input, panel.experiment()) : std::nullopt;
    if (input) {
        const bool is_known =
            (answers(*shown.results, needs) && !shown.results->coarse) || !session.complaint().empty();
        stroke_.apply(panel, proposal, is_known);
    }
    header_.draw(panel,
                 !input                          ? Badge{}
                 : shown.head == Head::reference ? badge_of_reference(session.document)
                 : shown.head == Head::before    ? badge_of_before()
                                                 : badge(figure, *input),
                 proposal && !stroke_.is_ongoing() ? &*proposal : nullptr);
    const auto preset = menu_.draw(panel);
    const double header = PanelHeader::height(panel.index);
    const Rect body{PanelHeader::inset, header, card.width - 2 * PanelHeader::inset,
                    card.height - header - PanelHeader::inset};
    if (body.width >= min_body && body.height >= min_body) {
        const std::string failure = shown.head == Head::current ? session.computation.failure(needs) : "";
        if (!failure.empty())
            draw_message(failure, body, canvas, *ui.theme);
        else if (input)
            draw_body(panel, *input, body, canvas);
        else if (const std::string& fault = session.document.fault(); !fault.empty())  // nothing was computed before it
            draw_message(fault, body, canvas, *ui.theme);
        else
            canvas.text(body.centre(), still_computing,
                        {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::middle});
    }
    if (preset && input) stroke_.take_preset(panel, *preset, *input);
    ImGui::PopID();
}

FigurePanel::Shown FigurePanel::shown_results(const PanelContext& panel, const Needs& needs) const {
    const Session& session = panel.session;
    const Computation& computation = session.computation;
    const auto needs_for = [&](const Experiment& other) { return needs_of(panel.figure(), other, pixels(panel.ui)); };
    Shown shown{.results = computation.results_for(needs)};
    if (const Experiment* reference = session.document.reference())
        shown.reference = computation.results_for(Other::reference, needs_for(*reference));
    const Experiment* const before = session.document.before();
    if (before) shown.ghost = computation.results_for(Other::before, needs_for(*before));
    if (!panel.ui.modifiers.shift || !shown.results) return shown;
    const auto other = session.other_on_shift();
    if (other == Other::reference && shown.reference) {
        std::swap(shown.results, shown.reference);
        shown.head = Head::reference;
    } else if (other == Other::before && shown.ghost && answers(*shown.ghost, needs_for(*before))) {
        std::swap(shown.results, shown.ghost);
        shown.head = Head::before;
    }
    return shown;
}

std::optional<FigureInput> FigurePanel::input_of(const Shown& shown, const PanelContext& panel) {
    if (!shown.results) return std::nullopt;
    const Request& request = shown.results->request;
    if (shown.reference && compared_ != std::pair(request.experiment, shown.reference->request.experiment)) {
        compared_ = {request.experiment, shown.reference->request.experiment};
        const bool is_swapped = shown.head == Head::reference;
        names_ = is_swapped ? compared_names(compared_.second, compared_.first)
                            : compared_names(compared_.first, compared_.second);
        if (is_swapped) std::swap(names_.own, names_.reference);
    }
    return FigureInput{.results = *shown.results,
                       // During the animation the cursor is that of the results, as in the formula's numbers.
                       .cursor = panel.player.plays_distance()
                                     ? request.cursor
                                     : panel.session.document.view.cursor.clamped(request.experiment),
                       .cursor_shown = true,
                       .theme = *panel.ui.theme,
                       .memo = memo_,
                       .reference = shown.reference.get(),
                       .own_name = shown.head == Head::before ? "before" : names_.own,
                       .reference_name = names_.reference,
                       .pixels = pixels(panel.ui),
                       .ghost = shown.ghost.get(),
                       .drawn_on = stroke_.drawn_on(),
                       .was_drawn_on = stroke_.was_drawn_on(),
                       .ranges = ranges_ ? &*ranges_ : nullptr,
                       .is_reference = shown.head != Head::current,
                       .is_before = shown.head == Head::before,
                       .has_handles = shown.head == Head::current};
}

void FigurePanel::draw_body(PanelContext& panel, const FigureInput& input, const Rect& body, ImGuiCanvas& canvas) {
    Figure& figure = panel.figure();
    const Document& document = panel.session.document;
    const bool is_of_scene = std::exchange(scenes_opened_, document.scenes_opened()) == document.scenes_opened(),
               is_in_place = std::exchange(rearrangements_, document.rearranged()) == document.rearranged();
    if (is_of_scene && is_in_place && drawn_ && *drawn_ != figure) adopt(figure, *drawn_, input);
    if (drawn_ != figure) drawn_ = figure;
    canvas.push_clip(body);
    const Rect room{body.x, body.y, body.width, body.height - Overview::height(figure, body)};
    draw_figure(panel, input, room, canvas);
    if (input.has_handles && panel.session.computation.is_stale(input.results))
        canvas.fill_rect(body, panel.ui.theme->panel.with_alpha(0.35));
    canvas.pop_clip();
    mouse_.follow(panel, {input, frame_}, canvas.explanations(), stroke_);
    overview_.draw(panel, {input, frame_}, body, canvas);
}

void FigurePanel::draw_figure(const PanelContext& panel, const FigureInput& input, const Rect& room,
                              ImGuiCanvas& canvas) {
    const Figure& figure = panel.figure();
    FigureInput drawn = input;
    drawn.blended_from = blending_.from(), drawn.blend = blending_.share();
    frame_ = ropewalk::draw(figure, drawn, canvas, room);
    if (!drawn.blended_from || moves(figure) || frame_.empty()) return;
    // The state before fades out over the new one.
    const double top = frame_.above.empty() ? frame_.plot.y : frame_.above.front().plot.y;
    ImGuiCanvas above(*ImGui::GetWindowDrawList(), panel.ui.fonts, *panel.ui.textures, {panel.rect.x, panel.rect.y});
    FigureInput before = drawn.of_origin();
    if (!answers(before.results, needs_of(figure, before.experiment(), pixels(panel.ui)))) return;
    before.reference = input.reference;
    above.push_clip({frame_.plot.x, top, frame_.plot.width, frame_.plot.bottom() - top});
    above.draw_faded(1 - drawn.blend, [&] { ropewalk::draw(figure, before, above, room); });
    above.pop_clip();
}

}  // namespace ropewalk
