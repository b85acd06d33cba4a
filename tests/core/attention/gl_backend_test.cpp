// The gl backend on whatever OpenGL there is, usually Mesa's imitation on the processor. Its memory starts as NaN, and
// the driver's messages are listened to.
#include "core/gpu/gl_backend.h"

#include <epoxy/egl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/gpu/egl_context.h"
#include "core/gpu/shaders.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"
#include "tests/fresh_process.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using namespace cpu_test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class GlBackend : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        try {
            backend_ =
                make_gl_backend({.attention = {.memory = gpu::Memory::poisoned},
                                 .threads = 2,
                                 .on_message = [](const std::string& message) { messages_.push_back(message); }});
        } catch (const DisplayError& error) {
            why_not_ = error.what();
        }
    }
    static void TearDownTestSuite() { backend_.reset(); }
    void SetUp() override {
        if (!backend_) GTEST_SKIP() << why_not_;
    }
    void TearDown() override { EXPECT_THAT(messages_, testing::IsEmpty()); }

    /// The whole matrix, and a pooled view: another one at every call, in the course of time all.
    static void expect_some_agreement(const Problem& problem) {
        static std::size_t next = 0;
        const std::vector<Viewport> viewports = odd_viewports(problem);
        next = (next + 1) % viewports.size();
        expect_agreement(problem, *backend_, std::span(viewports).subspan(next, 1));
    }

    static inline std::unique_ptr<Backend> backend_;
    static inline std::string why_not_;
    static inline std::vector<std::string> messages_;
};

TEST_F(GlBackend, SaysWhatItIs) {
    EXPECT_EQ(backend_->id(), "gl");
    EXPECT_EQ(backend_->precision(), Precision::fp32);
    EXPECT_THAT(std::string(backend_->description()), HasSubstr(", OpenGL 4."));
    EXPECT_EQ(backend_->notice(), "");
}

class GlEncodings : public GlBackend, public testing::WithParamInterface<std::tuple<int, int>> {};

TEST_P(GlEncodings, AgreeWithTheDefinition) {
    const auto& [seq_len, head_dim] = GetParam();
    const std::pair<Construction, Mask> heads[] = {
        {Gaussian{}, Mask::causal}, {Gaussian{}, Mask::none}, {SameVector{}, Mask::causal}, {Text{}, Mask::none}};
    for (const auto& [construction, mask] : heads)
        for_each_encoding({.head_dim = head_dim,
                           .seq_len = seq_len,
                           .pairing = Pairing::half_split,
                           .construction = construction,
                           .mask = mask,
                           .scale = Scale::sqrt_d,
                           .temperature = 0.7,
                           .positions = {.start = (1 << 20) - 800, .stride = 3}},
                          [](const Experiment& experiment) {
                              ASSERT_NO_FATAL_FAILURE(expect_some_agreement(make_problem(experiment)))
                                  << id_of(experiment.construction);
                          });
}

INSTANTIATE_TEST_SUITE_P(Shapes, GlEncodings,
                         testing::Values(std::tuple{1, 2}, std::tuple{2, 6}, std::tuple{3, 128}, std::tuple{7, 4},
                                         std::tuple{8, 64}, std::tuple{9, 2}, std::tuple{63, 10}, std::tuple{65, 64},
                                         std::tuple{257, 8}));

TEST_F(GlBackend, SeesAWindowAndBoundsLogits) {
    for (const auto& [seq_len, window] : {std::pair{1, 1}, {65, 17}, {257, 64}})
        for_each_encoding({.head_dim = 6,
                           .seq_len = seq_len,
                           .construction = Gaussian{},
                           .window = window,
                           .temperature = 0.7,
                           .positions = {.start = 10, .stride = 3}},
                          [](Experiment experiment) {
                              for (const Mask mask : {Mask::causal, Mask::window})
                                  for (const double softcap : {0.0, 0.01, 1.5}) {
                                      experiment.mask = mask, experiment.softcap = softcap;
                                      ASSERT_NO_FATAL_FAILURE(expect_some_agreement(make_problem(experiment)))
                                          << experiment.seq_len << ", softcap " << softcap;
                                  }
                          });
    Problem problem = make_problem(1400, 4);
    problem.mask = Mask::window;
    problem.window = 130;
    problem.softcap = 200;
    ASSERT_NO_FATAL_FAILURE(expect_agreement(problem, *backend_, odd_viewports(problem)));
}

