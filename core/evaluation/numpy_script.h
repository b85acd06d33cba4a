// Exports a head as a NumPy script, an independent computation of the same numbers.
#pragma once

#include <string>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

struct NumpyScript {
    std::string text;
    bool loads_files = false;  // it needs q.npy and k.npy
};

/// Returns a Python script that computes logits and weights of this head from the definitions (`LoweredEncoding`) in
/// double, and prints those of the cursor's entry with 17 digits, as "logit -1.5" and "weight 0.25". It needs only
/// NumPy. It contains the rows if few of them differ, or draws them again if they are known to be random. Otherwise it
/// loads them from q.npy and k.npy, and its comments give the commands that write those files, whose
/// channels are paired by `pairing`. The script begins with the comment `about`. `frequencies` is code from `numpy_of`;
/// if it is empty, their values are listed.
NumpyScript numpy_script(const Problem& problem, const Cursor& cursor, Pairing pairing, const std::string& about,
                         const std::string& frequencies = {});

}  // namespace ropewalk
