// Settings: new values for fields of an experiment, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/fields/input_file.h"

namespace ropewalk {

/// Items such as "encoding.base=500000", as after `--set`.
using Settings = std::vector<std::string>;

/// Applies one "path=value" to `experiment`. Throws UsageError or InputError.
void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access);

/// Splits `text` at `separator`, trims the parts and drops empty ones. A space as separator means any white space. A
/// separator between single quotes does not split, and the quotes are kept; an unpaired quote is an apostrophe.
std::vector<std::string> parts_outside_quotes(std::string_view text, char separator);

/// Parses settings separated by spaces. Values with spaces are quoted: construction.text='the cat''s tail' is one.
Settings settings_in(std::string_view text);
/// Returns the settings as one line that `settings_in` can parse.
std::string in_one_line(const Settings& settings);

/// Returns the experiment with such settings applied and validated; no files are read. Throws UsageError or InputError.
Experiment changed(Experiment experiment, const std::string& settings);

/// Returns what has to be set, in order, so that `from` becomes `to`. Reads no files.
Settings settings_between(Experiment from, const Experiment& to);

}  // namespace ropewalk
