#include "tests/shared_runs.h"

namespace ropewalk {
namespace {

[[maybe_unused]] const bool are_shared = [] {
    keep_training_in(shared_runs());
    return true;
}();

}  // namespace
}  // namespace ropewalk
