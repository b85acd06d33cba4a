#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/cli/signals.h"
#include "app/window/window.h"
#include "core/error.h"

namespace {

constexpr rlim_t needed_stack = rlim_t{256} << 10, ample_stack = rlim_t{1} << 20;  // bytes; a screenshot takes 128 KiB

/// Raises a stack limit that is too low, because the system kills a process that exceeds it. New threads get the new
/// size too: the C library has already read the old limit.
void raise_stack_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ample_stack) return;
    limit.rlim_cur = std::min(ample_stack, limit.rlim_max);
    if (limit.rlim_cur < needed_stack || setrlimit(RLIMIT_STACK, &limit) != 0) {
        constexpr std::string_view sentence =
            "ropewalk: the limit on the stack (ulimit -s) is too low; raise it to 256 kB\n";
        [[maybe_unused]] const ssize_t nobody_reads = write(STDERR_FILENO, sentence.data(), sentence.size());
        _exit(static_cast<int>(ropewalk::ExitCode::limit));
    }
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, limit.rlim_cur);
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

/// Occupies the numbers of closed standard streams, so that no file or connection gets one: libraries would write their
/// messages into it. Reading from or writing to these streams still fails.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void prepare_process() {
    occupy_standard_streams();
    block_signals();
    raise_stack_limit();
}

/// Run before the libraries' initialisers, which take most of the time until `main` and may start threads. Alone,
/// because an array would be aligned so that it leaves a hole behind the entry of a sanitizer.
[[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries)() = prepare_process;

}  // namespace

int main(int argc, char** argv) {
    using namespace ropewalk;
    Signals signals;
    const WindowProgram window{
        .open =
            [&](const WindowOptions& options) {
                run_window(options, [&](std::function<void()> stop) { signals.on_signal(std::move(stop)); });
            },
        .screenshot = [&](const WindowOptions& options,
                          const auto& accept) { return screenshot_png(options, accept, signals.cancel()); },
        .times = [&](const WindowOptions& options,
                     int frames) { return time_window(options, frames, signals.cancel()); },
    };
    const int code = run_command_line(argc, argv, window, signals.cancel());
    if (code != cancelled_code || signals.exit_code() == 0) return code;  // it was complete before the signal
    // Nothing of ours is left to be done, and nobody should wait for the threads of libraries.
    std::fflush(nullptr);
    std::_Exit(signals.exit_code());
}
