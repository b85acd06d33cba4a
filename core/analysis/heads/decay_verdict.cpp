#include "core/analysis/heads/decay_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/analysis/heads/decay.h"
#include "core/numbers/numbers.h"
#include "core/series/vector_math.h"

namespace ropewalk {
namespace {

double mean_of(std::span<const double> values) {
    return sum_of(values) / static_cast<double>(values.size());
}

/// Returns where a curve that falls only at first ends its fall: the first place at or below the mean of its farthest
/// tenth.
std::optional<std::size_t> end_of_fall(std::span<const double> mean, double level, double range, double noise) {
    const double fall = mean.front() - level;
    if (fall < 0.5 * range || fall <= noise) return std::nullopt;
    const auto end = std::find_if(mean.begin(), mean.end(), [&](double value) { return value <= level; });
    if (end == mean.end() || *std::max_element(end, mean.end()) >= level + fall / 2) return std::nullopt;
    return static_cast<std::size_t>(end - mean.begin());
}

/// Returns the middle of the tenth with the smallest mean, if the farthest tenth is considerably higher.
std::optional<std::size_t> turning_place(std::span<const double> mean, double first, double last, double noise) {
    constexpr std::size_t parts = 10, min_size = 2 * parts;
    if (mean.size() < min_size) return std::nullopt;
    double min = infinity;
    std::size_t place = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t begin = part * mean.size() / parts, end = (part + 1) * mean.size() / parts;
        if (const double level = mean_of(mean.subspan(begin, end - begin)); level < min)
            min = level, place = (begin + end) / 2;
    }
    return last - min > std::max(noise, (first - min) / 4) ? std::optional(place) : std::nullopt;
}

/// Returns a place beyond the nearest tenth where a curve that ends lower than it begins is as high as ever, or nearly:
/// above its nearest tenth, or in its farther half after it had fallen.
std::optional<std::size_t> place_of_return(std::span<const double> mean, std::size_t tenth, double noise) {
    const auto [min, max] = std::minmax_element(mean.begin(), mean.end());
    const double range = *max - *min, nearest = max_of(mean.first(tenth));
    if (*max - nearest > std::max(0.1 * range, noise)) return static_cast<std::size_t>(max - mean.begin());
    const auto farther = std::max_element(mean.begin() + static_cast<std::ptrdiff_t>(mean.size() / 2), mean.end());
    const double lowest_before = *std::min_element(mean.begin(), farther + 1);
    const bool returns = *farther >= *min + 0.9 * range && lowest_before <= *min + 0.5 * range;
    return returns ? std::optional(static_cast<std::size_t>(farther - mean.begin())) : std::nullopt;
}

/// Fills in label, brief and sentence from the numbers. `place` is the distance at which the curve has levelled off or
/// turns; `returned`, if not empty, says where a curve that does not decay is high again, or how a curve that has
/// fallen swings.
void put_into_words(DecayVerdict& verdict, const std::string& returned, int place) {
    const auto below_zero = [&](const char* at) {
        return verdict.first_negative ? fmt::format("{}{}", at, *verdict.first_negative) : "";
    };
    const std::string sign = below_zero(", first < 0 at r = "), brief_sign = below_zero(", < 0 at ");
    const std::string negative = verdict.first_negative
                                     ? fmt::format("It first turns negative at distance {}.", *verdict.first_negative)
                                     : "It is never negative.";
    const std::string numbers =
        fmt::format("its mean is {:.3g} over the nearest tenth of the distances and {:.3g} over the farthest",
                    verdict.first_tenth, verdict.last_tenth);
    const auto say = [&](std::string label, std::string brief, std::string sentence) {
        verdict.label = std::move(label), verdict.brief = std::move(brief), verdict.sentence = std::move(sentence);
    };
    switch (verdict.trend) {
        case DecayTrend::steadily_down:
            return say("decays at every step" + sign, "decays" + brief_sign,
                       fmt::format("The curve falls at every step: {}. {}", numbers, negative));
        case DecayTrend::down:
            return say("decays overall" + sign, "decays overall" + brief_sign,
                       fmt::format("The curve falls overall, but not at every step: {}. {}", numbers, negative));
        case DecayTrend::down_then_up:
            return say(fmt::format("falls to r ≈ {}, then rises", place) + sign, "falls then rises",
                       fmt::format("The curve falls until about distance {} and then rises: {}. {}", place, numbers,
                                   negative));
        case DecayTrend::down_at_first:
            if (!returned.empty())
                return say(
                    fmt::format("falls until r = {}, then swings", place) + sign, fmt::format("falls until {}", place),
                    fmt::format("The curve falls to the level of its farthest tenth by distance {} and then {}. {}",
                                place, returned, negative));
            return say(
                fmt::format("levels off by r = {}", place) + sign, fmt::format("levels off by {}", place),
                fmt::format(
                    "The curve falls to the level of its farthest tenth by distance {} and then levels off: {}. {}",
                    place, numbers, negative));
        case DecayTrend::up:
            return say("rises, does not decay", "rises", fmt::format("The curve rises overall: {}.", numbers));
        case DecayTrend::flat: break;
    }
    const std::string but = !returned.empty() ? fmt::format(", but {}.", returned)
                            : verdict.noise == 0
                                ? "."
                                : fmt::format(". The difference is within sampling error ({:.2g}).", verdict.noise);
    say("does not decay", "no decay", fmt::format("The curve does not decay: {}{}", numbers, but));
}

}  // namespace

