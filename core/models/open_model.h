// Opening a model while something else waits for it: once, however many ask, and only as long as it is wanted.
#pragma once

#include <memory>
#include <string>

#include "core/cancel.h"
#include "core/models/model.h"

namespace ropewalk {

/// Opens the model in a folder, or in the folder of a file. Throws IoError or InputError, and Cancelled between its
/// layers and before its tokenizer.
std::shared_ptr<const Model> open_model(const std::string& path, const Cancel& cancel);

/// Returns the model in a folder, opened once as long as its files stay the same and somebody holds it; what loads it
/// for a scene finds the same. Throws like `open_model`.
std::shared_ptr<const Model> shared_model(const std::string& path, const Cancel& cancel = {});

}  // namespace ropewalk
