// The list of tasks. A new one needs a file in tasks/ and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/training/tasks/back.h"
#include "core/training/tasks/both.h"
#include "core/training/tasks/induction.h"
#include "core/training/tasks/language.h"
#include "core/training/tasks/recall.h"
#include "core/training/tasks/task.h"

namespace ropewalk {

/// What a model learns. Every alternative has `id`, `title`, `summary`, `source`, `fields`, `chance` and `write`,
/// and what it redefines of TaskDefaults.
struct TaskVariant : std::variant<Recall, Back, Both, Induction, Language> {
    using variant::variant;
};

}  // namespace ropewalk
