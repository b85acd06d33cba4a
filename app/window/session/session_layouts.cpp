// Layouts by name, as steps of the history and as they are kept.
#include <fmt/format.h>

#include "app/window/session/session.h"
#include "core/error.h"

namespace ropewalk {

void Session::rearrange(std::string step, const std::function<void(Arrangement&)>& change) {
    Arrangement& present = view;
    const auto before = std::make_shared<Arrangement>(present);
    change(present);
    if (present == *before) return;
    ++rearranged_;
    dismiss_notice();  // of what was done before
    end_gesture();
    history_.change({experiment(), history_.present().open, nullptr, before}, std::move(step), Gesture::complete);
}

void Session::choose_layout(const std::string& name) {
    attempt([&] {
        Arrangement chosen = layouts_.find(name, view);
        rearrange("Layout " + name, [&](Arrangement& present) { present = std::move(chosen); });
    });
}

bool Session::keep_layout(const std::string& name) {
    return attempt([&] {
        layouts_.keep(name, view);
        notify(fmt::format("This layout is kept as '{}'", name));
    });
}

bool Session::rename_layout(const std::string& from, const std::string& to) {
    return attempt([&] {
        layouts_.rename(from, to);
        notify(fmt::format("The layout '{}' is called '{}' now", from, to));
    });
}

void Session::remove_layout(const std::string& name) {
    attempt([&] {
        std::optional<std::pair<std::string, Arrangement>> deleted;
        try {
            deleted.emplace(name, layouts_.find(name));
        } catch (const InputError&) {  // what cannot be read can be deleted, not brought back
        }
        layouts_.remove(name);
        deleted_layout_ = std::move(deleted);
        notify(fmt::format("The layout '{}' is deleted{}", name, deleted_layout_ ? "; Layouts can bring it back" : ""));
    });
}

bool Session::restore_layout() {
    return attempt([&] {
        const auto& [name, arrangement] = deleted_layout_.value();
        if (layouts_.has(name)) throw InputError(fmt::format("There is another layout '{}' by now", name));
        layouts_.keep(name, arrangement);
        notify(fmt::format("The layout '{}' is back", name));
        deleted_layout_.reset();
    });
}

}  // namespace ropewalk
