// The script that a head is copied as, run by Python: it reproduces what is shown.
#include "core/evaluation/numpy_script.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/output_of.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

/// An experiment and the cell of it that its script prints.
struct Case {
    Experiment experiment;
    Cursor cursor;
    bool forgets_the_draw = false;  // its rows are not known to be drawn, as those of a file
};

Problem problem_of(const Case& tested) {
    Problem problem = make_problem(tested.experiment);
    if (tested.forgets_the_draw)
        for (RowSource* source : {&problem.inputs.q, &problem.inputs.k})
            *source = RowSource::of([rows = *source](int token, std::span<double> row) { rows.read(token, row); });
    return problem;
}

/// What one Python prints that runs all scripts of a folder in the order of their names.
std::string run_scripts(const TemporaryFolder& folder) {
    return output_of("cd '" + folder.path() +
                     "' && /usr/bin/python3 -c 'import glob, runpy\n"
                     "for name in sorted(glob.glob(\"*.py\")): runpy.run_path(name)' 2>&1");
}

/// Runs the scripts and compares their cells with the reference.
void expect_reproduced(const TemporaryFolder& folder, const std::vector<Case>& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Experiment& experiment = cases[i].experiment;
        atomic_write(folder.file(fmt::format("{:03}.py", i)),
                     numpy_script(problem_of(cases[i]), cases[i].cursor, experiment.pairing, "a head",
                                  numpy_of(experiment.encoding, experiment.shape()))
                         .text);
    }
    const std::string said = run_scripts(folder);
    std::istringstream words(said);
    for (const auto& [experiment, cursor, forgets] : cases) {
        SCOPED_TRACE(id_of(experiment.encoding));
        const AttentionView view =
            open_backend("reference", 1)
                ->attend(make_problem(experiment),
                         Viewport::one_to_one({cursor.query, cursor.query + 1}, {cursor.key, cursor.key + 1}), {});
        std::string logit, weight;
        double found_logit = NAN, found_weight = NAN;
        words >> logit >> found_logit >> weight >> found_weight;
        ASSERT_EQ(logit + weight, "logitweight") << said;
        // The script's angles are doubles, which are off by 1e-10 at position 2²⁰.
        EXPECT_NEAR(found_logit, view.logits.mean[0], 1e-8 * (1 + std::abs(view.logits.mean[0])));
        EXPECT_NEAR(found_weight, view.weights.mean[0], 1e-8);
    }
}

TEST(NumpyScript, ReproducesEveryEncoding) {
    std::vector<Case> cases;
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        Experiment experiment =
            changed({}, "construction=gaussian head_dim=16 seq_len=48 scale=sqrt_d temperature=1.5 pairing=half_split");
        experiment.encoding = encoding;
        if (validate(experiment)) continue;
        cases.push_back({experiment, {40, 3, 0}});
        cases.push_back({experiment, {47, 47, 0}});
    }
    EXPECT_GE(cases.size(), 2 * 12u);
    expect_reproduced({}, cases);
}

TEST(NumpyScript, ReproducesFactorsAndExtensions) {
    const std::string gaussian = "construction=gaussian head_dim=8 seq_len=300 ";
    expect_reproduced(
        {}, {{changed({}, gaussian + "encoding=clex encoding.original_length=64 encoding.base=500000"), {290, 7, 0}},
             {changed({}, gaussian + "encoding=longrope encoding.original_length=64 encoding.long_factor=1,2,8,32"),
              {290, 7, 0}},
             {changed({}, gaussian + "encoding=longrope encoding.original_length=512 encoding.short_factor=1,1.5,2,3"),
              {290, 7, 0}},
             {changed({}, gaussian + "encoding=random_rope encoding.upper=4096 seed=3"), {290, 7, 0}}});
}

TEST(NumpyScript, ReproducesRegimesFarPositionsAndOpenMasks) {
    const Experiment far = changed(
        {}, "construction=gaussian head_dim=8 seq_len=300 encoding=self_extend encoding.window=64 encoding.group=4");
    expect_reproduced({}, {{far, {290, 280, 0}},
                           {far, {290, 7, 0}},
                           {changed({}, "seq_len=1000 positions.start=1000000 positions.stride=3"), {999, 500, 0}},
                           {changed({}, "mask=none seq_len=30 construction=gaussian head_dim=4"), {3, 20, 0}}});
}

