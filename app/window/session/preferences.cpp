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

PreferencesFile::PreferencesFile(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "preferences.json";
    std::error_code error;  // an inaccessible file counts as missing
    was_there_ = std::filesystem::exists(file_, error);
    if (!was_there_) return;
    try {
        saved_ = written_ = read_preferences(file_.string());
    } catch (const std::exception& unreadable) {
        complaint_ = fmt::format("{}. Using default preferences.", unreadable.what());
    }
}

double PreferencesFile::save(const Preferences& current) {
    const Preferences before = current_.value_or(current);
    current_ = current;
    if (current.theme != before.theme) saved_.theme = current.theme;
    if (current.text_size != before.text_size) saved_.text_size = current.text_size;
    if (current.page != before.page) saved_.page = current.page;
    if (current.video != before.video) saved_.video = current.video;
    if (file_.empty() || saved_ == written_) return infinity;
    if (!writer_.write(file_, json_text(to_json(saved_)))) return until_written;
    written_ = saved_;
    return infinity;
}

}  // namespace ropewalk