DecayVerdict decay_verdict(const Decay& decay) {
    const auto& mean = decay.mean;
    DecayVerdict verdict;
    if (mean.empty()) return verdict;
    const std::size_t tenth = std::max<std::size_t>(1, mean.size() / 10);
    const std::span<const double> values(mean), sigma(decay.sigma);
    verdict.first_tenth = mean_of(values.first(tenth));
    verdict.last_tenth = mean_of(values.last(tenth));
    // The same samples are used at every distance, so averaging over distances may not reduce their error.
    if (!sigma.empty())
        verdict.noise =
            3 * std::hypot(mean_of(sigma.first(tenth)), mean_of(sigma.last(tenth))) / std::sqrt(decay.samples);
    const auto negative = std::find_if(mean.begin(), mean.end(), [](double logit) { return logit < 0; });
    if (negative != mean.end())
        verdict.first_negative = decay.first_distance + static_cast<int>(negative - mean.begin());

    const double min = min_of(mean), max = max_of(mean);
    const double rounding = 1e-11 * std::max(std::abs(min), std::abs(max)), negligible = 0.02 * (max - min);
    const double fall = verdict.first_tenth - verdict.last_tenth;
    const bool steady =
        std::adjacent_find(mean.begin(), mean.end(), [](double near, double far) { return far >= near; }) == mean.end();
    std::string returned;
    int place = 0;
    const auto distance_of = [&](std::size_t at) { return decay.first_distance + static_cast<int>(at); };
    if (std::abs(fall) <= std::max({verdict.noise, rounding, negligible})) {
        const auto end = end_of_fall(mean, verdict.last_tenth, max - min, std::max(verdict.noise, rounding));
        verdict.trend = end ? DecayTrend::down_at_first : DecayTrend::flat;
        if (end) {
            const auto [low, high] = std::minmax_element(mean.begin() + static_cast<std::ptrdiff_t>(*end), mean.end());
            place = distance_of(*end);
            if (*high - *low > (mean.front() - verdict.last_tenth) / 3)
                returned = fmt::format("swings between {:.3g} and {:.3g}", *low, *high);
        }
    } else if (const double nearest = max_of(values.first(tenth)); fall < 0 && max - nearest > 0.1 * (max - min)) {
        verdict.trend = DecayTrend::up;
    } else if (fall < 0) {  // it starts as high as it ever gets, so it does not rise
        const auto at = [&](double value) {
            return decay.first_distance + static_cast<int>(std::find(mean.begin(), mean.end(), value) - mean.begin());
        };
        verdict.trend = DecayTrend::flat;
        returned = fmt::format("it swings from {:.3g} at distance {} to {:.3g} at distance {}", nearest, at(nearest),
                               min, at(min));
    } else if (steady) {
        verdict.trend = DecayTrend::steadily_down;
    } else if (const auto back = place_of_return(mean, tenth, verdict.noise)) {
        verdict.trend = DecayTrend::flat;
        returned = fmt::format("it is {:.3g} at distance {}", mean[*back], distance_of(*back));
    } else if (const auto turn = turning_place(mean, verdict.first_tenth, verdict.last_tenth, verdict.noise)) {
        verdict.trend = DecayTrend::down_then_up;
        place = distance_of(*turn);
    } else {
        verdict.trend = DecayTrend::down;
    }
    put_into_words(verdict, returned, place);
    return verdict;
}

}  // namespace ropewalk
