#include "app/lessons/live_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "app/lessons/split_text.h"
#include "core/error.h"
#include "core/fields/old_names.h"

namespace ropewalk {
namespace {

using enum ArgumentKind;
using At = NumberArguments;
using MaybeQuestion = std::optional<Question>;
using MaybeNumber = std::optional<double>;

constexpr int max_context = 1 << 17;    // longest distance for margins; takes a few milliseconds
constexpr double asked_epsilon = 0.01;  // for heads that give their target more than 1 − ε

constexpr ArgumentKind one_token[] = {token}, two_tokens[] = {token, token}, one_distance[] = {distance},
                       one_pair[] = {pair}, pair_and_distance[] = {pair, distance}, one_shift[] = {positions},
                       cell_and_shift[] = {token, token, positions}, one_format[] = {format};

// ---- questions

MaybeQuestion entry(const Experiment&, const At& at) {
    return EntryQuestion{.query = at[0], .key = at[1]};
}
MaybeQuestion row_summary(const Experiment&, const At& at) {
    return OneRowStatisticsQuestion{.query = at[0]};
}
MaybeQuestion curve(const Experiment&, const At&) {
    return DecayQuestion{};
}
MaybeQuestion nothing(const Experiment&, const At&) {
    return std::nullopt;
}
MaybeQuestion robust_head(const Experiment&, const At& at) {
    return RobustnessQuestion{.target = at[0], .epsilon = asked_epsilon};
}
MaybeQuestion in_format(const Experiment&, const At& at) {
    const auto all = static_cast<NumberFormat>(at[0]);
    return NumberFormatQuestion{.formats = {all, all, all, all, all}, .cells = 1};
}
MaybeQuestion margins(const Experiment& experiment, const At&) {
    const auto base = number_meaning(ConstChoiceRef(experiment.encoding).fields(), Meaning::base);
    if (!base) return std::nullopt;
    return MarginsQuestion{.base = *base, .head_dim = experiment.head_dim, .count = max_context};
}

/// Returns the answer to a question, which must be of type Q.
template <class Q>
std::shared_ptr<const typename Q::Answer> answer_of(const Results& results, const MaybeQuestion& question) {
    return question ? results.find(std::get<Q>(*question)) : nullptr;
}

// ---- values

template <double MatrixEntry::*member>
MaybeNumber of_entry(const Results& results, const At& at) {
    const auto found = results.find(EntryQuestion{.query = at[0], .key = at[1]});
    return found ? MaybeNumber((*found).*member) : std::nullopt;
}
template <auto member>
MaybeNumber of_row(const Results& results, const At& at) {
    const auto found = results.find(OneRowStatisticsQuestion{.query = at[0]});
    return found ? MaybeNumber((*found).*member) : std::nullopt;
}
template <auto value_at>
MaybeNumber of_curve(const Results& results, const At& at) {
    const auto decay = results.find(DecayQuestion{});
    if (!decay) return std::nullopt;
    const int index = at[0] - decay->first_distance;
    if (index < 0 || index >= static_cast<int>(decay->mean.size())) return std::nullopt;
    return ((*decay).*value_at)(static_cast<std::size_t>(index));
}
MaybeNumber first_negative(const Results& results, const At&) {
    const auto decay = results.find(DecayQuestion{});
    return decay && decay->verdict.first_negative ? MaybeNumber(*decay->verdict.first_negative) : std::nullopt;
}
MaybeNumber min_weight(const Results& results, const At& at) {
    const auto found = results.find(MinWeightQuestion{.distance = at[0]});
    return found ? MaybeNumber(*found) : std::nullopt;
}
MaybeNumber shift_of(const Results& results, const ShiftQuestion& question) {
    const auto found = results.find(question);
    return found ? *found : std::nullopt;
}
MaybeNumber norm_needed_for(const Results& results, const At& at) {
    const auto found = answer_of<RobustnessQuestion>(results, robust_head(results.request.experiment, at));
    return found && *found ? (*found)->norm_needed : std::nullopt;
}
MaybeNumber effective_distance(const Results& results, const At& at) {
    const auto found = results.find(EffectiveDistanceQuestion{});
    const auto index = static_cast<std::size_t>(at[0]);
    return found && index < found->size() ? MaybeNumber((*found)[index]) : std::nullopt;
}
MaybeNumber longest_context_of(const Results& results, const At& at) {
    const auto found = answer_of<MarginsQuestion>(results, margins(results.request.experiment, at));
    if (!found || found->longest_context >= max_context - 1)
        return std::nullopt;  // it extends beyond the tested distances
    return found->longest_context;
}
double score_error(const FormatEffect& effect) {
    double max = 0;
    for (std::size_t key = 0; key < effect.scores.size(); ++key)
        max = std::max(max, std::abs(effect.scores[key] - effect.exact_scores[key]));
    return max;
}
double cosine_error(const FormatEffect& effect) {
    return effect.max_cosine_error;
}
double distinct_positions(const FormatEffect& effect) {
    return effect.distinct_positions;
}
template <double (*number)(const FormatEffect&)>
MaybeNumber of_format(const Results& results, const At& at) {
    const auto found = answer_of<NumberFormatQuestion>(results, in_format(results.request.experiment, at));
    return found && found->complaint.empty() ? MaybeNumber(number(*found)) : std::nullopt;
}

// ---- values of the encoding

const LoweredEncoding& lowered(const Results& results) {
    return results.problem->lowered;
}
long double frequency(const Results& results, const At& at) {
    return lowered(results).inv_freq[static_cast<std::size_t>(at[0])];
}
int rotating_pairs_of(const Results& results) {
    int count = 0;
    for (const long double inv_freq : lowered(results).inv_freq) count += inv_freq != 0;
    return count;
}
MaybeNumber divisor(const Results& results, const At& at) {
    const Experiment& experiment = results.request.experiment;
    const auto base = number_meaning(ConstChoiceRef(experiment.encoding).fields(), Meaning::base);
    if (!base) return std::nullopt;
    return static_cast<double>(std::pow(static_cast<long double>(*base), -2.0L * at[0] / experiment.head_dim) /
                               frequency(results, at));
}
MaybeNumber turned_against(const Results& results, const At& at) {
    const auto found = first_failing_distance(frequency(results, at), results.problem->positions.stride);
    return found ? MaybeNumber(static_cast<double>(*found)) : std::nullopt;
}

constexpr LiveNumberKind kinds[] = {
    {"score", two_tokens, true, "Rotated q·k of query i and key j.", entry, of_entry<&MatrixEntry::score>},
    {"logit", two_tokens, true, "The input of the softmax.", entry, of_entry<&MatrixEntry::logit>},
    {"weight", two_tokens, true, "The attention weight after the softmax.", entry, of_entry<&MatrixEntry::weight>},
    {"max_weight", one_token, true, "The largest weight in row i.", row_summary, of_row<&RowStatistics::max_weight>},
    {"max_key", one_token, true, "The key with the largest weight in row i.", row_summary,
     of_row<&RowStatistics::max_key>},
    {"entropy", one_token, true, "−Σ w ln w of row i, in nats.", row_summary, of_row<&RowStatistics::entropy>},
    {"min_weight", one_distance, false, "The smallest weight that any row gives to the key r tokens back.",
     [](const Experiment&, const At& at) -> MaybeQuestion { return MinWeightQuestion{.distance = at[0]}; }, min_weight},
    {"contribution", one_pair, false, "What pair t contributes to the score at the cursor.",
     [](const Experiment&, const At&) -> MaybeQuestion { return ContributionsQuestion{}; },
     [](const Results& results, const At& at) -> MaybeNumber {
         const auto parts = results.find(ContributionsQuestion{});
         return parts ? MaybeNumber((*parts)[static_cast<std::size_t>(at[0])]) : std::nullopt;
     }},
    {"shift", cell_and_shift, false, "Change of the score of i and j when both move s positions further.",
     [](const Experiment&, const At& at) -> MaybeQuestion {
         return ShiftQuestion{.query = at[0], .key = at[1], .positions = at[2]};
     },
     [](const Results& results, const At& at) {
         return shift_of(results, {.query = at[0], .key = at[1], .positions = at[2]});
     }},
    {"decay", one_distance, false, "The logit at distance r: the mean over samples, or the last query's.", curve,
     of_curve<&Decay::mean_at>},
    {"spread", one_distance, false, "The standard deviation of that logit over samples.", curve,
     of_curve<&Decay::sigma_at>},
    {"first_negative", {}, false, "The first distance at which the decay curve is below 0.", curve, first_negative},
    {"norm_needed", one_distance, false,
     "The smallest ‖ψ‖² for which every row gives the key r tokens back a weight above 0.99.", robust_head,
     norm_needed_for},
    {"longest_context",
     {},
     false,
     "Largest distance up to which Σ cos(m·wₜ) of this base and head dimension is never negative, if below 131 072 "
     "tokens.",
     margins,
     longest_context_of},
    {"effective_distance", one_distance, false, "The effective distance of the key r tokens before the last query.",
     [](const Experiment&, const At&) -> MaybeQuestion { return EffectiveDistanceQuestion{}; }, effective_distance},
    {"cosine_error", one_format, false, "The largest error of a cosine if every step uses this number format.",
     in_format, of_format<cosine_error>},
    {"score_error", one_format, false,
     "The largest error of a score in the cursor's row if every step uses this number format.", in_format,
     of_format<score_error>},
    {"distinct_positions", one_format, false, "Number of positions of the sequence that the format distinguishes.",
     in_format, of_format<distinct_positions>},
    {"wavelength", one_pair, false, "Tokens per full turn of pair t.", nothing,
     [](const Results& results, const At& at) -> MaybeNumber {
         return static_cast<double>(wavelength_of(frequency(results, at)));
     }},
    {"degrees", pair_and_distance, false, "Rotation of pair t over r tokens, in degrees from 0 to 360.", nothing,
     [](const Results& results, const At& at) -> MaybeNumber {
         const std::int64_t positions = static_cast<std::int64_t>(at[1]) * results.problem->step();
         const double angle = angle_of(phase_at(positions, phase_of(frequency(results, at)))) * 180 / std::numbers::pi;
         return angle < 0 ? angle + 360 : angle;
     }},
    {"turns", one_pair, false, "Full turns of pair t over the sequence.", nothing,
     [](const Results& results, const At& at) -> MaybeNumber {
         return turns(lowered(results), spanned_positions(*results.problem))[static_cast<std::size_t>(at[0])];
     }},
    {"turned_against", one_pair, false, "The first distance at which a match on pair t alone is negative.", nothing,
     turned_against},
    {"divisor", one_pair, false, "RoPE's frequency of pair t, at the same base, divided by this encoding's.", nothing,
     divisor},
    {"rotating_pairs",
     {},
     false,
     "Number of rotated pairs.",
     nothing,
     [](const Results& results, const At&) -> MaybeNumber { return rotating_pairs_of(results); }},
    {"rotating_fraction",
     {},
     false,
     "Fraction of rotated pairs: the effective p.",
     nothing,
     [](const Results& results, const At&) -> MaybeNumber {
         return static_cast<double>(rotating_pairs_of(results)) / lowered(results).pairs();
     }},
    {"logit_factor",
     {},
     false,
     "Factor by which the encoding multiplies all scores.",
     nothing,
     [](const Results& results, const At&) -> MaybeNumber { return lowered(results).score_scaling(); }},
};

const char* letter_of(ArgumentKind kind, bool is_second_token) {
    switch (kind) {
        case token: return is_second_token ? "j" : "i";
        case distance: return "r";
        case pair: return "t";
        case positions: return "s";
        case format: return "format";
    }
    return "";
}

int parse_argument(std::string_view text, ArgumentKind kind, const LiveNumberKind& number) {
    if (kind == format) {
        NumberFormat chosen{};
        if (const auto expected = parse_leaf(text, EnumRef(chosen)))
            throw InputError(
                fmt::format("'{}' is not a number format for {}; it must be {}", text, number.id, *expected));
        return static_cast<int>(chosen);
    }
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool may_be_negative = kind == token || kind == pair || kind == positions;
    if (error != std::errc{} || end != text.data() + text.size() || std::abs(value) > longest_sequence ||
        (value < 0 && !may_be_negative))
        throw InputError(fmt::format("'{}' is not a valid {} for {}; it must be a whole number from {} to {}", text,
                                     letter_of(kind, false), signature_of(number),
                                     may_be_negative ? -longest_sequence : 0, longest_sequence));
    return value;
}

}  // namespace

std::span<const LiveNumberKind> live_number_kinds() {
    return kinds;
}

std::string signature_of(const LiveNumberKind& kind) {
    std::string arguments;
    bool is_second_token = false;
    for (const ArgumentKind argument : kind.arguments) {
        arguments += (arguments.empty() ? "" : ", ") + std::string(letter_of(argument, is_second_token));
        is_second_token |= argument == token;
    }
    return arguments.empty() ? kind.id : fmt::format("{}({})", kind.id, arguments);
}

LiveNumber::LiveNumber(std::string_view text) {
    const std::size_t bracket = std::min(text.find('('), text.size());
    const std::string_view id = trimmed(text.substr(0, bracket));
    std::vector<std::string> known;
    for (const LiveNumberKind& kind : kinds) {
        known.push_back(signature_of(kind));
        if (is_name_of(kind.id, id)) kind_ = &kind;
    }
    if (!kind_) throw InputError(fmt::format("unknown number '{}'; the numbers are {}", id, fmt::join(known, ", ")));
    if (bracket < text.size() && !trimmed(text).ends_with(')'))
        throw InputError(fmt::format("'{}' has no closing bracket", text));
    const std::string_view inside =
        bracket < text.size() ? trimmed(text).substr(bracket + 1, trimmed(text).size() - bracket - 2) : "";
    const auto given = parts_of(inside, ',');
    of_cursor_ = given.empty() && kind_->may_be_of_cursor;
    if (of_cursor_) return;
    if (given.size() != kind_->arguments.size())
        throw InputError(fmt::format("'{}' must be written as {}{}", text, signature_of(*kind_),
                                     kind_->may_be_of_cursor ? fmt::format(", or {} for the cursor", kind_->id) : ""));
    for (std::size_t i = 0; i < given.size(); ++i)
        arguments_[i] = parse_argument(given[i], kind_->arguments[i], *kind_);
}

std::optional<NumberArguments> LiveNumber::resolved(const Experiment& experiment, const Cursor& cursor) const {
    if (of_cursor_) return NumberArguments{cursor.query, cursor.key};
    NumberArguments at = arguments_;
    for (std::size_t i = 0; i < kind_->arguments.size(); ++i) {
        const ArgumentKind argument = kind_->arguments[i];
        if (argument == positions || argument == format) continue;
        const int count = argument == pair ? experiment.head_dim / 2 : experiment.seq_len;
        if (argument != distance && at[i] < 0) at[i] += count;
        const bool may_exceed =
            argument == distance && kind_->arguments.size() > 1;  // an angle is defined for any distance
        if (at[i] < 0 || (at[i] >= count && !may_exceed)) return std::nullopt;
    }
    return at;
}

std::optional<Question> LiveNumber::need(const Experiment& experiment, const Cursor& cursor) const {
    const auto at = resolved(experiment, cursor.clamped(experiment));
    return at ? kind_->need(experiment, *at) : std::nullopt;
}

std::optional<double> LiveNumber::value(const Results& results) const {
    const auto at = resolved(results.request.experiment, results.request.cursor);
    const auto number = at ? kind_->value(results, *at) : std::nullopt;
    return number && !std::isnan(*number) ? number : std::nullopt;
}

}  // namespace ropewalk
