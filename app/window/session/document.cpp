#include "app/window/session/document.h"

#include <algorithm>
#include <utility>

#include "app/figures/parts/text/caption.h"
#include "app/plot/export.h"
#include "app/window/session/step_name.h"
#include "core/experiment/conform.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

std::shared_ptr<OpenScene> opened(Scene scene) {
    auto open = std::make_shared<OpenScene>();
    open->view = read_view(scene);
    open->scene = std::move(scene);
    return open;
}

/// Returns, for example, "Attention: Quantity: Weights".
std::string name_of_drawing(const Drawing& drawing) {
    const std::string title = title_of(drawing.after);
    std::string what = drawing.what;
    if (what.empty() && drawing.before.index() == drawing.after.index())
        what = step_name(ConstChoiceRef(drawing.before).fields(), ConstChoiceRef(drawing.after).fields());
    return what.empty() ? title : title + ": " + what;
}

SceneContent content_of(const Step& step, const View& view) {
    const bool is_its_own = step.reference && step.reference->from != SavedReference::From::another_scene;
    return {step.experiment, is_its_own ? std::optional(step.reference->experiment) : std::nullopt, view.figures,
            view.presenter};
}

/// Lets a figure show the same part as one of its kind did before, because zooming is not a step.
void keep_part(Figure& figure, const Figure& before) {
    if (figure.index() != before.index()) return;
    if (const auto part = shown_part(before)) ropewalk::show(figure, *part);
}

/// Returns the same reference from another origin.
std::shared_ptr<const SavedReference> from_elsewhere(SavedReference reference, SavedReference::From from) {
    reference.from = from;
    return std::make_shared<const SavedReference>(std::move(reference));
}

/// Returns the reference that a scene's file contains; null if there is none.
std::shared_ptr<const SavedReference> reference_in(const Scene& scene) {
    if (!scene.reference) return nullptr;
    return from_elsewhere({*scene.reference, folder_of(scene)}, SavedReference::From::its_file);
}

}  // namespace

bool SceneContent::operator==(const SceneContent& other) const {
    const auto is_same = [](Figure one, Figure another) {
        show_all(one), show_all(another);
        return one == another;
    };
    return experiment == other.experiment && reference == other.reference && presenter == other.presenter &&
           std::equal(figures.begin(), figures.end(), other.figures.begin(), other.figures.end(), is_same);
}

bool has_own_file(const Scene& scene) {
    return !scene.path.empty() && !scene.bundled && !is_figure_file(scene.path);
}

std::filesystem::path folder_of(const Scene& scene) {
    std::error_code gone;  // the working directory may no longer exist
    const auto file = std::filesystem::absolute(scene.path.empty() ? "scene.json" : scene.path, gone);
    return file.parent_path();
}

Document::Document(Scene first, Notices& notices)
    : notices_(notices), history_({first.experiment, opened(first), reference_in(first)}) {
    view = history_.current().open->view;
    set_saved(content());
    if (!scene().warnings.empty()) notices_.notify(scene().warnings.front());
}

SceneContent Document::content() const {
    return content_of(history_.current(), view);
}

const std::string& Document::fault() const {
    if (checked_ != experiment()) {  // validating may mean to solve an equation
        fault_ = with_labels(validate(experiment()).value_or(""), experiment());
        checked_ = experiment();
    }
    return fault_;
}

Scene Document::current_scene() const {
    Scene current = scene();
    current.experiment = experiment();
    current.reference = copied_reference();
    leave_out_files_of_reference(current);
    write_view(view, current);
    return current;
}

void Document::end_gesture() {
    history_.end_gesture();
    drawing_ = nullptr;
    finish_resizing();
}

void Document::edit(const Experiment& edited, Gesture gesture) {
    // Browsing a list changes the choice; returning to the first alternative restores all its fields.
    const Experiment& began = history_.before_change().experiment;
    Experiment changed = edited;
    const auto restore = [](auto& choice, const auto& current, const auto& first) {
        if (choice.index() != current.index() && choice.index() == first.index()) choice = first;
    };
    restore(changed.encoding, experiment().encoding, began.encoding);
    restore(changed.construction, experiment().construction, began.construction);
    conform(changed, experiment());
    // Consequences of a change vanish with it, as when Esc takes back what was typed.
    Experiment again = began;
    conform(again, experiment());
    if (again == changed) changed = began;
    // Consequences of a stroke are part of the same step and have its name.
    change(changed, drawing_ ? name_of_drawing(*drawing_) : step_name(began, changed), gesture);
}

