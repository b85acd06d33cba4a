// What is computed for a document: one worker for the current head, and one for the reference, which rests while the
// head is changed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/figures/figures.h"
#include "app/window/session/document.h"
#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"

namespace ropewalk {

struct ComputationOptions {
    BackendOptions backend{};
    std::function<void()> wake{};  // called from other threads when there is something new to show
};

class Computation {
  public:
    Computation(const Document& document, Notices& notices, ComputationOptions options);

    /// Requests what the figures need from the worker. Requires an experiment without a fault.
    void ask(const Needs& needs);
    /// Adds needs to those of the figures in this frame, such as those of a lesson's numbers.
    void also_ask(const Needs& needs) { add_needs(further_, needs); }
    /// Fetches what the workers have published. Call once per frame.
    void refresh();
    /// Waits until the workers have answered.
    void wait();
    const WorkerState& state() const { return state_; }
    /// Returns the newest results with these needs, even if they are coarse or belong to an older experiment; null
    /// before the first.
    std::shared_ptr<const Results> results_for(const Needs& needs) const;
    /// Returns whether these results have belonged to another experiment for noticeably long.
    bool is_stale(const Results& results) const;
    /// Returns the results shown before the current drag, without matrices; null if there is no drag.
    std::shared_ptr<const Results> before_drag() const;

    /// The same for the document's reference; they do nothing without one.
    void ask_reference(const Needs& needs);
    void also_ask_reference(const Needs& needs) { add_needs(further_of_reference_, needs); }
    std::shared_ptr<const Results> reference_for(const Needs& needs) const;

    std::string backend_description() const { return backend_description_; }
    const ComputationOptions& options() const { return options_; }

  private:
    struct Reference {
        Experiment experiment;
        std::unique_ptr<Worker> worker;
        WorkerState state{};
    };

    std::unique_ptr<Worker> make_worker(std::unique_ptr<Backend> backend) const;
    /// Gives the document's reference a worker, if it has one, and keeps that worker while the reference is the same.
    void follow_reference();

    const Document& document_;
    Notices& notices_;
    ComputationOptions options_;
    std::unique_ptr<Worker> worker_;
    WorkerState state_;
    std::unique_ptr<Reference> reference_;
    Needs further_, further_of_reference_;
    mutable std::shared_ptr<const Results> before_drag_;
    std::string backend_description_, backend_notice_;  // backend_notice_: as last shown
};

}  // namespace ropewalk
