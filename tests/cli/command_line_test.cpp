// The program as a user calls it: outputs, exit codes, one line on stderr.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/io/npy.h"
#include "tests/cli/command_line_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CommandLine, PrintsItsVersionAndHelp) {
    EXPECT_THAT(run("--version").out, StartsWith("ropewalk 0."));
    EXPECT_EQ(run("--version").code, 0);
    EXPECT_THAT(run("--help").out, HasSubstr("figure"));
    EXPECT_THAT(run("data --help").out, HasSubstr("--rows"));
}

TEST_F(CommandLine, HelpListsWhatEachCommandTakes) {
    const std::string computing = "--set --backend --threads --shaders ", drawing = "--theme --size --scale ",
                      lessons = "--lessons --lesson --step ";
    const std::string all = computing + drawing + lessons + "--option --output --trace-frames --rows --json ";
    const std::pair<const char*, std::string> taken[] = {{"", computing + drawing + lessons + "--trace-frames "},
                                                         {"figure", computing + drawing + "--option --output "},
                                                         {"data", computing + "--option --output --rows "},
                                                         {"screenshot", computing + drawing + lessons + "--output "},
                                                         {"list", "--json "},
                                                         {"bench", "--backend --threads --json "},
                                                         {"check", ""}};
    for (const auto& [command, options] : taken) {
        const std::string help = run(std::string(command) + " --help").out;
        std::istringstream words(all);
        for (std::string option; words >> option;)
            EXPECT_EQ(help.find(option) != help.npos, options.find(option + " ") != options.npos)
                << command << " " << option << "\n"
                << help;
        EXPECT_THAT(run("--help").out, HasSubstr(command));
    }
    EXPECT_THAT(run("--help").out, HasSubstr("SUBCOMMAND --help"));
    EXPECT_THAT(run("figure --help").out, testing::Not(HasSubstr("SUBCOMMAND --help")));
    EXPECT_THAT(run("figure --help").out, HasSubstr("Usage: ropewalk figure [OPTIONS] scene figure"));
}

TEST_F(CommandLine, OptionsMayPrecedeACommandThatTakesThem) {
    EXPECT_EQ(run("--set head_dim=8 --backend reference data barbero-fig2a inv_freq --set head_dim=4").out,
              run("data barbero-fig2a inv_freq --set head_dim=4").out)
        << "settings apply in order";
    EXPECT_EQ(run("--set head_dim=4 data barbero-fig2a inv_freq --set encoding.base=100").out, "inv_freq\n1\n0.1\n");
    expect_refused("--theme dark data barbero-fig2a inv_freq", 2, "`ropewalk data` does not take --theme");
    expect_refused("list --set head_dim=4", 2, "`ropewalk list --help`");
    expect_refused("check barbero-fig2a --backend cpu", 2, "--backend");
}

TEST_F(CommandLine, WritesDataInEveryFormat) {
    write("scene.json", R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 3}})");
    ASSERT_EQ(run("data scene.json weights -o w.npy").code, 0);
    const NpyArray array = read_npy(folder_.file("w.npy"));
    EXPECT_EQ(array.shape, (std::vector<std::int64_t>{3, 3}));
    EXPECT_EQ(array.dtype, "<f4");
    EXPECT_EQ(array.values[1], 0);
    ASSERT_EQ(run("data scene.json weights -o w64.npy --backend reference").code, 0);
    EXPECT_EQ(read_npy(folder_.file("w64.npy")).dtype, "<f8");
    const Ran csv = run("data scene.json logits");
    EXPECT_THAT(csv.out, StartsWith("key_0,key_1,key_2\n1,-Infinity,-Infinity\n"));
    const auto json = parse_json(run("data scene.json logits -o - --format json").out, "out");
    EXPECT_EQ(json["shape"], (std::vector{3, 3}));
    EXPECT_EQ(json["values"][0][1], "-Infinity");
    EXPECT_EQ(json["values"][0][0], 1.0);
    for (const char* what : {"inv_freq", "wavelengths", "attention_scaling", "q", "k", "scores", "row", "decay",
                             "contributions", "rotation_heatmap", "frequency_usage"})
        for (const char* format : {"npy", "csv", "json"}) {
            const Ran ran = run(std::string("data scene.json ") + what + " -o out." + format);
            EXPECT_EQ(ran.code, 0) << what << ran.err;
            EXPECT_TRUE(exists(std::string("out.") + format));
        }
}

