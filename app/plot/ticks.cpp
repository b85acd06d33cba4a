#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "app/plot/axes.h"

namespace ropewalk {
namespace {

constexpr const char* minus = "−";
constexpr const char* digit_space = " ";

/// The number digits · 10^exponent. Labels are exact decimals and never show rounding errors.
struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;

    double value() const {
        const auto whole = static_cast<double>(digits);
        return exponent < 0 ? whole / std::pow(10, -exponent) : whole * std::pow(10, exponent);
    }
    /// Returns the power of ten of the leading digit; not defined for zero.
    int magnitude() const {
        int places = exponent;
        for (std::int64_t rest = std::abs(digits); rest >= 10; rest /= 10) ++places;
        return places;
    }
    bool operator==(const Decimal&) const = default;
};

void drop_idle_zeros(std::string& text) {
    if (text.find('.') == std::string::npos) return;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
}

/// Groups five or more digits before the point in threes.
std::string grouped(const std::string& text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    if (point < 5) return text;
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && i < point && (point - i) % 3 == 0) result += digit_space;
        result += text[i];
    }
    return result;
}

/// Returns all digits of the absolute value, down to the number's exponent.
std::string plain(Decimal number) {
    std::string text = std::to_string(std::abs(number.digits));
    if (number.exponent >= 0) return text + std::string(static_cast<std::size_t>(number.exponent), '0');
    const auto decimals = static_cast<std::size_t>(-number.exponent);
    if (text.size() <= decimals) text = std::string(decimals + 1 - text.size(), '0') + text;
    return text.substr(0, text.size() - decimals) + '.' + text.substr(text.size() - decimals);
}

std::string times_power_of_ten(const std::string& mantissa, const char* times, int exponent) {
    return mantissa + times + "10" + superscript(exponent);
}

/// Returns short forms of round numbers: 1.5k, 2M.
std::string abbreviated(Decimal number) {
    const bool millions = number.magnitude() >= 6 && number.exponent >= 4;
    std::string text = plain({number.digits, number.exponent - (millions ? 6 : 3)});
    drop_idle_zeros(text);
    return text + (millions ? "M" : "k");
}

/// Returns labels of numbers with one exponent, all in the form that suits the largest.
std::vector<std::string> common_labels(const std::vector<Decimal>& numbers) {
    Decimal max;
    for (const Decimal& number : numbers)
        if (std::abs(number.digits) >= std::abs(max.digits)) max = number;
    const int magnitude = max.digits == 0 ? 0 : max.magnitude(), step = max.exponent;
    const auto label = [&](Decimal number) -> std::string {
        if (magnitude < -3 || magnitude > 8)
            return times_power_of_ten(plain({number.digits, number.exponent - magnitude}), "×", magnitude);
        if (magnitude >= 4 && step >= 2) return abbreviated(number);
        return grouped(plain(number));
    };
    std::vector<std::string> labels;
    for (const Decimal& number : numbers)
        labels.push_back(number.digits == 0 ? "0" : (number.digits < 0 ? minus : "") + label(number));
    return labels;
}

std::vector<Tick> labelled(const std::vector<Decimal>& numbers, double low, double high) {
    const std::vector<std::string> labels = common_labels(numbers);
    std::vector<Tick> result;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        result.push_back({std::clamp(numbers[i].value(), low, high), labels[i]});
    return result;
}

/// Returns the smallest of …, 0.5, 1, 2, 5, 10, … that is not below `min`.
Decimal round_step(double min) {
    constexpr double tolerance = 1e-9;
    for (int exponent = static_cast<int>(std::floor(std::log10(min))) - 1;; ++exponent)
        for (const int digit : {1, 2, 5})
            if (Decimal step{digit, exponent}; step.value() >= min * (1 - tolerance)) return step;
}

/// Returns ticks at multiples of a round step of at least `min_step`.
std::vector<Tick> linear_ticks(const Axis& axis, double min_step) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double reach = std::max(std::abs(axis.low), std::abs(axis.high));
    min_step = std::max({min_step, 8 * epsilon * reach, std::numeric_limits<double>::min(), axis.whole ? 1.0 : 0.0});
    if (!std::isfinite(min_step)) return {};
    const Decimal step = round_step(min_step);
    const double size = step.value();
    if (!std::isfinite(size)) return {};
    const double tolerance = std::max(1e-9, 2 * epsilon * reach / size);
    const double first = std::ceil(axis.low / size - tolerance), last = std::floor(axis.high / size + tolerance);
    std::vector<Decimal> numbers;
    for (auto k = static_cast<std::int64_t>(first); k <= static_cast<std::int64_t>(last); ++k)
        numbers.push_back({k * step.digits, step.exponent});
    return labelled(numbers, axis.low, axis.high);
}

