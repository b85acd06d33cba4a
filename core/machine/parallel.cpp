#include "core/machine/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

namespace ropewalk {

void for_each_in_parallel(int count, const std::function<void(int)>& visit) {
    tbb::parallel_for(0, count, visit);
}

void for_each_in_order(int count, const std::function<void(int)>& visit) {
    std::atomic<int> next{0};
    tbb::parallel_for(
        tbb::blocked_range<int>(0, count, 1),
        [&](const tbb::blocked_range<int>& range) {
            for (int i = range.begin(); i < range.end(); ++i) visit(next.fetch_add(1, std::memory_order_relaxed));
        },
        tbb::simple_partitioner());
}

void run_with_threads(int threads, const std::function<void()>& work) {
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute(work);
}

int core_count() {
    return tbb::info::default_concurrency();
}

}  // namespace ropewalk
