// Settings: what fields of an experiment are to be, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/fields/array_file.h"

namespace ropewalk {

/// "encoding.base=500000", as behind `--set`.
using Settings = std::vector<std::string>;

/// Applies one "path=value" to an experiment.
void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access);

/// What stands between separators, without blanks around it; nothing of what is empty. A blank as separator means any.
/// A separator between single quotes is none, and the quotes stay; one quote without a second is an apostrophe.
std::vector<std::string> parts_outside_quotes(std::string_view text, char separator);

/// Settings that are written behind one another with spaces between them: construction.text='the cat''s tail' is one.
Settings settings_in(std::string_view text);
/// As `settings_in` reads it.
std::string in_one_line(const Settings& settings);

/// The experiment with such settings applied. No files are read. Validated.
Experiment changed(Experiment experiment, const std::string& settings);

/// Returns what has to be set, in order, so that `from` becomes `to`. Reads no files.
Settings settings_between(Experiment from, const Experiment& to);

}  // namespace ropewalk
