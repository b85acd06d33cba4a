// Steps of the history: what is changed, drawn or set, and undo and redo of that.
#include <utility>

#include "app/figures/parts/caption.h"
#include "app/window/session/session.h"
#include "app/window/session/step_name.h"

namespace ropewalk {
namespace {

/// "Attention: Quantity: Weights"
std::string name_of_drawing(const Drawing& drawing) {
    const std::string title = title_of(drawing.after);
    std::string what = drawing.what;
    if (what.empty() && drawing.before.index() == drawing.after.index())
        what = step_name(ConstChoiceRef(drawing.before).fields(), ConstChoiceRef(drawing.after).fields());
    return what.empty() ? title : title + ": " + what;
}

}  // namespace

void Session::edit(const Experiment& edited, Gesture gesture) {
    // A list that is looked through and comes back to where it began comes back to all of that.
    const Experiment& began = history_.before_change().experiment;
    Experiment changed = edited;
    const auto come_back = [](auto& choice, const auto& present, const auto& first) {
        if (choice.index() != present.index() && choice.index() == first.index()) choice = first;
    };
    come_back(changed.encoding, experiment().encoding, began.encoding);
    come_back(changed.construction, experiment().construction, began.construction);
    // What follows from a stroke bears its name.
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
    history_.change({changed, history_.present().open, drawing_}, std::move(name), gesture);
    edited_ = std::chrono::steady_clock::now();
}

void Session::draw(Drawing drawing, Experiment changed, Gesture gesture) {
    if (gesture == Gesture::complete) end_gesture();
    const bool is_named = !drawing.what.empty() && !(changed == experiment()) && !validate(changed);
    if (drawing_ || is_named || !(drawing.before == drawing.after)) {
        if (drawing_ && drawing_->panel == drawing.panel) drawing.before = drawing_->before;
        drawing_ = std::make_shared<const Drawing>(std::move(drawing));
        history_.change({experiment(), history_.present().open, drawing_}, name_of_drawing(*drawing_),
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
    const Step before = history_.present();
    const std::string name = (history_.*way)();
    if (name.empty()) return;
    const Step& now = history_.present();
    if (now.open != before.open) {
        before.open->view = std::exchange(view, now.open->view);
        before.open->reference = saved_reference();
        attempt([&] { put_back(now.open->reference); });
    }
    Arrangement& arrangement = view;
    if (const auto& other = is_undo ? before.other_arrangement : now.other_arrangement) {
        std::swap(*other, arrangement);
        ++rearranged_;
    }
    if (const auto& other = is_undo ? before.other_reference : now.other_reference)
        attempt([&] { put_back(std::exchange(*other, saved_reference())); });
    if (const auto& drawing = is_undo ? before.drawing : now.drawing;
        drawing && now.open == before.open && drawing->panel < view.panels()) {
        Figure& figure = view.figures[static_cast<std::size_t>(drawing->panel)];
        const Figure& other = is_undo ? drawing->before : drawing->after;
        if (figure.index() == other.index()) {  // or another one is shown there by now
            const auto part = shown_part(figure);
            figure = other;
            if (part) ropewalk::show(figure, *part);  // zooming is no step
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
    travel(&History<Step>::redo, "Done again: ");
}

void Session::go_to_step(std::size_t step) {
    while (this->step() > step && can_undo()) undo();
    while (this->step() < step && can_redo()) redo();
}

}  // namespace ropewalk
