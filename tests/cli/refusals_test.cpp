// Errors of the program: exit codes, and the one line on stderr.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>
#include <string>

#include "tests/cli/command_line_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

TEST_F(CommandLine, UsageErrorsEndWithTwo) {
    expect_refused("data barbero-fig2a", 2, "what");
    expect_refused("data barbero-fig2a nonsense", 2, "unknown data 'nonsense'; it must be ");
    expect_refused("data barbero-fig2a decya", 2, "unknown data 'decya'; did you mean 'decay'?");
    expect_refused("figure barbero-fig2a nonsense -o a.png", 2, "unknown figure 'nonsense'");
    expect_refused("figure barbero-fig2a decay -o a.gif", 2, "unknown figure format 'gif'");
    expect_refused("data barbero-fig2a q --set encoding.nonsense=1", 2, "unknown field 'encoding.nonsense'");
    expect_refused("data barbero-fig2a q --set nonsense=1", 2, "unknown field 'nonsense'; the fields are seq_len, ");
    expect_refused("data train-recall q --set nonsense=1", 2,
                   "unknown field 'nonsense'; `ropewalk list fields` lists all fields");
    expect_refused("data barbero-fig2a q --set base", 2, "path=value");
    expect_refused("data barbero-fig2a q --backend abacus", 2, "unknown backend 'abacus'");
    expect_refused("data barbero-fig2a decay --rows 0:3", 2, "--rows does not apply to 'decay'");
    expect_refused("data million decay -o a.txt", 2, "unknown data format 'txt'");
    expect_refused("data milion decay", 4, "did you mean 'million'?");
    expect_refused("check milion", 4, "did you mean 'million'?");
    expect_refused("check nosuch.json", 4, "nosuch.json: cannot be read");
    expect_refused("figur", 4, "did you mean `ropewalk figure`?");
    expect_refused("list nonsense", 2, "unknown list 'nonsense'");
    expect_refused("data barbero-fig2a logits --rows 1-2", 2, "--rows");
    expect_refused("figure barbero-fig2a decay -o a.png --theme pink", 2, "--theme");
    expect_refused("figure barbero-fig2a decay -o a.png --font sans", 2, "add --style paper");
    expect_refused("figure barbero-fig2a decay -o a.png --style screen --font-size 8", 2, "add --style paper");
    expect_refused("--nonsense", 2, "--nonsense");
    EXPECT_FALSE(exists("a.png"));
}

TEST_F(CommandLine, WhatTheSystemDoesNotShowEndsWithFour) {
    std::filesystem::create_symlink("loop", folder_.file("loop"));
    const std::pair<std::string, const char*> paths[] = {{"loop", "its symbolic links form a loop"},
                                                         {std::string(300, 'x'), "its name is too long"},
                                                         {"loop/inner", "its symbolic links form a loop"}};
    for (const auto& [path, reason] : paths) {
        for (const std::string command :
             {"screenshot p-rope -o a.png --lessons ", "figure p-rope decay -o a.svg --shaders ",
              "data p-rope decay --shaders ", "p-rope --lessons ", "p-rope --shaders ", "model ", "check "})
            expect_refused(command + path, 4, reason);
        expect_refused("figure " + path + " decay -o a.svg", 4, reason);
        expect_refused(path, 4, reason);
    }
    EXPECT_FALSE(exists("a.png"));
    EXPECT_FALSE(exists("a.svg"));
}

