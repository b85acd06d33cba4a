#include "app/lessons/live_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>

#include "app/lessons/split_text.h"
#include "core/error.h"
#include "core/fields/old_names.h"
#include "core/text/number.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

using At = NumberArguments;
using MaybeNumber = std::optional<double>;

constexpr int max_context = 1 << 17;    // longest distance for margins; takes a few milliseconds
constexpr double asked_epsilon = 0.01;  // for heads that give their target more than 1 − ε

// ---- numbers in the answer to a question

/// Returns a number that is read from the answer to a question by value(answer) or value(answer, arguments). If
/// may_ask(experiment) is false, the question waits.
template <class Q, class Value>
LiveNumberKind answered(const char* signature, const char* help,
                        std::optional<Q> (*question)(const Experiment&, const At&), Value value,
                        bool (*may_ask)(const Experiment&) = nullptr) {
    const auto need = [question, may_ask](const Experiment& experiment, const At& at) -> std::optional<Question> {
        if (may_ask && !may_ask(experiment)) return std::nullopt;
        return question(experiment, at);
    };
    const auto is_awaited = [question](const Results& results, const At& at) {
        const auto asked = question(results.request.experiment, at);
        return asked && !results.find(*asked);
    };
    const auto read = [question, value](const Results& results, const At& at) -> MaybeNumber {
        const auto asked = question(results.request.experiment, at);
        const auto answer = asked ? results.find(*asked) : nullptr;
        if (!answer) return std::nullopt;
        if constexpr (std::is_invocable_v<Value, const typename Q::Answer&, const At&>)
            return value(*answer, at);
        else
            return std::invoke(value, *answer);
    };
    return {signature, help, need, read, is_awaited};
}

std::optional<EntryQuestion> entry(const Experiment&, const At& at) {
    return EntryQuestion{.query = at[0], .key = at[1]};
}
std::optional<OneRowStatisticsQuestion> row_summary(const Experiment&, const At& at) {
    return OneRowStatisticsQuestion{.query = at[0]};
}
std::optional<MinWeightQuestion> min_weight(const Experiment&, const At& at) {
    return MinWeightQuestion{.distance = at[0]};
}
std::optional<ContributionsQuestion> contributions(const Experiment&, const At&) {
    return ContributionsQuestion{};
}
std::optional<ShiftQuestion> shift(const Experiment&, const At& at) {
    return ShiftQuestion{.query = at[0], .key = at[1], .positions = at[2]};
}
std::optional<DecayQuestion> curve(const Experiment&, const At&) {
    return DecayQuestion{};
}
std::optional<RobustnessQuestion> robust_head(const Experiment&, const At& at) {
    return RobustnessQuestion{.target = at[0], .epsilon = asked_epsilon};
}
std::optional<EffectiveDistanceQuestion> effective_distances(const Experiment&, const At&) {
    return EffectiveDistanceQuestion{};
}
std::optional<NumberFormatQuestion> in_format(const Experiment&, const At& at) {
    const auto all = static_cast<NumberFormat>(at[0]);
    return NumberFormatQuestion{.formats = {all, all, all, all, all}, .cells = 1};
}
std::optional<TokensQuestion> losses(const Experiment& experiment, const At&) {
    return is_of_model(experiment) ? std::optional(TokensQuestion{}) : std::nullopt;
}
std::optional<LengthTestQuestion> length_test(const Experiment& experiment, const At&) {
    return trained_head_of(experiment.construction) ? std::optional(LengthTestQuestion{}) : std::nullopt;
}
/// Returns whether the model is trained up to the shown step. Other answers would wait behind further training.
bool is_trained(const Experiment& experiment) {
    const auto trained = trained_head_of(experiment.construction);
    if (!trained) return true;
    const auto run = find_training_run(trained->recipe);
    const int step = trained->shown_step();
    return !run || !run->is_under_way() || step <= run->steps_done();
}
std::optional<MarginsQuestion> margins(const Experiment& experiment, const At&) {
    const auto base = number_meaning(ConstChoiceRef(experiment.encoding).fields(), Meaning::base);
    if (!base) return std::nullopt;
    return MarginsQuestion{.base = *base, .head_dim = experiment.head_dim, .count = max_context};
}

/// Returns the value of the decay curve at a distance.
template <double (Decay::*value_at)(std::size_t) const>
MaybeNumber of_curve(const Decay& decay, const At& at) {
    const int index = at[0] - decay.first_distance;
    if (index < 0 || index >= static_cast<int>(decay.mean.size())) return std::nullopt;
    return (decay.*value_at)(static_cast<std::size_t>(index));
}

double score_error(const FormatEffect& effect) {
    double max = 0;
    for (std::size_t key = 0; key < effect.scores.size(); ++key)
        max = std::max(max, std::abs(effect.scores[key] - effect.exact_scores[key]));
    return max;
}

// ---- numbers of the encoding

/// Returns a number that needs no question.
LiveNumberKind of_encoding(const char* signature, const char* help, MaybeNumber (*value)(const Results&, const At&)) {
    return {signature, help, [](const Experiment&, const At&) { return std::nullopt; }, value,
            [](const Results&, const At&) { return false; }};
}

