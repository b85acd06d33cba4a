#include "core/attention/fallback_backend.h"

#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/error.h"
#include "core/evaluation/evaluate.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// Computes nothing: the device has gone.
struct BrokenBackend : Backend {
    std::string_view id() const override { return "gl"; }
    std::string_view description() const override { return "broken"; }
    Precision precision() const override { return Precision::fp32; }
    double cost(const Problem&, const Viewport&) const override { return 1; }
    AttentionView attend(const Problem&, const Viewport&, const Cancel& cancel) override {
        cancel.check();
        throw DisplayError("the graphics card was reset while it computed");
    }
};

TEST(FallbackBackend, ContinuesWithANotice) {
    const Problem problem = make_problem(9, 4);
    const auto backend = make_fallback_backend(std::make_unique<BrokenBackend>(), make_reference_backend());
    EXPECT_EQ(backend->id(), "gl");
    EXPECT_EQ(backend->notice(), "");
    const std::atomic<std::uint64_t> generation{1};
    EXPECT_THROW(backend->attend(problem, whole(problem), Cancel(generation, 0)), Cancelled);
    EXPECT_EQ(backend->id(), "gl");
    for (int round = 0; round < 2; ++round) {
        const AttentionView view = backend->attend(problem, whole(problem), {});
        EXPECT_EQ(view.weights.mean, make_reference_backend()->attend(problem, whole(problem), {}).weights.mean);
        EXPECT_EQ(backend->id(), "reference");
        EXPECT_EQ(backend->precision(), Precision::fp64);
        EXPECT_EQ(backend->notice(),
                  "the graphics card was reset while it computed; continuing on the reference backend");
    }
}

TEST(FallbackBackend, ResultsCarryTheNotice) {
    Evaluator evaluator(make_fallback_backend(std::make_unique<BrokenBackend>(), make_cpu_backend(1)));
    const Request request{.experiment = {.seq_len = 8},
                          .needs = {ViewQuestion{.viewport = Viewport::one_to_one({0, 8}, {0, 8})}}};
    const auto results = evaluator.evaluate(request, Detail::exact, {});
    EXPECT_EQ(results->backend, "cpu");
    EXPECT_EQ(results->notice, "the graphics card was reset while it computed; continuing on the cpu backend");
}

TEST(FallbackBackend, SaysWhyThereIsNoneToPrefer) {
    const auto backend = make_fallback_backend(nullptr, make_cpu_backend(1), "a shader does not compile");
    EXPECT_EQ(backend->id(), "cpu");
    EXPECT_EQ(backend->notice(), "a shader does not compile; continuing on the cpu backend");
}

}  // namespace
}  // namespace ropewalk