TEST_F(CommandLine, ValuesOutOfRangeEndWithThree) {
    expect_refused("data barbero-fig2a q --set encoding.base=-1", 3, "encoding.base is -1");
    expect_refused("data barbero-fig2a q --set encoding.base=nan", 3, "encoding.base is NaN");
    expect_refused("data barbero-fig2a q --set seq_len=2.5", 3, "whole number");
    expect_refused("data barbero-fig2a q --set mask=diagonal", 3, "'causal', 'none' or 'window'");
    expect_refused("data barbero-fig2a q --set encoding=rotary", 3, "'rope'");
    expect_refused("data wendler-exp3-d0-62 q --set head_dim=32", 3, "construction.d0 is 62");
    expect_refused("data barbero-fig2a logits --rows 0:9999", 3, "--rows is 0:9999");
    expect_refused("data barbero-fig2a logits --rows 5:-2147483648", 3, "--rows is 5:-2147483648");
    expect_refused("data hong-self-extend random_rope_decay", 3, "Exact sums need");
    expect_refused("data barbero-fig2a robustness --option target=999999", 3, "No row has a token 999 999 tokens back");
    expect_refused("data barbero-fig2a robustness --set mask=none", 3, "needs the causal mask");
    expect_refused("data barbero-fig2a properties --set encoding=sinusoidal", 3, "waves of fixed size");
    expect_refused("data barbero-fig2a number_formats --set encoding=sinusoidal", 3, "no rotation");
    expect_refused("data barbero-fig2a logits --rows 0:4 --columns 0:4 --cells 5x1", 3, "--cells is 5x1");
    expect_refused("data barbero-fig2a rotation_heatmap --columns=5:-2147483648 --cells 1x1", 3, "0 ≤ a < b");
    expect_refused("data barbero-fig2a contributions --query 5000", 3, "--query is 5000");
    expect_refused("data train-back batch --option step=100", 3,
                   "Step 100 does not exist: this recipe has steps 0 to 99");
    expect_refused("data barbero-fig2a row --query 1.5", 3, "--query is '1.5'; it must be a whole number");
    expect_refused("data barbero-fig2a contributions --distance 99999999999", 3, "--distance is '99999999999'");
    expect_refused("data barbero-fig2a q --threads many", 3, "--threads is 'many'");
    expect_refused("data barbero-fig2a q --threads 0x2", 3, "--threads is '0x2'; it must be a whole number");
    expect_refused("data barbero-fig2a row --query +-5", 3, "--query is '+-5'; it must be a whole number");
    expect_refused("list --json=maybe", 3, "--json is 'maybe'; write --json without a value");
    expect_refused("bench --seconds 0x10", 3, "--seconds is '0x10'; it must be a number");
    expect_refused("figure barbero-fig2a decay -o a.png --size 1x1", 3, "--size");
    expect_refused("figure barbero-fig2a decay -o a.png --scale nan", 3, "--scale");
    for (const char* size : {"99", "4", "nan", "large"})
        expect_refused(std::string("figure barbero-fig2a decay -o a.png --style paper --font-size ") + size, 3,
                       "--font-size");
    expect_refused("figure barbero-fig2a decay -o a.png --mm 5x60", 3, "--mm");
    expect_refused("figure barbero-fig2a decay -o a.png --mm 85x", 2, "two numbers as in 85x60");
    expect_refused("figure barbero-fig2a decay -o a.png --mm 5", 3, "--mm");
    expect_refused("figure barbero-fig2a decay -o a.png --mm 85x60 --size 300x200", 2, "cannot be combined");
    expect_refused("figure barbero-fig2a decay -o a.png --without axes", 2, "--without is 'axes'");
    expect_refused("figure barbero-fig2a wavelengths -o a.png --query 3", 2, "--query does not apply to 'wavelengths'");
    expect_refused("figure barbero-fig2a contributions -o a.png --query 5000", 3, "--query is 5000");
    expect_refused("figure barbero-fig2a decay -o a.png --reference nonsense=1", 2, "nonsense");
    expect_refused("figure barbero-fig2a decay -o a.png --reference encoding.base=-1", 3, "encoding.base is -1");
    expect_refused("figure barbero-fig2a decay -o a.png --reference head_dim=2 --without reference", 2,
                   "cannot be combined");
    expect_refused("figure wendler-exp3-d0-62 decay -o a.png --reference head_dim=32", 3,
                   "--reference: construction.d0");
}

