#include "app/window/main_window/presenter_strip.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ropewalk {
namespace {

constexpr double strip_room = 86, around_strip = 34, between_sliders = 44;  // logical pixels of a presentation

/// Returns the numbers that have a slider among the usual controls, in order.
std::vector<std::string> usual_numbers(const Experiment& experiment) {
    std::vector<std::string> paths;
    walk_controls(experiment, [&](const std::string& path, const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            if (!field.advanced) paths.push_back(path);
    });
    return paths;
}

}  // namespace

bool is_in_strip(const View& view, const std::string& path) {
    return std::find(view.presenter.begin(), view.presenter.end(), path) != view.presenter.end();
}

std::vector<std::string> presented_fields(const View& view, const Experiment& experiment, const std::string& wanted) {
    const auto has = [&](const std::string& path) { return number_at(experiment, path).has_value(); };
    if (has(wanted)) return {wanted};
    std::vector<std::string> paths;
    for (const std::string& path : view.presenter)
        if (has(path) && std::ssize(paths) < most_presented) paths.push_back(path);
    if (!paths.empty()) return paths;
    constexpr std::size_t usual = 2;
    // Figures of a training follow its own encoding, not the head's.
    const bool is_trained = trained_head_of(experiment.construction).has_value();
    if (!is_trained && has("encoding.base")) paths.emplace_back("encoding.base");
    using Parts = std::array<std::string_view, 3>;
    const auto parts = is_trained ? Parts{path_of_training_encoding, "construction.step", path_of_recipe}
                                  : Parts{"construction.", "encoding.", ""};
    for (const std::string_view part : parts)
        for (const std::string& path : usual_numbers(experiment))
            if (path.starts_with(part) && paths.size() < usual &&
                std::find(paths.begin(), paths.end(), path) == paths.end())
                paths.push_back(path);
    return paths;
}

Rect place_in_strip(const Ui& ui, const Rect& strip, int index, int count) {
    const double between = ui.px(between_sliders), left = strip.x + ui.px(around_strip),
                 width = std::max(1.0, (strip.width - 2 * ui.px(around_strip) - (count - 1) * between) / count);
    return {std::round(left + index * (width + between)), strip.y + std::round(ui.px(6)), std::floor(width),
            strip.height - std::round(ui.px(6))};
}

double strip_height(const Ui& ui) {
    return std::round(ui.px(strip_room));
}

}  // namespace ropewalk
