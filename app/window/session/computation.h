// What is computed for a document: one worker for the current head, and one for each head that it is compared with,
// which rests while the current head is changed.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/figures.h"
#include "app/window/session/document.h"
#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"

namespace ropewalk {

struct ComputationOptions {
    BackendOptions backend{};
    std::function<void()> wake{};  // called from other threads when there is something new to show
    bool shows_times = true;       // false: the same results look the same in every run
};

/// A head that the current one is compared with: the document's reference, or the head before the last change.
enum class Other { reference, before };

/// Returns whether two heads are the same, at least after other training steps.
bool same_but_for_step(Experiment one, const Experiment& other);

class Computation {
  public:
    /// Returns what a head needs.
    using NeedsOf = std::function<Needs(const Experiment&)>;

    Computation(const Document& document, Notices& notices, ComputationOptions options);

    /// Returns whether the status line shows how long the results took.
    bool shows_times() const { return options_.shows_times; }
    /// Sets what the current head is computed as, such as after the training steps that are done; at first itself.
    void show_as(std::function<Experiment(const Experiment&)> shown) { shown_ = std::move(shown); }
    /// Requests what the figures need from the worker. Requires an experiment without a fault.
    void ask(const Needs& needs);
    /// Adds needs to those of the figures in this frame, such as those of a lesson's numbers. `ask` evaluates them,
    /// because the head may change before then.
    void also_ask(NeedsOf needs) { further_.push_back(std::move(needs)); }
    /// Fetches what the workers have published. Call once per frame.
    void refresh();
    /// Waits until the workers have answered.
    void wait(const Cancel& cancel = {});
    /// Returns what the workers were asked last.
    std::vector<Request> asked() const;
    const WorkerState& state() const { return state_; }
    /// Returns the newest results with these needs, even if they are coarse or belong to an older experiment; null
    /// before the first.
    std::shared_ptr<const Results> results_for(const Needs& needs) const;
    /// Returns whether these results have belonged to another experiment for noticeably long.
    bool is_stale(const Results& results) const;

    /// Request and return results of another head, or nothing if there is none. While the current head is dragged, the
    /// results of the head before are those that were shown when the drag began, without matrices.
    void ask(Other other, const Needs& needs);
    void also_ask(Other other, NeedsOf needs) { companion(other).further.push_back(std::move(needs)); }
    std::shared_ptr<const Results> results_for(Other other, const Needs& needs) const;

    std::string backend_description() const { return backend_description_; }
    /// Returns why these needs of the current head cannot be answered; empty if they are or may be.
    std::string failure(const Needs& needs) const;
    const ComputationOptions& options() const { return options_; }

  private:
    struct Companion {
        std::optional<Experiment> experiment{};  // empty if there is no such head, or it rests
        std::unique_ptr<Worker> worker{};
        WorkerState state{};
        std::vector<NeedsOf> further{};
    };

    Companion& companion(Other other) { return companions_[static_cast<std::size_t>(other)]; }
    const Companion& companion(Other other) const { return companions_[static_cast<std::size_t>(other)]; }
    /// Returns the head that is to be computed now; null if there is none.
    const Experiment* wanted(Other other) const;
    std::unique_ptr<Worker> make_worker(std::unique_ptr<Backend> backend) const;
    /// Returns whether results are those of another head, at the latest as it can be shown now.
    bool are_of(const Results& results, const Experiment& other) const;
    /// Gives another head a worker, if there is one, and ends that worker with it.
    void follow(Other other);
    /// Remembers the shown results when a change begins.
    void follow_changes() const;
    /// Returns those results if they belong to this head; null otherwise.
    std::shared_ptr<const Results> shown_before(const Experiment& head) const;

    const Document& document_;
    Notices& notices_;
    ComputationOptions options_;
    std::function<Experiment(const Experiment&)> shown_ = [](const Experiment& experiment) { return experiment; };
    std::unique_ptr<Worker> worker_;
    WorkerState state_;
    std::array<Companion, 2> companions_;
    std::vector<NeedsOf> further_;
    mutable std::shared_ptr<const Results> before_change_;
    mutable int changes_ = 0;                           // the number of changes begun by then
    std::string backend_description_, backend_notice_;  // backend_notice_: as last shown
};

}  // namespace ropewalk
