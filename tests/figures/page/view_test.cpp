// Reading and writing of views.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
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
    EXPECT_EQ(read(R"({"figures": [{"id": "decay"}, {"id": "entropy"}]})").places(), 2) << "no others are added";
    EXPECT_EQ(read(R"({"figures": [{"id": "decay"}, {"id": "decay"}, {"id": "entropy"}], "beside": [0]})").place_of(2),
              0);
    EXPECT_THROW(read(R"({"figures": []})"), InputError);
    EXPECT_THROW(read(R"({"figures": [{"id": "decay"}], "beside": [0]})"), InputError);
    EXPECT_EQ(read("{" + six + R"(, "beside": [3]})").place_of(5), 3);
    EXPECT_EQ(read("{" + six + R"(, "layout": {"maximised": 5}})").maximised(), 5);
    EXPECT_EQ(read(R"({"layout": {"maximised": 5}})").maximised(), std::nullopt) << "there is no such panel";
    for (const char* wrong : {R"(, "beside": []})", R"(, "beside": [5]})", R"(, "beside": 3})"})
        EXPECT_THROW(read("{" + six + wrong), InputError) << wrong;
}

TEST(View, ASidebarThatANarrowWindowMadeTooNarrowIsWidened) {
    Scene scene = parse_scene(R"({"schema": 1, "view": {"layout": {"sidebar": 206.4, "main": 0.5}}})", "scene", {});
    EXPECT_EQ(read_view(scene).layout.sidebar, Layout::min_sidebar);
    EXPECT_EQ(read_view(scene).layout.main, 0.5);
}