/// Returns 0.01, 1, 1000 if all labels are that short; 1, 1k, 1M if those are; else 10⁻⁴, 1, 2×10⁶.
std::string power_label(Decimal number, int min_exponent, int max_exponent) {
    if (min_exponent >= -3 && max_exponent <= 8)
        return max_exponent > 3 && number.exponent >= 3 ? abbreviated(number) : plain(number);
    if (number.exponent == 0) return plain(number);
    if (number.digits == 1) return "10" + superscript(number.exponent);
    return times_power_of_ten(plain({number.digits, 0}), "×", number.exponent);
}

std::vector<Tick> logarithmic_ticks(const Axis& axis, double length, double spacing) {
    constexpr double tolerance = 1e-9, min_minor_distance = 2;
    const double decade = length / (std::log10(axis.high) - std::log10(axis.low));
    const int stride = decade >= spacing ? 1 : static_cast<int>(std::lround(round_step(spacing / decade).value()));
    const bool twos_and_fives = decade * std::log10(2.0) >= spacing;
    const bool minor_multiples = stride == 1 && decade * std::log10(10.0 / 9) >= min_minor_distance;
    const bool minor_powers = decade >= 2 * min_minor_distance;

    std::vector<Decimal> shown;
    std::vector<Tick> result;
    const int first = static_cast<int>(std::floor(std::log10(axis.low) - tolerance));
    const int last = static_cast<int>(std::floor(std::log10(axis.high) + tolerance));
    for (int exponent = axis.whole ? std::max(first, 0) : first; exponent <= last; ++exponent)
        for (int digit = 1; digit <= 9; ++digit) {
            const Decimal number{digit, exponent};
            const double value = number.value();
            if (value < axis.low * (1 - tolerance) || value > axis.high * (1 + tolerance)) continue;
            const bool power = digit == 1;
            const bool major = exponent % stride == 0 && (power || (twos_and_fives && (digit == 2 || digit == 5)));
            if (!major && !(power ? minor_powers : minor_multiples)) continue;
            result.push_back({std::clamp(value, axis.low, axis.high), {}});
            shown.push_back(major ? number : Decimal{});
        }
    int min = std::numeric_limits<int>::max(), max = std::numeric_limits<int>::min();
    for (const Decimal& number : shown)
        if (number.digits != 0) min = std::min(min, number.exponent), max = std::max(max, number.exponent);
    for (std::size_t i = 0; i < result.size(); ++i)
        if (shown[i].digits != 0) result[i].label = power_label(shown[i], min, max);

    const auto labels =
        std::count_if(result.begin(), result.end(), [](const Tick& tick) { return !tick.label.empty(); });
    if (labels >= 2) return result;
    // Much less than a decade: use steps that are wide enough at the upper, denser end.
    const double unit_at_top = length / (std::log(axis.high) - std::log(axis.low)) / axis.high;
    std::vector<Tick> even = linear_ticks(axis, spacing / unit_at_top);
    return even.size() > static_cast<std::size_t>(labels) ? even : result;
}

}  // namespace

std::vector<Tick> ticks(const Axis& axis, double length, double spacing) {
    if (!std::isfinite(axis.low) || !std::isfinite(axis.high) || !(axis.low < axis.high) || !(length > 0)) return {};
    if (axis.scale == AxisScale::linear)
        return linear_ticks(axis, axis.high * (spacing / length) - axis.low * (spacing / length));
    return axis.low > 0 ? logarithmic_ticks(axis, length, spacing) : std::vector<Tick>{};
}

std::string power_of_ten(int exponent) {
    return power_label({1, exponent}, exponent, exponent);
}

std::string superscript(int exponent) {
    constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : raised.at(static_cast<std::size_t>(c - '0'));
    return text;
}

std::string readable(double value, int digits) {
    if (std::isnan(value)) return "NaN";
    const std::string sign = value < 0 ? minus : "";
    const double size = std::abs(value);
    if (std::isinf(value)) return sign + "∞";
    constexpr double billion = 1e9;
    if (size < billion && size == std::floor(size)) return sign + grouped(fmt::format("{:.0f}", size));
    // Round first, since rounding may change the power of ten.
    const std::string rounded = fmt::format("{:.{}e}", size, digits - 1);
    const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
    std::string mantissa = rounded.substr(0, rounded.find('e'));
    constexpr int most_places = 6;
    if (exponent >= -4 && std::round(size) < billion) {
        int places = std::max(0, digits - 1 - exponent);
        std::string text = fmt::format("{:.{}f}", size, places);
        // A number below 1, such as a weight, must not read as 1.
        while (size < 1 && text[0] == '1' && places < most_places) text = fmt::format("{:.{}f}", size, ++places);
        drop_idle_zeros(text);
        return sign + grouped(text);
    }
    drop_idle_zeros(mantissa);
    return sign + (mantissa == "1" ? "10" + superscript(exponent) : times_power_of_ten(mantissa, "×", exponent));
}

std::string readable(double value, std::string_view unit) {
    const bool is_attached = unit.empty() || unit == "×" || unit == "%" || unit == "°";
    if (value == 1 && unit.ends_with('s')) unit.remove_suffix(1);
    return fmt::format("{}{}{}", readable(value), is_attached ? "" : " ", unit);
}

}  // namespace ropewalk
