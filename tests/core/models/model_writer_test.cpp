// Models written as folders, and read again.
#include "core/models/files/model_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/encodings/encoding_list.h"
#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/models/model.h"
#include "core/models/open_model.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using ::testing::HasSubstr;

/// A small model of Llama's kind with different numbers everywhere.
struct SmallModel {
    ModelConfig config;
    std::vector<float> parameters;
    std::vector<WrittenTensor> tensors;

    explicit SmallModel(const Encoding& encoding, int feed_forward = 6) {
        config.family = "llama";
        config.width = 5, config.heads = config.key_heads = 2, config.head_dim = 8;
        config.feed_forward = feed_forward, config.vocabulary = 7, config.context = 40;
        config.scale = 1 / std::sqrt(8.0);
        config.layers.assign(2, {.encoding = encoding});
        add("lm_head.weight", {7, 5});  // in no order of names
        add("model.embed_tokens.weight", {7, 5});
        add("model.norm.weight", {5});
        for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
            add(layer + "input_layernorm.weight", {5});
            for (const char* name : {"q", "k", "v"}) add(layer + "self_attn." + name + "_proj.weight", {16, 5});
            add(layer + "self_attn.o_proj.weight", {5, 16});
            if (feed_forward == 0) continue;
            add(layer + "post_attention_layernorm.weight", {5});
            add(layer + "mlp.gate_proj.weight", {6, 5});
            add(layer + "mlp.up_proj.weight", {6, 5});
            add(layer + "mlp.down_proj.weight", {5, 6});
        }
    }

    void write(const std::string& folder) const { write_model(folder, config, parameters, tensors); }

    std::vector<float> numbers_of(const std::string& name) const {
        for (const WrittenTensor& tensor : tensors)
            if (tensor.name == name) {
                const auto count =
                    std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
                const auto first = parameters.begin() + static_cast<std::ptrdiff_t>(tensor.first);
                return {first, first + count};
            }
        return {};
    }

  private:
    void add(const std::string& name, std::vector<std::int64_t> shape) {
        std::int64_t count = 1;
        for (const std::int64_t extent : shape) count *= extent;
        tensors.push_back({name, std::move(shape), parameters.size()});
        while (count-- > 0) parameters.push_back(0.001f * static_cast<float>(parameters.size()) - 0.3f);
    }
};

TEST(ModelWriter, FoldersOpenAgainWithEveryNumber) {
    TemporaryFolder scratch;
    const std::string folder = scratch.file("model");
    const SmallModel small{Rope{}};
    small.write(folder);
    const auto model = open_model(folder);
    EXPECT_EQ(model->config, small.config);
    EXPECT_TRUE(model->unused.empty());
    EXPECT_EQ(model->parameters, static_cast<std::int64_t>(small.parameters.size()));
    EXPECT_EQ(model->embedding.widened(), small.numbers_of("model.embed_tokens.weight"));
    EXPECT_EQ(model->last_norm.weight, small.numbers_of("model.norm.weight"));
    EXPECT_EQ(rows_of(model->output, 0, 7), small.numbers_of("lm_head.weight"));
    EXPECT_EQ(rows_of(model->layers[1].query, 0, 16), small.numbers_of("model.layers.1.self_attn.q_proj.weight"));
    EXPECT_EQ(rows_of(model->layers[0].down, 0, 5), small.numbers_of("model.layers.0.mlp.down_proj.weight"));
    EXPECT_EQ(model->layers[1].before_mlp.weight, small.numbers_of("model.layers.1.post_attention_layernorm.weight"));
    const std::string config = read_file(folder + "/config.json", 1 << 20);
    for (const char* member :
         {R"("architectures": [)", R"("LlamaForCausalLM")", R"("model_type": "llama")", R"("hidden_size": 5)",
          R"("intermediate_size": 6)", R"("num_hidden_layers": 2)", R"("num_attention_heads": 2)",
          R"("num_key_value_heads": 2)", R"("head_dim": 8)", R"("rms_norm_eps": 1e-06)", R"("rope_theta": 10000.0)",
          R"("tie_word_embeddings": false)", R"("vocab_size": 7)", R"("max_position_embeddings": 40)",
          R"("torch_dtype": "float32")"})
        EXPECT_THAT(config, HasSubstr(member));
}

TEST(ModelWriter, AModelWithoutMlpGetsOneThatAddsNothing) {
    TemporaryFolder scratch;
    const SmallModel small(Rope{}, 0);
    small.write(scratch.path());  // a folder that exists
    const auto model = open_model(scratch.path());
    EXPECT_EQ(model->config.feed_forward, 1);
    for (const ModelLayer& layer : model->layers) {
        EXPECT_EQ(rows_of(layer.down, 0, 5), std::vector<float>(5, 0));
        EXPECT_EQ(rows_of(layer.up, 0, 1), std::vector<float>(5, 0));
        EXPECT_EQ(layer.before_mlp.weight, std::vector<float>(5, 1));
    }
    EXPECT_EQ(rows_of(model->layers[1].output, 0, 5), small.numbers_of("model.layers.1.self_attn.o_proj.weight"));
}

