#include "app/window/session/setting_preview.h"

#include <utility>

#include "core/error.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

/// Returns the head with the setting, or unchanged if it lacks the field: another scene may have been opened since the
/// setting was typed.
Experiment with_setting(const Experiment& experiment, const std::string& setting) try {
    return changed(experiment, setting);
} catch (const Error&) {
    return experiment;
}

}  // namespace

void SettingPreview::show(Document& document, const std::string& setting) {
    if (first_ && scenes_opened_ != document.scenes_opened()) first_.reset(), shown_.clear();
    if (setting == shown_) return;
    if (!first_) first_ = document.experiment(), scenes_opened_ = document.scenes_opened();
    shown_ = setting;
    document.edit(setting.empty() ? *first_ : with_setting(*first_, setting), Gesture::ongoing);
    if (!setting.empty()) return;
    document.end_gesture();
    first_.reset();
}

void SettingPreview::keep(Document& document, const std::string& setting) {
    show(document, setting);
    document.end_gesture();
    first_.reset();
    shown_.clear();
}

}  // namespace ropewalk
