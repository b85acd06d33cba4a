// A backend that may fail while it computes, and one that goes on in its place.
#pragma once

#include <memory>
#include <string>

#include "core/attention/backend.h"

namespace ropewalk {

/// Asks `preferred` until it throws a DisplayError, and `substitute` from then on; `notice` then says so. Without
/// `preferred`, `reason` says why there is none.
std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> preferred, std::unique_ptr<Backend> substitute,
                                               const std::string& reason = {});

}  // namespace ropewalk