TEST_F(GlBackend, AgreesWithTheReference) {
    const Problem problem = make_problem(130, 64);
    const Viewport viewport{{3, 130}, {5, 128}, 31, 33, RowSampling::all};
    const AttentionView found = backend_->attend(problem, viewport, {}),
                        expected = make_reference_backend()->attend(problem, viewport, {});
    EXPECT_EQ(found.row_index, expected.row_index);
    EXPECT_THAT(found.logits.mean, testing::Pointwise(testing::DoubleNear(1e-5), expected.logits.mean));
    EXPECT_THAT(found.weights.max, testing::Pointwise(testing::DoubleNear(1e-6), expected.weights.max));
    EXPECT_THAT(found.row_log_sum, testing::Pointwise(testing::DoubleNear(1e-5), expected.row_log_sum));
}

TEST_F(GlBackend, AgreesInEveryViewport) {
    for (const Mask mask : {Mask::causal, Mask::none}) {
        Problem problem = make_problem(330, 4);
        problem.mask = mask;
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem, *backend_, odd_viewports(problem)));
        make_self_extend(problem, 12.75L);
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem, *backend_, odd_viewports(problem)));
    }
}

TEST_F(GlBackend, EveryWindowOfTheFarRegime) {
    for_each_far_window(140, {-100, -3, 0, 1, 15, 63, 64, 65, 128, 1000},
                        [](const Problem& problem) { expect_some_agreement(problem); });
}

// All products are positive and alike, so that partial sums grow steadily; then logits that grow steadily, so that the
// shift of the softmax sum moves all the time.
TEST_F(GlBackend, KeepsItsPromiseWhereRoundingErrorsPullTheSameWay) {
    for (const int head_dim : {64, 256, 1024}) {
        Problem problem = make_problem(24, head_dim);
        problem.lowered.inv_freq.assign(problem.lowered.inv_freq.size(), 0);
        for (const double value : {0.1, 1.0 / 3, 0.5}) {
            problem.inputs.q = problem.inputs.k =
                repeated_row(std::vector<double>(static_cast<std::size_t>(head_dim), value));
            ASSERT_NO_FATAL_FAILURE(expect_some_agreement(problem)) << head_dim << " of " << value;
        }
    }
    Problem problem = make_problem(600, 2);
    problem.lowered.inv_freq = {0};
    problem.inputs.q = repeated_row({1, 0});
    for (const double step : {1e-4, 0.01, 0.4}) {
        problem.inputs.k = RowSource::of([=](int token, std::span<double> row) {
            row[0] = step * token;
            row[1] = 0;
        });
        ASSERT_NO_FATAL_FAILURE(expect_some_agreement(problem)) << step;
    }
}

TEST_F(GlBackend, ExtremeLogits) {
    for (const double factor : {0.0, 1e-38, 500.0, -500.0, 1e19, 1e38, 1e100})
        for (const int seq_len : {1, 2, 33}) {
            Problem problem = make_problem(seq_len, 2);
            problem.inputs.q = repeated_row({factor, 0});
            problem.inputs.k = repeated_row({1, 0.5});
            ASSERT_NO_FATAL_FAILURE(expect_some_agreement(problem)) << factor;
        }
}

TEST_F(GlBackend, ManyGroupsOfRows) {
    // So many cells that the statistics of the rows are not all on the device together.
    const Problem problem = make_problem(2100, 2);
    const BruteForce truth = brute_force(problem);
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend_->attend(problem, whole(problem), {})));
    const Interval all{0, problem.seq_len};
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend_->attend(problem, {all, all, 3, 2099, RowSampling::all}, {})));
}

