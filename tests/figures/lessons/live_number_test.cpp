// Every live number, compared with an independent value.
#include "app/lessons/live_number.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "app/lessons/lesson_variable.h"
#include "core/attention/make_problem.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/training/batch.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

std::optional<double> value_of(const std::string& number, const std::string& settings, const Cursor& cursor = {}) {
    static Evaluator evaluator(open_backend("cpu", 2));
    const Experiment experiment = changed({}, settings);
    const LiveNumber asked(number);
    Needs needs;
    if (auto question = asked.need(experiment, cursor)) needs.push_back(*question);
    return asked.value(*evaluator.evaluate({experiment, cursor, needs}, Detail::complete, {}));
}

double inv_freq_of(double base, int t, int d) {
    return std::pow(base, -2.0 * t / d);
}

/// Returns the mean of cos(r·w), the score of all ones.
double mean_cosine(double r, double base, int d) {
    double sum = 0;
    for (int t = 0; t < d / 2; ++t) sum += std::cos(r * inv_freq_of(base, t, d));
    return sum / (d / 2.0);
}

/// A head at a target distance: scores ‖ψ‖²·mean cos((r − target)·w), and the weights of its row i.
std::vector<double> row_weights(int i, int target, double norm, double base, int d) {
    std::vector<double> weights;
    double sum = 0;
    for (int j = 0; j <= i; ++j) {
        weights.push_back(std::exp(norm * mean_cosine(i - j - target, base, d)));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

double fp32(double value) {
    return static_cast<double>(static_cast<float>(value));
}

/// The largest errors of a cosine, and of a score in the last row of all ones, if every step is stored in fp32.
std::pair<double, double> errors_in_fp32(int n, int d) {
    double cosine_error = 0, score_error = 0;
    const double x = fp32(1 / std::sqrt(d));
    const auto turned = [&](int m, int t) {
        const double angle = fp32(m * fp32(inv_freq_of(10'000, t, d)));
        const double c = fp32(std::cos(angle)), s = fp32(std::sin(angle));
        cosine_error = std::max(cosine_error, std::abs(c - std::cos(m * inv_freq_of(10'000, t, d))));
        return std::pair{fp32(fp32(x * c) - fp32(x * s)), fp32(fp32(x * s) + fp32(x * c))};
    };
    for (int j = 0; j < n; ++j) {
        double score = 0;
        for (int t = 0; t < d / 2; ++t) {
            const auto q = turned(n - 1, t), k = turned(j, t);
            score += q.first * k.first + q.second * k.second;
        }
        score_error = std::max(score_error, std::abs(fp32(score) - mean_cosine(n - 1 - j, 10'000, d)));
    }
    return {cosine_error, score_error};
}

/// Returns the accuracy of the model that these settings train, on held-out sequences `times` as long.
double trained_accuracy(const std::string& settings, int times) {
    const Recipe recipe = trained_head_of(changed({}, settings).construction)->recipe;
    const auto state = TrainingRun(recipe, false).state_after(recipe.steps);
    return evaluate(recipe, state->parameters, test_batch(recipe, times * recipe.context, 16)).accuracy;
}

struct Expected {
    std::string settings;
    std::string number;
    double value;
    double within = 1e-9;
    Cursor cursor{};
};

std::vector<Expected> expected_numbers() {
    const std::string head =
        "seq_len=60 head_dim=16 encoding.base=300 construction=at_distance construction.distance=7 "
        "construction.norm_squared=12";
    const auto row = row_weights(50, 7, 12, 300, 16);
    const auto max = std::max_element(row.begin(), row.end());
    double entropy = 0, min = 1;
    for (const double weight : row) entropy -= weight * std::log(weight);
    for (int i = 7; i < 60; ++i) min = std::min(min, row_weights(i, 7, 12, 300, 16)[i - 7]);
    int first_negative = 0, longest = 0;
    while (mean_cosine(first_negative, 10'000, 64) >= 0) ++first_negative;
    while (mean_cosine(longest + 1, 2000, 32) >= 0) ++longest;
    const auto [cosine, score] = errors_in_fp32(300, 16);
    const std::string ones = "seq_len=4096", all_ones = "seq_len=300 head_dim=16";
    const Cursor cell{50, 46, 0};
    const std::string model =
        "construction=model_head construction.model=bundled:induction "
        "construction.text='the cat sat on mat and the cat ran by the tree and the cat sat'";
    const std::string trained =
        "construction=model_head construction.source=trained construction.recipe.task=back "
        "construction.recipe.layers=1 construction.recipe.heads=1 construction.recipe.context=8 "
        "construction.recipe.vocabulary=4 construction.recipe.steps=40";
    return {
        {trained, "accuracy(1)", trained_accuracy(trained, 1)},
        {trained, "accuracy(8)", trained_accuracy(trained, 8)},
        // From the weights' files by tests/cli/checkpoints.py, in double.
        {model, "loss(8)", 0.20943154193370894, 1e-5},
        {model, "mean_loss", 2.9203171284650664, 1e-5},
        {head, "score(50, 46)", 12 * mean_cosine(4 - 7, 300, 16)},
        {head, "score", 12 * mean_cosine(4 - 7, 300, 16), 1e-9, cell},
        {head + " scale=sqrt_d temperature=2", "logit(50, 46)", 12 * mean_cosine(4 - 7, 300, 16) / 4 / 2, 1e-5},
        {head + " scale=value scale_value=0.5 softcap=2", "logit(50, 46)",
         2 * std::tanh(12 * mean_cosine(4 - 7, 300, 16) / 2 / 2), 1e-5},
        {head, "weight(50, 46)", row[46], 1e-6},
        {head, "weight(-10, -14)", row[46], 1e-6},
        {head, "max_weight(50)", *max, 1e-6},
        {head, "max_key(50)", static_cast<double>(max - row.begin())},
        {head, "entropy(50)", entropy, 1e-5},
        {head, "min_weight(7)", min, 1e-6},
        {head, "contribution(3)", 12.0 / 8 * std::cos((4 - 7) * inv_freq_of(300, 3, 16)), 1e-9, cell},
        {head, "shift(50, 46, 1000)", 0},
        {head, "decay(20)", 12 * mean_cosine(20 - 7, 300, 16)},
        {head, "spread(20)", 0},
        {ones, "first_negative", static_cast<double>(first_negative)},
        {"head_dim=32 encoding.base=2000 seq_len=64", "longest_context", static_cast<double>(longest)},
        {"seq_len=300 encoding=self_extend encoding.window=20 encoding.group=6", "effective_distance(100)",
         299 / 6 - 199 / 6 + 20 - 3},
        {all_ones, "cosine_error(fp32)", cosine, 1e-12, {299, 0, 0}},
        {all_ones, "score_error(fp32)", score, 1e-12, {299, 0, 0}},
        {"seq_len=700", "distinct_positions(bf16)", 257 + 128 + (700 - 512) / 4},
        {"encoding.base=500", "wavelength(3)", two_pi * std::pow(500, 6.0 / 64)},
        {"encoding.base=500", "wavelength(-1)", two_pi * std::pow(500, 62.0 / 64), 1e-8},
        {"", "degrees(0, 100)", std::fmod(100 * 360 / two_pi, 360.0), 1e-9},
        {"seq_len=1000", "turns(8)", 1000 * inv_freq_of(10'000, 8, 64) / two_pi},
        {"", "turned_against(20)", std::ceil(std::numbers::pi / 2 / inv_freq_of(10'000, 20, 64))},
        {"encoding=ntk encoding.factor=8", "divisor(16)", std::pow(8, 32.0 / 62)},
        {"encoding=linear encoding.factor=8", "divisor(5)", 8},
        {"encoding=p_rope encoding.p=0.5", "rotating_pairs", 16},
        {"encoding=p_rope encoding.p=0.5", "rotating_fraction", 0.5},
        {"encoding=yarn encoding.factor=16", "logit_factor", std::pow(0.1 * std::log(16) + 1, 2)},
    };
}

TEST(LiveNumbers, EqualIndependentValues) {
    for (const Expected& expected : expected_numbers()) {
        const auto value = value_of(expected.number, expected.settings, expected.cursor);
        ASSERT_TRUE(value) << expected.number << " with " << expected.settings;
        EXPECT_NEAR(*value, expected.value, expected.within) << expected.number << " with " << expected.settings;
    }
}

TEST(LiveNumbers, TheSpreadIsOfTheSamples) {
    const std::string settings = "seq_len=40 head_dim=8 construction=gaussian construction.samples=50";
    const Problem problem = make_problem(changed({}, settings));
    std::vector<double> q(8), k(8);
    double sum = 0, squares = 0;
    for (int sample = 0; sample < 50; ++sample) {
        problem.inputs.sample(sample, q, k);
        double score = 0;
        for (int t = 0; t < 4; ++t) {
            const double angle = 30 * inv_freq_of(10'000, t, 8);
            score += (q[2 * t] * k[2 * t] + q[2 * t + 1] * k[2 * t + 1]) * std::cos(angle) +
                     (q[2 * t] * k[2 * t + 1] - q[2 * t + 1] * k[2 * t]) * std::sin(angle);
        }
        sum += score, squares += score * score;
    }
    EXPECT_NEAR(value_of("decay(30)", settings).value(), sum / 50, 1e-9);
    EXPECT_NEAR(value_of("spread(30)", settings).value(), std::sqrt(squares / 50 - sum * sum / 2500), 1e-9);
}

TEST(LiveNumbers, TheNormNeededGivesEveryRowItsTarget) {
    const double norm =
        value_of("norm_needed(2)", "seq_len=50 head_dim=16 construction=at_distance construction.distance=2").value();
    const auto min = [](double at) {
        double min_weight = 1;
        for (int i = 2; i < 50; ++i) min_weight = std::min(min_weight, row_weights(i, 2, at, 10'000, 16)[i - 2]);
        return min_weight;
    };
    EXPECT_NEAR(min(norm), 0.99, 1e-9);
    EXPECT_LT(min(0.999 * norm), 0.99);
}

TEST(LiveNumbers, ALargerBaseCanReachLessFar) {  // as lesson 10 says
    EXPECT_EQ(value_of("longest_context", "head_dim=128 encoding.base=27000 seq_len=64"), 4078);
    EXPECT_EQ(value_of("longest_context", "head_dim=128 encoding.base=40000 seq_len=64"), 2968);
    int higher = 0;
    for (int r = 0; r < 4096; ++r) higher += mean_cosine(r, 40'000, 128) > mean_cosine(r, 27'000, 128);
    EXPECT_GT(higher, 4096 / 2);
}

TEST(LiveNumbers, AreAllTested) {
    std::set<std::string> tried{"norm_needed"};
    for (const Expected& expected : expected_numbers())
        tried.insert(expected.number.substr(0, expected.number.find('(')));
    for (const LiveNumberKind& kind : live_number_kinds()) EXPECT_TRUE(tried.contains(kind.id())) << kind.id();
}

TEST(LiveNumbers, OldNamesAreRead) {
    for (const auto& [old_name, name] : {std::pair{"greatest_weight(5)", "max_weight(5)"},
                                         {"greatest_key(5)", "max_key(5)"},
                                         {"least_weight(1)", "min_weight(1)"}})
        EXPECT_EQ(value_of(old_name, "seq_len=16"), value_of(name, "seq_len=16")) << name;
}

TEST(LiveNumbers, UndefinedNumbersHaveNoValue) {
    EXPECT_EQ(value_of("weight(300, 0)", "seq_len=256"), std::nullopt);
    EXPECT_EQ(value_of("weight(0, -300)", "seq_len=256"), std::nullopt);
    EXPECT_EQ(value_of("wavelength(32)", ""), std::nullopt);
    EXPECT_EQ(value_of("first_negative", "encoding=nope"), std::nullopt);
    EXPECT_EQ(value_of("turned_against(31)", "encoding=p_rope"), std::nullopt);
    EXPECT_EQ(value_of("longest_context", "encoding=nope"), std::nullopt);
    EXPECT_EQ(value_of("longest_context", "head_dim=128 encoding.base=1e9"), std::nullopt)
        << "beyond the tested distances";
    EXPECT_EQ(value_of("norm_needed(1)", "construction=gaussian"), std::nullopt);
    EXPECT_EQ(value_of("accuracy(1)", ""), std::nullopt) << "nothing is trained";
    EXPECT_EQ(value_of("accuracy(1048576)",
                       "construction=model_head construction.source=trained construction.recipe.task=back "
                       "construction.recipe.layers=1 construction.recipe.heads=1 construction.recipe.context=8 "
                       "construction.recipe.vocabulary=4 construction.recipe.steps=40"),
              std::nullopt)
        << "no such length is tested";
}

TEST(LiveNumbers, ANumberThatIsNotComputedYetIsAnEllipsis) {
    const auto shown = [](const char* number, const char* settings) {
        const Results unanswered{.request = {.experiment = changed({}, settings), .cursor = {}, .needs = {}}};
        return Placeholder::parse(number).shown(unanswered);
    };
    EXPECT_EQ(shown("weight(3, 2):.2", "seq_len=16"), "…");
    EXPECT_EQ(shown("accuracy(16):.3", "construction=model_head construction.source=trained"), "…");
    EXPECT_EQ(shown("weight(16, 2):.2", "seq_len=16"), "–") << "there is no such token";
    EXPECT_EQ(shown("accuracy(16):.3", ""), "–") << "nothing is trained";
}

TEST(LiveNumbers, InfiniteNumbersAreInfinite) {
    EXPECT_EQ(value_of("wavelength(31)", "encoding=nope"), infinity);
    EXPECT_EQ(value_of("logit(3, 9)", ""), -infinity) << "masked";
}

TEST(LiveNumbers, AreReadStrictly) {
    const auto complaint = [](const char* text) {
        try {
            LiveNumber number(text);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* fine :
         {"weight", "weight(3, 4)", " weight( -1 ,-2 ) ", "entropy", "first_negative", "cosine_error(fp16)"})
        EXPECT_EQ(complaint(fine), "") << fine;
    EXPECT_THAT(complaint("wait"), testing::HasSubstr("unknown number 'wait'; the numbers are score(i, j), "));
    EXPECT_THAT(complaint("weight(3)"), testing::HasSubstr("must be written as weight(i, j), or weight"));
    EXPECT_THAT(complaint("weight(3, 4"), testing::HasSubstr("bracket"));
    EXPECT_THAT(complaint("weight(3, x)"), testing::HasSubstr("whole number"));
    EXPECT_THAT(complaint("decay"), testing::HasSubstr("decay(r)"));
    EXPECT_THAT(complaint("decay(-3)"), testing::HasSubstr("from 0"));
    EXPECT_THAT(complaint("decay(99999999999)"), testing::HasSubstr("whole number"));
    EXPECT_THAT(complaint("shift(5, 3, -2147483648)"), testing::HasSubstr("from -1048576 to 1048576"));
    EXPECT_THAT(complaint("cosine_error(fp8)"), testing::HasSubstr("'bf16'"));
    EXPECT_THAT(complaint("first_negative(3)"), testing::HasSubstr("first_negative"));
}

}  // namespace
}  // namespace ropewalk
