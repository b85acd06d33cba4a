#include "core/training/batch.h"

#include <cstdint>
#include <span>

#include "core/training/tasks/task_list.h"
#include "core/visit.h"

namespace ropewalk {
namespace {

Batch drawn(const Recipe& recipe, int length, int sequences, RandomKey key, TaskPart part) {
    const auto count = static_cast<std::size_t>(sequences) * static_cast<std::size_t>(length);
    Batch batch{sequences, length, std::vector<int>(count), std::vector<int>(count)};
    for (int i = 0; i < sequences; ++i) {
        key.token = static_cast<std::uint32_t>(i);
        UniformNumbers numbers(key);
        const auto first = static_cast<std::size_t>(i) * static_cast<std::size_t>(length),
                   tokens = static_cast<std::size_t>(length);
        write_sequence(
            recipe.task, recipe.task_shape(), part, numbers,
            {std::span(batch.tokens).subspan(first, tokens), std::span(batch.targets).subspan(first, tokens)});
    }
    return batch;
}

}  // namespace

Batch batch_of(const Recipe& recipe, int step) {
    return drawn(recipe, recipe.context, recipe.batch,
                 {.seed = recipe.seed, .sample = static_cast<std::uint32_t>(step), .stream = RandomStream::training},
                 TaskPart::training);
}

Batch test_batch(const Recipe& recipe, int length, int sequences) {
    return drawn(recipe, length, sequences, {.seed = recipe.seed, .stream = RandomStream::held_out},
                 TaskPart::held_out);
}

std::vector<int> test_targets(const Recipe& recipe, int length) {
    const bool is_text = visit_alternative([](const auto& task) { return task.is_text; }, *recipe.task);
    return is_text ? std::vector<int>() : test_batch(recipe, length, 1).targets;
}

}  // namespace ropewalk
