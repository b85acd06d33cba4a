#include <gmock/gmock.h>

#include "core/numbers/numbers.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Stroke stroke{{0, 0, 0}, 1, 0};
const TextStyle style{.size = 12, .color = {0, 0, 0}};

class Recording : public testing::Test {
  protected:
    RecordingCanvas canvas_{{0, 0, 100, 100}};
};

TEST_F(Recording, FindsNoFaultInASoundDrawing) {
    const Point points[] = {{1, 1}, {50, 99}};
    const Point lower[] = {{1, 2}, {50, 99}};
    canvas_.push_clip({10, 10, 80, 80});
    canvas_.Canvas::fill_rect({0, 0, 200, 200}, {1, 2, 3});
    canvas_.pop_clip();
    canvas_.polyline(points, stroke);
    canvas_.fill_between(points, lower, {1, 2, 3});
    canvas_.circle({50, 50}, 10, {1, 2, 3}, stroke);
    canvas_.text({10, 30}, "one", style);
    canvas_.text({10, 45}, "two", style);
    canvas_.image({0, 0, 100, 100}, {2, 1, std::vector<Color>(2)});
    EXPECT_THAT(canvas_.faults(), IsEmpty());
    EXPECT_EQ(canvas_.drawn().size(), 7u);
    EXPECT_EQ(canvas_.drawn()[0].clip, (Rect{10, 10, 80, 80}));
    EXPECT_EQ(std::get<DrawnImage>(canvas_.drawn()[6].what).columns, 2);
    ASSERT_EQ(canvas_.texts().size(), 2u);
    EXPECT_EQ(canvas_.texts()[1].text, "two");
}

TEST_F(Recording, FindsCoordinatesThatAreNotFinite) {
    const Point points[] = {{1, 1}, {nan, 5}};
    canvas_.polyline(points, stroke);
    canvas_.Canvas::fill_rect({0, nan, 1, 1}, {});
    canvas_.circle({0, infinity}, 1, {}, stroke);
    canvas_.text({nan, 5}, "lost", style);
    EXPECT_THAT(canvas_.faults(),
                ElementsAre(HasSubstr("a line"), HasSubstr("a rectangle"), HasSubstr("a circle"), HasSubstr("'lost'")));
}

TEST_F(Recording, FindsInkOutsideTheBounds) {
    canvas_.Canvas::fill_rect({90, 90, 20, 5}, {});
    canvas_.text({98, 50}, "beyond", style);
    const Point points[] = {{-5, 5}, {5, 5}};
    canvas_.polyline(points, stroke);
    EXPECT_THAT(canvas_.faults(), ElementsAre(HasSubstr("a rectangle"), HasSubstr("'beyond'"), HasSubstr("a line")));
}

TEST_F(Recording, FindsNegativeSizes) {
    canvas_.Canvas::fill_rect({50, 50, -5, 5}, {});
    EXPECT_THAT(canvas_.faults(), ElementsAre(HasSubstr("negative")));
}

TEST_F(Recording, FindsTextsThatOverlap) {
    canvas_.text({10, 50}, "one", style);
    canvas_.text({20, 52}, "two", style);
    canvas_.text({60, 50}, "apart", style);
    EXPECT_THAT(canvas_.faults(), ElementsAre("The texts 'one' and 'two' overlap."));
}

TEST_F(Recording, KnowsTheBoxOfRotatedText) {
    TextStyle upright = style;
    upright.rotation = Rotation::quarter_left;
    upright.across = Align::middle;
    canvas_.text({50, 50}, "a rather long title", upright);
    const Rect box = canvas_.texts()[0].box;
    EXPECT_GT(box.height, 5 * box.width);
    EXPECT_NEAR(box.centre().y, 50, 2);
    EXPECT_NEAR(box.centre().x, 50, 4);
}

TEST_F(Recording, FindsUnbalancedClips) {
    canvas_.push_clip({0, 0, 10, 10});
    EXPECT_THAT(canvas_.faults(), ElementsAre(HasSubstr("1 clips were not popped")));
    canvas_.pop_clip();
    EXPECT_THAT(canvas_.faults(), IsEmpty());
    canvas_.pop_clip();
    EXPECT_THAT(canvas_.faults(), ElementsAre(HasSubstr("1 clips were popped without a push")));
}

TEST_F(Recording, IntersectsNestedClips) {
    canvas_.push_clip({0, 0, 50, 50});
    canvas_.push_clip({40, 40, 50, 50});
    canvas_.Canvas::fill_rect({-1000, 0, 5000, 5000}, {});
    EXPECT_EQ(canvas_.drawn()[0].clip, (Rect{40, 40, 10, 10}));
}

}  // namespace
}  // namespace ropewalk