/// Returns whether the encoding can be written; then it is read back.
bool is_written(const Encoding& encoding) {
    TemporaryFolder scratch;
    const std::string folder = scratch.file("model");
    const SmallModel small(encoding);
    try {
        small.write(folder);
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(id_of(ConstChoiceRef(encoding))));
        EXPECT_TRUE(scratch.names().empty()) << "nothing half-written";
        return false;
    }
    const ModelConfig read = read_model_config(folder + "/config.json");
    EXPECT_EQ(read.layers, small.config.layers) << id_of(ConstChoiceRef(encoding));
    return true;
}

TEST(ModelWriter, WhatCanBeWrittenIsReadBackToTheSameValue) {
    std::set<std::string> written;
    for (const Encoding& encoding : alternatives_of<Encoding>())
        if (is_written(encoding)) written.insert(id_of(ConstChoiceRef(encoding)));
    // LongRoPE's default lists hold one factor for all pairs; a config must list one for each.
    EXPECT_THAT(written, ::testing::UnorderedElementsAre("rope", "p_rope", "linear", "dynamic_ntk", "yarn", "llama3"));
}

template <class E>
bool is_written_with(std::vector<std::string> settings) {
    E made{};
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        set_field(made, setting.substr(0, equals), setting.substr(equals + 1), {});
    }
    return is_written(made);
}

TEST(ModelWriter, SettingsOfEncodings) {
    EXPECT_TRUE(is_written_with<Rope>({"base=123456.789"}));
    EXPECT_FALSE(is_written_with<Rope>({"exponent=d_minus_2"}));
    EXPECT_TRUE(is_written_with<PRope>({"p=0.25", "base=500"}));
    EXPECT_TRUE(is_written_with<PRope>({"p=1"}));
    EXPECT_FALSE(is_written_with<PRope>({"p=0"}));
    EXPECT_TRUE(is_written_with<Linear>({"factor=0.5", "base=77"}));
    EXPECT_TRUE(is_written_with<DynamicNtk>({"factor=3", "original_length=17"}));
    EXPECT_TRUE(is_written_with<Yarn>(
        {"factor=3.3", "original_length=64", "beta_fast=8", "beta_slow=2", "truncate=false", "attention_factor=1.25"}));
    EXPECT_FALSE(is_written_with<Yarn>({"ramp=paper"}));
    EXPECT_FALSE(is_written_with<Yarn>({"scale_frequencies=false"}));
    EXPECT_FALSE(is_written_with<Yarn>({"scale_attention=false"}));
    EXPECT_TRUE(is_written_with<Llama3>({"factor=2", "low_freq_factor=2", "high_freq_factor=3.5"}));
    EXPECT_TRUE(
        is_written_with<LongRope>({"short_factor=1,2,3,4", "long_factor=4,5,6,7", "factor=1.5", "original_length=20"}));
    EXPECT_TRUE(is_written_with<LongRope>({"short_factor=1,1,1,1", "long_factor=2,2,2,2", "attention_factor=1.1"}));
    EXPECT_FALSE(is_written_with<LongRope>({"short_factor=1,2,3,4", "long_factor=2"}));
}

TEST(ModelWriter, LayersMustBeAlike) {
    TemporaryFolder scratch;
    SmallModel small{Rope{}};
    small.config.layers[1].encoding = NoPE{};
    EXPECT_THROW(small.write(scratch.file("model")), InputError);
    small.config.layers[1] = {.encoding = Rope{}, .rotary_fraction = 0.5};
    EXPECT_THROW(small.write(scratch.file("model")), InputError);
    EXPECT_TRUE(scratch.names().empty());
}

TEST(ModelWriter, HeadsMustBeAlike) {
    struct Refusal {
        std::vector<double> of_layer_0, of_layer_1;  // shares of encoded logits
        const char* says;
    };
    const std::vector<Refusal> refusals{
        {{1, 0}, {1, 0}, "heads without rotation cannot be written: config.json states one encoding for all heads;"},
        {{0, 1}, {1, 0}, "heads without rotation"},
        {{}, {0, 0}, "heads without rotation"},
        {{0, 0}, {0, 0}, "the encoding 'nope' with these settings cannot be written"},
        {{0.5, 0.5}, {0.5, 0.5}, "learned gates of heads cannot be written: config.json states no gates;"},
        {{0.2, 1}, {}, "learned gates of heads"}};
    TemporaryFolder scratch;
    SmallModel small{Rope{}};
    for (const auto& [of_layer_0, of_layer_1, says] : refusals) {
        small.config.layers[0].encoded_shares = of_layer_0, small.config.layers[1].encoded_shares = of_layer_1;
        try {
            small.write(scratch.file("model"));
            FAIL() << "expected: " << says;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr(says));
        }
        EXPECT_THROW(require_writable_model(scratch.file("model"), small.config), InputError);
    }
    EXPECT_TRUE(scratch.names().empty());
}

