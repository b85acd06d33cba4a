#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/cli/signals.h"
#include "app/window/window.h"
#include "core/error.h"

namespace {

constexpr rlim_t least_stack = rlim_t{1} << 20;  // bytes; a screenshot takes about a tenth

/// Raises the limit on the stack where it is too low: the system ends a process that exceeds it. Threads have the limit
/// of the start as their size unless told otherwise.
void raise_stack_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least_stack) return;
    limit.rlim_cur = least_stack;
    if (limit.rlim_max < least_stack || setrlimit(RLIMIT_STACK, &limit) != 0) {
        constexpr std::string_view sentence =
            "ropewalk: the limit on the stack (ulimit -s) is too low; raise it to 1024 kB\n";
        [[maybe_unused]] const ssize_t nobody_reads = write(STDERR_FILENO, sentence.data(), sentence.size());
        _exit(static_cast<int>(ropewalk::ExitCode::limit));
    }
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, least_stack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

/// Blocks the signals that `Signals` handles, so that none is lost before it exists.
void block_signals() {
    sigset_t taken;
    sigemptyset(&taken);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&taken, signal);
    sigprocmask(SIG_BLOCK, &taken, nullptr);
}

/// Run before the libraries' initialisers, which take much of the time until `main`: libhwy measures a clock.
[[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries[])() = {block_signals, raise_stack_limit};

}  // namespace

int main(int argc, char** argv) {
    using namespace ropewalk;
    Signals signals;
    const WindowProgram window{
        .open =
            [&](const WindowOptions& options) {
                run_window(options, [&](std::function<void()> stop) { signals.on_signal(std::move(stop)); });
            },
        .screenshot = [&](const WindowOptions& options) { return screenshot_png(options, signals.cancel()); },
        .times = [&](const WindowOptions& options,
                     int frames) { return time_window(options, frames, signals.cancel()); },
    };
    const int code = run_command_line(argc, argv, window, signals.cancel());
    if (code != cancelled_code || signals.exit_code() == 0) return code;  // it was complete before the signal
    // Nothing of ours is left to be done, and nobody should wait for the threads of libraries.
    std::fflush(nullptr);
    std::_Exit(signals.exit_code());
}
