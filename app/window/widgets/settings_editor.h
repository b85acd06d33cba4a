// An editor for the settings of compared curves: for each curve a field and a value, chosen from lists.
#pragma once

#include <string>

#include "app/window/widgets/widgets.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// Draws the editor for settings with | between curves, as in "encoding=nope | encoding.base=500". Each curve differs
/// from `head` by one or more fields.
WidgetState settings_editor(Ui& ui, const Control& control, const Experiment& head, std::string& settings);

}  // namespace ropewalk
