#include "core/models/files/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/error.h"
#include "core/io/files.h"
#include "core/models/families/family.h"
#include "core/numbers/hash.h"

namespace ropewalk {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

/// Throws InputError: config.json states only what `stated` says, not `what`.
[[noreturn]] void reject(const std::string& what, const char* stated) {
    throw InputError(fmt::format("{} cannot be written: config.json states {}; save the scene instead", what, stated));
}

/// Adds the members that state the encoding of all heads. Throws InputError if it cannot be stated.
void state_encoding(const ModelConfig& config, nlohmann::json& json) {
    const LayerConfig& layer = config.layers.front();
    std::vector<double> shares;  // of all heads, or of all alike
    for (LayerConfig other : config.layers) {
        shares.insert(shares.end(), other.encoded_shares.begin(), other.encoded_shares.end());
        if (other.encoded_shares.empty()) shares.push_back(1);
        other.encoded_shares = layer.encoded_shares;
        if (!(other == layer)) reject("an encoding that differs between layers", "one encoding for all layers");
    }
    const auto [smallest, largest] = std::minmax_element(shares.begin(), shares.end());
    const Encoding encoding = *largest == 0 ? without_rope() : layer.encoding;
    if (layer.rotary_fraction != 1 || layer.window != 0 || !state_rope(encoding, json))
        reject(fmt::format("the encoding '{}' with these settings", id_of(ConstChoiceRef(encoding))),
               "only rope, linear, dynamic_ntk, yarn, longrope, llama3 and p_rope, and not every setting of these");
    if (std::any_of(shares.begin(), shares.end(), [](double share) { return share > 0 && share < 1; }))
        reject("learned gates of heads", "no gates");
    if (*smallest != *largest) reject("heads without rotation", "one encoding for all heads");
}

/// Returns config.json of a Llama. Throws InputError if it cannot state the model.
nlohmann::json llama_config(const ModelConfig& config) {
    nlohmann::json json{{"architectures", {"LlamaForCausalLM"}},
                        {"attention_bias", false},
                        {"bos_token_id", nullptr},
                        {"eos_token_id", nullptr},
                        {"head_dim", config.head_dim},
                        {"hidden_act", "silu"},
                        {"hidden_size", config.width},
                        {"intermediate_size", std::max(config.feed_forward, 1)},
                        {"max_position_embeddings", config.context},
                        {"mlp_bias", false},
                        {"model_type", "llama"},
                        {"num_attention_heads", config.heads},
                        {"num_hidden_layers", config.layer_count()},
                        {"num_key_value_heads", config.key_heads},
                        {"rms_norm_eps", config.norm_epsilon},
                        {"rope_scaling", nullptr},
                        {"tie_word_embeddings", false},
                        {"torch_dtype", "float32"},
                        {"vocab_size", config.vocabulary}};
    state_encoding(config, json);
    return json;
}

/// Adds an MLP of one channel, whose output is zero, to every layer. Appends its numbers to `added`, which come after
/// `count` others.
void add_silent_mlps(const ModelConfig& config, std::size_t count, std::vector<float>& added,
                     std::vector<WrittenTensor>& tensors) {
    const std::int64_t width = config.width;
    const auto add = [&](std::string name, std::vector<std::int64_t> shape, float number) {
        tensors.push_back({std::move(name), std::move(shape), count + added.size()});
        added.insert(added.end(), static_cast<std::size_t>(width), number);
    };
    for (int layer = 0; layer < config.layer_count(); ++layer) {
        const std::string at = fmt::format("model.layers.{}.", layer);
        add(at + "post_attention_layernorm.weight", {width}, 1);
        add(at + "mlp.gate_proj.weight", {1, width}, 0);
        add(at + "mlp.up_proj.weight", {1, width}, 0);
        add(at + "mlp.down_proj.weight", {width, 1}, 0);
    }
}

std::size_t numbers_in(const WrittenTensor& tensor) {
    std::size_t count = 1;
    for (const std::int64_t extent : tensor.shape) count *= static_cast<std::size_t>(extent);
    return count;
}

std::string config_path(const std::filesystem::path& folder) {
    return (folder / "config.json").string();
}
std::string weights_path(const std::filesystem::path& folder) {
    return (folder / "model.safetensors").string();
}

/// Returns a .safetensors file whose tensors hold numbers of `parameters`, or, after the last of these, of `added`.
std::string safetensors_bytes(std::span<const float> parameters, std::span<const float> added,
                              const std::vector<WrittenTensor>& tensors, const std::string& mark) {
    nlohmann::json header{{"__metadata__", {{"format", "pt"}, {pair_mark, mark}}}};
    std::size_t bytes = 0;
    for (const WrittenTensor& tensor : tensors) {
        const std::size_t end = bytes + sizeof(float) * numbers_in(tensor);
        header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {bytes, end}}};
        bytes = end;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string file;
    file.reserve(8 + text.size() + bytes);
    for (int i = 0; i < 8; ++i) file += static_cast<char>(std::uint64_t{text.size()} >> 8 * i & 0xff);
    file += text;
    for (const WrittenTensor& tensor : tensors) {
        const bool is_added = tensor.first >= parameters.size();
        const auto numbers = is_added ? added.subspan(tensor.first - parameters.size(), numbers_in(tensor))
                                      : parameters.subspan(tensor.first, numbers_in(tensor));
        file.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    }
    return file;
}

