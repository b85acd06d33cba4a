#include "core/models/not_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "core/machine/parallel.h"

namespace ropewalk {
namespace {

bool is_finite(float number) {
    return (std::bit_cast<std::uint32_t>(number) & 0x7f800000u) != 0x7f800000u;
}

std::string index_text(std::int64_t at, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; at /= shape[axis]) index[axis] = at % shape[axis];
    return fmt::format("[{}]", fmt::join(index, ", "));
}

std::optional<NotFinite> looked_through(const Tensor& tensor, const Cancel& cancel) {
    constexpr std::int64_t at_once = 1 << 16;
    const std::int64_t count = tensor.count();
    std::mutex mutex;
    NotFinite found{.tensor = tensor.where()};
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for_each_in_order(static_cast<int>((count + at_once - 1) / at_once), [&](int block) {
        cancel.check();
        const std::int64_t begin = block * at_once;
        std::vector<float> numbers(static_cast<std::size_t>(std::min(at_once, count - begin)));
        widen(tensor, begin, numbers);
        if (all_finite(numbers)) return;
        const std::lock_guard lock(mutex);
        const auto at = std::find_if_not(numbers.begin(), numbers.end(), is_finite) - numbers.begin();
        first = std::min<std::int64_t>(first, begin + at);
        found.count += std::count_if(numbers.begin(), numbers.end(), [](float x) { return !is_finite(x); });
    });
    if (tensor.file) tensor.file->require_intact();
    if (found.count == 0) return std::nullopt;
    found.first = index_text(first, tensor.shape);
    return found;
}

std::optional<NotFinite> looked_through(const std::vector<float>& numbers, const std::string& tensor) {
    if (all_finite(numbers)) return std::nullopt;
    const auto first = std::find_if_not(numbers.begin(), numbers.end(), is_finite) - numbers.begin();
    return NotFinite{tensor, std::count_if(numbers.begin(), numbers.end(), [](float x) { return !is_finite(x); }),
                     fmt::format("[{}]", first)};
}

/// Returns what the bias of a layer is called: "FILE: tensor 'NAME.bias'" for "FILE: tensor 'NAME.weight'".
std::string bias_of(std::string weight) {
    constexpr std::string_view ending = ".weight'";
    if (weight.ends_with(ending)) weight.replace(weight.size() - ending.size(), ending.size(), ".bias'");
    return weight;
}

bool has_finite_rows(const Tensor& embedding, std::span<const int> tokens) {
    std::vector<float> row(static_cast<std::size_t>(embedding.shape[1]));
    return std::all_of(tokens.begin(), tokens.end(), [&](int token) {
        widen(embedding, token * embedding.shape[1], row);
        return all_finite(row);
    });
}

using Take = std::function<bool(NotFinite)>;

/// Calls take(found) for each tensor with numbers that are not finite, in the order of their use up to a stage, until
/// it returns false.
class Search {
  public:
    Search(const Model& model, int last_stage, const Cancel& cancel, Take take)
        : model_(model), last_stage_(last_stage), cancel_(cancel), take_(std::move(take)) {}

    void run(bool with_embedding) {
        if (with_embedding) look_at(model_.embedding);
        for (int number = 0; number < static_cast<int>(model_.layers.size()); ++number) {
            const ModelLayer& layer = model_.layers[static_cast<std::size_t>(number)];
            if (goes_on(inputs_stage_of(number))) {
                look_at(layer.before_attention), look_at(layer.query), look_at(layer.key);
                look_at(layer.query_norm), look_at(layer.key_norm);
            }
            if (goes_on(stream_stage_after(number))) {
                look_at(layer.value), look_at(layer.output), look_at(layer.after_attention), look_at(layer.before_mlp);
                look_at(layer.gate), look_at(layer.up), look_at(layer.down), look_at(layer.after_mlp);
            }
        }
        if (!goes_on(output_stage)) return;
        look_at(model_.last_norm);
        if (!model_.config.shares_embeddings) look_at(model_.output);
    }

  private:
    bool goes_on(int stage) const { return !is_done_ && stage <= last_stage_; }
    void take(std::optional<NotFinite> found) {
        if (found && !is_done_) is_done_ = !take_(*std::move(found));
    }
    void look_at(const Tensor& tensor) {
        if (!is_done_ && tensor.data) take(looked_through(tensor, cancel_));
    }
    void look_at(const LinearWeights& linear) {
        if (linear.rows == 0) return;
        look_at(linear.weight);
        take(looked_through(linear.bias, bias_of(linear.weight.where())));
    }
    void look_at(const NormWeights& norm) {
        take(looked_through(norm.weight, norm.where));
        take(looked_through(norm.bias, bias_of(norm.where)));
    }

    const Model& model_;
    int last_stage_;
    const Cancel& cancel_;
    Take take_;
    bool is_done_ = false;
};

}  // namespace

std::string NotFinite::sentence() const {
    return count == 1
               ? fmt::format("{} holds a value that is NaN or infinite, at {}", tensor, first)
               : fmt::format("{} holds {} values that are NaN or infinite, the first at {}", tensor, count, first);
}

bool all_finite(std::span<const float> numbers) {
    bool all = true;
    for (const float number : numbers) all &= is_finite(number);
    return all;
}

std::optional<NotFinite> first_not_finite(const Model& model, std::span<const int> tokens, int last_stage,
                                          const Cancel& cancel) {
    std::optional<NotFinite> first;
    const bool uses_all = last_stage == output_stage && model.config.shares_embeddings;
    Search(model, last_stage, cancel, [&](NotFinite found) {
        first = std::move(found);
        return false;
    }).run(uses_all || !has_finite_rows(model.embedding, tokens));
    return first;
}

std::vector<NotFinite> all_not_finite(const Model& model, const Cancel& cancel) {
    std::vector<NotFinite> all;
    Search(model, output_stage, cancel, [&](NotFinite found) {
        const bool is_new =
            std::none_of(all.begin(), all.end(), [&](const NotFinite& other) { return other.tensor == found.tensor; });
        if (is_new) all.push_back(std::move(found));  // several parts of a layer may be rows of one tensor
        return true;
    }).run(true);
    return all;
}

void reject_not_finite(const Model& model, std::span<const int> tokens, int last_stage, const Cancel& cancel) {
    const auto found = first_not_finite(model, tokens, last_stage, cancel);
    const bool is_trained_here = !model.embedding.file;
    if (is_trained_here)
        throw InputError(
            "the training diverged: " + (found ? found->sentence() : "its numbers exceed the range of fp32") +
            "; choose a smaller learning rate");
    if (!found)
        throw InputError(
            model.folder +
            ": its weights are finite, but results computed from them exceed the range of fp32; check that "
            "config.json belongs to these weights");
    throw InputError(found->sentence() + "; results that depend on it cannot be computed; download the files again");
}

}  // namespace ropewalk
