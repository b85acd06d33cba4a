#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "app/cli/command_line.h"
#include "app/cli/signals.h"
#include "app/window/window.h"

namespace {

/// Blocks the signals that `Signals` handles, so that none is lost before it exists.
void block_signals() {
    sigset_t taken;
    sigemptyset(&taken);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&taken, signal);
    sigprocmask(SIG_BLOCK, &taken, nullptr);
}

/// Runs `block_signals` before the libraries' initialisers, which take much of the time until `main`: libhwy measures a
/// clock.
[[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries)() = block_signals;

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
