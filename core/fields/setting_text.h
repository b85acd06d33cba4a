// Settings in one line of text: "encoding=yarn construction.text='the cat''s tail'".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Items such as "encoding.base=500000", as after `--set`.
using Settings = std::vector<std::string>;

/// Splits `text` at `separator`, trims the parts and drops empty ones. A space as separator means any white space. A
/// separator between single quotes does not split, and the quotes are kept; an unpaired quote is an apostrophe.
std::vector<std::string> parts_outside_quotes(std::string_view text, char separator);

/// Parses settings separated by spaces. Values with spaces are quoted: construction.text='the cat''s tail' is one.
Settings settings_in(std::string_view text);
/// Returns the settings as one line that `settings_in` can parse.
std::string in_one_line(const Settings& settings);

}  // namespace ropewalk
