#include "app/window/session/layouts.h"

#include <fmt/format.h>

#include "core/error.h"

namespace ropewalk {

void Layouts::choose(const std::string& name) {
    notices_.attempt([&] {
        Arrangement chosen = saved_.find(name, document_.view);
        document_.rearrange("Layout " + name, [&](Arrangement& current) { current = std::move(chosen); });
    });
}

bool Layouts::save(const std::string& name) {
    return notices_.attempt([&] {
        saved_.save(name, document_.view);
        notices_.notify(fmt::format("Layout saved as '{}'", name));
    });
}

bool Layouts::rename(const std::string& from, const std::string& to) {
    return notices_.attempt([&] {
        saved_.rename(from, to);
        notices_.notify(fmt::format("Layout renamed to '{}'", to));
    });
}

void Layouts::remove(const std::string& name) {
    notices_.attempt([&] {
        std::optional<std::pair<std::string, Arrangement>> deleted;
        try {
            deleted.emplace(name, saved_.find(name));
        } catch (const InputError&) {  // an unreadable layout can be deleted, but not restored
        }
        saved_.remove(name);
        deleted_ = std::move(deleted);
        notices_.notify(
            fmt::format("Layout '{}' deleted{}", name, deleted_ ? ". You can restore it from Layouts." : ""));
    });
}

bool Layouts::restore() {
    return notices_.attempt([&] {
        const auto& [name, arrangement] = deleted_.value();
        if (saved_.has(name)) throw InputError(fmt::format("There is another layout '{}' now", name));
        saved_.save(name, arrangement);
        notices_.notify(fmt::format("Layout '{}' restored", name));
        deleted_.reset();
    });
}

}  // namespace ropewalk
