// By what the ways of extending a context divide frequencies, against their closed forms.
#include "core/analysis/encodings/extension_methods.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

ExtensionMethods methods_of(const Experiment& experiment, double factor, int trained) {
    const auto backend = make_reference_backend();
    const Problem problem = make_problem(experiment);
    return ExtensionMethodsQuestion{.factor = factor, .trained = trained}.answer(
        {.experiment = experiment, .problem = problem, .cursor = {}, .backend = *backend, .cancel = {}});
}

std::map<std::string, std::vector<double>> divisors_of(const ExtensionMethods& found) {
    std::map<std::string, std::vector<double>> all;
    for (const ExtensionMethod& method : found.methods) {
        EXPECT_TRUE(all.emplace(method.id, method.divisors).second) << method.id << " once";
        EXPECT_EQ(method.divisors.size(), found.turns.size());
    }
    return all;
}

TEST(ExtensionMethods, AreTheirClosedForms) {
    constexpr int head_dim = 128, pairs = 64, trained = 4096;
    constexpr double base = 500'000, s = 8;
    const Experiment experiment = changed({.head_dim = head_dim, .seq_len = 64}, "encoding=rope encoding.base=500000");
    const ExtensionMethods found = methods_of(experiment, s, trained);
    auto divisors = divisors_of(found);
    for (int t = 0; t < pairs; ++t) {
        const double turns = trained * std::pow(base, -2.0 * t / head_dim) / (2 * std::numbers::pi);
        EXPECT_NEAR(found.turns[t] / turns, 1, 1e-12);
        EXPECT_NEAR(divisors["linear"][t] / s, 1, 1e-13);
        EXPECT_NEAR(divisors["ntk"][t] / std::pow(s, 2.0 * t / (head_dim - 2)), 1, 1e-12);
        // Llama 3: wavelengths above L / 1 are divided by s, below L / 4 left alone, between in between.
        if (turns <= 1 || turns >= 4) {
            EXPECT_NEAR(divisors["llama3"][t], turns >= 4 ? 1 : s, 1e-12);
        }
        if (turns > 1 && turns < 4) {
            EXPECT_NEAR(1 / divisors["llama3"][t], (1 - (turns - 1) / 3) / s + (turns - 1) / 3, 1e-12);
        }
        // Without a trained network CLEX is NTK-aware scaling by 2t' − 1, t' = s.
        EXPECT_NEAR(divisors["clex"][t] / std::pow(2 * s - 1, 2.0 * t / (head_dim - 2)), 1, 1e-12);
        EXPECT_GE(divisors["yarn"][t], 1 - 1e-12);
        EXPECT_LE(divisors["yarn"][t], s + 1e-12);
    }
    EXPECT_NEAR(divisors["yarn"][0], 1, 1e-12);
    EXPECT_NEAR(divisors["yarn"][pairs - 1], s, 1e-12);
}

TEST(ExtensionMethods, NeitherTheLengthNorTheConstructionCounts) {
    const Experiment one = changed({.head_dim = 64, .seq_len = 64}, "encoding=yarn encoding.factor=4");
    const Experiment other = changed(one, "seq_len=5000 construction=gaussian");
    EXPECT_EQ(divisors_of(methods_of(one, 3, 2048)), divisors_of(methods_of(other, 3, 2048)));
}

TEST(ExtensionMethods, OneThatTheHeadCannotHaveIsLeftOut) {
    const auto divisors = divisors_of(methods_of({.head_dim = 2, .seq_len = 8}, 2, 1024));
    EXPECT_TRUE(divisors.contains("linear"));
    EXPECT_FALSE(divisors.contains("ntk")) << "its base changes by a power of d / (d − 2)";
}

}  // namespace
}  // namespace ropewalk
