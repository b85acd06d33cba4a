// Loops on all cores, for analyses that know nothing of how that is done.
#pragma once

#include <functional>

namespace ropewalk {

/// Calls visit(0) … visit(count − 1), in any order and several at once. Uses the calling thread's TBB arena; the first
/// exception stops the loop and is passed on.
void for_each_in_parallel(int count, const std::function<void(int)>& visit);

/// The same, begun in this order: each thread takes the next when it is free. For work whose largest parts come first,
/// so that no thread is left with one of them at the end.
void for_each_in_order(int count, const std::function<void(int)>& visit);

/// Runs `work` so that its loops use so many threads; 0 takes every core.
void run_with_threads(int threads, const std::function<void()>& work);

/// How many threads 0 stands for.
int core_count();

}  // namespace ropewalk
