// Layouts as steps of the history, and saving them by name.
#include <fmt/format.h>

#include "app/window/session/session.h"
#include "core/error.h"

namespace ropewalk {

void Session::rearrange(std::string step, const std::function<void(Arrangement&)>& change) {
    Arrangement& current = view;
    const auto before = std::make_shared<Arrangement>(current);
    change(current);
    if (current == *before) return;
    ++rearranged_;
    dismiss_notice();  // about an earlier action
    end_gesture();
    history_.change({experiment(), history_.current().open, nullptr, before}, std::move(step), Gesture::complete);
}

void Session::choose_layout(const std::string& name) {
    attempt([&] {
        Arrangement chosen = layouts_.find(name, view);
        rearrange("Layout " + name, [&](Arrangement& current) { current = std::move(chosen); });
    });
}

bool Session::save_layout(const std::string& name) {
    return attempt([&] {
        layouts_.save(name, view);
        notify(fmt::format("Layout saved as '{}'", name));
    });
}

bool Session::rename_layout(const std::string& from, const std::string& to) {
    return attempt([&] {
        layouts_.rename(from, to);
        notify(fmt::format("Layout renamed to '{}'", to));
    });
}

void Session::remove_layout(const std::string& name) {
    attempt([&] {
        std::optional<std::pair<std::string, Arrangement>> deleted;
        try {
            deleted.emplace(name, layouts_.find(name));
        } catch (const InputError&) {  // an unreadable layout can be deleted, but not restored
        }
        layouts_.remove(name);
        deleted_layout_ = std::move(deleted);
        notify(fmt::format("Layout '{}' deleted{}", name, deleted_layout_ ? ". You can restore it from Layouts." : ""));
    });
}

bool Session::restore_layout() {
    return attempt([&] {
        const auto& [name, arrangement] = deleted_layout_.value();
        if (layouts_.has(name)) throw InputError(fmt::format("There is another layout '{}' now", name));
        layouts_.save(name, arrangement);
        notify(fmt::format("Layout '{}' restored", name));
        deleted_layout_.reset();
    });
}

}  // namespace ropewalk
