// Training runs. A run is a pure function of its recipe: the same bytes on every machine, for any number of threads.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/training/batch.h"
#include "core/training/network/network_shape.h"
#include "core/training/recipe.h"

namespace ropewalk {

/// Returns the network that a valid recipe trains.
NetworkShape network_shape(const Recipe& recipe);

/// How well a network predicts the scored targets of a batch; both NaN if there are none.
struct BatchScore {
    double loss = 0;      // mean, nats
    double accuracy = 0;  // share of targets that are the most likely token; of equals the first counts

    bool has_targets() const { return !std::isnan(accuracy); }
    /// Returns whether the weights have become so large that nothing can be computed with them.
    bool has_diverged() const { return has_targets() && !std::isfinite(loss); }
    /// Returns the accuracy, or NaN if the weights say nothing.
    double valid_accuracy() const { return has_diverged() ? std::nan("") : accuracy; }
    bool operator==(const BatchScore&) const = default;
};

/// A run after some of its steps, from which it can continue.
struct TrainingState {
    int step = 0;  // number of steps done
    std::vector<float> parameters, first_moments, second_moments;

    bool operator==(const TrainingState&) const = default;
};

/// One training run. Not thread-safe, but it may move from thread to thread between calls.
class Trainer {
  public:
    /// Starts a run of a valid recipe. `threads`: 0 uses every core.
    explicit Trainer(const Recipe& recipe, int threads = 0);
    ~Trainer();

    /// Does the next step. Returns the score of its batch before the update. Throws Cancelled within the
    /// time of one layer of one sequence; the run is then as it was before the step.
    BatchScore step(const Cancel& cancel = {});
    /// Returns the number of steps done. A run may continue after the recipe's steps, at the lowest rate.
    int steps_done() const;
    /// Returns the parameters, in the order of parameter_list.
    std::span<const float> parameters() const;

    TrainingState state() const;
    /// Puts the run in a state of a run of the same recipe.
    void restore(const TrainingState& state);

    /// Returns the bytes that the run holds.
    std::size_t bytes() const;

  private:
    class Run;
    std::unique_ptr<Run> run_;
};

/// Returns the bytes that a run of a recipe takes on at least four threads; on fewer, it takes no more.
std::size_t training_bytes(const Recipe& recipe);

/// Returns the bytes that a sequence of this length takes while its score is computed.
std::size_t reading_bytes(const Recipe& recipe, int tokens);
inline constexpr std::size_t most_reading_bytes = std::size_t{2} << 30;

/// Returns the score of a batch of sequences of any length, for parameters of the recipe's network. The encoding is
/// lowered for that length. Computes as many sequences at a time as take `most_reading_bytes`, at least one. Throws
/// Cancelled, and InputError if the encoding does not accept the length.
BatchScore evaluate(const Recipe& recipe, std::span<const float> parameters, const Batch& batch, int threads = 0,
                    const Cancel& cancel = {});

}  // namespace ropewalk
