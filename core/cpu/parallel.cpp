#include "core/cpu/parallel.h"

#include <tbb/parallel_for.h>

namespace ropewalk::cpu {

void for_each_in_parallel(int count, const std::function<void(int)>& visit) {
    tbb::parallel_for(0, count, visit);
}

}  // namespace ropewalk::cpu
