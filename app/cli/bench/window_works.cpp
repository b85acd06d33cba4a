#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/bench/works.h"
#include "app/cli/output.h"

namespace ropewalk {

/// Times the window without a display, with the scene of the first start and one with a million tokens. The limit
/// of the first frame is that of a cold start; later ones find fonts and driver loaded.
void window_works(const Works& works) {
    if (!works.options.window_times) return;
    constexpr int frames = 40;
    for (const auto& [scene, first_bar] : {std::pair{"barbero-prop31", 300.0}, {"million", 0.0}}) {
        const std::string name = fmt::format("window {}: ", scene);
        const std::pair<const char*, double> parts[] = {
            {"first frame", first_bar}, {"built", 2}, {"unchanged", 1}, {"redrawn", 25}};
        std::array<bool, std::size(parts)> are_wanted{};
        for (std::size_t i = 0; i < are_wanted.size(); ++i) are_wanted[i] = works.wanted(name + parts[i].first);
        if (std::none_of(are_wanted.begin(), are_wanted.end(), [](bool is_wanted) { return is_wanted; })) continue;
        reset_peak_memory();
        WindowTimes times;
        try {
            times = works.options.window_times(
                {.scene = scene, .backend = works.options.backend, .size = std::pair{1600, 1000}}, frames);
        } catch (const DisplayError& error) {
            if (!works.options.only.empty()) throw;
            return say(fmt::format("skipping the window: {}", error.what()));
        }
        const std::vector<double> of_parts[] = {{times.first_frame}, times.built, times.unchanged, times.redrawn};
        for (std::size_t i = 0; i < are_wanted.size(); ++i) {
            if (!are_wanted[i]) continue;
            Timing timing = summary(name + parts[i].first, of_parts[i]);
            timing.bar = parts[i].second, timing.memory = peak_memory();
            works.report(timing);
        }
    }
}

}  // namespace ropewalk