void Document::change(const Experiment& changed, std::string name, Gesture gesture) {
    if (changed == experiment()) return;
    const bool is_other_kind = changed.encoding.index() != experiment().encoding.index() ||
                               changed.construction.index() != experiment().construction.index();
    if (!is_other_kind && fault().empty())
        if (auto sentence = validate(changed)) return notices_.complain(with_labels(*sentence, changed));
    move_cursor(changed);
    if (!is_dragging()) before_ = experiment(), ++changes_;
    Step step = next_step();
    step.experiment = changed;
    step.drawing = drawing_;
    history_.change(step, std::move(name), gesture);
    edited_ = std::chrono::steady_clock::now();
}

void Document::move_cursor(const Experiment& changed) {
    const bool continues = is_dragging() && moved_ && moved_->to == view.cursor;
    if (!continues)
        moved_ = {experiment(), view.cursor, {}};
    else if (!view.cursor_locked)
        view.cursor = moved_->from;
    view.go_with(moved_->first, changed);
    moved_->to = view.cursor;
}

void Document::draw(Drawing drawing, Experiment changed, Gesture gesture) {
    if (gesture == Gesture::complete) end_gesture();
    const bool is_named = !drawing.what.empty() && !(changed == experiment()) && !validate(changed);
    if (drawing_ || is_named || !(drawing.before == drawing.after)) {
        if (drawing_ && drawing_->panel == drawing.panel) drawing.before = drawing_->before;
        drawing_ = std::make_shared<const Drawing>(std::move(drawing));
        Step step = next_step();
        step.drawing = drawing_;
        history_.change(step, name_of_drawing(*drawing_), Gesture::ongoing);
    }
    edit(changed, Gesture::ongoing);
    if (gesture == Gesture::complete) end_gesture();
}

void Document::set_options(int panel, const Figure& before, Gesture gesture) {
    const Figure& after = view.figure(panel);
    if (!(after == before)) {
        draw({panel, before, after}, experiment(), gesture);
        if (gesture == Gesture::ongoing) held_options_ = panel;
    }
    if (gesture == Gesture::complete && held_options_ == panel) {
        held_options_.reset();
        end_gesture();
    }
}

Step Document::next_step() const {
    Step next = history_.current();
    next.drawing = nullptr;
    next.other_arrangement = nullptr;
    return next;
}

void Document::travel(std::string (History<Step>::*way)(), const char* what) {
    finish_resizing();
    const bool is_undo = way == &History<Step>::undo;
    if (is_undo ? !history_.can_undo() : !history_.can_redo()) return;
    const Step before = history_.current();
    const std::string name = (history_.*way)();
    const Step& now = history_.current();
    if (now.open != before.open) {
        before.open->view = std::exchange(view, now.open->view);
        ++scenes_opened_;
    }
    Arrangement& arrangement = view;
    if (const auto& other = is_undo ? before.other_arrangement : now.other_arrangement) {
        std::swap(*other, arrangement);
        for (int panel = 0; panel < std::min(arrangement.panels(), other->panels()); ++panel)
            keep_part(arrangement.figure(panel), other->figure(panel));
        ++rearranged_;
    }
    if (const auto& drawing = is_undo ? before.drawing : now.drawing;
        drawing && now.open == before.open && drawing->panel < view.panels()) {
        Figure& figure = view.figure(drawing->panel);
        const Figure& other = is_undo ? drawing->before : drawing->after;
        if (figure.index() == other.index())  // unless another figure is shown there now
            keep_part(figure, std::exchange(figure, other));
    }
    drawing_ = nullptr;
    forget_before();
    if (now.open == before.open) view.go_with(before.experiment, experiment());
    edited_ = std::chrono::steady_clock::now();
    const bool is_of_field =
        is_undo && now.open == before.open && !before.drawing && !(now.experiment == before.experiment);
    notices_.notify(is_of_field ? "Undone. " + step_name(before.experiment, now.experiment) : what + name);
}

