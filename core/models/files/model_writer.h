// Writes a model as a folder that Hugging Face transformers and `open_model` read, in the format of Llama.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/models/model_config.h"

namespace ropewalk {

/// A tensor among the parameters of a model: row-major, from number `first` on.
struct WrittenTensor {
    std::string name;  // "model.layers.0.self_attn.q_proj.weight"
    std::vector<std::int64_t> shape;
    std::size_t first = 0;
};

/// The key under which both files of a model that Ropewalk has written name their pair. `open_model` refuses files of
/// two pairs, which a program that ends between the two renames can leave.
inline constexpr auto pair_mark = "ropewalk_pair";

/// Throws what `write_model` would throw, as far as this is known before the training: InputError if the format cannot
/// state the encoding of all heads, IoError if the folder cannot be made, its files cannot be written, or it has files
/// of a model that Ropewalk did not write.
void require_writable_model(const std::filesystem::path& folder, const ModelConfig& config);

/// Writes config.json and model.safetensors into `folder`, which is made if it does not exist; earlier files of these
/// names are replaced together. A model without an MLP gets one that adds nothing, because the format has no other way
/// to say so. Throws like `require_writable_model`, and Cancelled before anything is replaced.
void write_model(const std::filesystem::path& folder, const ModelConfig& config, std::span<const float> parameters,
                 std::vector<WrittenTensor> tensors, const Cancel& cancel = {});

}  // namespace ropewalk