TEST_F(CommandLine, BrokenScenesEndWithThreeAndNameThePlace) {
    const std::pair<const char*, const char*> broken[] = {
        {"", "empty"},
        {"{", "a.json"},
        {"[]", "object"},
        {"{}", "schema"},
        {R"({"schema": 2})", "newer Ropewalk"},
        {R"({"schema": 1, "experiment": 3})", "/experiment"},
        {R"({"schema": 1, "experiment": {"seq_len": -1}})", "/experiment/seq_len"},
        {R"({"schema": 1, "experiment": {"seq_len": "9"}})", "/experiment/seq_len"},
        {R"({"schema": 1, "experiment": {"encoding": {"id": "rotary"}}})", "/experiment/encoding/id"},
        {R"({"schema": 1, "experiment": {"encoding": {"id": "ropee"}}})",
         "/experiment/encoding/id: is 'ropee'; did you mean 'rope'?"},
        {R"({"schema": 1, "experiment": {"encoding": {"id": "rope", "base": 0}}})", "/experiment/encoding/base"},
        {R"({"schema": 1, "experiment": {"temperature": "NaN"}})", "/experiment/temperature"},
        {R"({"schema": 1, "view": {"figures": [{"id": "pie"}]}})", "/view/figures/0/id"},
        {R"({"schema": 1, "schema": 1})", "twice"},
        {R"({"schema": 1, "experiment": {"construction": {"id": "arrays", "q": "/etc/passwd", "k": "q.npy"}}})",
         "outside"}};
    for (const auto& [text, word] : broken) {
        write("a.json", text);
        const Ran ran = run("figure a.json decay -o out.png");
        EXPECT_EQ(ran.code, 3) << text << ran.err;
        EXPECT_THAT(ran.err, HasSubstr(word)) << text;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_FALSE(exists("out.png"));
    }
}

TEST_F(CommandLine, MoreCurvesThanAFigureShowsEndWithThree) {
    std::string curves = "encoding.base=1";
    for (int base = 2; base <= 100; ++base) curves += fmt::format(" | encoding.base={}", base);
    for (const std::string name : {"pinned", "compared"}) {
        write("a.json",
              R"({"schema": 1, "view": {"figures": [{"id": "decay", ")" + name + "\": \"" + curves + "\"}]}}");
        const std::string sentence = name + " has 100 entries; it must have at most 32";
        for (const char* command : {"figure a.json decay -o out.png", "screenshot a.json -o out.png", "check a.json"})
            expect_refused(command, 3, "a.json: /view/figures/0/" + name + ": " + sentence);
        expect_refused("figure p-rope decay -o out.png --option '" + name + "=" + curves + "'", 3, sentence);
    }
    EXPECT_FALSE(exists("out.png"));
}

TEST_F(CommandLine, AnInvalidHeadIsBlamedOnTheSettingOrOnTheFile) {
    expect_refused("figure model-induction attention -o a.svg --set seq_len=4 --set construction.layer=9 --set seed=2",
                   3, "ropewalk: --set construction.layer=9: construction.layer is 9; the model has");
    expect_refused("data wendler-exp3-d0-62 q --set head_dim=32", 3, "ropewalk: --set head_dim=32: construction.d0 is");
    expect_refused("data barbero-fig2a q --set construction=arrays --set construction.q=q.npy", 4, "q.npy");
    write("a.json", R"({"schema": 1, "experiment": {"head_dim": 32, "construction": {"id": "semantic", "d0": 62}}})");
    expect_refused("data a.json q", 3, "ropewalk: a.json: /experiment: construction.d0 is 62");
    expect_refused("data a.json q --set seed=2", 3, "ropewalk: a.json: /experiment: construction.d0 is 62");
    expect_refused("data a.json q --set head_dim=48", 3, "ropewalk: a.json: /experiment: construction.d0 is 62");
    EXPECT_EQ(run("data a.json q --set head_dim=64").code, 0) << "settings may mend a file";
    expect_refused(
        "data p-rope inv_freq --set encoding=yarn --set encoding.beta_fast=0.001 --set rotary_fraction=0 --set seed=2",
        3, "ropewalk: --set rotary_fraction=0: rotary_fraction is 0");
}

