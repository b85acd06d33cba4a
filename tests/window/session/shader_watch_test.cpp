// Shaders saved while the window is open.
#include "app/window/session/shader_watch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/figures/figure_list.h"
#include "app/window/session/session.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/gpu/shaders.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class SavedShaders : public testing::Test {
  protected:
    void SetUp() override {
        for (const auto& [name, text] : embedded_shaders) write(std::string(name), std::string(text));
        const auto statuses = open_backends(1);
        for (const BackendStatus& status : statuses)
            if (status.id == "gl" && !status.backend) GTEST_SKIP() << status.sentence;
        restart();
    }
    void restart() {
        session_.emplace(
            open_scene("barbero-fig2b", {"seq_len=48"}),
            SessionOptions{.computation = {.backend = {.id = "gl", .threads = 1, .shaders = folder_.path()}}});
    }
    void write(const std::string& name, const std::string& text) { atomic_write(folder_.file(name), text); }
    /// Replaces text in the shader that computes logits, or in another one.
    void replace(const std::string& what, const std::string& by, const std::string& name = "attention_scan.comp") {
        std::string text = read_file(folder_.file(name), 1 << 20);
        const std::size_t at = text.find(what);
        ASSERT_NE(at, std::string::npos);
        write(name, text.replace(at, what.size(), by));
    }
    std::ptrdiff_t line_of(const std::string& what, const std::string& name) {
        const std::string text = read_file(folder_.file(name), 1 << 20);
        return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(what)), '\n');
    }
    /// Runs frames until there is a new notice.
    std::string next_notice() {
        const int before = session_->notices.current().number;
        for (int frame = 0; frame < 1000 && session_->notices.current().number == before; ++frame) {
            session_->refresh();
            EXPECT_LE(session_->computation.follow_shaders(), 1);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return session_->notices.current().sentence;
    }
    Needs needs() const { return needs_of(AttentionFigure{.quantity = Quantity::logits}, experiment(), {48, 48}); }
    const Experiment& experiment() const { return session_->document.experiment(); }
    static double first_logit(const std::shared_ptr<const Results>& results) {
        return results ? results->all_of<ViewQuestion>().front().answer->logits.mean.front() : nan;
    }
    double logit() {
        session_->computation.ask(needs());
        session_->computation.ask_reference(needs());
        session_->computation.wait();
        return first_logit(session_->computation.results_for(needs()));
    }

    TemporaryFolder folder_;
    std::optional<Session> session_;
};

TEST_F(SavedShaders, AreTakenOverByAnOpenWindow) {
    session_->document.set_reference();
    const double before = logit();
    ASSERT_NE(before, 0);
    replace("= scores[entry / 4][entry % 4];", "= 2.0 * scores[entry / 4][entry % 4];");
    EXPECT_EQ(next_notice(), "Shaders reloaded");
    session_->refresh();
    EXPECT_EQ(first_logit(session_->computation.results_for(needs())), before) << "shown until there are new results";
    EXPECT_DOUBLE_EQ(logit(), 2 * before);
    EXPECT_DOUBLE_EQ(first_logit(session_->computation.reference_for(needs())), 2 * before);

    replace("= 2.0 * scores", "= two * scores");
    EXPECT_THAT(next_notice(), AllOf(HasSubstr("attention_scan.comp does not compile"), HasSubstr("two"),
                                     HasSubstr("Still using the previous shaders")));
    EXPECT_EQ(session_->notices.current().kind, Notice::Kind::error);
    EXPECT_DOUBLE_EQ(logit(), 2 * before) << "the previous ones are still used";

    replace("= two * scores", "= scores");
    EXPECT_EQ(next_notice(), "Shaders reloaded");
    EXPECT_DOUBLE_EQ(logit(), before);
}

TEST_F(SavedShaders, AreReportedWithFileAndLine) {
    logit();
    replace("const int tile = 64;", "const int tile = sixty_four;", "attention.glsl");
    const auto shared = line_of("sixty_four", "attention.glsl"), own = line_of("= scores", "attention_scan.comp");
    EXPECT_THAT(next_notice(), AllOf(HasSubstr(fmt::format("attention.glsl does not compile: line {}: ", shared)),
                                     HasSubstr("sixty_four")));
    replace("const int tile = sixty_four;", "const int tile = 64;", "attention.glsl");
    EXPECT_EQ(next_notice(), "Shaders reloaded");
    replace("= scores", "= no_scores");
    EXPECT_THAT(next_notice(), HasSubstr(fmt::format("attention_scan.comp does not compile: line {}: ", own)));
}

TEST_F(SavedShaders, ThatWereBrokenAtTheStartAreTakenOverOnceCorrected) {
    replace("= scores[entry / 4][entry % 4];", "= wrong[entry];");
    restart();
    EXPECT_NE(logit(), 0) << "the cpu backend is used";
    session_->refresh();
    EXPECT_THAT(session_->notices.current().sentence,
                AllOf(HasSubstr("attention_scan.comp does not compile"), HasSubstr("continuing on the cpu backend")));
    EXPECT_THAT(session_->computation.backend_description(), testing::StartsWith("cpu"));
    replace("= wrong[entry];", "= as_wrong[entry];");
    EXPECT_THAT(next_notice(), HasSubstr("Continuing on the cpu backend"));
    replace("= as_wrong[entry];", "= scores[entry / 4][entry % 4];");
    EXPECT_EQ(next_notice(), "Shaders reloaded");
    EXPECT_THAT(session_->computation.backend_description(), testing::StartsWith("gl"));
    EXPECT_NE(logit(), 0);
}

TEST(ShaderWatch, OpensOncePerSave) {
    const TemporaryFolder folder;
    int opened = 0;
    ShaderWatch watch(folder.path(), [&] {
        ++opened;
        if (opened == 2) throw DisplayError("it is wrong");
        Backends backends;
        backends.push_back(open_backend("reference"));
        return backends;
    });
    const auto frames = [&] {
        Backends taken;
        for (int frame = 0; frame < 80 && taken.empty(); ++frame) {
            watch.update();
            taken = watch.take();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return taken;
    };
    EXPECT_TRUE(frames().empty()) << "nothing was saved";
    atomic_write(folder.file(".attention_scan.comp.swp"), "an editor's");
    EXPECT_TRUE(frames().empty()) << "not a shader";
    atomic_write(folder.file("attention_scan.comp"), "one");
    EXPECT_FALSE(frames().empty());
    EXPECT_TRUE(frames().empty()) << "once";
    atomic_write(folder.file("attention_scan.comp"), "two!");
    EXPECT_THROW(frames(), DisplayError);
    EXPECT_EQ(opened, 2);
    EXPECT_EQ(ShaderWatch().update(), infinity);
}

}  // namespace
}  // namespace ropewalk
