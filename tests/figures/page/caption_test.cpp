// What a caption says about a head, a training, or a reference.
#include "app/figures/parts/text/caption.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/models/open_model.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Captions, NameWhatIsShown) {
    EXPECT_EQ(caption({}), "RoPE, base θ 10 000 · All ones · d = 64 · N = 256");
    EXPECT_EQ(caption({.construction = Gaussian{}, .scale = Scale::sqrt_d, .temperature = 2}, Depicted::encoding),
              "RoPE, base θ 10 000 · d = 64 · N = 256");
    EXPECT_THAT(caption({.construction = PreviousToken{.alpha = 7}}), HasSubstr("sharpness α 7"));
    EXPECT_THAT(caption({.encoding = Yarn{.truncate = false, .scale_frequencies = false}}),
                HasSubstr(", whole pairs off, scale frequencies off"));
    EXPECT_THAT(caption({.encoding = Yarn{}}), Not(HasSubstr("scale frequencies")));
    EXPECT_THAT(caption({.construction = Gaussian{}, .seed = 5}), HasSubstr(" · seed 5"));
    const Experiment trained = open_scene("train-back").experiment;
    EXPECT_THAT(caption(trained),
                HasSubstr(" · Head of a model, layer 0, head 0, trained on “Look back” for 100 steps · "));
    EXPECT_THAT(caption(changed(trained, "construction.recipe.seed=3 encoding=nope construction.step=40")),
                HasSubstr("trained on “Look back” for 40 of 100 steps with RoPE, base θ 10 000, seed 3 · "));
    EXPECT_THAT(caption(trained, Depicted::head, TrainingDetail::full),
                HasSubstr(", trained for 100 steps on “Look back”, distance r 1, with RoPE, base θ 10 000, 1 "
                          "layer, 1 head per layer, training length L 64, seed 0 · "));
    EXPECT_EQ(
        caption(changed(trained, "encoding=nope construction.step=40"), Depicted::training),
        "Trained for 100 steps on “Look back”, distance r 1, with RoPE, base θ 10 000, 1 layer, 1 head per layer, "
        "training length L 64, seed 0")
        << "neither the encoding after training nor the shown step changes it";
    EXPECT_THAT(caption(changed(trained, "construction.step=40"), Depicted::model),
                StartsWith("Trained for 40 of 100 steps on “Look back”, "));
    EXPECT_EQ(united(Depicted::training, Depicted::encoding), Depicted::head);
    EXPECT_EQ(united(Depicted::training, Depicted::model), Depicted::model);
    EXPECT_EQ(united(Depicted::publication, Depicted::encoding), Depicted::encoding);
    EXPECT_THAT(caption({.seed = 5}), Not(HasSubstr("seed"))) << "nothing is drawn";
    EXPECT_THAT(caption({.construction = Gaussian{}}), Not(HasSubstr("seed")));
    EXPECT_THAT(caption({.encoding = PRope{.p = 0.5}, .scale = Scale::sqrt_d, .temperature = 2}),
                HasSubstr("fraction p 0.5, 16 of 32 pairs rotate, effective p = 0.5 ·"));
    EXPECT_THAT(
        caption({.mask = Mask::window, .window = 48, .scale = Scale::value, .scale_value = 0.25, .softcap = 50}),
        HasSubstr(" · scale 0.25 · softcap 50 · window 48"));
    EXPECT_THAT(caption({.window = 48, .scale_value = 0.25}), Not(testing::ContainsRegex("window|scale")));
}

TEST(Captions, CallTheSameHeadOfAnotherVersionOfAFileThat) {
    const TemporaryFolder folder;
    std::filesystem::copy(ROPEWALK_SOURCE_DIR "/assets/models/induction", folder.file("model"));
    const auto open = [&] {
        return Experiment{
            .seq_len = 13,
            .construction = ModelHead{.model = {.path = "model", .content = open_model(folder.file("model"))}}};
    };
    const Experiment first = open();
    EXPECT_EQ(difference_in_words(open(), first), "identical to the current head");
    atomic_write(folder.file("model/model.safetensors"), read_file(folder.file("model/model.safetensors"), 1 << 20));
    EXPECT_EQ(difference_in_words(open(), first), "another version of the same file");
    EXPECT_EQ(difference_in_words(changed(first, "temperature=2"), first), "Temperature 1");
}

}  // namespace
}  // namespace ropewalk
