// Reading and writing of views.
#include <gtest/gtest.h>

#include "app/figures/page/view_io.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

TEST(View, DuplicatesNameTheirPlace) {
    const auto read = [](const std::string& view) {
        Scene scene = parse_scene(R"({"schema": 1, "view": )" + view + "}", "scene", {});
        return read_view(scene);
    };
    const std::string six = R"("figures": [{"id": "decay"}, {"id": "decay"}, {"id": "decay"}, {"id": "decay"},
                                            {"id": "decay"}, {"id": "entropy"}])";
    EXPECT_EQ(read("{" + six + "}").place_of(5), 0);
    EXPECT_EQ(read("{" + six + R"(, "beside": [3]})").place_of(5), 3);
    EXPECT_EQ(read("{" + six + R"(, "layout": {"maximised": 5}})").maximised(), 5);
    EXPECT_EQ(read(R"({"layout": {"maximised": 5}})").maximised(), std::nullopt) << "there is no such panel";
    for (const char* wrong : {R"(, "beside": []})", R"(, "beside": [5]})", R"(, "beside": 3})"})
        EXPECT_THROW(read("{" + six + wrong), InputError) << wrong;
}

TEST(View, ACursorOnTheLastRowFollowsTheSequence) {
    Experiment before, after;
    before.seq_len = 64, after.seq_len = 512;
    const auto gone = [&](Cursor cursor, bool locked = false) {
        View view;
        view.cursor = cursor, view.cursor_locked = locked;
        view.go_with(before, after);
        return view.cursor;
    };
    EXPECT_EQ(gone({63, 10, 3}), (Cursor{511, 10, 3}));
    EXPECT_EQ(gone({63, 63, 3}), (Cursor{511, 511, 3})) << "on the diagonal it stays";
    EXPECT_EQ(gone({62, 10, 3}), (Cursor{62, 10, 3})) << "another row has nothing to do with the end";
    EXPECT_EQ(gone({63, 10, 3}, true), (Cursor{63, 10, 3})) << "a cell that was clicked is that cell";
    std::swap(before, after);
    EXPECT_EQ(gone({511, 10, 3}), (Cursor{63, 10, 3}));
    EXPECT_EQ(gone({300, 200, 3}), (Cursor{63, 63, 3}));
    EXPECT_EQ(gone({600, 5000, 3}), (Cursor{63, 63, 3}));
    EXPECT_EQ(gone({300, 200, 3}, true), (Cursor{300, 200, 3})) << "until there are enough tokens again";
}

TEST(View, RoundTripIsLossless) {
    for (const auto& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        const View view = read_view(scene);
        EXPECT_TRUE(scene.warnings.empty()) << name;
        write_view(view, scene);
        EXPECT_EQ(read_view(scene), view) << name;
    }
}

}  // namespace
}  // namespace ropewalk
