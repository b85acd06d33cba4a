// Opening a model while something else waits for it: once, however many ask, and only as long as it is wanted.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cancel.h"
#include "core/models/model.h"

namespace ropewalk {

/// A part of a model that takes time to read: the headers of its weight files, or its tokenizer.
enum class ModelPart { weights, tokenizer };
/// Called when the reading of a part begins. May be empty.
using ModelPartBegins = std::function<void(ModelPart)>;

/// Opens the model in a folder, or in the folder of a file. Reads headers and norms, but no large tensor. Throws
/// IoError or InputError with the file, the place and the way out, and Cancelled between its layers and before its
/// tokenizer.
std::shared_ptr<const Model> open_model(const std::string& path, const Cancel& cancel = {},
                                        const ModelPartBegins& begins = {});

/// Returns the path of a model: of a bundled one for "bundled:NAME", otherwise the name itself. Throws InputError if
/// NAME cannot be that of a folder.
std::string path_of_model(const std::string& name);

/// Returns the model in a folder, opened once as long as its files stay the same and somebody holds it, or it is one of
/// the latest four; what loads it for a scene finds the same. Throws like `open_model`.
std::shared_ptr<const Model> shared_model(const std::string& path, const Cancel& cancel = {},
                                          const ModelPartBegins& begins = {});

}  // namespace ropewalk
