// The copied command line sets only what differs, and reproduces the figure when the program reads it.
#include "app/figures/page/figure_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "core/constructions/construction_list.h"
#include "core/io/files.h"
#include "tests/output_of.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

/// Splits a command line into words as a shell does.
std::vector<std::string> words_of_call(const std::string& call) {
    std::istringstream lines(output_of("printf '%s\\n' " + call));
    std::vector<std::string> words;
    for (std::string line; std::getline(lines, line);) words.push_back(line);
    return words;
}

void expect_same(Scene scene, const Experiment& experiment, const Figure& figure) {
    const std::string call = figure_call(
        scene,
        {.experiment = experiment, .reference = scene.reference, .cursor = read_view(scene).cursor, .figure = figure});
    const auto words = words_of_call(call);
    ASSERT_GE(words.size(), 6u) << call;
    EXPECT_EQ(words[0] + words[1] + words[3], std::string("ropewalkfigure") + id_of(figure)) << call;
    Settings settings;
    std::vector<std::string> options;
    for (std::size_t i = 4; i + 1 < words.size(); i += 2) {
        if (words[i] == "--set") settings.push_back(words[i + 1]);
        if (words[i] == "--option") options.push_back(words[i + 1]);
    }
    Scene read = open_scene(words[2], settings);
    EXPECT_EQ(read.experiment, experiment) << call;
    Figure drawn = figure_called(words[3], read_view(read));
    set_options(drawn, options);
    EXPECT_EQ(drawn, figure) << call;
}

TEST(FigureCall, SetsOnlyWhatDiffers) {
    Scene scene = open_scene("wendler-recency");
    EXPECT_EQ(figure_call(scene, {.experiment = scene.experiment, .figure = DecayFigure{}}).find("--set"),
              std::string::npos);
    expect_same(scene, scene.experiment, read_view(scene).figures.front());
    for (const char* settings :
         {"encoding=yarn encoding.factor=3 seq_len=100", "construction=gaussian construction.samples=7 seed=5",
          "encoding=random_rope encoding.upper=5000", "construction=bands construction.amplitudes=1,-2,3.5 head_dim=6",
          "positions.start=1000 positions.stride=3 mask=none temperature=0.25 scale=sqrt_d pairing=half_split"})
        expect_same(scene, changed(scene.experiment, settings), DecayFigure{.axis = AxisScale::linear});
}

TEST(FigureCall, SetsCursorAndReference) {
    const Scene scene = open_scene("wendler-recency");
    ShownFigure shown{
        .experiment = scene.experiment, .cursor = {.query = 7, .key = 3}, .figure = ContributionsFigure{}};
    EXPECT_THAT(figure_call(scene, shown), testing::HasSubstr(" --query 7 --key 3 -o "));
    shown.figure = AttentionRowFigure{};
    EXPECT_THAT(figure_call(scene, shown), testing::HasSubstr(" attention_row --query 7 -o "));
    shown.figure = WavelengthsFigure{};
    EXPECT_THAT(figure_call(scene, shown), testing::Not(testing::HasSubstr("--query")));
    shown.reference = changed(scene.experiment, "encoding=yarn seq_len=9");
    EXPECT_THAT(figure_call(scene, shown), testing::HasSubstr(" --reference seq_len=9 --reference encoding=yarn -o "));
    shown.reference = scene.experiment;
    EXPECT_THAT(figure_call(scene, shown), testing::HasSubstr(" --reference seq_len="));
    shown.figure = AttentionFigure{};
    EXPECT_THAT(figure_call(scene, shown), testing::Not(testing::HasSubstr("reference"))) << "it does not draw one";
    shown.figure = AttentionFigure{.against = Against::reference};
    EXPECT_THAT(figure_call(scene, shown), testing::HasSubstr(" --reference seq_len="));
    shown.figure = WavelengthsFigure{};
    Scene compared = scene;
    const TemporaryFolder folder;
    compared.reference = shown.reference;
    compared.path = folder.file("compared.json");
    compared.bundled = false;
    atomic_write(compared.path, scene_text(compared));
    EXPECT_THAT(figure_call(compared, shown), testing::Not(testing::HasSubstr("reference")));
    shown.reference.reset();
    EXPECT_THAT(figure_call(compared, shown), testing::HasSubstr(" --without reference"));
}

TEST(FigureCall, QuotesSpecialCharacters) {
    Scene scene = open_scene("barbero-fig2a");
    Experiment experiment = scene.experiment;
    experiment.construction = Text{.text = "it's $HOME; `ls` \"and\" *"};
    DecayFigure figure;
    figure.compared = "encoding=nope | encoding=yarn encoding.factor=2";
    expect_same(scene, experiment, figure);
}

TEST(FigureCall, NeedsNoFile) {
    expect_same({}, changed({}, "encoding=alibi construction=ones head_dim=32"), RotationHeatmapFigure{});
}

TEST(FigureCall, ReproducesEveryFigureOfEveryScene) {
    for (const std::string& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        scene.bundled = true;
        for (const Figure& figure : read_view(scene).figures) {
            const std::string call = figure_call(scene, {.experiment = scene.experiment,
                                                         .reference = scene.reference,
                                                         .cursor = read_view(scene).cursor,
                                                         .figure = figure});
            EXPECT_EQ(call.find("--set"), std::string::npos) << call;
            EXPECT_EQ(call.find("--query"), std::string::npos) << call;
            EXPECT_EQ(call.find("reference"), std::string::npos) << call;
        }
    }
}

}  // namespace
}  // namespace ropewalk
