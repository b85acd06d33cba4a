#include "app/window/session/preferences.h"

#include <utility>

#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

Preferences preferences_in(const nlohmann::json& document, const std::string& file) {
    Preferences preferences;
    Warnings unknown;  // from a newer version
    members_from_json(JsonValue(document, file), preferences, {}, unknown);
    return preferences;
}

Preferences preferences_of(const std::string& text, const std::string& file) {
    return preferences_in(parse_json(text, file), file);
}

/// Takes over from `other` the preferences that are as they were in `base`.
void take_over_unchanged(Preferences& own, const Preferences& base, const Preferences& other) {
    nlohmann::json merged = to_json(own);
    const nlohmann::json before = to_json(base), others = to_json(other);
    for (const auto& [name, value] : others.items())
        if (merged.at(name) == before.at(name)) merged.at(name) = value;
    own = preferences_in(merged, "preferences");
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
                          .text = [](const Preferences& preferences) { return json_text(to_json(preferences)); },
                          .merge = take_over_unchanged}),
      chosen_(saved()) {}

double PreferencesFile::save(const Preferences& current) {
    const Preferences before = std::exchange(current_, current).value_or(current);
    if (!(current == before)) {
        Preferences chosen = current;
        take_over_unchanged(chosen, before, chosen_);
        chosen_ = std::move(chosen);
    }
    return SavedValue::save(chosen_);
}

}  // namespace ropewalk
