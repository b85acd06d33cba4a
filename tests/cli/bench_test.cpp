// `ropewalk bench`: the table, the comparison with the machine's peaks, and the stages that each change recomputes.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "core/io/json_reader.h"
#include "tests/cli/command_line_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Bench = CommandLine;

TEST_F(Bench, TimesItsTasks) {
    const Ran ran = run(
        "bench --json --seconds 0 --only 'constant curve' --only 'matrix N=512 d=64' --only 'model 135M prefill N=128' "
        "--only 'train 1 layer' --only 'train 2 layers' --only 'window million: built'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const nlohmann::json document = parse_json(ran.out, "bench");
    EXPECT_GT(document["machine"]["fp32_gflop_per_s"], 1);
    EXPECT_GE(document["machine"]["threads"], 1);
    EXPECT_EQ(document["backend"]["id"], "cpu");
    EXPECT_THAT(document["date"].get<std::string>(), StartsWith("20"));
    EXPECT_LE(document["phase_error_rad"]["error"], 2.4e-13) << "the measurement itself is off by 4e-14";
    EXPECT_GT(document["phase_error_rad"]["error"], 0);
    EXPECT_GT(document["curve_error"]["of_amplitudes"], 0);
    EXPECT_LE(document["curve_error"]["of_amplitudes"], 5e-13);
    std::map<std::string, nlohmann::json> works;
    for (const auto& work : document["works"]) {
        const std::string name = work["work"];
        works[name.substr(0, name.find(" N="))] = work;
        EXPECT_GT(work["median_ms"], 0) << name;
        EXPECT_LE(work["least_ms"], work["median_ms"]) << name;
    }
    ASSERT_EQ(works.size(), 6u) << ran.out;
    const auto flop = [&](const std::string& name) {
        return works[name]["gflop_per_s"].get<double>() * works[name]["median_ms"].get<double>() * 1e6;
    };
    EXPECT_GT(works["constant curve"]["peak_memory_mb"], 1);
    EXPECT_GT(works["matrix"]["of_floor"], 0);
    EXPECT_TRUE(works.contains("window million: built"));
    // Twice the weights of 30 layers and of the output, and the attention of 128 tokens.
    const double prefill =
        2 * (30.0 * 576 * (2 * 576 + 2 * 192 + 3 * 1536) + 49'152.0 * 576) * 128 + 2.0 * 128 * 128 * 576 * 30;
    EXPECT_NEAR(flop("model 135M prefill"), prefill, 1e-6 * prefill);
    EXPECT_GT(works["model 135M prefill"]["peak_memory_mb"], 200);
    // 6 · weights · tokens + 12 · heads · d · N(N + 1)/2 per sequence and layer, worked out by hand for each size.
    EXPECT_NEAR(flop("train 1 layer width 64"), (0.729809 + 0.025559) * 1e9, 2e3);
    EXPECT_NEAR(flop("train 2 layers width 64"), (1.635779 + 0.102236) * 1e9, 2e3);
    EXPECT_THAT(run("bench --seconds 0 --threads 3 --only 'view coarse'").out, HasSubstr("view coarse N=131072 d=128"))
        << "three threads share the array that measures the bandwidth, too";
}

TEST_F(Bench, RefusesWhatNamesNoTask) {
    expect_refused("bench --only nosuch", 2, "'nosuch'; it must begin with 'window', 'matrix', ");
    expect_refused("bench --only matrix --only nosuch", 2, "'nosuch'");
    expect_refused("bench --seconds -1", 3, "--seconds");
    expect_refused("bench --seconds abc", 3, "--seconds is 'abc'");
}

TEST_F(Bench, ReportsTheStagesThatEachChangeRecomputes) {
    const Ran ran = run("bench --json --stages");
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::map<std::string, double> medians;
    const nlohmann::json document = parse_json(ran.out, "bench");
    for (const auto& work : document["works"]) medians[work["work"]] = work["median_ms"];
    const auto median = [&](const std::string& work) {
        EXPECT_TRUE(medians.contains(work)) << work;
        return medians[work];
    };
    const std::string gaussian = "gaussian N=8192, ", constant = "previous_token N=1048576, ";
    EXPECT_EQ(median(gaussian + "temperature moves: attention, products"), 0)
        << "the products are cached after the first time";
    EXPECT_GT(median(gaussian + "base moves: attention, products"), 0);
    EXPECT_FALSE(medians.contains(constant + "α moves: attention, products"));
    EXPECT_FALSE(medians.contains(constant + "temperature moves: attention, products"));
    EXPECT_GT(median(constant + "α moves: attention, softmax"), 0);
    EXPECT_GT(median(constant + "base moves: attention, products"), 0);
}

}  // namespace
}  // namespace ropewalk
