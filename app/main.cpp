#include "app/cli/command_line.h"
#include "app/cli/signals.h"
#include "app/window/window.h"

int main(int argc, char** argv) {
    using namespace ropewalk;
    Signals signals;
    const auto window_options = [](const CommonOptions& common) {
        return WindowOptions{.scene = common.scene,
                             .settings = common.settings,
                             .backend = common.backend,
                             .threads = common.threads,
                             .shaders = common.shaders,
                             .theme = common.theme,
                             .size = common.size,
                             .scale = common.scale,
                             .lessons = common.lessons,
                             .lesson = common.lesson,
                             .step = common.step.value_or(0),
                             .frame_trace = common.frame_trace};
    };
    const WindowProgram window{
        .open =
            [&](const CommonOptions& common) {
                run_window(window_options(common),
                           [&](std::function<void()> stop) { signals.on_signal(std::move(stop)); });
            },
        .screenshot = [&](const CommonOptions& common) { return screenshot_png(window_options(common)); },
        .times = [&](const CommonOptions& common,
                     int frames) { return time_window(window_options(common), frames, signals.cancel()); },
    };
    const int code = run_command_line(argc, argv, window, signals.cancel());
    return signals.exit_code() != 0 ? signals.exit_code() : code;
}
