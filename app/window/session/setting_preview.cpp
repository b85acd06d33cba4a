#include "app/window/session/setting_preview.h"

#include <utility>

#include "core/experiment/settings.h"

namespace ropewalk {

void SettingPreview::show(Document& document, const std::string& setting) {
    if (first_ && scenes_opened_ != document.scenes_opened()) first_.reset(), shown_.clear();
    if (setting == shown_) return;
    if (!first_) first_ = document.experiment(), scenes_opened_ = document.scenes_opened();
    document.edit(setting.empty() ? *first_ : changed(*first_, setting), Gesture::ongoing);
    shown_ = setting;
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
