// How much memory there is.
#pragma once

namespace ropewalk {

/// Returns the bytes of memory that this program can use: the machine's, or fewer in a control group with a limit.
double memory_bytes();

}  // namespace ropewalk