/// Throws IoError if the folder has a file of a model that Ropewalk did not write: it would be replaced, or it is a
/// tokenizer that would be read with the new weights. Files that Ropewalk writes have their mark near the beginning.
void require_no_other_model(const std::filesystem::path& folder) {
    constexpr std::size_t most_before_mark = 1 << 16;
    for (const std::string& file : {config_path(folder), weights_path(folder), (folder / "tokenizer.json").string()}) {
        std::error_code error;
        if (!std::filesystem::exists(file, error)) continue;
        if (read_start(file, most_before_mark).bytes.find(pair_mark) == std::string::npos)
            throw IoError(file + ": belongs to another model; choose another folder");
    }
}

}  // namespace

void require_writable_model(const std::filesystem::path& folder, const ModelConfig& config) {
    llama_config(config);
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) {
        require_writable(config_path(folder));
        require_writable(weights_path(folder));
        require_no_other_model(folder);
    } else if (std::filesystem::exists(std::filesystem::symlink_status(folder, error))) {
        throw IoError(fmt::format("{}: is not a folder; choose another name", folder.string()));
    } else {
        require_writable((folder.has_filename() ? folder : folder.parent_path()).string());
    }
}

void write_model(const std::filesystem::path& folder, const ModelConfig& config, std::span<const float> parameters,
                 std::vector<WrittenTensor> tensors, const Cancel& cancel) {
    for (const WrittenTensor& tensor : tensors)
        ensure(tensor.first + numbers_in(tensor) <= parameters.size(), "a tensor lies within the parameters");
    require_writable_model(folder, config);
    nlohmann::json stated = llama_config(config);
    const std::string_view numbers(reinterpret_cast<const char*>(parameters.data()), parameters.size_bytes());
    const std::string mark = fmt::format("{:016x}", hash_text(numbers, hash_text(stated.dump())));
    stated[pair_mark] = mark;
    const std::string json = stated.dump(2) + "\n";
    std::vector<float> added;
    if (config.feed_forward == 0) add_silent_mlps(config, parameters.size(), added, tensors);
    const std::string weights = safetensors_bytes(parameters, added, tensors, mark);
    cancel.check();
    std::error_code error;
    const bool is_new = std::filesystem::create_directory(folder, error);
    if (error) throw IoError(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
    try {
        write_together({{weights_path(folder), weights}, {config_path(folder), json}}, cancel);
    } catch (...) {
        if (is_new) std::filesystem::remove(folder, error);  // with what others have put there, it stays
        throw;
    }
}

}  // namespace ropewalk
