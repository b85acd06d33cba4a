// core/machine: what depends on the machine: threads, cache sizes, large and reused arrays, instruction sets. Here:
// parallel loops for analyses, which hide how the threads are managed.
#pragma once

#include <functional>

namespace ropewalk {

/// Calls visit(0) … visit(count − 1) in parallel and in any order. Uses the calling thread's TBB arena; the first
/// exception stops the loop and is rethrown.
void for_each_in_parallel(int count, const std::function<void(int)>& visit);

/// Calls visit(0) … visit(count − 1) in parallel, started in this order: each free thread takes the next. Put the
/// largest parts first, so that no thread has to finish one alone at the end.
void for_each_in_order(int count, const std::function<void(int)>& visit);

/// Runs `work` with `threads` threads in its loops; 0 uses every core.
void run_with_threads(int threads, const std::function<void()>& work);

/// Returns the number of threads that 0 means.
int core_count();

}  // namespace ropewalk
