#include "core/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "core/error.h"
#include "core/machine/large_array.h"
#include "core/machine/parallel.h"
#include "core/numbers/numbers.h"
#include "core/numbers/portable_math.h"
#include "core/training/kernels/sequence.h"
#include "core/training/network/padded_weights.h"
#include "core/training/network/parameter_list.h"

namespace ropewalk {
namespace training {

/// Lends parts of memory to tasks that run at the same time.
class Slots {
  public:
    explicit Slots(int count) : free_(static_cast<std::size_t>(count)) { std::iota(free_.begin(), free_.end(), 0); }

    /// Calls use(slot) with a slot that nobody else uses.
    template <class Use>
    void with_one(Use use) {
        const Loan loan(*this);
        use(loan.slot);
    }

  private:
    struct Loan {
        explicit Loan(Slots& all) : slots(all) {
            const std::lock_guard lock(slots.mutex_);
            slot = slots.free_.back();
            slots.free_.pop_back();
        }
        ~Loan() {
            const std::lock_guard lock(slots.mutex_);
            slots.free_.push_back(slot);
        }
        Slots& slots;
        int slot = 0;
    };

    std::mutex mutex_;
    std::vector<int> free_;
};

/// Rows of a tensor that are updated together.
struct UpdateRows {
    std::size_t tensor = 0;
    int first = 0, rows = 0;
};

}  // namespace training

namespace {

using training::GradientTask, training::NetworkView, training::SequenceScore, training::SequenceTask, training::Slots,
    training::UpdateRows;

// AdamW's constants.
constexpr double first_decay = 0.9, second_decay = 0.98, epsilon = 1e-8;
constexpr int warm_up_steps = 50;

// Groups of sequences, each with a gradient of its own. More of them would occupy more threads, but take memory, and
// time to sum. They cannot depend on the threads, because the order of sums would.
constexpr int most_groups = 4;

/// Returns the learning rate of a step: a linear rise, and half a cosine down to a tenth.
double learning_rate(const Recipe& recipe, int step) {
    const double fraction = std::min(1.0, static_cast<double>(step) / recipe.steps);
    const auto half_turns = static_cast<Phase>(fraction * 0x1p63);
    const double cosine = portable_sine_and_cosine(half_turns).cosine;
    return recipe.learning_rate * std::min(1.0, (step + 1.0) / warm_up_steps) * (0.1 + 0.45 * (1 + cosine));
}

int scored_targets(const Batch& batch) {
    return static_cast<int>(
        std::count_if(batch.targets.begin(), batch.targets.end(), [](int target) { return target >= 0; }));
}

/// Returns sequence number `i` of a batch.
SequenceTask<float> sequence_task(const NetworkView<float>& network, float* memory, const Batch& batch, int i,
                                  const Cancel& cancel) {
    const auto length = static_cast<std::size_t>(batch.context), first = length * static_cast<std::size_t>(i);
    return {network, memory, std::span(batch.tokens).subspan(first, length),
            std::span(batch.targets).subspan(first, length), cancel};
}

BatchScore mean_of(const std::vector<SequenceScore>& scores, int scored) {
    if (scored == 0) return {nan, nan};
    BatchScore mean;
    for (const SequenceScore& score : scores) mean.loss += score.loss, mean.accuracy += score.correct;
    mean.loss /= scored, mean.accuracy /= scored;
    if (std::isnan(mean.loss)) mean.loss = nan;  // without a sign bit
    return mean;
}

int threads_of(int threads) {
    return threads > 0 ? threads : core_count();
}

/// How many floats a run takes: for the parameters, the padded weights, the gradient of each group of sequences, and
/// the activations of each sequence that is computed at the same time.
struct RunSize {
    std::size_t flat, padded, activations;  // of one

    RunSize(std::size_t parameters, const WeightLayout& layout, const ActivationLayout& of_sequence)
        : flat(whole(parameters)), padded(whole(layout.size)), activations(whole(of_sequence.size)) {}

    std::size_t all(int groups, int lanes) const {
        return 3 * flat + padded * static_cast<std::size_t>(2 + groups) + activations * static_cast<std::size_t>(lanes);
    }

