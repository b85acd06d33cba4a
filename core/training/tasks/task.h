// core/training/tasks: what small models are trained on, one file per task, and their list (task_list.h). Here: what
// can be asked of a task without knowing which it is.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/fields/fields.h"
#include "core/numbers/random.h"

namespace ropewalk {

/// What a model learns: one of the tasks in task_list.h, recall by default.
struct TaskVariant;
using Task = Indirect<TaskVariant>;
extern template class Indirect<TaskVariant>;
extern template const ChoiceType& choice_type<Task>();

/// How many different tokens there are, and how many of them a sequence has in training.
struct TaskShape {
    int vocabulary = 0, context = 0;
};

/// The target where a task asks for nothing.
inline constexpr int no_target = -1;

/// One sequence of any length: its tokens, and the token to predict at each of them, or `no_target`.
struct TaskSequence {
    std::span<int> tokens, targets;

    int length() const { return static_cast<int>(tokens.size()); }
};

/// Which part of what a task can ask a sequence is drawn from. Parts have no text of a file in common.
enum class TaskPart { training, held_out };

/// Writes one sequence of a task that accepts the shape (see `check`), from random numbers of its own.
void write_sequence(const Task& task, const TaskShape& shape, TaskPart part, UniformNumbers& numbers,
                    const TaskSequence& sequence);

/// Returns why the task does not accept the shape, or nothing. The sentence starts with the field's path in the recipe.
std::optional<std::string> check(const Task& task, const TaskShape& shape);

/// Returns the accuracy of the best guess from the current token alone.
double chance_of(const Task& task, const TaskShape& shape);

/// Returns what a figure shows for a token, such as "k3".
std::string token_name(const Task& task, int vocabulary, int token);

}  // namespace ropewalk
