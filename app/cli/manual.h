// The manual page.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace ropewalk {

/// ropewalk(1) in roff: the program's own options and sub-commands as the parser knows them.
std::string manual_page(const CLI::App& app);

}  // namespace ropewalk