TEST(View, WhatIsNoViewIsRefusedWithItsPlace) {
    const auto rejection = [](const std::string& view) -> std::string {
        try {
            Scene scene = parse_scene(R"({"schema": 1, "view": )" + view + "}", "scene", {});
            read_view(scene);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    using testing::HasSubstr;
    EXPECT_THAT(rejection(R"({"cursor": [1, 2]})"), HasSubstr("/view/cursor: must be an object with query, key"));
    EXPECT_THAT(rejection(R"({"cursor": {"locked": 1}})"), HasSubstr("/view/cursor/locked"));
    EXPECT_THAT(rejection(R"({"figures": {"id": "decay"}})"), HasSubstr("/view/figures: must be a list of one to ten"));
    EXPECT_THAT(rejection(R"({"figures": [{"id": "nonsense"}]})"), HasSubstr("/view/figures/0"));
    EXPECT_THAT(rejection(R"({"layout": {"main": 99}})"), HasSubstr("/view/layout: main is 99; it must be a number"));
    EXPECT_THAT(rejection(R"({"layout": {"sidebar": "NaN"}})"), HasSubstr("/view/layout: sidebar is NaN"));
    EXPECT_THAT(rejection(R"({"presenter": "encoding.base"})"),
                HasSubstr("/view/presenter: must be a list of at most 32 fields"));
    EXPECT_THAT(rejection(nlohmann::json{{"presenter", std::vector<std::string>(33, "seq_len")}}.dump()),
                HasSubstr("/view/presenter: must be a list of at most 32 fields"));
    EXPECT_THAT(rejection(R"({"presenter": [1]})"), HasSubstr("/view/presenter/0"));
    Scene scene =
        parse_scene(R"({"schema": 1, "view": {"presenter": ["seq_len", "encoding.base", "seq_len"]}})", "s", {});
    EXPECT_THAT(read_view(scene).presenter, testing::ElementsAre("seq_len", "encoding.base"));
}

TEST(View, AFigureListsAtMost32CurvesOrRuns) {
    std::string most = "seq_len=1";
    for (std::size_t i = 2; i <= most_curves; ++i) most += fmt::format(" | seq_len={}", i);
    const auto rejection = [](const auto& read) -> std::string {
        try {
            read();
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    int lists = 0;
    const auto expect_limit = [&](const std::string& id, const Field& field) {
        const auto set = [&](const std::string& list) {
            Figure figure = figure_called(id, {});
            set_options(figure, {fmt::format("{}={}", field.name, list)});
        };
        const auto open = [&](const std::string& list) {
            Scene scene;
            scene.view = {{"figures", {{{"id", id}, {field.name, list}}}}};
            read_view(scene);
        };
        const std::string more = most + " | -",
                          sentence = fmt::format("{} has 33 entries; it must have at most 32", field.name);
        EXPECT_EQ(rejection([&] { set(most); }), "accepted") << id;
        EXPECT_EQ(rejection([&] { set(more); }), sentence) << id;
        EXPECT_EQ(rejection([&] { open(most); }), "accepted") << id;
        EXPECT_THAT(rejection([&] { open(more); }),
                    testing::EndsWith(fmt::format("/view/figures/0/{}: {}", field.name, sentence)))
            << id;
        ++lists;
    };
    for_each_alternative<Figure>([&](const auto& figure) {
        ConstGroupRef(figure).for_each([&](const Field& field, const auto&) {
            if (field.of_settings || field.name == std::string_view("pinned")) expect_limit(figure.id, field);
        });
    });
    EXPECT_GE(lists, 6) << "two each of three figures";
}

TEST(View, AnOptionThatAFigureLacksIsRefusedWithTheOneThatIsMeant) {
    const auto rejection = [](Figure figure, const std::string& setting) -> std::string {
        try {
            set_options(figure, {setting});
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    using testing::HasSubstr;
    EXPECT_EQ(rejection(DecayFigure{}, "axis=linear"), "accepted");
    EXPECT_THAT(rejection(DecayFigure{}, "axis"), HasSubstr("must be name=value"));
    EXPECT_THAT(rejection(DecayFigure{}, "axes=linear"), HasSubstr("did you mean 'axis'?"));
    EXPECT_THAT(rejection(DecayFigure{}, "seq_len=4"), HasSubstr("Set it with --set"));
    EXPECT_THAT(rejection(DecayFigure{}, "qqqqqq=4"), HasSubstr("its options are"));
    EXPECT_THAT(rejection(BatchFigure{}, "qqqqqq=4"), HasSubstr("unknown option 'qqqqqq' of batch"));
}

TEST(View, ClosingAPanelKeepsTheOthersInTheirPlaces) {
    View view;
    view.show_only({DecayFigure{}, EntropyFigure{}, WavelengthsFigure{}});
    view.duplicate(0);
    view.duplicate(2);
    ASSERT_EQ(view.panels(), 5);
    ASSERT_EQ(view.places(), 3);
    view.close(1);  // a place goes, and those after it move up
    EXPECT_EQ(view.places(), 2);
    EXPECT_EQ(view.panels_in(0), (std::vector{0, 2}));
    EXPECT_EQ(view.panels_in(1), (std::vector{1, 3}));
    EXPECT_STREQ(id_of(view.figure(1)), "wavelengths");
    view.figure(2) = RotationsFigure{};
    view.close(0);  // the panel beside it takes over its place
    EXPECT_EQ(view.places(), 2);
    EXPECT_STREQ(id_of(view.figure(0)), "rotations");
    EXPECT_EQ(view.panels_in(1), (std::vector{1, 2}));
    while (view.can_close()) view.close(0);
    EXPECT_EQ(view.places(), 1);
    for (int added = 1; added < most_panels; ++added) view.add(DecayFigure{});
    EXPECT_FALSE(view.can_add());
    EXPECT_EQ(view.places(), most_places);
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

// Scenes of earlier versions spell some ids otherwise (core/fields/old_names).
TEST(View, OldIdsAreRead) {
    Scene scene = parse_scene(R"({"schema": 1, "view": {"figures": [
        {"id": "attention", "pooling": "greatest"}, {"id": "attention", "pooling": "least"},
        {"id": "attention", "pooling": "farthest"}, {"id": "shift", "greatest": 7},
        {"id": "base_bound", "part": "least_base", "march_to": 2000}]}})",
                              "scene", {});
    const View view = read_view(scene);
    EXPECT_TRUE(scene.warnings.empty());
    EXPECT_EQ(get<AttentionFigure>(view.figures[0]).pooling, Pooling::max);
    EXPECT_EQ(get<AttentionFigure>(view.figures[1]).pooling, Pooling::min);
    EXPECT_EQ(get<AttentionFigure>(view.figures[2]).pooling, Pooling::abs_max);
    EXPECT_EQ(get<ShiftFigure>(view.figures[3]).max, 7);
    EXPECT_EQ(get<BaseBoundFigure>(view.figures[4]).part, BaseBoundPart::min_base);
    EXPECT_EQ(get<BaseBoundFigure>(view.figures[4]).certify_up_to, 2000);
    write_view(view, scene);
    EXPECT_EQ(scene_text(scene).find("greatest"), std::string::npos) << "and written under their new names";
    Figure set = ShiftFigure{};
    set_options(set, {"greatest=9"});
    EXPECT_EQ(get<ShiftFigure>(set).max, 9);
}

TEST(View, UnknownKeysOfAFigureStayWithIt) {
    Scene scene = parse_scene(R"({"schema": 1, "view": {"figures": [
        {"id": "decay", "hue": 1}, {"id": "attention"}, {"id": "decay", "hue": 2}, {"id": "shift", "hue": 3}]}})",
                              "scene", {});
    View view = read_view(scene);
    EXPECT_EQ(scene.warnings.size(), 3u);
    view.figures.pop_back();
    std::swap(view.figures[0], view.figures[1]);
    get<DecayFigure>(view.figures[2]).axis = AxisScale::linear;
    write_view(view, scene);
    const nlohmann::json& figures = scene.view["figures"];
    ASSERT_EQ(figures.size(), 3u);
    EXPECT_FALSE(figures[0].contains("hue"));
    EXPECT_EQ(figures[1]["hue"], 1);
    EXPECT_EQ(figures[2]["hue"], 2);
    EXPECT_EQ(figures[2]["axis"], "linear");
    EXPECT_EQ(read_view(scene), view);
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