void Document::undo() {
    travel(&History<Step>::undo, "Undone: ");
}

void Document::redo() {
    travel(&History<Step>::redo, "Redone: ");
}

void Document::go_to_step(std::size_t step) {
    while (this->step() > step && can_undo()) undo();
    while (this->step() < step && can_redo()) redo();
}

void Document::rearrange(std::string step, const std::function<void(Arrangement&)>& change) {
    Arrangement& current = view;
    const auto before = std::make_shared<Arrangement>(current);
    change(current);
    if (current == *before) return;
    ++rearranged_;
    notices_.dismiss();  // about an earlier action
    end_gesture();
    Step next = next_step();
    next.other_arrangement = before;
    history_.change(next, std::move(step), Gesture::complete);
}

void Document::resize(const std::function<void(Layout&)>& change) {
    if (!before_resizing_) before_resizing_ = std::make_shared<Arrangement>(view);
    change(view.layout);
}

void Document::finish_resizing() {
    const auto before = std::exchange(before_resizing_, nullptr);
    if (!before || before->layout == view.layout) return;
    Step next = next_step();
    next.other_arrangement = before;
    history_.change(next, "Resize panels", Gesture::complete);
}

void Document::set_reference() {
    if (!fault().empty()) return notices_.complain(fault());
    const SavedReference next{experiment(), folder_of(scene())};
    if (!saved_reference() || !(*saved_reference() == next))
        change_reference(std::make_shared<const SavedReference>(next), "Reference set");
    notices_.notify("Reference set. Hold Shift to see it, press Shift+R to clear it.");
}

void Document::clear_reference() {
    if (!reference()) return;
    change_reference(nullptr, "Reference cleared");
    notices_.notify("Reference cleared.");
}

void Document::change_reference(std::shared_ptr<const SavedReference> reference, std::string name) {
    end_gesture();
    forget_before();
    Step step = next_step();
    step.reference = std::move(reference);
    history_.change(step, std::move(name), Gesture::complete);
}

void Document::own_reference() {
    auto& reference = history_.current().reference;
    if (reference) reference = from_elsewhere(*reference, SavedReference::From::this_scene);
}

void Document::open(Scene next, std::string name) {
    finish_resizing();
    const auto open = opened(std::move(next));
    if (name.empty()) name = "Open " + open->scene.title;
    auto reference = reference_in(open->scene);
    const SavedReference* const before = saved_reference();
    if (!reference && before && before->from != SavedReference::From::its_file)  // one from a file stays with its scene
        reference = from_elsewhere(*before, SavedReference::From::another_scene);
    history_.current().open->view = std::exchange(view, open->view);
    history_.change({open->scene.experiment, open, std::move(reference)}, std::move(name), Gesture::complete);
    ++scenes_opened_;
    forget_before();
    open->saved = content();
    edited_ = std::chrono::steady_clock::now();
    notices_.dismiss();
    if (!open->scene.warnings.empty()) notices_.notify(open->scene.warnings.front());
}

void Document::stage(Scene scene, std::string name) {
    open(std::move(scene), std::move(name));
    history_.current().reference = nullptr;  // it belongs to another subject
    history_.current().open->is_staged = true;
    set_saved(content());
}

void Document::set_saved_as(Scene scene) {
    history_.current().open->scene = std::move(scene);
    if (saved_reference() && saved_reference()->from == SavedReference::From::another_scene) own_reference();
    history_.current().open->is_staged = false;  // it is the user's own now
    set_saved(content());
}

std::vector<std::string> Document::left_unsaved() const {
    std::vector<std::string> titles;
    const OpenScene* seen = history_.current().open.get();  // a scene's steps are consecutive
    for (std::size_t at = step(); at-- > 0;) {
        const Step& last = history_.steps()[at].value;
        const OpenScene& open = *last.open;
        if (std::exchange(seen, &open) == &open) continue;
        const bool is_named = std::find(titles.begin(), titles.end(), open.scene.title) != titles.end();
        if (!is_named && !open.is_staged && open.saved != content_of(last, open.view))
            titles.push_back(open.scene.title);
    }
    return titles;
}

}  // namespace ropewalk