TEST_F(CommandLine, DecayIsThatOfTheLogitWhateverTheSceneShows) {
    const char* head = R"({"schema": 1, "experiment": {"seq_len": 9}, "view": {"figures": [{"id": "decay")";
    write("plain.json", std::string(head) + "}]}}");
    write("other.json", std::string(head) + R"(, "quantity": "weight", "compared": "encoding=nope"}]}})");
    const Ran plain = run("data plain.json decay");
    EXPECT_THAT(plain.out, StartsWith("distance,mean,sigma\n0,"));
    EXPECT_EQ(run("data other.json decay").out, plain.out);
}

TEST_F(CommandLine, DataTakeTheOptionsOfTheirFigures) {
    write("head.json", R"({"schema": 1, "experiment": {"seq_len": 9, "head_dim": 4}})");
    EXPECT_THAT(run("data head.json decay --option quantity=weight --query 5").out, StartsWith("distance,weight\n0,"));
    EXPECT_THAT(run("data head.json decay --option compared=encoding=nope").out,
                StartsWith("distance,mean,sigma,encoding=nope\n0,"));
    const std::string part = run("data head.json decay --option x=2:4").out;
    EXPECT_THAT(part, StartsWith("distance,mean,sigma\n2,"));
    EXPECT_EQ(std::count(part.begin(), part.end(), '\n'), 4) << part;
    expect_refused("data head.json decay --option x=20:30", 3,
                   "x is 20:30, which contains no rows; distance must be within 0 to 8");
    for (const char* figure : {"attention_row", "alignment", "number_formats", "position_map", "shift"}) {
        SCOPED_TRACE(figure);
        const std::string zoomed = run("data head.json " + std::string(figure) + " --option x=3:5").out;
        EXPECT_THAT(zoomed, HasSubstr("\n3,"));
        EXPECT_EQ(std::count(zoomed.begin(), zoomed.end(), '\n'), 4) << zoomed;
    }
    const Ran phases = run("data head.json rotation_heatmap --option part=phase --option distances=20");
    EXPECT_THAT(phases.out, HasSubstr(",distance_19\n0,1,2,3,-2."));
    EXPECT_EQ(run("data head.json rotation_heatmap --option part=phase --columns 0:4").code, 2);
    EXPECT_EQ(run("data head.json inv_freq --option part=phase").code, 2);
}

TEST_F(CommandLine, LogitsAloneNeedNoSoftmaxOverTheWholeRow) {
    write("long.json", R"({"schema": 1, "experiment": {"seq_len": 700000, "head_dim": 2}})");
    const std::string asked = "data long.json logits --backend reference --columns 0:1 -o out.npy";
    ASSERT_EQ(run(asked).code, 0) << "700 000 entries, not 490 billion";
    EXPECT_EQ(read("out.npy").size(), 128 + 700'000 * sizeof(double));
    EXPECT_EQ(run("data long.json weights --backend reference --columns 0:1").code, 6);
}

TEST_F(CommandLine, TheManualPageHasEveryCommandAndOption) {
    const std::string page = run("--manual").out;
    EXPECT_THAT(page, HasSubstr("\n.TH ROPEWALK 1"));
    for (const char* word : {".SS ropewalk figure SCENE FIGURE", ".SS ropewalk bench", "\\-\\-set", "\\-\\-cells"})
        EXPECT_THAT(page, HasSubstr(word));
    EXPECT_THAT(page, Not(HasSubstr("manual page")));
}

TEST_F(CommandLine, WholeMatricesInFloatMatchThoseInDouble) {
    write("scene.json",
          R"({"schema": 1, "experiment": {"head_dim": 8, "seq_len": 40, "construction": {"id": "gaussian"}}})");
    for (const char* what : {"scores", "logits", "weights"}) {
        ASSERT_EQ(run(std::string("data scene.json ") + what + " -o a.npy").code, 0);
        ASSERT_EQ(run(std::string("data scene.json ") + what + " -o b.npy --backend reference").code, 0);
        const NpyArray found = read_npy(folder_.file("a.npy")), expected = read_npy(folder_.file("b.npy"));
        ASSERT_EQ(found.shape, expected.shape);
        EXPECT_EQ(found.dtype, "<f4");
        for (std::size_t i = 0; i < expected.values.size(); ++i)
            ASSERT_TRUE(found.values[i] == expected.values[i] || std::abs(found.values[i] - expected.values[i]) < 2e-5)
                << what << " " << i << ": " << found.values[i] << " instead of " << expected.values[i];
    }
    const Ran csv = run("data scene.json weights");
    const auto second_row = csv.out.find('\n', csv.out.find('\n') + 1) + 1;
    EXPECT_LE(csv.out.find(',', second_row) - second_row, 12u) << "a float has nine digits at most";
}

TEST_F(CommandLine, LargeValuesAreNotWrittenAsInfinity) {
    ASSERT_EQ(run("data wendler-exp1-alpha1 logits -o a.npy --set construction.alpha=1e38 --rows 19:20").code, 0);
    const NpyArray array = read_npy(folder_.file("a.npy"));
    EXPECT_EQ(array.dtype, "<f8");
    EXPECT_NEAR(array.values[18] / 3.2e39, 1, 1e-12);
}

TEST_F(CommandLine, SettingsApplyInOrder) {
    const Ran ran =
        run("data barbero-fig2a inv_freq --set head_dim=4 --set encoding.base=100 --set encoding=p_rope --set "
            "encoding.p=0.5");
    EXPECT_EQ(ran.out, "inv_freq\n1\n0\n");
}

TEST_F(CommandLine, UnknownKeysAreKeptAndReported) {
    write("scene.json", R"({"schema": 1, "colour": "mauve", "experiment": {"head_dim": 4, "seq_len": 3, "spin": 2}})");
    const Ran ran = run("data scene.json inv_freq");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.err, HasSubstr("/experiment/spin"));
    EXPECT_THAT(ran.err, HasSubstr("/colour"));
}