  private:
    static std::size_t whole(std::size_t count) { return (count + 1023) / 1024 * 1024; }
};

}  // namespace

NetworkShape network_shape(const Recipe& recipe) {
    NetworkShape shape{
        recipe.layers, recipe.heads, recipe.head_dim, recipe.width, recipe.feed_forward, recipe.vocabulary, {}};
    for (const bool has_rope : rope_heads(recipe))
        shape.kinds.push_back(learns_rope_heads(recipe) ? HeadKind::gated
                              : has_rope                ? HeadKind::encoded
                                                        : HeadKind::plain);
    return shape;
}

class Trainer::Run {
  public:
    Run(const Recipe& recipe, int threads)
        : recipe_(recipe),
          threads_(threads_of(threads)),
          shape_(network_shape(recipe)),
          list_(parameter_list(shape_)),
          layout_(shape_),
          activations_(shape_, recipe.context, ActivationLayout::Use::training),
          positions_(lower(recipe.encoding, recipe.shape(recipe.context)), recipe.context),
          count_(ropewalk::parameter_count(shape_)),
          groups_(std::min(most_groups, recipe.batch)),
          slots_(std::min(threads_, groups_)) {
        allocate();
        const auto start = initial_parameters(shape_, recipe.embedding_scale, recipe.seed);
        set_parameters(start);
        for (std::size_t tensor = 0; tensor < list_.size(); ++tensor)
            for (int row = 0; row < list_[tensor].rows(); row += panel_columns)
                updates_.push_back({tensor, row, std::min(panel_columns, list_[tensor].rows() - row)});
    }

    BatchScore step(const Cancel& cancel) {
        const Batch batch = batch_of(recipe_, step_);
        const int scored = scored_targets(batch);
        std::vector<SequenceScore> scores(static_cast<std::size_t>(batch.sequences));
        run_with_threads(threads_, [&] {
            for_each_in_order(groups_, [&](int group) { compute_gradient(batch, group, scored, scores, cancel); });
            update();
        });
        ++step_;
        return mean_of(scores, scored);
    }

    int steps_done() const { return step_; }
    std::span<const float> parameters() const { return {parameters_, count_}; }

    TrainingState state() const {
        const auto copy = [&](const float* from) { return std::vector<float>(from, from + count_); };
        return {step_, copy(parameters_), copy(first_moments_), copy(second_moments_)};
    }
    void restore(const TrainingState& state) {
        ensure(state.parameters.size() == count_ && state.first_moments.size() == count_ &&
                   state.second_moments.size() == count_,
               "the state belongs to another network");
        set_parameters(state.parameters);
        std::copy_n(state.first_moments.data(), count_, first_moments_);
        std::copy_n(state.second_moments.data(), count_, second_moments_);
        step_ = state.step;
    }

    std::size_t bytes() const { return size_ * sizeof(float); }

  private:
    /// Lays out all arrays in one, in large pages.
    void allocate() {
        const RunSize run(count_, layout_, activations_);
        const int lanes = std::min(threads_, groups_);
        size_ = run.all(groups_, lanes);
        arena_ = large_array<float>(size_);
        std::fill_n(arena_.get(), size_, 0.0f);
        float* at = arena_.get();
        const auto take = [&](std::size_t count) { return std::exchange(at, at + count); };
        parameters_ = take(run.flat), first_moments_ = take(run.flat), second_moments_ = take(run.flat);
        plain_ = take(run.padded), transposed_ = take(run.padded);
        for (int group = 0; group < groups_; ++group) gradients_.push_back(take(run.padded));
        for (int slot = 0; slot < lanes; ++slot) memories_.push_back(take(run.activations));
    }

    void set_parameters(std::span<const float> parameters) {
        std::copy(parameters.begin(), parameters.end(), parameters_);
        copy_to_padded(shape_, layout_, parameters, plain_, transposed_);
    }

    void compute_gradient(const Batch& batch, int group, int scored, std::vector<SequenceScore>& scores,
                          const Cancel& cancel) {
        const NetworkView<float> network{shape_, layout_, activations_, positions_, plain_, transposed_};
        GradientTask<float> gradient{1 / static_cast<float>(std::max(scored, 1)),
                                     gradients_[static_cast<std::size_t>(group)], false};
        const int begin = batch.sequences * group / groups_, end = batch.sequences * (group + 1) / groups_;
        slots_.with_one([&](int slot) {
            for (int i = begin; i < end; ++i, gradient.adds = true)
                scores[static_cast<std::size_t>(i)] = train_sequence(
                    sequence_task(network, memories_[static_cast<std::size_t>(slot)], batch, i, cancel), gradient);
        });
    }

