// The oracle: attention in scalar double precision, written as the definition reads, with exact phases.
#pragma once

#include "core/attention/backend.h"

namespace ropewalk {

std::unique_ptr<Backend> make_reference_backend();

}  // namespace ropewalk