TEST_F(CommandLine, NoFileBecomesAStandardStream) {
    const std::string command =
        "cd '" + folder_.path() + "' && " ROPEWALK_PROGRAM " check /proc/self/fd/0 2>err.txt <&-";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 4);
    EXPECT_THAT(read("err.txt"), HasSubstr("/proc/self/fd/0: cannot be read: it is not a regular file"))
        << "a closed stream leads nowhere";
}

TEST_F(CommandLine, FilesThatCannotBeReadOrWrittenEndWithFour) {
    expect_refused("data missing.json q", 4, "missing.json");
    expect_refused("model ''", 4, "ropewalk: '': cannot be read: there is no such folder");
    expect_refused("data p-rope inv_freq --format npy -o ''", 4, "ropewalk: '': cannot be written");
    expect_refused("data no-such-scene q", 4, "no-such-scene");
    expect_refused("check missing.npy", 4, "missing.npy");
    expect_refused("data barbero-fig2a inv_freq -o no/such/folder/a.npy", 4, "no/such/folder");
    expect_refused("figure barbero-fig2a decay -o .", 2, "format");
    expect_refused("figure barbero-fig2a decay -o /dev/null/x.svg", 4,
                   "/dev/null/x.svg: cannot be written: '/dev/null' is not a folder; name");
    const Ran full = run("data barbero-fig2a inv_freq -o /dev/full --format npy");
    EXPECT_EQ(full.code, 4) << full.err;
    expect_refused("check " + std::string(300, 'a'), 4, "too long");
    std::filesystem::create_symlink("circle", folder_.file("circle"));
    expect_refused("check circle", 4, "circle");
}

/// What is refused before the training leaves one line on stderr: the training would add another.
TEST_F(CommandLine, AModelThatCannotBeWrittenIsNotTrained) {
    const std::string heads = " --set 'construction.recipe.rope_heads=",
                      one_layer = " --set construction.recipe.layers=1";
    const std::pair<std::string, const char*> recipes[] = {
        {one_layer + heads + "none'", "the encoding 'nope' with these settings cannot be written"},
        {heads + "none;none'", "the encoding 'nope' with these settings cannot be written"},
        {heads + "0;0'", "heads without rotation cannot be written: config.json states one encoding for all heads"},
        {heads + "1;1'", "heads without rotation"},
        {heads + "0;none'", "heads without rotation"},
        {heads + "learned'", "learned gates of heads cannot be written: config.json states no gates"},
        {one_layer + heads + "learned'", "learned gates of heads"},
        {" --set construction.recipe.encoding=alibi", "the encoding 'alibi' with these settings cannot be written"}};
    for (const auto& [settings, sentence] : recipes)
        for (const char* steps : {"", " --steps 0"})
            expect_refused("train train-recall -o model" + settings + steps, 3, sentence);
    expect_refused("train train-recall -o no/such/model", 4,
                   "no/such/model: cannot be written: the folder 'no/such' does not exist; create it");
    write("taken", "a file");
    expect_refused("train train-recall -o taken", 4, "taken: is not a folder; choose another name");
    if (exists("/proc/self"))  // a folder that lets root write, but holds no new ones
        expect_refused("train train-recall -o /proc/model", 4, "/proc/model: cannot be written: ");
    expect_refused("train train-recall -o ''", 2, "-o names no folder");
    std::filesystem::create_directory(folder_.file("other"));
    write("other/tokenizer.json", "{}");
    expect_refused("train train-recall -o other", 4, "tokenizer.json: belongs to another model; choose another folder");
    EXPECT_FALSE(exists("model"));
    EXPECT_EQ(run("train train-recall -o model/ --steps 0" + heads + "0,1;all'").code, 0) << "all heads, spelled out";
    EXPECT_TRUE(exists("model/config.json"));
}

