#include "app/cli/command_line.h"
#include "app/cli/signals.h"
#include "app/window/window.h"

int main(int argc, char** argv) {
    using namespace ropewalk;
    Signals signals;
    const WindowProgram window{
        .open =
            [&](const WindowOptions& options) {
                run_window(options, [&](std::function<void()> stop) { signals.on_signal(std::move(stop)); });
            },
        .screenshot = screenshot_png,
        .times = [&](const WindowOptions& options,
                     int frames) { return time_window(options, frames, signals.cancel()); },
    };
    const int code = run_command_line(argc, argv, window, signals.cancel());
    return signals.exit_code() != 0 ? signals.exit_code() : code;
}
