// Layouts by name, as steps of the history and as they are kept.
#include <fmt/format.h>

#include "app/window/workbench.h"

namespace ropewalk {

void Workbench::choose_layout(const std::string& name) {
    attempt([&] {
        Arrangement chosen = layouts_.find(name);
        Arrangement& present = view;
        if (chosen == present) return;
        const auto before = std::make_shared<Arrangement>(std::exchange(present, std::move(chosen)));
        end_gesture();
        history_.change({experiment(), history_.present().open, nullptr, before}, "layout " + name, Gesture::complete);
    });
}

bool Workbench::keep_layout(const std::string& name) {
    return attempt([&] {
        layouts_.keep(name, view);
        tell(fmt::format("This layout is kept as '{}'", name));
    });
}

bool Workbench::rename_layout(const std::string& from, const std::string& to) {
    return attempt([&] {
        layouts_.rename(from, to);
        tell(fmt::format("The layout '{}' is called '{}' now", from, to));
    });
}

void Workbench::remove_layout(const std::string& name) {
    attempt([&] {
        layouts_.remove(name);
        tell(fmt::format("The layout '{}' is deleted", name));
    });
}

}  // namespace ropewalk
