// The oracle: attention in scalar double precision, computed directly from the definition with exact phases.
#pragma once

#include "core/attention/backend.h"

namespace ropewalk {

std::unique_ptr<Backend> make_reference_backend();

}  // namespace ropewalk