const LoweredEncoding& lowered(const Results& results) {
    return results.problem->lowered;
}
long double frequency(const Results& results, const At& at) {
    return lowered(results).inv_freq[static_cast<std::size_t>(at[0])];
}
MaybeNumber wavelength(const Results& results, const At& at) {
    return static_cast<double>(wavelength_of(frequency(results, at)));
}
MaybeNumber degrees(const Results& results, const At& at) {
    const std::int64_t positions = static_cast<std::int64_t>(at[1]) * results.problem->step();
    const double angle = angle_of(phase_at(positions, phase_of(frequency(results, at)))) * 180 / std::numbers::pi;
    return angle < 0 ? angle + 360 : angle;
}
MaybeNumber turns_of_pair(const Results& results, const At& at) {
    return turns(lowered(results), spanned_positions(*results.problem))[static_cast<std::size_t>(at[0])];
}
MaybeNumber turned_against(const Results& results, const At& at) {
    const auto found = first_failing_distance(frequency(results, at), results.problem->positions.stride);
    return found ? MaybeNumber(static_cast<double>(*found)) : std::nullopt;
}
MaybeNumber divisor(const Results& results, const At& at) {
    const Experiment& experiment = results.request.experiment;
    const auto base = number_meaning(ConstChoiceRef(experiment.encoding).fields(), Meaning::base);
    if (!base) return std::nullopt;
    return static_cast<double>(std::pow(static_cast<long double>(*base), -2.0L * at[0] / experiment.head_dim) /
                               frequency(results, at));
}
MaybeNumber rotating_pairs(const Results& results, const At&) {
    const auto& inv_freq = lowered(results).inv_freq;
    return static_cast<double>(std::count_if(inv_freq.begin(), inv_freq.end(), [](auto w) { return w != 0; }));
}
MaybeNumber rotating_fraction(const Results& results, const At& at) {
    return *rotating_pairs(results, at) / lowered(results).pairs();
}
MaybeNumber logit_factor(const Results& results, const At&) {
    return lowered(results).score_scaling();
}

const std::vector<LiveNumberKind> live_numbers{
    answered("score(i, j)", "Rotated q·k of query i and key j.", entry, &MatrixEntry::score),
    answered("logit(i, j)", "The input of the softmax.", entry, &MatrixEntry::logit),
    answered("weight(i, j)", "The attention weight after the softmax.", entry, &MatrixEntry::weight),
    answered("max_weight(i)", "The largest weight in row i.", row_summary, &RowStatistics::max_weight),
    answered("max_key(i)", "The key with the largest weight in row i.", row_summary, &RowStatistics::max_key),
    answered("entropy(i)", "−Σ w ln w of row i, in nats.", row_summary, &RowStatistics::entropy),
    answered("min_weight(r)", "The smallest weight that any row gives to the key r tokens back.", min_weight,
             std::identity{}),
    answered("contribution(t)", "What pair t contributes to the score at the cursor.", contributions,
             [](const auto& parts, const At& at) { return parts[static_cast<std::size_t>(at[0])]; }),
    answered("shift(i, j, s)", "Change of the score of i and j when both move s positions further.", shift,
             std::identity{}),
    answered("decay(r)", "The logit at distance r: the mean over samples, or the last query's.", curve,
             of_curve<&Decay::mean_at>),
    answered("spread(r)", "The standard deviation of that logit over samples.", curve, of_curve<&Decay::sigma_at>),
    answered("first_negative", "The first distance at which the decay curve is below 0.", curve,
             [](const Decay& decay) { return decay.verdict.first_negative; }),
    answered("norm_needed(r)", "The smallest ‖ψ‖² for which every row gives the key r tokens back a weight above 0.99.",
             robust_head, [](const auto& robust) { return robust ? robust->norm_needed : std::nullopt; }),
    answered("longest_context",
             "Largest distance up to which Σ cos(m·wₜ) of this base and head dimension is never negative, if below "
             "131 072 tokens.",
             margins,
             [](const Margins& found) {  // it may extend beyond the tested distances
                 return found.longest_context < max_context - 1 ? MaybeNumber(found.longest_context) : std::nullopt;
             }),
    answered("effective_distance(r)", "The effective distance of the key r tokens before the last query.",
             effective_distances,
             [](const auto& all, const At& at) {
                 const auto index = static_cast<std::size_t>(at[0]);
                 return index < all.size() ? MaybeNumber(all[index]) : std::nullopt;
             }),
    answered("cosine_error(format)", "The largest error of a cosine if every step uses this number format.", in_format,
             &FormatEffect::max_cosine_error),
    answered("score_error(format)",
             "The largest error of a score in the cursor's row if every step uses this number format.", in_format,
             score_error),
    answered("distinct_positions(format)", "Number of positions of the sequence that the format distinguishes.",
             in_format, &FormatEffect::distinct_positions),
    answered("loss(i)",
             "−ln of the probability that a model gives token i; in a task, the answer asked for at token i.", losses,
             [](const auto& tokens, const At& at) { return tokens.loss[static_cast<std::size_t>(at[0])]; }),
    answered("mean_loss", "The mean loss of a model over its text.", losses,
             [](const auto& tokens) { return tokens.mean_loss; }),
    answered(
        "accuracy(k)",
        "The accuracy of a model that is trained here, on held-out sequences k times as long as those of its "
        "training; k is 1, 2, 4, 8 or 16.",
        length_test,
        [](const auto& points, const At& at) {
            const auto found = std::find_if(points.begin(), points.end(), [&](const auto& point) {
                return point.length == std::int64_t{at[0]} * points.front().length;
            });
            return found == points.end() ? std::nullopt : MaybeNumber(found->score.accuracy);
        },
        is_trained),
    of_encoding("wavelength(t)", "Tokens per full turn of pair t.", wavelength),
    of_encoding("degrees(t, r)", "Rotation of pair t over r tokens, in degrees from 0 to 360.", degrees),
    of_encoding("turns(t)", "Full turns of pair t over the sequence.", turns_of_pair),
    of_encoding("turned_against(t)", "The first distance at which a match on pair t alone is negative.",
                turned_against),
    of_encoding("divisor(t)", "RoPE's frequency of pair t, at the same base, divided by this encoding's.", divisor),
    of_encoding("rotating_pairs", "Number of rotated pairs.", rotating_pairs),
    of_encoding("rotating_fraction", "Fraction of rotated pairs: the effective p.", rotating_fraction),
    of_encoding("logit_factor", "Factor by which the encoding multiplies all scores.", logit_factor),
};

