#pragma once

namespace ropewalk {

/// Returns the version of the CMake project, such as "0.1.0".
const char* version();

}  // namespace ropewalk