TEST(NumpyScript, ReproducesWindowsAndSoftcaps) {
    const std::string head = "seq_len=90 construction=gaussian head_dim=8 temperature=1.5 ";
    std::vector<Case> cases;
    for (const char* settings :
         {"mask=window window=30", "softcap=0.75 scale=sqrt_d", "mask=window window=89 softcap=2",
          "encoding=alibi softcap=1 scale=value scale_value=3"})
        for (const Cursor cursor : {Cursor{80, 75}, Cursor{12, 3}})
            cases.push_back({changed({}, head + settings), cursor});
    expect_reproduced({}, cases);
}

TEST(NumpyScript, DrawsLongHeadsAnew) {
    std::vector<Case> cases;
    for (const char* settings :
         {"construction=gaussian seq_len=2000 head_dim=32 seed=3 pairing=half_split",
          "construction=similar_vs_random seq_len=1500 head_dim=64 seed=98765432109 construction.noise=0.2",
          "construction=semantic seq_len=1001 head_dim=64 construction.d0=32", "construction=text seq_len=3000",
          "construction=apostrophe seq_len=1200 head_dim=256", "construction=repeated_token seq_len=4000"}) {
        const Experiment experiment = changed({}, settings);
        const int last = experiment.seq_len - 1;
        for (const Cursor cursor : {Cursor{last, last}, Cursor{last, last - 7}, Cursor{900, 411}, Cursor{20, 0}})
            cases.push_back({experiment, cursor});
        const NumpyScript script = numpy_script(problem_of(cases.back()), {}, experiment.pairing, "a long head");
        EXPECT_FALSE(script.loads_files) << settings;
        EXPECT_LT(script.text.size(), 1'000'000u) << settings;
    }
    expect_reproduced({}, cases);
}

TEST(NumpyScript, LoadsLongHeadsFromTheFilesThatItNames) {
    const Experiment experiment = changed({}, "construction=gaussian seq_len=2000 head_dim=32 pairing=half_split");
    const Case long_head{experiment, {1999, 3, 0}, true};
    const Problem problem = problem_of(long_head);
    const NumpyScript script = numpy_script(problem, long_head.cursor, experiment.pairing, "a long head");
    EXPECT_TRUE(script.loads_files);
    EXPECT_LT(script.text.size(), 10'000u);
    const TemporaryFolder folder;
    for (const auto& [name, source] : {std::pair{"q", &problem.inputs.q}, {"k", &problem.inputs.k}}) {
        EXPECT_NE(script.text.find(fmt::format("ropewalk data SCENE {0} -o {0}.npy", name)), std::string::npos);
        std::vector<double> values(2000 * 32), row(32);
        for (std::size_t token = 0; token < 2000; ++token) {
            source->read(static_cast<int>(token), row);
            for (std::size_t pair = 0; pair < 16; ++pair)
                values[token * 32 + pair] = row[2 * pair], values[token * 32 + pair + 16] = row[2 * pair + 1];
        }
        atomic_write(folder.file(std::string(name) + ".npy"), npy_bytes(std::vector<std::int64_t>{2000, 32}, values));
    }
    expect_reproduced(folder, {long_head});
}

TEST(NumpyScript, StatesFrequenciesAsAFormulaWhereThereIsOne) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        const Experiment experiment{.head_dim = 64, .seq_len = 300, .encoding = encoding};
        const std::string formula = numpy_of(encoding, experiment.shape());
        const std::string text = numpy_script(make_problem(experiment), {}, Pairing{}, "a head", formula).text;
        EXPECT_FALSE(formula.empty()) << id_of(encoding);
        EXPECT_EQ(text.find("w = np.array("), text.npos) << id_of(encoding);
    }
    const Experiment drawn = changed({}, "encoding=random_rope seq_len=30");
    EXPECT_NE(numpy_of(drawn.encoding, drawn.shape()).find("# m is a list because"), std::string::npos);
    EXPECT_NE(numpy_of(Experiment{}.encoding, {}).find("w = base**(-2*t/d)"), std::string::npos);
}

}  // namespace
}  // namespace ropewalk