TEST_F(CommandLine, ATrainingThatDivergesSaysWhereAndWritesNothing) {
    std::string settings;
    for (const char* setting : {"learning_rate=1", "weight_decay=10", "embedding_scale=10", "batch=1", "context=16",
                                "steps=300", "width=8", "heads=1", "head_dim=4", "feed_forward=8"})
        settings += std::string(" --set construction.recipe.") + setting;
    const std::string train = "train train-recall -o model" + settings;
    expect_refused(train, 3, "the training diverged: the loss of step ");
    const std::string sentence = read("err.txt");
    EXPECT_THAT(sentence, HasSubstr(" is not finite; choose a smaller construction.recipe.learning_rate"));
    EXPECT_FALSE(exists("model"));
    const int step = std::stoi(sentence.substr(sentence.find("step ") + 5));
    expect_refused(train + " --steps " + std::to_string(step), 3, "the training diverged: the weights after step ");
    EXPECT_EQ(run(train + " --steps 1").code, 0) << "before it diverged";

    const Ran curve = run("data train-recall training" + settings);
    ASSERT_EQ(curve.code, 0) << curve.err;
    std::istringstream lines(curve.out);
    std::string line;
    std::getline(lines, line);
    int finite = 0;  // a few sequences ask for nothing
    for (int row = 0; row < 300; ++row) {
        std::getline(lines, line);
        const bool is_finite = std::isfinite(std::stod(line.substr(line.find(',') + 1)));
        EXPECT_TRUE(row < step || !is_finite) << line;
        finite += is_finite;
    }
    EXPECT_GT(finite, step / 2);
    const Ran drawn = run("figure train-recall training -o a.svg" + settings);
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    expect_refused("data train-recall q" + settings, 3, "the training diverged");
}

TEST_F(CommandLine, AStepOfAFinishedTrainingHasItsOwnScore) {
    const std::string train = "train train-back --set construction.recipe.steps=20",
                      cached = "export XDG_CACHE_HOME=\"$PWD/cache\"";
    const Ran alone = run(train + " --steps 12", "err.txt", cached);
    EXPECT_THAT(alone.out, testing::StartsWith("step 12 of 20   loss "));
    EXPECT_EQ(run(train, "err.txt", cached).code, 0);
    const Ran again = run(train + " --steps 12", "err.txt", cached);
    EXPECT_THAT(again.err, HasSubstr("trained before"));
    EXPECT_EQ(again.out, alone.out);
    EXPECT_THAT(run("train train-back --steps 1 --set construction.recipe.seed=93", "err.txt", cached).err,
                HasSubstr("computed 1 step in"));
}

TEST_F(CommandLine, UnreadableErrorMessagesDoNotChangeTheExitCode) {
    for (const char* nowhere : {"/dev/full", "&-"}) {
        EXPECT_EQ(run("figure no-such-scene decay -o x.svg", nowhere).code, 4) << nowhere;
        EXPECT_EQ(run("--no-such-option", nowhere).code, 2) << nowhere;
        EXPECT_EQ(run("data barbero-fig2a q --set head_dim=7", nowhere).code, 3) << nowhere;
        EXPECT_EQ(run("million", nowhere).code, 5) << nowhere;
    }
    write("odd.json", R"({"schema": 1, "unknown": 1})");
    EXPECT_EQ(run("data odd.json inv_freq", "/dev/full").code, 0) << "a warning";
}

TEST_F(CommandLine, AClosedPipeIsNotAnError) {
    for (const char* writes :
         {"data barbero-fig2a logits", "figure barbero-fig2a attention -o - --format png", "list"}) {
        // `true` reads nothing: the pipe is closed once it has ended.
        const Ran ran = run("--version >version.txt; { sleep 0.5; " ROPEWALK_PROGRAM " " + std::string(writes) +
                            "; echo $? >code.txt; } 2>closed.txt | true; cat closed.txt code.txt");
        EXPECT_EQ(ran.out, "0\n") << writes;
    }
}

