#include "app/window/panels/brush_stroke.h"

#include <utility>

namespace ropewalk {

void BrushStroke::keep_for(const Figure& figure, int scenes_opened) {
    const bool is_other_scene = std::exchange(scenes_opened_, scenes_opened) != scenes_opened,
               is_other_kind = std::exchange(kind_, figure.index()) != figure.index();
    if (!is_other_scene && !is_other_kind) return;
    ongoing_.reset();
    was_drawn_on_.reset();
}

void BrushStroke::apply(const PanelContext& panel, std::optional<Proposal>& proposal, bool is_known) {
    if (!has_begun()) return;
    if (proposal && proposal->when == Proposal::When::drawn) {
        panel.session.document.edit(proposal->experiment, Gesture::ongoing);
        proposal.reset();
    }
    if (!ongoing_->is_over || !is_known) return;
    panel.session.document.end_gesture();
    if (ongoing_->frame) was_drawn_on_ = ongoing_->frame;
    ongoing_.reset();
}

void BrushStroke::begin(const PanelContext& panel, const Frame& frame) {
    const Point pointer = panel.pointer();
    if (panel.shows_other_head() || !draws_at(panel.figure(), frame, pointer)) return;
    if (ongoing_) panel.session.document.end_gesture();  // the consequences of the previous drawing are not awaited
    ongoing_ = Ongoing{.before = panel.figure(),
                       .frame = std::make_shared<const Frame>(frame),
                       .brush = ImGui::IsMouseClicked(ImGuiMouseButton_Right) ? Brush::erase : Brush::draw,
                       .start = pointer,
                       .last = pointer};
}

bool BrushStroke::follow(const PanelContext& panel, const FigureInput& input) {
    if (!is_down()) return false;
    // The right button erases at once; a press of the left one may still become a click.
    const Point pointer = panel.pointer();
    const bool begins = !ongoing_->has_begun && (ongoing_->brush == Brush::erase || is_drag(ongoing_->start, pointer));
    if (begins || (ongoing_->has_begun && !(pointer == ongoing_->last))) move(panel, input);
    if (!ImGui::IsItemActive()) {
        ongoing_->is_over = true;
        if (!ongoing_->has_begun) ongoing_.reset();
        panel.ui.wake_after = 0;
    }
    return true;
}

void BrushStroke::move(const PanelContext& panel, const FigureInput& input) {
    ongoing_->has_begun = true;
    Figure& figure = panel.figure();
    Experiment experiment = panel.experiment();
    const Point pointer = panel.pointer();
    // On the frame at the beginning, because labels may have changed since.
    const BrushMove move{.brush = ongoing_->brush,
                         .start = ongoing_->start,
                         .from = std::exchange(ongoing_->last, pointer),
                         .to = pointer};
    if (!panel.session.notices.attempt([&] { draw_with(figure, move, *ongoing_->frame, input, experiment); })) return;
    panel.session.document.draw({panel.index, ongoing_->before, figure}, experiment, Gesture::ongoing);
}

void BrushStroke::take_preset(const PanelContext& panel, std::size_t preset, const FigureInput& input) {
    Figure& figure = panel.figure();
    panel.session.document.end_gesture();
    was_drawn_on_.reset();
    ongoing_ = Ongoing{.before = figure, .has_begun = true, .is_over = true};
    Experiment experiment = panel.experiment();
    apply_preset(figure, preset, input, experiment);
    panel.session.document.draw({panel.index, ongoing_->before, figure, presets_of(figure)[preset].label}, experiment,
                                Gesture::ongoing);
    panel.ui.wake_after = 0;
}

}  // namespace ropewalk
