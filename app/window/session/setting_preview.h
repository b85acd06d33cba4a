// A change of the head that is shown before it is made, and can be taken back without a step of undo.
#pragma once

#include <optional>
#include <string>

#include "app/window/session/document.h"

namespace ropewalk {

class SettingPreview {
  public:
    /// Shows the head with this setting ("encoding.base=500000") in place of the one shown before; empty: the head as
    /// it was. Call once per frame.
    void show(Document& document, const std::string& setting);
    /// Makes the change: one step of undo.
    void keep(Document& document, const std::string& setting);
    bool is_shown() const { return first_.has_value(); }
    /// Returns the head as it was before the preview.
    const Experiment& first(const Document& document) const { return first_ ? *first_ : document.experiment(); }

  private:
    std::optional<Experiment> first_;  // empty while there is no preview
    int scenes_opened_ = 0;            // when it began
    std::string shown_;
};

}  // namespace ropewalk
