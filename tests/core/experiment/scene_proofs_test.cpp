// Every bundled scene shows something that a source says in numbers: here is the number, computed from the scene's own
// experiment. A published value is met within its printed digits; where a source gives a formula, it is written out
// here. B: Barbero et al. 2024 (arXiv:2410.06205), W: Wendler's notes, H: Hong et al. 2024, M: Men et al. 2024
// (arXiv:2405.14591), L: the note on long-term decay, S: Su et al. 2021 (arXiv:2104.09864).
#include "tests/core/experiment/scene_proofs.h"

#include "tests/shared_runs.h"

namespace ropewalk {
namespace {

const Proofs& proofs() {
    static const Proofs all = [] {
        Proofs found;
        add_barbero(found);
        add_wendler(found);
        add_hong(found);
        add_decay_and_bases(found);
        add_encodings(found);
        add_models(found);
        add_training(found);
        return found;
    }();
    return all;
}

std::vector<std::string> proven_scenes() {
    std::vector<std::string> names;
    for (const auto& [name, proof] : proofs()) names.push_back(name);
    return names;
}

TEST(SceneProofs, EveryBundledSceneHasOneAndIsInTheList) {
    EXPECT_EQ(bundled_scenes(), proven_scenes());
    const std::string list = read_file(ROPEWALK_SOURCE_DIR "/assets/scenes/README.md", 1 << 20);
    for (const auto& name : bundled_scenes()) EXPECT_NE(list.find("`" + name + "`"), std::string::npos) << name;
}

/// Models that a proof trains are there for the tests that draw them (see tests/run).
class SceneProof : public testing::TestWithParam<std::string> {
  protected:
    SceneProof() { keep_training_in(shared_runs()); }
    ~SceneProof() override { keep_training_in({}); }
};

TEST_P(SceneProof, Holds) {
    const Scene scene = open_scene(GetParam());
    ASSERT_EQ(validate(scene.experiment), std::nullopt);
    proofs().at(GetParam())(scene.experiment);
}

INSTANTIATE_TEST_SUITE_P(Bundled, SceneProof, testing::ValuesIn(proven_scenes()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace ropewalk