/// Returns the trimmed arguments in the brackets of "weight(i, j)"; none without brackets.
std::vector<std::string_view> arguments_of(std::string_view text) {
    const std::size_t bracket = std::min(text.find('('), text.size());
    if (bracket == text.size()) return {};
    if (!text.ends_with(')')) throw InputError(fmt::format("'{}' has no closing bracket", text));
    return parts_of(text.substr(bracket + 1, text.size() - bracket - 2), ',');
}

bool is_token(std::string_view argument) {
    return argument == "i" || argument == "j";
}

/// Parses the value of an argument, which has this name in the number's signature.
int parse_argument(std::string_view text, std::string_view name, const LiveNumberKind& number) {
    if (name == "format") {
        NumberFormat chosen{};
        if (const auto expected = parse_leaf(text, EnumRef(chosen)))
            throw InputError(
                fmt::format("'{}' is not a number format for {}; it must be {}", text, number.id(), *expected));
        return static_cast<int>(chosen);
    }
    const auto value = number_of<int>(text);
    const int smallest = name == "r" || name == "k" ? 0 : -longest_sequence;
    if (!value || *value < smallest || *value > longest_sequence)
        throw InputError(fmt::format("'{}' is not a valid {} for {}; it must be a whole number from {} to {}", text,
                                     name, number.signature, smallest, longest_sequence));
    return *value;
}

}  // namespace

std::string LiveNumberKind::id() const {
    return signature.substr(0, signature.find('('));
}

bool LiveNumberKind::may_be_of_cursor() const {
    const auto arguments = arguments_of(signature);
    return !arguments.empty() && std::all_of(arguments.begin(), arguments.end(), is_token);
}

const std::vector<LiveNumberKind>& live_number_kinds() {
    return live_numbers;
}

LiveNumber::LiveNumber(std::string_view untrimmed) {
    const std::string_view text = trimmed(untrimmed), id = trimmed(text.substr(0, text.find('(')));
    std::vector<std::string> known;
    for (const LiveNumberKind& kind : live_numbers) {
        known.push_back(kind.signature);
        if (is_name_of(kind.id(), id)) kind_ = &kind;
    }
    if (!kind_) throw InputError(fmt::format("unknown number '{}'; the numbers are {}", id, fmt::join(known, ", ")));
    const auto given = arguments_of(text), names = arguments_of(kind_->signature);
    of_cursor_ = given.empty() && kind_->may_be_of_cursor();
    if (of_cursor_) return;
    if (given.size() != names.size())
        throw InputError(
            fmt::format("'{}' must be written as {}{}", text, kind_->signature,
                        kind_->may_be_of_cursor() ? fmt::format(", or {} for the cursor", kind_->id()) : ""));
    for (std::size_t i = 0; i < given.size(); ++i) arguments_[i] = parse_argument(given[i], names[i], *kind_);
}

std::optional<NumberArguments> LiveNumber::resolved(const Experiment& experiment, const Cursor& cursor) const {
    if (of_cursor_) return NumberArguments{cursor.query, cursor.key};
    NumberArguments at = arguments_;
    const auto names = arguments_of(kind_->signature);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == "s" || names[i] == "k" || names[i] == "format") continue;
        const bool is_distance = names[i] == "r";
        const int count = names[i] == "t" ? experiment.head_dim / 2 : experiment.seq_len;
        if (!is_distance && at[i] < 0) at[i] += count;
        const bool may_exceed = is_distance && names.size() > 1;  // an angle is defined for any distance
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

bool LiveNumber::is_awaited(const Results& results) const {
    const auto at = resolved(results.request.experiment, results.request.cursor);
    return at && kind_->is_awaited(results, *at);
}

}  // namespace ropewalk
