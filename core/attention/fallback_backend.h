// A backend that may fail while it computes, with a substitute.
#pragma once

#include <memory>
#include <string>

#include "core/attention/backend.h"

namespace ropewalk {

/// Returns a backend that uses `preferred` until it throws a DisplayError, and `substitute` from then on, with a
/// notice. Without `preferred`, `reason` is why there is none.
std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> preferred, std::unique_ptr<Backend> substitute,
                                               const std::string& reason = {});

}  // namespace ropewalk