TEST_F(CommandLine, SuggestsWhatWasMeant) {
    expect_refused("figure million decayy -o x.svg", 2, "unknown figure 'decayy'; did you mean 'decay'?");
    expect_refused("figures million attention -o x.svg", 2, "did you mean `ropewalk figure`?");
    expect_refused("data million inv_freq --set seq_len=64 head_dim=16", 2, "its own --set");
    expect_refused("figure million decay -o x.svg --option axs=linear", 2,
                   "unknown option 'axs' of decay; did you mean 'axis'?");
    expect_refused("figure million decay -o x.svg --option encoding.bose=5", 2,
                   "unknown option 'encoding.bose' of decay; did you mean the head's field 'encoding.base'? Set");
    expect_refused("figure million decay -o x.svg --option nonsense=5", 2, "its options are quantity, axis");
    expect_refused("figure million decay -o x.svg --optoin axis=linear", 2,
                   "unknown option --optoin; did you mean --option?");
    expect_refused("data million decay --seq_len=64", 2, "unknown option --seq_len; did you mean --set seq_len=");
    expect_refused("data million decay --base=500", 2, "unknown option --base; did you mean --set encoding.base=");
    expect_refused("data million decay --nonsense=64", 2, "unknown option --nonsense; see `ropewalk data --help`");
}

TEST_F(CommandLine, FileNamesNeedNotBeUtf8) {
    write("caf\xe9.json", R"({"schema": 1})");
    EXPECT_EQ(run("figure 'caf\xe9.json' decay -o a.svg").code, 0) << "its title is the name of a file";
    EXPECT_EQ(run("figure a.svg decay -o b.svg").code, 0) << "and can be read again";
    ASSERT_EQ(run("data barbero-fig2a q -o '\xe9.npy' --set seq_len=4").code, 0);
    expect_refused("data barbero-fig2a q --set construction=arrays --set construction.q='\xe9.npy'", 3, "rename");
}

TEST_F(CommandLine, AFileSizeLimitLeavesNoUnfinishedFile) {
    write("keep.csv", "as before");
    const std::string command = "cd '" + folder_.path() +
                                "' && (ulimit -f 8; exec " ROPEWALK_PROGRAM
                                " data barbero-fig2a logits --rows 0:100 -o keep.csv 2>/dev/null)";
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 4);
    EXPECT_EQ(read("keep.csv"), "as before");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(CommandLine, TooMuchEndsWithSix) {
    expect_refused("data million logits -o a.npy", 6, "2^26");
    expect_refused("data million logits --backend reference --cells 2x2", 6, "would take about");
    expect_refused(
        "data million decay --set construction=gaussian --set construction.samples=10000 --set head_dim=1024", 6,
        "'decay'");
    expect_refused(
        "data million weights --rows 0:1048576 --columns 0:1048576 --cells 64x64 --set construction=gaussian", 6,
        "--rows");
    expect_refused("data million entropy --option rows=65536", 6, "'entropy' would take about");
    expect_refused("data million properties --set encoding=self_extend --set head_dim=512", 6,
                   "'properties' would take about");
    expect_refused("figure million entropy --option rows=65536 -o a.png", 6, "smaller value with --option");
    expect_refused("figure train-recall decay --size 16384x16384 -o a.png", 6, "An image must be between");
    expect_refused("screenshot barbero-fig2a --size 16384x16384 -o a.png", 6, "An image can have at most 67 million");
    EXPECT_FALSE(exists("a.npy") || exists("a.png"));
}

TEST_F(CommandLine, OnlyDataThatDependOnTheCursorTakeOne) {
    for (const char* option : {"--query 3", "--key 3", "--distance 3"})
        expect_refused(std::string("data barbero-fig2a entropy ") + option, 2, "does not apply to 'entropy'");
    expect_refused("data barbero-fig2a phasor_bound --distance 3", 2, "'phasor_bound'");
    expect_refused("data barbero-fig2a inv_freq --pooling max", 2, "--pooling does not apply to 'inv_freq'");
    expect_refused("data barbero-fig2a rotation_heatmap --rows 0:4", 2, "it accepts --columns, --cells");
    const std::string content =
        "data barbero-fig2a phasor_bound --set construction=gaussian --set seq_len=8 --distance ";
    EXPECT_EQ(run(content + "3").code, 0) << "if queries and keys differ, the cursor's are used";
    EXPECT_NE(run(content + "3").out, run(content + "5").out);
}