TEST_F(GlBackend, KeysBeyondTheMemoryLimit) {
    // Keys come a split at a time.
    const std::vector<Viewport> viewports = odd_viewports(make_problem(600, 4));
    const auto backend = make_gl_backend({.attention = {.most_key_bytes = 20'000}, .threads = 2});
    for (const Mask mask : {Mask::causal, Mask::none}) {
        Problem problem = make_problem(600, 4);
        problem.mask = mask;
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem, *backend, std::span(viewports).first(6)));
        make_self_extend(problem, 12);
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem, *backend, {}));
    }
}

TEST_F(GlBackend, GivesTheSameBitsAgain) {
    const Problem problem = make_problem(700, 16), other = make_problem(100, 40);
    const Viewport viewport{{0, 700}, {20, 690}, 100, 90, RowSampling::all};
    const AttentionView first = backend_->attend(problem, viewport, {});
    backend_->attend(other, whole(other), {});
    const AttentionView again = backend_->attend(problem, viewport, {});
    EXPECT_EQ(first.logits.mean, again.logits.mean);
    EXPECT_EQ(first.weights.mean, again.weights.mean);
    EXPECT_EQ(first.weights.min, again.weights.min);
    EXPECT_EQ(first.row_log_sum, again.row_log_sum);
}

// Keys stay on the device: of other temperatures, viewports, lengths, encodings and heads in turn.
TEST_F(GlBackend, WhatItKeepsChangesNothing) {
    std::vector<Problem> problems;
    for (const Encoding& encoding : {Encoding(Rope{}), Encoding(Rope{.base = 50}), Encoding(SelfExtend{.window = 90})})
        for (const int head_dim : {16, 20})
            for (const double temperature : {1.0, 0.3})
                problems.push_back(ropewalk::make_problem({.head_dim = head_dim,
                                                           .seq_len = 700,
                                                           .encoding = encoding,
                                                           .construction = Gaussian{},
                                                           .temperature = temperature}));
    const Viewport viewports[] = {{{0, 300}, {0, 200}, 21, 20, RowSampling::all},
                                  {{0, 700}, {20, 690}, 40, 90, RowSampling::one_per_cell},
                                  {{100, 630}, {0, 690}, 9, 9, RowSampling::all}};
    const auto keeps = make_gl_backend({.attention = {.memory = gpu::Memory::poisoned}, .threads = 2});
    for (const Problem& problem : problems)
        for (const Viewport& viewport : viewports) {
            const auto fresh = make_gl_backend({.attention = {.memory = gpu::Memory::poisoned}, .threads = 1});
            const AttentionView found = keeps->attend(problem, viewport, {}),
                                expected = fresh->attend(problem, viewport, {});
            ASSERT_EQ(found.logits.mean, expected.logits.mean);
            ASSERT_EQ(found.weights.mean, expected.weights.mean);
            ASSERT_EQ(found.row_log_sum, expected.row_log_sum);
        }
}

