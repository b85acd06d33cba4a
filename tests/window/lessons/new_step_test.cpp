// A step of the user's own lesson, made from what is shown.
#include "app/lessons/new_step.h"

#include <gmock/gmock.h>

#include "app/lessons/lesson_check.h"
#include "app/window/lessons/tutor.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class NewStepTest : public testing::Test {
  protected:
    /// Returns the faults of the open step.
    std::vector<std::string> faults() {
        Evaluator evaluator(open_backend("cpu", 1));
        return check_step(*tutor_.lesson(), tutor_.step_index(), evaluator).faults;
    }
    void edit(const char* settings) {
        session_.document.edit(changed(session_.document.experiment(), settings), Gesture::complete);
    }

    TemporaryFolder folder_;
    Session session_{open_scene("barbero-prop31"), {}};
    Tutor tutor_{session_, {.own_folder = folder_.file("lessons")}};
};

TEST_F(NewStepTest, BeginsWithWhatIsShown) {
    edit("encoding=yarn encoding.factor=4 seq_len=512");
    session_.document.forget_before();
    session_.document.view.figures = {figure_of("decay"), figure_of("wavelengths")};
    set_options(session_.document.view.figures.front(),
                {"axis=linear", "compared=encoding=nope | construction.distance=3", "x=10:200",
                 "pinned=encoding=nope seq_len=64 | -"});
    session_.document.view.cursor = {.query = 99, .key = 9};
    const Experiment shown = session_.document.experiment();
    const std::vector<Figure> figures = session_.document.view.figures;
    tutor_.add_step();
    ASSERT_NE(tutor_.lesson(), nullptr) << session_.notices.current().sentence;
    EXPECT_EQ(tutor_.lesson()->file, folder_.file("lessons/my-lesson.lesson"));
    EXPECT_EQ(session_.document.experiment(), shown);
    EXPECT_EQ(session_.document.view.figures, figures);
    EXPECT_EQ(session_.document.cursor().query, 99);
    EXPECT_FALSE(tutor_.step().has_task());
    EXPECT_EQ(tutor_.step().pointer.figure, "decay");
    EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(NewStepTest, TheLastChangeIsItsTask) {
    const Experiment before = session_.document.experiment();
    edit("encoding.base=500000");
    tutor_.add_step();
    EXPECT_EQ(session_.document.experiment(), before);
    EXPECT_EQ(tutor_.step().pointer.control, "encoding.base");
    EXPECT_THAT(read_file(tutor_.lesson()->file, 1 << 20), HasSubstr("do: Set Base θ to 500 000.\n"));
    EXPECT_THAT(faults(), IsEmpty()) << "it is open at first, and the solution completes it";
    edit("encoding=nope");
    tutor_.add_step();
    EXPECT_EQ(tutor_.lesson()->steps.size(), 2u) << "one's own lesson grows";
    EXPECT_EQ(tutor_.step_index(), 1);
    EXPECT_THAT(faults(), IsEmpty());
    EXPECT_THAT(folder_.names(), ElementsAre("lessons"));
    tutor_.start("rotation");
    tutor_.add_step();
    EXPECT_EQ(tutor_.lesson()->file, folder_.file("lessons/my-lesson-2.lesson")) << "a bundled lesson does not";
    EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(NewStepTest, EveryBundledSceneCanBegin) {
    for (const std::string& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        scene.bundled = true;
        const std::string text = with_step("", {.title = "Step 1", .start = scene, .changed = {}});
        EXPECT_EQ(start_of(parse_lesson(text, "a.lesson"), 0).experiment, scene.experiment) << name;
    }
}

TEST_F(NewStepTest, AHeadFromFilesIsRefused) {
    const std::vector<float> rows(4 * 8, 1);
    atomic_write(folder_.file("q.npy"), npy_bytes(std::vector<std::int64_t>{4, 8}, std::span<const float>(rows)));
    ASSERT_TRUE(session_.files.open({folder_.file("q.npy")}));
    tutor_.add_step();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("files"));
    EXPECT_EQ(tutor_.lesson(), nullptr);
    EXPECT_THAT(folder_.names(), ElementsAre("q.npy"));
}

}  // namespace
}  // namespace ropewalk
