// The command-line options: one table from which help, the manual and errors are made.
#pragma once

#include <string>

#include "app/cli/commands.h"

namespace CLI {
class App;
}

namespace ropewalk {

/// Adds the window's options and the subcommands with theirs. Parsing fills `arguments`, which must outlive `app`, and
/// throws UsageError and InputError.
void add_options(CLI::App& app, Arguments& arguments);

/// Throws UsageError or InputError if the values are out of range or cannot be combined.
void check(const Arguments& arguments);

/// Returns ropewalk(1) in roff, with the options and subcommands known to the parser.
std::string manual_page(const CLI::App& app);

}  // namespace ropewalk