TEST_F(GlBackend, APreviewOfSomeKeysIsTheProcessors) {
    const Problem problem = make_problem(20'000, 8);
    const Viewport some{.rows = {0, 20'000},
                        .columns = {0, 20'000},
                        .cells_down = 100,
                        .cells_across = 50,
                        .row_sampling = RowSampling::one_per_cell,
                        .content = {.logits = false, .min = false, .max = false},
                        .key_sampling = KeySampling::some};
    const auto cpu = make_cpu_backend(2);
    const AttentionView found = backend_->attend(problem, some, {}), expected = cpu->attend(problem, some, {});
    EXPECT_GT(found.sum_error, 0);
    EXPECT_EQ(found.sum_error, expected.sum_error);
    EXPECT_EQ(found.weights.mean, expected.weights.mean);
    EXPECT_EQ(backend_->cost(problem, some), cpu->cost(problem, some));
    Viewport all = some;
    all.key_sampling = KeySampling::all;
    EXPECT_EQ(backend_->attend(problem, all, {}).sum_error, 0);
}

TEST_F(GlBackend, ReadsEveryKeyOnce) {
    Problem problem = make_problem(300, 16);
    std::vector<std::atomic<int>> reads(300);
    problem.inputs.k = RowSource::of([&](int token, std::span<double> row) {
        ++reads[static_cast<std::size_t>(token)];
        for (std::size_t channel = 0; channel < row.size(); ++channel)
            row[channel] = std::sin(0.7 * token + 1.3 * static_cast<double>(channel));
    });
    for (const double factor : {1.0, 0.5, 0.25}) {
        problem.lowered.inv_freq[0] = factor;
        for (const int rows : {100, 300}) {
            const Viewport viewport{{0, rows}, {0, 300}, 20, 20, RowSampling::all};
            backend_->attend(problem, viewport, {});
        }
    }
    for (const auto& count : reads) EXPECT_EQ(count, 1);
}

// A key that is too long for float lies among those on the device, or before those that are loaded.
TEST_F(GlBackend, LongKeysAreSeenWhereverTheyWereLoaded) {
    for (const int place : {10, 150, 290}) {
        Problem problem = make_problem(300, 2);
        problem.inputs.q = repeated_row({1, 0});
        problem.inputs.k = RowSource::of([=](int token, std::span<double> row) {
            row[0] = token == place ? 700 : 0.1;
            row[1] = 0;
        });
        const BruteForce truth = brute_force(problem);
        for (const int rows : {100, 300, 200, 300}) {
            const Viewport viewport{{0, rows}, {0, 300}, 20, 20, RowSampling::all};
            ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend_->attend(problem, viewport, {}))) << place << rows;
        }
    }
}

TEST_F(GlBackend, KeysWhoseLoadingWasBrokenOffAreLoadedAgain) {
    Problem problem = make_problem(700, 16);
    std::atomic<std::uint64_t> generation{0};
    std::atomic<int> left = 0;
    problem.inputs.k = RowSource::of([&](int token, std::span<double> row) {
        if (left-- == 0) ++generation;
        for (std::size_t channel = 0; channel < row.size(); ++channel)
            row[channel] = std::sin(0.7 * token + 1.3 * static_cast<double>(channel));
    });
    const BruteForce truth = brute_force(problem);
    const Viewport viewport{{0, 700}, {0, 700}, 20, 20, RowSampling::all};
    for (const int reads : {1, 100, 200}) {
        left = reads;
        EXPECT_THROW(backend_->attend(problem, viewport, Cancel(generation, generation)), Cancelled) << reads;
    }
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend_->attend(problem, viewport, {})));
}

TEST_F(GlBackend, StopsWhenItIsNoLongerWanted) {
    // A few seconds of work: by an emulation, or by a card.
    const bool is_imitation = backend_->description().find("llvmpipe") != std::string::npos;
    const int seq_len = is_imitation ? 9000 : 1 << 18;
    const Problem problem = make_problem(seq_len, 64);
    const Viewport viewport{{0, seq_len}, {0, seq_len}, 300, 300, RowSampling::all};
    std::atomic<std::uint64_t> generation{0};
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        ++generation;
    });
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(backend_->attend(problem, viewport, Cancel(generation, 0)), Cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::seconds(2));  // the whole takes longer
    ASSERT_NO_FATAL_FAILURE(expect_some_agreement(make_problem(65, 8)));
}

TEST_F(GlBackend, PassesOnWhatARowSourceThrows) {
    Problem problem = make_problem(200, 4);
    problem.inputs.k = RowSource::of([](int token, std::span<double> row) {
        if (token == 150) throw std::runtime_error("unreadable");
        std::fill(row.begin(), row.end(), 0.0);
    });
    EXPECT_THROW(backend_->attend(problem, whole(problem), {}), std::runtime_error);
    EXPECT_THROW(backend_->attend(problem, {{0, 201}, {0, 8}, 3, 3}, {}), std::logic_error);
}

TEST_F(GlBackend, LeavesTheCallersContextAlone) {
    const EglContext own({.need = {.user = "the test", .instead = "nothing"}});
    own.make_current();
    const EGLContext before = eglGetCurrentContext();
    ASSERT_NE(before, EGL_NO_CONTEXT);
    make_gl_backend()->attend(make_problem(9, 4), {{0, 9}, {0, 9}, 3, 3}, {});
    EXPECT_EQ(eglGetCurrentContext(), before);
    own.release();
}

