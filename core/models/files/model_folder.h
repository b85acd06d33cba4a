// The files of a checkpoint's folder.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/models/files/safetensors.h"

namespace ropewalk {

/// The paths of a checkpoint's files. A folder of the Hugging Face cache holds links to files elsewhere, which is fine.
struct ModelFolder {
    std::filesystem::path folder;

    std::string config() const { return (folder / "config.json").string(); }
    std::string tokenizer() const { return (folder / "tokenizer.json").string(); }
};

/// Returns the folder that the user means by a path: a folder, or one of the files in it. Throws IoError or InputError,
/// with the way out if what is there has another format.
ModelFolder find_model_folder(const std::string& path);

/// Returns whether a file is named as a model's configuration.
bool is_model_config(const std::string& path);

/// Returns the paths of the files that the folder's index names, in any folder within; those before the first fault of
/// a faulty index, and none without an index.
std::set<std::string> indexed_files(const ModelFolder& folder);
/// Returns the paths of the files that a model in the folder is read from, if they exist.
std::set<std::string> files_of(const ModelFolder& folder);

/// Maps all tensors: of model.safetensors, of the files that model.safetensors.index.json lists, or of the only
/// .safetensors file. Throws IoError or InputError.
Tensors read_tensors(const ModelFolder& folder);

}  // namespace ropewalk
