#include "core/models/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/memo.h"
#include "core/models/files/model_folder.h"
#include "core/models/files/model_writer.h"
#include "core/models/open_model.h"
#include "core/models/tokenizer/tokenizer.h"
#include "core/numbers/hash.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t most_config_bytes = 4 << 20;

/// Takes tensors by name and remembers which were taken.
class TensorPicker {
  public:
    TensorPicker(const Tensors& tensors, const ModelConfig& config, const std::string& folder)
        : tensors_(tensors), config_(config), folder_(folder) {}

    bool has(const std::string& name) const { return tensors_.contains(name); }

    /// Returns the tensor of this name and shape. Throws InputError if there is none that can be read.
    const Tensor& take(const std::string& name, std::initializer_list<std::int64_t> shape) {
        const auto found = tensors_.find(name);
        if (found == tensors_.end())
            throw InputError(
                fmt::format("{}: has no tensor '{}', which a {} model of {} layers needs; fetch the "
                            "files again, or correct config.json",
                            folder_, name, config_.family, config_.layer_count()));
        const Tensor& tensor = found->second;
        if (tensor.type == TensorType::other)
            throw InputError(
                fmt::format("{} is {}; convert it to F32, F16, BF16 or F64", tensor.where(), tensor.dtype));
        if (!std::equal(shape.begin(), shape.end(), tensor.shape.begin(), tensor.shape.end()))
            throw InputError(fmt::format("{} has shape [{}], but config.json needs [{}]", tensor.where(),
                                         fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")));
        if (taken_.insert(name).second) parameters_ += tensor.count();
        return tensor;
    }

    LinearWeights linear(const std::string& prefix, const LinearName& name, std::int64_t rows, std::int64_t columns) {
        if (name.tensor.empty()) return {};
        const std::int64_t all = name.tensor_rows > 0 ? name.tensor_rows : rows;
        LinearWeights linear{take(prefix + name.tensor + ".weight", {all, columns}), name.rows, rows, columns, {}};
        if (!name.has_bias) return linear;
        const std::vector<float> bias = take(prefix + name.tensor + ".bias", {all}).widened();
        for (std::int64_t row = 0; row < rows; ++row)
            linear.bias.push_back(bias[static_cast<std::size_t>(name.rows.at(row))]);
        return linear;
    }

    /// Returns a norm's weights over `channels`, or of all heads one after the other.
    NormWeights norm(const std::string& prefix, const std::vector<std::string>& names, std::int64_t channels,
                     Norm kind) {
        NormWeights norm;
        for (const std::string& name : names) {
            const Tensor& tensor = take(prefix + name + ".weight", {channels});
            if (norm.where.empty()) norm.where = tensor.where();
            const std::vector<float> part = tensor.widened();
            norm.weight.insert(norm.weight.end(), part.begin(), part.end());
            if (kind != Norm::layer || !has(prefix + name + ".bias")) continue;
            const std::vector<float> bias = take(prefix + name + ".bias", {channels}).widened();
            norm.bias.insert(norm.bias.end(), bias.begin(), bias.end());
        }
        if (kind == Norm::rms_one_plus)
            for (float& weight : norm.weight) weight += 1;
        return norm;
    }
    NormWeights norm(const std::string& prefix, const std::string& name) {
        return name.empty() ? NormWeights{} : norm(prefix, {name}, config_.width, config_.norm);
    }

    /// Returns the tensors that were not taken, without buffers that hold no weights.
    std::vector<std::string> rest(bool output_is_shared) const {
        std::vector<std::string> names;
        for (const auto& [name, tensor] : tensors_) {
            const bool is_buffer =
                tensor.type == TensorType::other || tensor.shape.empty() || name.ends_with("inv_freq");
            const bool is_copy = output_is_shared && name.ends_with("lm_head.weight");
            if (!taken_.contains(name) && !is_buffer && !is_copy) names.push_back(name);
        }
        return names;
    }
    std::int64_t parameters() const { return parameters_; }

  private:
    const Tensors& tensors_;
    const ModelConfig& config_;
    const std::string& folder_;
    std::set<std::string> taken_;
    std::int64_t parameters_ = 0;
};

/// Returns the prefix of the text model's tensors, which may be saved alone or inside a larger model.
std::string prefix_in(const TensorPicker& tensors, const ModelNames& names) {
    for (const std::string& prefix :
         {names.prefix, "language_model." + names.prefix, names.prefix + "language_model.", std::string()})
        if (tensors.has(prefix + names.embedding + ".weight")) return prefix;
    return names.prefix;
}

ModelLayer read_layer(TensorPicker& tensors, const std::string& prefix, const LayerNames& names,
                      const ModelConfig& config) {
    const std::int64_t width = config.width, queries = std::int64_t{config.heads} * config.head_dim,
                       keys = std::int64_t{config.key_heads} * config.head_dim;
    ModelLayer layer;
    layer.before_attention = tensors.norm(prefix, names.before_attention);
    layer.after_attention = tensors.norm(prefix, names.after_attention);
    layer.before_mlp = tensors.norm(prefix, names.before_mlp);
    layer.after_mlp = tensors.norm(prefix, names.after_mlp);
    const bool whole = config.projection_norm == ProjectionNorm::whole;
    layer.query_norm =
        tensors.norm(prefix, names.query_norm, whole ? queries : config.head_dim, config.projection_norm_kind);
    layer.key_norm = tensors.norm(prefix, names.key_norm, whole ? keys : config.head_dim, config.projection_norm_kind);
    layer.query = tensors.linear(prefix, names.query, queries, width);
    layer.key = tensors.linear(prefix, names.key, keys, width);
    layer.value = tensors.linear(prefix, names.value, keys, width);
    layer.output = tensors.linear(prefix, names.output, width, queries);
    layer.gate = tensors.linear(prefix, names.gate, config.feed_forward, width);
    layer.up = tensors.linear(prefix, names.up, config.feed_forward, width);
    layer.down = tensors.linear(prefix, names.down, width, config.feed_forward);
    return layer;
}

/// Returns √width rounded as a number of the embedding tensor's type: Gemma multiplies in that type.
double embedding_factor(const ModelConfig& config, const Tensor& embedding) {
    if (!config.scales_embeddings) return 1;
    const double exact = std::sqrt(static_cast<double>(config.width));
    const auto rounded_to = [&](int bits) {  // of the significand, ties to even
        int exponent = 0;
        const double significand = std::frexp(exact, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
    };
    switch (embedding.type) {
        case TensorType::bf16: return rounded_to(8);
        case TensorType::f16: return rounded_to(11);
        case TensorType::f32: return rounded_to(24);
        default: return exact;
    }
}

/// Reads the tokenizer, if there is one. A model without one can still read ids.
void read_tokenizer_of(const ModelFolder& folder, Model& model) {
    try {
        model.tokenizer = read_tokenizer(folder.tokenizer());
    } catch (const Error& error) {
        model.tokenizer_problem = error.what();
    }
}

std::uint64_t hash_of_parts(const nlohmann::json& config, const Tensors& tensors, const Model& model) {
    std::uint64_t hash = hash_text(json_line(config));
    constexpr std::size_t samples = 16, sample_bytes = 64;  // of each tensor: a page each, whatever its size
    for (const auto& [name, tensor] : tensors) {
        hash = hash_text(fmt::format("{} {} {}", name, tensor.dtype, fmt::join(tensor.shape, ",")), hash);
        const std::size_t bytes = static_cast<std::size_t>(tensor.count()) * tensor.number_bytes();
        for (std::size_t i = 0; i < samples && bytes > 0; ++i) {
            const std::size_t length = std::min(bytes, sample_bytes), at = (bytes - length) / (samples - 1) * i;
            hash = hash_text({reinterpret_cast<const char*>(tensor.data) + at, length}, hash);
        }
    }
    const auto add = [&](const NormWeights& norm) {
        hash = hash_text({reinterpret_cast<const char*>(norm.weight.data()), norm.weight.size() * sizeof(float)}, hash);
    };
    add(model.last_norm);
    for (const ModelLayer& layer : model.layers)
        for (const NormWeights* norm : {&layer.before_attention, &layer.after_attention, &layer.before_mlp}) add(*norm);
    return hash;
}

/// The files of tensors, each once: to ask whether one changed is to ask the system.
using TensorFiles = std::set<const MappedFile*>;

TensorFiles files_of(const Tensors& tensors) {
    TensorFiles files;
    for (const auto& [name, tensor] : tensors) files.insert(tensor.file.get());
    return files;
}

void require_all_intact(const TensorFiles& files) {
    for (const MappedFile* const file : files) file->require_intact();
}

/// Returns a number that changes whenever the tokenizer or a file with tensors is written.
std::uint64_t version_of_files(const ModelFolder& folder, const TensorFiles& files) {
    std::set<std::uint64_t> versions;
    for (const MappedFile* const file : files) versions.insert(file->version());
    try {
        versions.insert(RegularFile(folder.tokenizer()).version);
    } catch (const IoError&) {  // there is none, or it cannot be read
    }
    return hash_text(fmt::format("{}", fmt::join(versions, " ")));
}

}  // namespace

void Model::require_intact() const {
    TensorFiles files;
    const auto add = [&](const Tensor& tensor) {
        if (tensor.file) files.insert(tensor.file.get());
    };
    add(embedding), add(output.weight);
    for (const ModelLayer& layer : layers)
        for (const LinearWeights* linear :
             {&layer.query, &layer.key, &layer.value, &layer.output, &layer.gate, &layer.up, &layer.down})
            add(linear->weight);
    require_all_intact(files);
}

std::vector<float> rows_of(const LinearWeights& linear, std::int64_t first, std::int64_t count) {
    std::vector<float> rows(static_cast<std::size_t>(count * linear.columns));
    for (std::int64_t row = 0; row < count; ++row)
        widen(linear.weight, linear.in_tensor.at(first + row) * linear.columns,
              {rows.data() + row * linear.columns, static_cast<std::size_t>(linear.columns)});
    return rows;
}

namespace {

/// Returns how many keys a query of a layer sees, on average.
double mean_keys(const LayerConfig& layer, int tokens) {
    return layer.window > 0 ? std::min<double>(layer.window, tokens / 2.0) : tokens / 2.0;
}

}  // namespace

double run_work(const Model& model, int tokens) {
    const ModelConfig& config = model.config;
    const double embeddings = config.shares_embeddings ? 0 : static_cast<double>(config.vocabulary) * config.width;
    double per_token = std::max(0.0, static_cast<double>(model.parameters) - embeddings);
    for (const LayerConfig& layer : config.layers)
        per_token += 2 * mean_keys(layer, tokens) * config.heads * config.head_dim;
    return per_token * tokens;
}

double statistics_work(const Model& model, int tokens) {
    constexpr double per_weight = 25;  // multiply-adds: each weight is on its own cache line
    double per_token = 0;
    for (const LayerConfig& layer : model.config.layers)
        per_token += per_weight * mean_keys(layer, tokens) * model.config.heads;
    return per_token * tokens;
}

namespace {

std::string sentence_about(const UnknownWords& unknown) {
    if (unknown.words == 0) return {};
    const bool is_one = unknown.words == 1;
    const std::string what = unknown.in_part
                                 ? fmt::format("{} characters without a token, which are", is_one ? "has" : "have")
                                 : fmt::format("{} no token and {}", is_one ? "has" : "have", is_one ? "is" : "are");
    const int others = unknown.words - static_cast<int>(unknown.first.size());
    return fmt::format("{} {} {} left out: '{}'{}", unknown.words, is_one ? "word" : "words", what,
                       fmt::join(unknown.first, "', '"), others > 0 ? fmt::format(" and {} more", others) : "");
}

}  // namespace

std::shared_ptr<const Tokenized> tokens_of_text(const Model& model, const std::string& text) {
    if (!model.tokenizer) return std::make_shared<const Tokenized>(Tokenized{{}, model.tokenizer_problem});
    static std::mutex mutex;
    static Memo<std::pair<std::shared_ptr<const Tokenizer>, std::string>, Tokenized> known(16);
    const std::lock_guard lock(mutex);
    return known.get({model.tokenizer, text}, [&] {
        try {
            UnknownWords unknown;
            std::vector<int> ids = model.tokenizer->encode(text, &unknown);
            return Tokenized{std::move(ids), "", sentence_about(unknown)};
        } catch (const Error& error) {
            return Tokenized{{}, error.what()};
        }
    });
}

std::string piece_of(const Model& model, int token) {
    if (model.tokenizer) return model.tokenizer->piece(token);
    const auto at = static_cast<std::size_t>(token);
    return at < model.token_names.size() ? model.token_names[at] : std::to_string(token);
}

namespace {

/// A config.json and the family that it names. The text model's config may be part of a larger one.
struct ConfigFile {
    nlohmann::json json;
    const Family& family;
    ModelConfig config;

    static ConfigFile read(const std::string& path) {
        nlohmann::json json = parse_json(read_file(path, most_config_bytes), path);
        const ConfigReader whole{JsonValue(json, path)};
        const Family& family = family_of(whole);
        ModelConfig config = read_config(family, whole.object("text_config").value_or(whole));
        return {std::move(json), family, std::move(config)};
    }
};

/// Requires that config.json and the weights were written together, where both say so.
void require_pair(const ModelFolder& folder, const nlohmann::json& config) {
    const std::string weights = (folder.folder / "model.safetensors").string();
    std::error_code missing;
    if (!config.contains(pair_mark) || !std::filesystem::is_regular_file(weights, missing)) return;
    std::uint64_t length = 0;  // of the header, which has been read without a complaint
    std::memcpy(&length, read_start(weights, sizeof(length)).bytes.data(), sizeof(length));
    length = std::min(length, most_header_bytes);
    const std::string start = read_start(weights, sizeof(length) + length).bytes;
    const nlohmann::json header = parse_json(std::string_view(start).substr(std::min(start.size(), sizeof(length))),
                                             weights, {.bytes = most_header_bytes, .events = most_header_events});
    const nlohmann::json metadata = header.value("__metadata__", nlohmann::json::object());
    if (!metadata.is_object() || !metadata.contains(pair_mark) || metadata[pair_mark] == config[pair_mark]) return;
    throw InputError(fmt::format(
        "{}: does not belong to the config.json beside it; writing may have been interrupted, so write the model again",
        weights));
}

}  // namespace

ModelConfig read_model_config(const std::string& path) {
    return ConfigFile::read(path).config;
}

std::shared_ptr<const Model> open_model(const std::string& path, const Cancel& cancel, const ModelPartBegins& begins) {
    const auto begin = [&](ModelPart part) {
        cancel.check();
        if (begins) begins(part);
    };
    begin(ModelPart::weights);
    const ModelFolder folder = find_model_folder(path);
    const ConfigFile file = ConfigFile::read(folder.config());
    const Family& family = file.family;
    auto model = std::make_shared<Model>();
    model->folder = folder.folder.string();
    model->config = file.config;
    const ModelConfig& config = model->config;
    const Tensors tensors = read_tensors(folder);
    require_pair(folder, file.json);
    TensorPicker picker(tensors, config, model->folder);
    const ModelNames names = family.model_names(config);
    const std::string prefix = prefix_in(picker, names);
    model->embedding = picker.take(prefix + names.embedding + ".weight", {config.vocabulary, config.width});
    model->embedding_factor = embedding_factor(config, model->embedding);
    for (int layer = 0; layer < config.layer_count(); ++layer) {
        cancel.check();
        model->layers.push_back(read_layer(picker, prefix, family.layer_names(config, layer), config));
    }
    model->last_norm = picker.norm(prefix, names.last_norm);
    const bool nested_output = picker.has("language_model." + names.output + ".weight");
    model->output = config.shares_embeddings ? LinearWeights{model->embedding, {}, config.vocabulary, config.width, {}}
                                             : picker.linear(nested_output ? "language_model." : "", {names.output},
                                                             config.vocabulary, config.width);
    model->hash = hash_of_parts(file.json, tensors, *model);
    const TensorFiles files = files_of(tensors);
    model->version = version_of_files(folder, files);
    require_all_intact(files);
    begin(ModelPart::tokenizer);
    read_tokenizer_of(folder, *model);
    cancel.check();
    model->unused = picker.rest(config.shares_embeddings);
    model->parameters = picker.parameters();
    return model;
}

}  // namespace ropewalk
