// Finished training runs as files, so that a recipe need not be trained twice.
#pragma once

#include <optional>
#include <string>

#include "core/training/training_run.h"

namespace ropewalk {

/// Returns what a folder keeps of a recipe's run; nothing if it keeps none, or if the file is damaged, of another
/// recipe or of another version of the program.
std::optional<TrainingRecord> read_training(const std::string& folder, const Recipe& recipe);

/// Keeps a finished run in a folder, with as many snapshots as a file may hold, and drops the oldest files beyond the
/// folder's share. Does nothing without a folder. A file that cannot be written is not kept.
void write_training(const std::string& folder, const Recipe& recipe, const TrainingRecord& record);

}  // namespace ropewalk
