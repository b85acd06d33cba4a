// GCC 12's ThreadSanitizer does not intercept pthread_mutex_clocklock, which std::timed_mutex calls, and so reports
// races that do not exist. This one calls pthread_mutex_timedlock, which it intercepts.
#include <pthread.h>

#include <ctime>

extern "C" int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
    constexpr long second = 1'000'000'000;
    timespec now, deadline;
    ::clock_gettime(clock, &now);
    ::clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += until->tv_sec - now.tv_sec;
    deadline.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (deadline.tv_nsec < 0) --deadline.tv_sec, deadline.tv_nsec += second;
    if (deadline.tv_nsec >= second) ++deadline.tv_sec, deadline.tv_nsec -= second;
    return ::pthread_mutex_timedlock(mutex, &deadline);
}