TEST(ModelWriter, WhatCannotBeWrittenIsKnownInAdvance) {
    TemporaryFolder scratch;
    const ModelConfig config = SmallModel(Rope{}).config;
    atomic_write(scratch.file("taken"), "a file");
    std::filesystem::create_symlink("nowhere", scratch.file("dangling"));
    for (const char* refused : {"taken", "dangling", "taken/model", "no/such/parent"})
        EXPECT_THROW(require_writable_model(scratch.file(refused), config), IoError) << refused;
    for (const std::string& fine : {scratch.path(), scratch.file("new"), scratch.file("new/")})
        EXPECT_NO_THROW(require_writable_model(fine, config)) << fine;
    std::filesystem::create_directories(scratch.file("full/config.json"));
    EXPECT_THROW(require_writable_model(scratch.file("full"), config), IoError);
    EXPECT_FALSE(std::filesystem::exists(scratch.file("new")));
}

TEST(ModelWriter, AnotherModelIsNeverReplaced) {
    TemporaryFolder scratch;
    const SmallModel small{Rope{}};
    const std::string folder = scratch.file("model");
    small.write(folder);
    EXPECT_NO_THROW(small.write(folder)) << "its own";
    std::filesystem::remove(folder + "/config.json");
    EXPECT_NO_THROW(small.write(folder)) << "what a kill between the two files leaves";
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
        const std::string file = scratch.file(std::string("of another ") + name) + "/" + name;
        std::filesystem::create_directory(std::filesystem::path(file).parent_path());
        atomic_write(file, "{}");
        try {
            small.write(std::filesystem::path(file).parent_path().string());
            FAIL() << name;
        } catch (const IoError& error) {
            EXPECT_EQ(error.what(), file + ": belongs to another model; choose another folder");
        }
        EXPECT_EQ(read_file(file, 10), "{}");
    }
}

TEST(ModelWriter, FilesOfTwoModelsAreNoPair) {
    TemporaryFolder scratch;
    SmallModel small{Rope{}};
    small.write(scratch.file("one"));
    small.write(scratch.file("same"));
    small.parameters[3] += 1;
    small.write(scratch.file("other"));
    const auto put_config_of = [&](const char* from) {
        atomic_write(scratch.file("one/config.json"), read_file(scratch.file(from) + "/config.json", 1 << 20));
    };
    put_config_of("same");
    EXPECT_NO_THROW(open_model(scratch.file("one")));
    put_config_of("other");
    try {
        open_model(scratch.file("one"));
        FAIL() << "weights of one model, config of another";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("does not belong to the config.json"));
    }
    small.write(scratch.file("one"));
    EXPECT_NO_THROW(open_model(scratch.file("one")));
}

TEST(OpenModel, AModelThatWasWrittenAgainIsAnother) {
    TemporaryFolder scratch;
    const SmallModel small{Rope{}};
    const auto open = [&] { return ModelFile{.path = "model", .content = open_model(scratch.file("model"))}; };
    small.write(scratch.file("model"));
    const ModelFile first = open();
    EXPECT_EQ(first, open());
    small.write(scratch.file("model"));
    EXPECT_NE(first, open());
    EXPECT_EQ(hash_of(*first.content), hash_of(*open().content));
    const ModelFile written = open();
    atomic_write(scratch.file("model/tokenizer.json"), "{}");
    EXPECT_NE(written, open());
}

TEST(ModelWriter, NothingIsLeftOfAFailure) {
    TemporaryFolder scratch;
    const SmallModel small{Rope{}};
    atomic_write(scratch.file("taken"), "a file");
    EXPECT_THROW(small.write(scratch.file("taken")), IoError);
    EXPECT_THROW(small.write(scratch.file("no/such/parent")), IoError);
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"taken"});
    const std::atomic<std::uint64_t> generation = 2;
    EXPECT_THROW(write_model(scratch.file("model"), small.config, small.parameters, small.tensors, {generation, 1}),
                 Cancelled);
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"taken"});
}

TEST(OpenModel, TellsWhichPartIsRead) {
    std::vector<ModelPart> parts;
    open_model(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction", {},
               [&](ModelPart part) { parts.push_back(part); });
    EXPECT_THAT(parts, testing::ElementsAre(ModelPart::weights, ModelPart::tokenizer));
}

}  // namespace
}  // namespace ropewalk
