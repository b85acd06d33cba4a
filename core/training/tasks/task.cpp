#include "core/training/tasks/task.h"

#include "core/fields/indirect-inl.h"
#include "core/training/tasks/task_list.h"
#include "core/visit.h"

namespace ropewalk {

template class Indirect<TaskVariant>;
template const ChoiceType& choice_type<Task>();

void write_sequence(const Task& task, const TaskShape& shape, TaskPart part, UniformNumbers& numbers,
                    const TaskSequence& sequence) {
    visit_alternative([&](const auto& alternative) { alternative.write(shape, part, numbers, sequence); }, *task);
}

std::optional<std::string> check(const Task& task, const TaskShape& shape) {
    return visit_alternative([&](const auto& alternative) { return alternative.check(shape); }, *task);
}

double chance_of(const Task& task, const TaskShape& shape) {
    return visit_alternative([&](const auto& alternative) { return alternative.chance(shape); }, *task);
}

std::string token_name(const Task& task, int vocabulary, int token) {
    return visit_alternative([&](const auto& alternative) { return alternative.token_name(vocabulary, token); }, *task);
}

}  // namespace ropewalk
