// The command line that is copied sets what differs, and no more: read as the program reads it, it says the same.
#include "app/figures/figure_call.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "app/figures/view_io.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

/// The words that a shell makes of a command line.
std::vector<std::string> words_of(const std::string& call) {
    const std::string command = "printf '%s\\n' " + call;
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
    pclose(pipe);
    std::istringstream lines(text);
    std::vector<std::string> words;
    for (std::string line; std::getline(lines, line);) words.push_back(line);
    return words;
}

void expect_same(const Scene& scene, const Experiment& experiment, const Figure& figure) {
    const std::string call = figure_call(scene, experiment, figure);
    const auto words = words_of(call);
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

TEST(FigureCall, SaysWhatDiffersAndNoMore) {
    Scene scene = open_scene("wendler-recency");
    EXPECT_EQ(figure_call(scene, scene.experiment, DecayFigure{}).find("--set"), std::string::npos);
    expect_same(scene, scene.experiment, read_view(scene).figures.front());
    for (const char* settings :
         {"encoding=yarn encoding.factor=3 seq_len=100", "construction=gaussian construction.samples=7 seed=5",
          "encoding=random_rope encoding.upper=5000", "construction=bands construction.amplitudes=1,-2,3.5 head_dim=6",
          "positions.start=1000 positions.stride=3 mask=none temperature=0.25 scale=sqrt_d pairing=half_split"})
        expect_same(scene, changed(scene.experiment, settings), DecayFigure{.axis = AxisScale::linear});
}

TEST(FigureCall, QuotesWhatAShellWouldRead) {
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

TEST(FigureCall, EveryFigureAsItStandsInEveryScene) {
    for (const std::string& name : bundled_scenes()) {
        Scene scene = open_scene(name);
        scene.bundled = true;
        for (const Figure& figure : read_view(scene).figures) {
            const std::string call = figure_call(scene, scene.experiment, figure);
            EXPECT_EQ(call.find("--set"), std::string::npos) << call;
        }
    }
}

}  // namespace
}  // namespace ropewalk
