#include "core/version.h"

namespace ropewalk {

const char* version() {
    return ROPEWALK_VERSION;
}

}  // namespace ropewalk