TEST_F(CommandLine, UnknownKeysOfTheViewAreReportedByAllCommands) {
    write("scene.json", R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 8}, "view": {"layot": 5, )"
                        R"("cursor": {"qury": 4}, "figures": [{"id": "decay", "quantty": "logit"}]}})");
    for (const char* command :
         {"figure scene.json decay -o a.svg", "data scene.json decay", "screenshot scene.json -o a.png",
          "train scene.json --steps 1 --set construction=model_head --set construction.source=trained"}) {
        const Ran ran = run(command);
        EXPECT_EQ(ran.code, 0) << command;
        for (const std::string key : {"/view/layot", "/view/cursor/qury", "/view/figures/0/quantty"}) {
            const std::size_t first = ran.err.find(key);
            EXPECT_NE(first, std::string::npos) << command << " on " << key;
            EXPECT_EQ(ran.err.rfind(key), first) << command << " on " << key;
        }
    }
}

TEST_F(CommandLine, OnlyTheFirstOfManyUnknownKeysAreReported) {
    std::string scene = R"({"schema": 1)";
    for (int i = 0; i < 300; ++i) scene += ", \"mine" + std::to_string(i) + "\": 1";
    write("scene.json", scene + "}");
    const std::string reported = run("data scene.json inv_freq").err, checked = run("check scene.json").out;
    EXPECT_EQ(std::count(reported.begin(), reported.end(), '\n'), 11) << reported;
    EXPECT_THAT(reported, HasSubstr("ropewalk: 290 more warnings are not shown\n"));
    EXPECT_THAT(checked, HasSubstr("note: 290 more warnings are not shown\n"));
}

TEST_F(CommandLine, ArraysNeedTheirPairingStated) {
    const std::int64_t shape[] = {3, 4};
    const double values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    write("q.npy", npy_bytes(shape, std::span<const double>(values)));
    const std::string construction = R"("construction": {"id": "arrays", "q": "q.npy", "k": "q.npy"})";
    write("a.json", R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 3, )" + construction + "}}");
    expect_refused("data a.json q", 3, "pairing");
    EXPECT_EQ(run("data a.json q --set pairing=half_split").code, 0);
    write("b.json", R"({"schema": 1, "experiment": {"head_dim": 4, "seq_len": 3, "pairing": "half_split", )" +
                        construction + "}}");
    EXPECT_EQ(run("data b.json q").out, "channel_0,channel_1,channel_2,channel_3\n1,2,3,4\n5,6,7,8\n9,10,11,12\n");
    expect_refused(
        "data barbero-fig2a q --set head_dim=4 --set seq_len=3 --set construction=arrays --set "
        "construction.q=q.npy --set construction.k=q.npy",
        3, "ropewalk: --set construction=arrays: pairing is missing");
    EXPECT_EQ(run("data barbero-fig2a q --set head_dim=4 --set seq_len=3 --set pairing=interleaved --set "
                  "construction=arrays --set construction.q=q.npy --set construction.k=q.npy")
                  .code,
              0);
}