    void update() {
        // Powers by products, because libraries differ in the last bit of pow.
        double first_power = 1, second_power = 1;
        for (int i = 0; i <= step_; ++i) first_power *= first_decay, second_power *= second_decay;
        const std::vector<const float*> gradients(gradients_.begin(), gradients_.end());
        for_each_in_order(static_cast<int>(updates_.size()), [&](int i) {
            const UpdateRows& rows = updates_[static_cast<std::size_t>(i)];
            const ParameterTensor& tensor = list_[rows.tensor];
            training::update({.place = layout_.places[rows.tensor],
                              .first_row = rows.first,
                              .rows = rows.rows,
                              .columns = tensor.columns(),
                              .parameters = parameters_ + tensor.offset,
                              .first_moments = first_moments_ + tensor.offset,
                              .second_moments = second_moments_ + tensor.offset,
                              .plain = plain_,
                              .transposed = transposed_,
                              .gradients = gradients,
                              .first_decay = static_cast<float>(first_decay),
                              .second_decay = static_cast<float>(second_decay),
                              .epsilon = static_cast<float>(epsilon),
                              .first_correction = static_cast<float>(1 / (1 - first_power)),
                              .second_correction = static_cast<float>(1 / (1 - second_power)),
                              .rate = static_cast<float>(learning_rate(recipe_, step_)),
                              .weight_decay = static_cast<float>(recipe_.weight_decay)});
        });
    }

    Recipe recipe_;
    int threads_;
    NetworkShape shape_;
    std::vector<ParameterTensor> list_;
    WeightLayout layout_;
    ActivationLayout activations_;
    PositionTables<float> positions_;
    std::size_t count_;
    int groups_;
    Slots slots_;

    std::size_t size_ = 0;
    LargeArray<float> arena_;
    float *parameters_ = nullptr, *first_moments_ = nullptr, *second_moments_ = nullptr;  // flat
    float *plain_ = nullptr, *transposed_ = nullptr;                                      // padded
    std::vector<float*> gradients_, memories_;
    std::vector<UpdateRows> updates_;
    int step_ = 0;
};

Trainer::Trainer(const Recipe& recipe, int threads) : run_(std::make_unique<Run>(recipe, threads)) {}
Trainer::~Trainer() = default;
BatchScore Trainer::step(const Cancel& cancel) {
    return run_->step(cancel);
}
int Trainer::steps_done() const {
    return run_->steps_done();
}
std::span<const float> Trainer::parameters() const {
    return run_->parameters();
}
TrainingState Trainer::state() const {
    return run_->state();
}
void Trainer::restore(const TrainingState& state) {
    run_->restore(state);
}
std::size_t Trainer::bytes() const {
    return run_->bytes();
}

std::size_t training_bytes(const Recipe& recipe) {
    const NetworkShape shape = network_shape(recipe);
    const int groups = std::min(most_groups, recipe.batch);
    const RunSize run(parameter_count(shape), WeightLayout(shape),
                      ActivationLayout(shape, recipe.context, ActivationLayout::Use::training));
    return run.all(groups, groups) * sizeof(float);
}

std::size_t reading_bytes(const Recipe& recipe, int tokens) {
    return ActivationLayout(network_shape(recipe), tokens, ActivationLayout::Use::reading).size * sizeof(float);
}

BatchScore evaluate(const Recipe& recipe, std::span<const float> parameters, const Batch& batch, int threads,
                    const Cancel& cancel) {
    const Shape lowered_for = recipe.shape(batch.context);
    if (const auto sentence = check(recipe.encoding, lowered_for)) throw InputError(*sentence);
    const NetworkShape shape = network_shape(recipe);
    const WeightLayout layout(shape);
    const ActivationLayout activations(shape, batch.context, ActivationLayout::Use::reading);
    const PositionTables<float> positions(lower(recipe.encoding, lowered_for), batch.context);
    const std::size_t most_lanes = std::max<std::size_t>(1, most_reading_bytes / (activations.size * sizeof(float)));
    const int lanes = static_cast<int>(
        std::min(most_lanes, static_cast<std::size_t>(std::min(threads_of(threads), batch.sequences))));
    const std::size_t size = 2 * layout.size + activations.size * static_cast<std::size_t>(lanes);
    const auto arena = large_array<float>(size);
    std::fill_n(arena.get(), size, 0.0f);
    float *const plain = arena.get(), *const transposed = plain + layout.size, *const memory = transposed + layout.size;
    copy_to_padded(shape, layout, parameters, plain, transposed);
    const NetworkView<float> network{shape, layout, activations, positions, plain, transposed};
    std::vector<SequenceScore> scores(static_cast<std::size_t>(batch.sequences));
    Slots slots(lanes);
    run_with_threads(lanes, [&] {
        for_each_in_order(batch.sequences, [&](int i) {
            slots.with_one([&](int slot) {
                scores[static_cast<std::size_t>(i)] = read_sequence(sequence_task(
                    network, memory + activations.size * static_cast<std::size_t>(slot), batch, i, cancel));
            });
        });
    });
    return mean_of(scores, scored_targets(batch));
}

}  // namespace ropewalk
