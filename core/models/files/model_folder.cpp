#include "core/models/files/model_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/json_reader.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_index_bytes = 16 << 20;
constexpr auto index_name = "model.safetensors.index.json";

/// Returns the names in a folder that end so, sorted. Throws IoError if it cannot be read.
std::vector<std::string> names_ending(const fs::path& folder, std::string_view ending) {
    std::error_code error;
    std::vector<std::string> names = names_in(folder, error);
    if (error) cannot("read", folder.string(), reason(error.value(), folder));
    std::erase_if(names, [&](const std::string& name) { return !name.ends_with(ending); });
    std::sort(names.begin(), names.end());
    return names;
}

/// Returns the sentence about weights in a format that is not read; empty if there are none.
std::string other_format(const fs::path& folder) {
    static constexpr std::array<std::pair<std::string_view, const char*>, 6> formats{{
        {".gguf", "GGUF holds quantised weights for other programs; download the model's .safetensors files"},
        {".bin",
         "it is a Python pickle, which is never executed; convert it with save_pretrained(…, "
         "safe_serialization=True)"},
        {".pt", "it is a Python pickle, which is never executed; save the tensors as .safetensors"},
        {".pth", "it is a Python pickle, which is never executed; save the tensors as .safetensors"},
        {".h5", "it holds TensorFlow weights; download the model's .safetensors files"},
        {".msgpack", "it holds Flax weights; download the model's .safetensors files"},
    }};
    for (const auto& [ending, advice] : formats)
        if (const auto names = names_ending(folder, ending); !names.empty())
            return fmt::format("'{}' cannot be read: {}", names[0], advice);
    return {};
}

/// Throws unless a file's name in an index stays in the folder.
void require_inside(const std::string& file, const JsonValue& place) {
    const fs::path path(file);
    const bool leaves = path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
    if (file.empty() || leaves || file.find('\0') != file.npos)
        place.reject(fmt::format("'{}' must name a file in the model's folder", file));
}

/// Calls f(tensor, file, place in the index) for each tensor that the index of a folder names.
template <class F>
void for_each_indexed(const fs::path& folder, F f) {
    const std::string path = (folder / index_name).string();
    const nlohmann::json json = parse_json(read_file(path, most_index_bytes), path,
                                           {.events = most_header_events, .advice = "; save fewer tensors"});
    const JsonValue map = JsonValue(json, path).at("weight_map");
    if (!map.raw().is_object()) map.reject("must be an object of tensor and file names");
    for (const auto& [name, unused] : map.raw().items()) {
        const JsonValue place = map.at(name);
        const std::string file = place.text();
        require_inside(file, place);
        f(name, file, place);
    }
}

Tensors read_indexed(const fs::path& folder) {
    std::map<FileIdentity, Tensors> files;  // each without the tensors that were taken
    std::map<std::string, FileIdentity> identities;
    Tensors tensors;
    for_each_indexed(folder, [&](const std::string& name, const std::string& file, const JsonValue& place) {
        const auto [identity, is_new] = identities.try_emplace(file);
        if (is_new) identity->second = FileIdentity::of(folder / file);
        auto known = files.find(identity->second);
        if (known == files.end())
            known = files.emplace(identity->second, read_safetensors((folder / file).string())).first;
        Tensors::node_type tensor = known->second.extract(name);
        if (!tensor) place.reject(fmt::format("'{}' has no such tensor; fetch both files again", file));
        tensors.insert(std::move(tensor));
    });
    return tensors;
}

}  // namespace

ModelFolder find_model_folder(const std::string& path) {
    if (!is_there(path))
        cannot("read", path, "there is no such folder; choose one with config.json and .safetensors files");
    std::error_code error;
    const fs::path folder = fs::is_directory(path, error) ? fs::path(path) : fs::absolute(path, error).parent_path();
    if (is_there(folder / "config.json")) return {folder};
    if (extension_of(path) == "gguf")
        throw InputError(
            fmt::format("{}: is a GGUF file of quantised weights; download the model's folder with "
                        "config.json and .safetensors files",
                        path));
    const std::string other = other_format(folder);
    throw InputError(
        fmt::format("{}: has no config.json; {}", folder.string(),
                    other.empty() ? "choose a model's folder with config.json and .safetensors files" : other));
}

bool is_model_config(const std::string& path) {
    return fs::path(path).filename() == "config.json";
}

std::set<std::string> indexed_files(const ModelFolder& folder) {
    std::set<std::string> files;
    try {
        for_each_indexed(folder.folder, [&](const std::string&, const std::string& file, const JsonValue&) {
            files.insert((folder.folder / file).string());
        });
    } catch (const Error&) {  // whoever opens the model says what is wrong
    }
    return files;
}

std::set<std::string> files_of(const ModelFolder& folder) {
    std::set<std::string> files = indexed_files(folder);
    files.insert({folder.config(), folder.tokenizer(), (folder.folder / index_name).string()});
    for (const std::string& name : names_ending(folder.folder, ".safetensors"))
        files.insert((folder.folder / name).string());
    return files;
}

Tensors read_tensors(const ModelFolder& folder) {
    if (const fs::path single = folder.folder / "model.safetensors"; is_there(single))
        return read_safetensors(single.string());
    if (is_there(folder.folder / index_name)) return read_indexed(folder.folder);
    const auto names = names_ending(folder.folder, ".safetensors");
    if (names.size() == 1) return read_safetensors((folder.folder / names[0]).string());
    const std::string other = other_format(folder.folder);
    throw InputError(fmt::format(
        "{}: {}", folder.folder.string(),
        names.size() > 1 ? fmt::format("has {} .safetensors files but no {}, which says what is in which; add it",
                                       names.size(), index_name)
        : other.empty()  ? "has no .safetensors file; download the weights into it"
                         : other));
}

}  // namespace ropewalk