TEST_F(CommandLine, CheckSaysWhatAFileIs) {
    const std::int64_t shape[] = {2, 4, 3, 8};
    const std::vector<double> values(192, 0.5);
    write("q4.npy", npy_bytes(shape, std::span<const double>(values)));
    EXPECT_THAT(run("check q4.npy").out, HasSubstr("of 4 heads in each of 2 batch entries with head_dim 8"));
    write("config.json",
          R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 8, "num_hidden_layers": 3})");
    const Ran ran = run("check config.json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("configuration of a model"));
    EXPECT_THAT(ran.out, HasSubstr("head_dim 32, 3 layers of 8 heads"));
    EXPECT_THAT(ran.out, HasSubstr("`ropewalk config.json`"));
}

TEST_F(CommandLine, ListsEverything) {
    for (const char* kind : {"encodings", "constructions", "figures", "data", "scenes", "lessons", "backends",
                             "numbers", "options", "fields"}) {
        EXPECT_EQ(run(std::string("list ") + kind).code, 0) << kind;
        EXPECT_GT(parse_json(run(std::string("list --json ") + kind).out, kind).size(), 1u) << kind;
    }
    EXPECT_THAT(run("list options").out, HasSubstr("axis=linear|logarithmic"));
    const auto fields = parse_json(run("list fields --json").out, "fields");
    for (const auto& field : fields)
        for (const char* member : {"path", "type", "unit", "default", "help"})
            EXPECT_TRUE(field.contains(member)) << field.dump();
}

TEST_F(CommandLine, LessonsAreListedCheckedAndDrawn) {
    const std::string lessons = ROPEWALK_SOURCE_DIR "/assets/lessons/";
    EXPECT_THAT(run("list lessons").out, StartsWith("rotation "));
    EXPECT_THAT(run("list numbers").out, HasSubstr("weight(i, j)"));
    const Ran read_out = run("check " + lessons + "04-previous-token.lesson");
    EXPECT_EQ(read_out.code, 0) << read_out.err;
    EXPECT_THAT(read_out.out, HasSubstr("gives “New” a weight of 0.5866"));
    EXPECT_THAT(read_out.out, HasSubstr("→ The weight of “New” rises to 0.99996."));

    std::string text = read_file(lessons + "04-previous-token.lesson", 1 << 20);
    write("wrong.lesson", text + "{wait}\n");
    const std::string refusal =
        "wrong.lesson:" + std::to_string(std::count(text.begin(), text.end(), '\n')) + ": unknown number 'wait'";
    expect_refused("check wrong.lesson", 3, refusal);
    expect_refused("screenshot --lessons . --lesson wrong -o a.png", 2, refusal);
    write("wrong.lesson", text.replace(text.find(">= 10\n"), 5, ">= 99"));
    expect_refused("check wrong.lesson", 3, "wrong.lesson:5: the solution does not complete the task");
    expect_refused("check none.lesson", 4, "none.lesson");

    EXPECT_EQ(run("screenshot --lesson rotation --step 2 -o a.png --size 640x400").code, 0);
    EXPECT_THAT(read("a.png"), StartsWith("\x89PNG"));
    expect_refused("screenshot -o a.png", 2, "name a scene, or a lesson with --lesson");
    expect_refused("screenshot --lesson nonsense -o a.png", 2, "unknown lesson 'nonsense'; it must be 'rotation'");
    expect_refused("screenshot --lesson rotation --step 9 -o a.png", 2, "--step is 9, but the lesson 'rotation' has 4");
    expect_refused("screenshot million --step 2 -o a.png", 2, "choose one with --lesson");
    expect_refused("screenshot --lesson rotation --step 0 -o a.png", 3, "counted from 1");
    expect_refused("screenshot million --lessons nowhere -o a.png", 4,
                   "nowhere: cannot be read: there is no such folder");
}

