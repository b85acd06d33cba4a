#include "app/cli/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <system_error>

namespace ropewalk {

Signals::Signals() {
    for (const int of_writing :
         {SIGPIPE, SIGXFSZ})  // a closed pipe or a too large file is reported by the failed write
        std::signal(of_writing, SIG_IGN);
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    if (struct sigaction given{}; sigaction(SIGHUP, nullptr, &given) == 0 && given.sa_handler != SIG_IGN)  // nohup
        sigaddset(&set_, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    try {
        thread_ = std::thread([this] { wait(); });
    } catch (const std::system_error&) {  // the limit on threads is reached: without one, signals end the process
        pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
    }
}

Signals::~Signals() {
    if (!thread_.joinable()) return;
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
}

void Signals::on_signal(std::function<void()> action) {
    const std::lock_guard lock(mutex_);
    action_ = std::move(action);
    if (action_ && exit_code_ != 0) action_();
}

void Signals::wait() {
    int signal = 0;
    sigwait(&set_, &signal);
    if (done_) return;
    exit_code_ = 128 + signal;
    ++generation_;
    timespec patience{.tv_sec = 0, .tv_nsec = 300'000'000};
    {
        const std::lock_guard lock(mutex_);
        if (action_) patience = {.tv_sec = 2, .tv_nsec = 0}, action_();
    }
    sigtimedwait(&set_, nullptr, &patience);
    if (!done_) _exit(exit_code_);
}

}  // namespace ropewalk
