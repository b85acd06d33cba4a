// The reference: set, restored with its scene, and computed next to the current head.
#include <utility>

#include "app/window/session/session.h"

namespace ropewalk {

void Session::set_reference() {
    if (!check()) return notify(invalid_, Notice::Kind::error);
    attempt([&] {
        change_reference(SavedReference{experiment(), folder_of(scene())}, "Reference set");
        notify("Reference set. Hold Shift to see it, press Shift+R to clear it.");
    });
}

void Session::clear_reference() {
    if (reference_) change_reference(std::nullopt, "Reference cleared");
}

void Session::change_reference(const std::optional<SavedReference>& reference, std::string step) {
    const auto before = std::make_shared<std::optional<SavedReference>>(saved_reference());
    if (*before == reference) return;
    restore_reference(reference);
    end_gesture();
    history_.change({experiment(), history_.current().open, nullptr, nullptr, before}, std::move(step),
                    Gesture::complete);
}

std::unique_ptr<Session::Reference> Session::make_reference(SavedReference reference) const {
    return std::make_unique<Reference>(Reference{std::move(reference), make_worker(options_.open()), {}});
}

std::unique_ptr<Session::Reference> Session::reference_of(const Scene& scene) const {
    return scene.reference ? make_reference({*scene.reference, folder_of(scene), SavedReference::From::its_file})
                           : nullptr;
}

std::optional<SavedReference> Session::saved_reference() const {
    return reference_ ? std::optional<SavedReference>(*reference_) : std::nullopt;
}

void Session::restore_reference(const std::optional<SavedReference>& reference) {
    if (!reference)
        reference_ = nullptr;
    else if (reference_ && reference_->experiment == reference->experiment && reference_->folder == reference->folder)
        reference_->from = reference->from;
    else
        reference_ = make_reference(*reference);
}

void Session::ask_reference(const Needs& needs) {
    if (!reference_) return;
    Needs all = needs;
    add_needs(all, further_of_reference_);
    reference_->worker->request({reference_->experiment, view.cursor.clamped(reference_->experiment), std::move(all)});
}

}  // namespace ropewalk
