#include "app/window/session/preferences.h"

#include <utility>

#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

Preferences preferences_of(const std::string& text, const std::string& file) {
    const auto document = parse_json(text, file);
    Preferences preferences;
    Warnings unknown;  // from a newer version
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

PreferencesFile::PreferencesFile(const std::filesystem::path& folder)
    : SavedValue(folder, {.file = "preferences.json",
                          .consequence = "Using default preferences.",
                          .read = preferences_of,
                          .text = [](const Preferences& preferences) { return json_text(to_json(preferences)); }}),
      chosen_(saved()) {}

double PreferencesFile::save(const Preferences& current) {
    const Preferences before = std::exchange(current_, current).value_or(current);
    const auto take = [&](auto Preferences::*preference) {
        if (current.*preference != before.*preference) chosen_.*preference = current.*preference;
    };
    take(&Preferences::theme), take(&Preferences::text_size), take(&Preferences::formula);
    take(&Preferences::backend), take(&Preferences::reduced_motion), take(&Preferences::folded),
        take(&Preferences::folder);
    take(&Preferences::scene), take(&Preferences::window);
    take(&Preferences::page), take(&Preferences::video), take(&Preferences::desktop_dialogs);
    return SavedValue::save(chosen_);
}

}  // namespace ropewalk