TEST_F(CommandLine, ChecksScenesAndArrays) {
    EXPECT_THAT(run("check " ROPEWALK_SOURCE_DIR "/assets/scenes/million.json").out, HasSubstr("N = 1 048 576"));
    EXPECT_THAT(run("check million").out, HasSubstr("N = 1 048 576"));
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, std::nan(""), 11, 12};
    const auto use_of = [&](std::int64_t tokens, std::int64_t channels, std::size_t from) {
        const std::int64_t shape[] = {tokens, channels};
        write("a.npy", npy_bytes(shape, std::span(values).subspan(from, static_cast<std::size_t>(tokens * channels))));
        return run("check a.npy").out;
    };
    EXPECT_THAT(use_of(2, 4, 0), HasSubstr("\nusable as queries or keys with head_dim 4 and seq_len up to 2\n"));
    EXPECT_THAT(use_of(3, 3, 0), HasSubstr("not usable as queries or keys: head_dim is 3"));
    EXPECT_THAT(use_of(2, 4, 4), HasSubstr("entry 5 is NaN"));
    EXPECT_THAT(use_of(0, 4, 0), HasSubstr("seq_len is 0"));
    EXPECT_THAT(use_of(2, 4, 0), HasSubstr("array of <f8 [2, 4], C order, from 1 to 8\n"));
    EXPECT_THAT(use_of(1, 4, 8), HasSubstr(", from 9 to 12, 1 entry is not finite\n"));
    EXPECT_THAT(use_of(1, 1, 9), HasSubstr("array of <f8 [1, 1], C order, 1 entry is not finite\n")) << "and no range";
    const std::int64_t five_axes[] = {1, 1, 1, 2, 4};
    write("a.npy", npy_bytes(five_axes, std::span(values).first(8)));
    EXPECT_THAT(
        run("check a.npy").out,
        HasSubstr("\nnot usable as queries or keys: a.npy has 5 axes; queries and keys need [tokens, channels]"));
    write("not.npy", "PK\x03\x04");
    expect_refused("check not.npy", 3, "zip");
}

TEST_F(CommandLine, DescribesTheBundledModel) {
    const std::string folder = ROPEWALK_SOURCE_DIR "/assets/models/induction";
    const Ran bundled = run("model bundled:induction --json");
    EXPECT_EQ(bundled.code, 0) << bundled.err;
    EXPECT_EQ(parse_json(bundled.out, "model")["layers"], 2);
    EXPECT_EQ(bundled.out, run("model '" + folder + "' --json").out);
    expect_refused("model bundled:../induction", 3, "must name a folder of the bundled models");
    expect_refused("check '" + folder + "'", 4, "is the folder of a model; describe it with `ropewalk model " + folder);
    expect_refused("check .", 4, "it is a folder; name a file in it");
}

TEST_F(CommandLine, DescribesAModelInAscii) {
    std::filesystem::copy(ROPEWALK_SOURCE_DIR "/assets/models/induction", folder_.file("model"));
    write("model/tokenizer.json", "{\"model\": {\"type\": \"\u009b31m\u202e\x7f\"}}");
    const std::string json = run("model model --json").out;
    EXPECT_TRUE(std::all_of(json.begin(), json.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }))
        << json;
    EXPECT_THAT(std::string(parse_json(json, "model")["tokenizer"]), HasSubstr("'\u009b31m\u202e\x7f'"));
}

TEST_F(CommandLine, DrawsTheWindowWithoutADisplay) {
    expect_refused("screenshot wendler-exp1-alpha1 -o a.svg", 2, "a screenshot is a PNG");
    ASSERT_EQ(run("screenshot wendler-exp1-alpha1 -o a.png --size 900x600").code, 0);
    ASSERT_EQ(run("screenshot wendler-exp1-alpha1 -o b.png --size 900x600").code, 0);
    EXPECT_EQ(read("a.png").substr(0, 4), "\x89PNG");
}

TEST_F(CommandLine, SignalsEndItInAnOrderlyWay) {
    for (const auto& [signal, code] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
        const std::string command = "cd '" + folder_.path() +
                                    "'; " ROPEWALK_PROGRAM
                                    " data barbero-fig2b weights --backend reference --set seq_len=8000 -o big.npy & "
                                    "pid=$!; sleep 0.3; kill -" +
                                    signal + " $pid; wait $pid";
        const int status = std::system(command.c_str());
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), code);
        EXPECT_FALSE(exists("big.npy"));
    }
}

TEST_F(CommandLine, AsksForTheFormatIfTheNameDoesNotGiveIt) {
    expect_refused("figure barbero-fig2a decay -o -", 2, "--format with png, svg or pdf");
    expect_refused("data barbero-fig2a decay -o /dev/full", 2, "--format with npy, csv, json or py");
    EXPECT_EQ(run("data barbero-fig2a decay -o -").code, 0);
}

}  // namespace
}  // namespace ropewalk
