#include "app/window/session/preferences.h"

#include <fmt/format.h>

#include "core/fields/fields_io.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_preferences_bytes = 1 << 20;
constexpr double until_written = 0.05;  // s

Preferences read_preferences(const std::string& file) {
    const auto document = parse_json(read_file(file, max_preferences_bytes), file);
    Preferences preferences;
    Warnings unknown;  // a newer version's
    members_from_json(JsonValue(document, file), preferences, {}, unknown);
    return preferences;
}

}  // namespace

Preferences Preferences::with_theme(std::string_view name) const {
    Preferences changed = *this;
    if (!name.empty()) parse_leaf(name, EnumRef(changed.theme));
    return changed;
}

const Theme& theme_of(const Preferences& preferences) {
    return theme_called(name_of(preferences.theme).id, dark_theme());
}

std::filesystem::path config_folder() {
    return own_folder("XDG_CONFIG_HOME", ".config");
}

PreferenceKeeper::PreferenceKeeper(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "preferences.json";
    std::error_code error;  // what cannot be looked at is not there
    was_there_ = std::filesystem::exists(file_, error);
    if (!was_there_) return;
    try {
        kept_ = written_ = read_preferences(file_.string());
    } catch (const std::exception& unreadable) {
        complaint_ = fmt::format("{}; the usual preferences are in force", unreadable.what());
    }
}

double PreferenceKeeper::keep(const Preferences& in_force) {
    const Preferences before = in_force_.value_or(in_force);
    in_force_ = in_force;
    if (in_force.theme != before.theme) kept_.theme = in_force.theme;
    if (in_force.text_size != before.text_size) kept_.text_size = in_force.text_size;
    if (in_force.page != before.page) kept_.page = in_force.page;
    if (in_force.film != before.film) kept_.film = in_force.film;
    if (file_.empty() || kept_ == written_) return infinity;
    if (!writer_.write(file_, json_text(to_json(kept_)))) return until_written;
    written_ = kept_;
    return infinity;
}

}  // namespace ropewalk
