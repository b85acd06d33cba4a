#pragma once

namespace ropewalk {

/// "0.1.0", as CMake's project says.
const char* version();

}  // namespace ropewalk
