// Pinned curves, as an option of a figure: settings with | between them, each applied to the default experiment. A
// curve keeps its place for life, and with it its colour.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields/fields.h"
#include "core/fields/setting_text.h"

namespace ropewalk {

/// Entry in a list of pins whose curve was removed.
inline constexpr std::string_view free_place = "-";

/// Maximum of entries in a list of compared or pinned curves or runs, free places included.
inline constexpr std::size_t most_curves = 32;

/// Enough for six heads of 512 amplitudes and 512 phases with all digits.
inline constexpr std::size_t most_pinned_bytes = std::size_t{1} << 18;

/// Returns the option of figures that pin curves.
constexpr Field pinned_field(const char* help) {
    return {.name = "pinned",
            .label = "Pinned curves",
            .in_controls = false,
            .most_bytes = most_pinned_bytes,
            .most_entries = most_curves,
            .help = help};
}

/// Returns the pinned settings by place, including free places.
inline std::vector<std::string> pins_in(const std::string& pinned) {
    return parts_outside_quotes(pinned, '|');
}

inline std::ptrdiff_t count_of_pins(const std::string& pinned) {
    const auto all = pins_in(pinned);
    return std::count_if(all.begin(), all.end(), [](const std::string& pin) { return pin != free_place; });
}

/// Returns why a curve with these settings cannot be pinned, or nullopt if it can.
inline std::optional<std::string> obstacle_to_another_pin(const std::string& pinned, const std::string& settings) {
    constexpr std::ptrdiff_t most_pins = 6;
    constexpr std::size_t most_between = 64;  // bytes of separators and free places
    if (count_of_pins(pinned) >= most_pins)
        return fmt::format("the maximum of {} curves is pinned; click a name to remove one", most_pins);
    if (pinned.size() + settings.size() + most_between > most_pinned_bytes)
        return "the settings of this curve are too long to be pinned";
    return std::nullopt;
}

inline bool has_pin(const std::string& pinned, const std::string& settings) {
    const auto all = pins_in(pinned);
    return std::find(all.begin(), all.end(), settings) != all.end();
}

/// Returns the list with settings at a place.
inline std::string with_pin(const std::string& pinned, const std::string& settings, std::size_t place) {
    std::vector<std::string> all = pins_in(pinned);
    all.resize(std::max(all.size(), place + 1), std::string(free_place));
    all[place] = settings;
    return fmt::format("{}", fmt::join(all, " | "));
}

/// Returns the list without the settings at a place. The others keep theirs.
inline std::string without_pin(const std::string& pinned, std::size_t place) {
    std::vector<std::string> all = pins_in(pinned);
    if (place < all.size()) all[place] = free_place;
    while (!all.empty() && all.back() == free_place) all.pop_back();
    return fmt::format("{}", fmt::join(all, " | "));
}

}  // namespace ropewalk