TEST_F(CommandLine, WhatASceneIsReadFromIsNotReplaced) {
    const std::string scene = R"({"schema": 1, "experiment": {"head_dim": 8, "seq_len": 8}})";
    write("mine.json", scene);
    std::filesystem::create_symlink("mine.json", folder_.file("link.json"));
    for (const char* arguments :
         {"data mine.json inv_freq -o mine.json", "data link.json inv_freq -o ./mine.json",
          "data mine.json inv_freq --format npy -o link.json", "figure mine.json decay --format svg -o mine.json"})
        expect_refused(arguments, 2, "-o names the scene itself; choose another name");
    EXPECT_EQ(read("mine.json"), scene);
    EXPECT_EQ(run("data mine.json q -o q.npy").code, 0);
    const std::string arrays =
        " --set construction=arrays --set construction.q=q.npy --set construction.k=q.npy --set pairing=half_split "
        "--set scale=sqrt_d";
    expect_refused("data mine.json q -o q.npy" + arrays, 2,
                   "-o names construction.q, which the scene reads; choose another name");
    EXPECT_EQ(run("data mine.json q -o again.npy" + arrays).code, 0);
    EXPECT_EQ(run("data mine.json q -o again.npy" + arrays).code, 0);
    EXPECT_EQ(run("figure mine.json decay -o mine.svg").code, 0);
    EXPECT_EQ(run("figure mine.svg decay -o mine.svg").code, 0) << "it contains its scene";
    expect_refused("data mine.svg inv_freq --format csv -o mine.svg", 2, "-o names the scene itself");
    write("fig.caption.txt", scene);
    expect_refused("figure fig.caption.txt decay -o fig.svg --caption-file text", 2,
                   "--caption-file would replace the scene itself; choose another name");
    EXPECT_EQ(read("fig.caption.txt"), scene);

    std::filesystem::copy_file(folder_.file("mine.json"), folder_.file("mine"));
    expect_refused("screenshot mine -o ./mine", 2, "-o names the scene itself; choose another name");
    EXPECT_EQ(read("mine"), scene);
    EXPECT_EQ(run("screenshot mine.json -o window.png").code, 0);
    EXPECT_EQ(run("screenshot window.png -o window.png").code, 0) << "it contains its scene";
    std::filesystem::copy_file(folder_.file("q.npy"), folder_.file("q.png"));
    write("reference.json", R"({"schema": 1, "experiment": {"head_dim": 8, "seq_len": 8}, "compared_with": )"
                            R"({"head_dim": 8, "seq_len": 8, "pairing": "half_split", "scale": "sqrt_d", )"
                            R"("construction": {"id": "arrays", "q": "q.png", "k": "q.npy"}}})");
    const std::string sentence = " of the reference, which the scene reads; choose another name";
    expect_refused("screenshot reference.json -o q.png", 2, "-o names construction.q" + sentence);
    expect_refused("figure reference.json decay -o q.png", 2, "-o names construction.q" + sentence);
    expect_refused("data reference.json q -o q.npy", 2, "-o names construction.k" + sentence);

    std::filesystem::create_directory(folder_.file("model"));
    for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"})
        std::filesystem::copy_file(std::string(ROPEWALK_SOURCE_DIR "/assets/models/induction/") + name,
                                   folder_.file("model/") + name);
    const std::string of_model = " --set construction.model=model";
    expect_refused("data model-induction inv_freq -o model/config.json" + of_model, 2,
                   "-o names construction.model, which the scene reads; choose another name");
    expect_refused("data model-induction inv_freq -o model/tokenizer.json" + of_model + "/config.json", 2,
                   "-o names construction.model");
    EXPECT_EQ(run("data model-induction inv_freq -o model/other.json" + of_model).code, 0);
    EXPECT_EQ(run("data model-induction inv_freq -o model/other.json" + of_model).code, 0);
    std::filesystem::create_symlink(ROPEWALK_SOURCE_DIR "/assets", folder_.file("assets"));
    expect_refused("data model-induction inv_freq -o assets/models/induction/config.json", 2,
                   "-o names construction.model");
}

TEST_F(CommandLine, NoDisplayEndsWithFive) {
    expect_refused("barbero-fig2a", 5, "ropewalk figure");
}

}  // namespace
}  // namespace ropewalk
