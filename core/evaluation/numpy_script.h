// A head as a NumPy script: what is shown, computed again by other means.
#pragma once

#include <string>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// A Python script that needs NumPy alone, computes logits and weights of this head by the definitions (`Lowered`), in
/// double, and prints those of the cursor's cell, with 17 digits, as "logit -1.5" and "weight 0.25". The rows that it
/// needs are written out where few differ, or drawn anew where they are known to be drawn; else it loads them from
/// q.npy and k.npy (`loads_files`) and says which commands write those, whose channels pair up as `pairing` says.
/// `about` stands at its top.
std::string numpy_script(const Problem& problem, const Cursor& cursor, Pairing pairing, const std::string& about);

/// Whether such a script cannot run without files.
bool loads_files(const std::string& script);

}  // namespace ropewalk