TEST_F(GlBackend, AShaderThatDoesNotCompileIsNamed) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("attention_rows.comp")) << "layout(local_size_x = 1) in;\nvoid main() { wrong(); }\n";
    try {
        make_gl_backend({.attention = {.shaders = folder.path()}});
        ADD_FAILURE() << "it opens";
    } catch (const ShaderError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("the shader attention_rows.comp does not compile: "),
                                        HasSubstr("wrong"), testing::Not(HasSubstr("\n"))));
    }
    for (const BackendStatus& status : open_backends(1, folder.path())) {
        EXPECT_EQ(status.backend == nullptr, status.id == "gl");
        EXPECT_EQ(status.sentence.find("attention_rows.comp") != std::string::npos, status.id == "gl");
    }
    EXPECT_THROW(make_gl_backend({.attention = {.shaders = folder.path()}, .threads = 1}), ShaderError);
    const auto asked_for = open_backend("gl", 1, folder.path());
    EXPECT_EQ(asked_for->id(), "cpu");
    EXPECT_THAT(asked_for->notice(),
                AllOf(HasSubstr("attention_rows.comp does not compile"), HasSubstr("continuing on the cpu backend")));
    EXPECT_EQ(open_backend("", 1, folder.path())->id(), "cpu");
}

TEST_F(GlBackend, AnImitationIsNoCard) {
    if (may_have_graphics_card()) GTEST_SKIP() << "this machine may have a graphics card";
    EXPECT_THROW(make_gl_backend({.devices = GlDevices::cards}), DisplayError);
    const auto all = open_backends(1);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all.front().id, "cpu");
    EXPECT_EQ(all.back().id, "gl");
    EXPECT_EQ(all.back().sentence, backend_->description());
    EXPECT_EQ(open_backend("")->id(), "cpu");
    EXPECT_EQ(open_backend("gl")->id(), "gl");
}

TEST(Pieces, AreCutAtCellsAndSplits) {
    const cpu::CellGeometry cells({{0, 600}, {100, 500}, 3, 4});
    const gpu::Pieces all(cells, 600), few(cells, 250);
    EXPECT_EQ(all.split_keys, 256);
    EXPECT_THAT(all.begins, ElementsAre(0, 100, 200, 256, 300, 400, 500, 512, 600));
    EXPECT_THAT(all.split_pieces, ElementsAre(0, 3, 7));
    EXPECT_THAT(all.cell_pieces, ElementsAre(1, 2, 4, 5, 6));
    EXPECT_THAT(few.begins, ElementsAre(0, 100, 200, 250));
    EXPECT_THAT(few.split_pieces, ElementsAre(0));
    EXPECT_THAT(few.cell_pieces, ElementsAre(1, 2, 3, 3, 3));
}

TEST(Shaders, AFolderReplacesWhatItHolds) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("attention_rows.comp")) << "replaced";
    EXPECT_EQ(shader_source("attention_rows.comp", folder.path()), "replaced");
    EXPECT_EQ(shader_source("attention_cells.comp", folder.path()), shader_source("attention_cells.comp"));
    EXPECT_THAT(shader_source("attention.glsl"), testing::StartsWith("#version 430"));
    EXPECT_THROW(shader_source("no_such.comp"), std::logic_error);
}

/// Opens, or gives a reason and a way out. Prints what it says for `said`, which runs it in a process of its own.
TEST(GlOpening, OpensOrSaysWhyNot) {
    std::string answer = "(opened)";
    try {
        make_gl_backend();
    } catch (const DisplayError& error) {
        answer = error.what();
        EXPECT_THAT(answer, HasSubstr("'--backend cpu'"));
    }
    say(answer);
}

TEST(GlOpening, AnOldOpenGlIsNamed) {
    const std::string test = "GlOpening.OpensOrSaysWhyNot", now = said("", test);
    if (now != "(opened)") GTEST_SKIP() << now;
    if (may_have_graphics_card()) GTEST_SKIP() << "only Mesa's drivers can be made to claim an older version";
    EXPECT_THAT(said("MESA_GL_VERSION_OVERRIDE=3.3", test),
                AllOf(HasSubstr("OpenGL 3.3"), HasSubstr("the gl backend needs 4.3")));
}

}  // namespace
}  // namespace ropewalk
