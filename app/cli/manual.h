// The manual page.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace ropewalk {

/// Returns ropewalk(1) in roff, with the options and subcommands known to the parser.
std::string manual_page(const CLI::App& app);

}  // namespace ropewalk
