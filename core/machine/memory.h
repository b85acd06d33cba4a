// How much memory there is.
#pragma once

namespace ropewalk {

/// Returns how many bytes of memory this program can use: those of the machine, or the limit of its control groups if
/// that is lower.
double memory_bytes();

}  // namespace ropewalk
