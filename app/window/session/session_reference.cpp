// What the present is compared with: kept, put back with its scene, and asked beside the present.
#include <utility>

#include "app/window/session/session.h"

namespace ropewalk {

void Session::keep_reference() {
    if (!check()) return notify(invalid_, Notice::Kind::error);
    attempt([&] {
        change_reference(SavedReference{experiment(), folder_of(scene())}, "Reference kept");
        notify("This is the reference now: hold Shift to see it again, Shift+R drops it");
    });
}

void Session::drop_reference() {
    if (reference_) change_reference(std::nullopt, "Reference dropped");
}

void Session::change_reference(const std::optional<SavedReference>& kept, std::string step) {
    const auto before = std::make_shared<std::optional<SavedReference>>(saved_reference());
    if (*before == kept) return;
    put_back(kept);
    end_gesture();
    history_.change({experiment(), history_.present().open, nullptr, nullptr, before}, std::move(step),
                    Gesture::complete);
}

std::unique_ptr<Session::Reference> Session::make_reference(SavedReference kept) const {
    return std::make_unique<Reference>(Reference{std::move(kept), make_worker(options_.open()), {}});
}

std::unique_ptr<Session::Reference> Session::reference_of(const Scene& scene) const {
    return scene.reference ? make_reference({*scene.reference, folder_of(scene), SavedReference::From::its_file})
                           : nullptr;
}

std::optional<SavedReference> Session::saved_reference() const {
    return reference_ ? std::optional<SavedReference>(*reference_) : std::nullopt;
}

void Session::put_back(const std::optional<SavedReference>& kept) {
    if (!kept)
        reference_ = nullptr;
    else if (reference_ && reference_->experiment == kept->experiment && reference_->folder == kept->folder)
        reference_->from = kept->from;
    else
        reference_ = make_reference(*kept);
}

void Session::ask_reference(const Needs& needs) {
    if (!reference_) return;
    Needs all = needs;
    add_needs(all, further_of_reference_);
    reference_->worker->request({reference_->experiment, view.cursor.clamped(reference_->experiment), std::move(all)});
}

}  // namespace ropewalk
