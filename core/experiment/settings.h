// Settings: new values for fields of an experiment, as text.
#pragma once

#include <string>
#include <string_view>

#include "core/experiment/experiment.h"
#include "core/fields/input_file.h"
#include "core/fields/setting_text.h"

namespace ropewalk {

/// Applies one "path=value" to `experiment`. Throws UsageError or InputError.
void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access);

/// Returns the experiment with such settings applied and validated; no files are read. Throws UsageError or InputError.
Experiment changed(Experiment experiment, const std::string& settings);

/// Returns what has to be set, in order, so that `from` becomes `to`. Reads no files.
Settings settings_between(Experiment from, const Experiment& to);

}  // namespace ropewalk
