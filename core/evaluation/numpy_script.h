// Exports a head as a NumPy script, an independent computation of the same numbers.
#pragma once

#include <string>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns a Python script that computes logits and weights of this head from the definitions (`LoweredEncoding`) in
/// double, and prints those of the cursor's entry with 17 digits, as "logit -1.5" and "weight 0.25". It needs only
/// NumPy. It contains the rows if few of them differ, or draws them again if they are known to be random. Otherwise it
/// loads them from q.npy and k.npy (`loads_files`), and its comments give the commands that write those files, whose
/// channels are paired by `pairing`. The script begins with the comment `about`.
std::string numpy_script(const Problem& problem, const Cursor& cursor, Pairing pairing, const std::string& about);

/// Returns whether such a script needs files.
bool loads_files(const std::string& script);

}  // namespace ropewalk
