// Steps of the history: changes, drawings and options, and undo and redo.
#include <utility>

#include "app/figures/parts/caption.h"
#include "app/window/session/session.h"
#include "app/window/session/step_name.h"

namespace ropewalk {
namespace {

/// Returns, for example, "Attention: Quantity: Weights".
std::string name_of_drawing(const Drawing& drawing) {
    const std::string title = title_of(drawing.after);
    std::string what = drawing.what;
    if (what.empty() && drawing.before.index() == drawing.after.index())
        what = step_name(ConstChoiceRef(drawing.before).fields(), ConstChoiceRef(drawing.after).fields());
    return what.empty() ? title : title + ": " + what;
}

}  // namespace

void Session::edit(const Experiment& edited, Gesture gesture) {
    // Browsing a list changes the choice; returning to the first alternative restores all its fields.
    const Experiment& began = history_.before_change().experiment;
    Experiment changed = edited;
    const auto restore = [](auto& choice, const auto& current, const auto& first) {
        if (choice.index() != current.index() && choice.index() == first.index()) choice = first;
    };
    restore(changed.encoding, experiment().encoding, began.encoding);
    restore(changed.construction, experiment().construction, began.construction);
    // Consequences of a stroke are part of the same step and have its name.
    change(changed, drawing_ ? name_of_drawing(*drawing_) : step_name(began, changed), gesture);
}

void Session::change(const Experiment& changed, std::string name, Gesture gesture) {
    if (changed == experiment()) return;
    const bool is_other_kind = changed.encoding.index() != experiment().encoding.index() ||
                               changed.construction.index() != experiment().construction.index();
    if (!is_other_kind && check())
        if (auto sentence = validate(changed)) return notify(with_labels(*sentence, changed), Notice::Kind::error);
    if (gesture == Gesture::ongoing && !before_gesture_ && state_.results)
        before_gesture_ = without_views(*state_.results);
    view.go_with(experiment(), changed);
    history_.change({changed, history_.current().open, drawing_}, std::move(name), gesture);
    edited_ = std::chrono::steady_clock::now();
}

void Session::draw(Drawing drawing, Experiment changed, Gesture gesture) {
    if (gesture == Gesture::complete) end_gesture();
    const bool is_named = !drawing.what.empty() && !(changed == experiment()) && !validate(changed);
    if (drawing_ || is_named || !(drawing.before == drawing.after)) {
        if (drawing_ && drawing_->panel == drawing.panel) drawing.before = drawing_->before;
        drawing_ = std::make_shared<const Drawing>(std::move(drawing));
        history_.change({experiment(), history_.current().open, drawing_}, name_of_drawing(*drawing_),
                        Gesture::ongoing);
    }
    edit(changed, Gesture::ongoing);
    if (gesture == Gesture::complete) end_gesture();
}

void Session::set_options(int panel, const Figure& before, Gesture gesture) {
    const Figure& after = view.figures[static_cast<std::size_t>(panel)];
    if (!(after == before)) {
        draw({panel, before, after}, experiment(), gesture);
        if (gesture == Gesture::ongoing) held_options_ = panel;
    }
    if (gesture == Gesture::complete && held_options_ == panel) {
        held_options_.reset();
        end_gesture();
    }
}

void Session::travel(std::string (History<Step>::*way)(), const char* what) {
    const bool is_undo = way == &History<Step>::undo;
    const Step before = history_.current();
    const std::string name = (history_.*way)();
    if (name.empty()) return;
    const Step& now = history_.current();
    if (now.open != before.open) {
        before.open->view = std::exchange(view, now.open->view);
        before.open->reference = saved_reference();
        attempt([&] { restore_reference(now.open->reference); });
    }
    Arrangement& arrangement = view;
    if (const auto& other = is_undo ? before.other_arrangement : now.other_arrangement) {
        std::swap(*other, arrangement);
        ++rearranged_;
    }
    if (const auto& other = is_undo ? before.other_reference : now.other_reference)
        attempt([&] { restore_reference(std::exchange(*other, saved_reference())); });
    if (const auto& drawing = is_undo ? before.drawing : now.drawing;
        drawing && now.open == before.open && drawing->panel < view.panels()) {
        Figure& figure = view.figures[static_cast<std::size_t>(drawing->panel)];
        const Figure& other = is_undo ? drawing->before : drawing->after;
        if (figure.index() == other.index()) {  // unless another figure is shown there now
            const auto part = shown_part(figure);
            figure = other;
            if (part) ropewalk::show(figure, *part);  // zooming is not a step
        }
    }
    drawing_ = nullptr;
    if (now.open == before.open) view.go_with(before.experiment, experiment());
    edited_ = std::chrono::steady_clock::now();
    notify(what + name);
}

void Session::undo() {
    travel(&History<Step>::undo, "Undone: ");
}

void Session::redo() {
    travel(&History<Step>::redo, "Redone: ");
}

void Session::go_to_step(std::size_t step) {
    while (this->step() > step && can_undo()) undo();
    while (this->step() < step && can_redo()) redo();
}

}  // namespace ropewalk
