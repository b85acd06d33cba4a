#include "app/window/session/computation.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace ropewalk {
namespace {

constexpr auto patience = std::chrono::milliseconds(200);

/// Returns the newest results with these needs, even if they are coarse.
std::shared_ptr<const Results> newest(const WorkerState& state, const Needs& needs) {
    for (const auto& results : {state.coarse, state.results, state.complete})
        if (results && answers(*results, needs)) return results;
    return state.results;
}

}  // namespace

Computation::Computation(const Document& document, Notices& notices, ComputationOptions options)
    : document_(document), notices_(notices), options_(std::move(options)) {
    auto backend = options_.backend.open();
    backend_description_ = fmt::format("{} ({})", backend->id(), backend->description());
    worker_ = make_worker(std::move(backend));
    follow_reference();
}

std::unique_ptr<Worker> Computation::make_worker(std::unique_ptr<Backend> backend) const {
    return std::make_unique<Worker>(
        std::move(backend), options_.wake ? options_.wake : [] {},
        [id = options_.backend.id == "reference" ? "reference" : "cpu", threads = options_.backend.threads] {
            return open_backend(id, threads);
        });
}

void Computation::ask(const Needs& needs) {
    Needs all = needs;
    add_needs(all, further_);
    worker_->request({document_.experiment(), document_.cursor(), std::move(all)});
}

void Computation::follow_reference() {
    const Experiment* const wanted = document_.reference();
    if (!wanted)
        reference_.reset();
    else if (!reference_ || !(reference_->experiment == *wanted))
        notices_.attempt([&] {
            auto worker = make_worker(options_.backend.open());
            reference_ = std::make_unique<Reference>(Reference{*wanted, std::move(worker)});
        });
}

void Computation::ask_reference(const Needs& needs) {
    follow_reference();
    if (!reference_) return;
    Needs all = needs;
    add_needs(all, further_of_reference_);
    const Experiment& experiment = reference_->experiment;
    reference_->worker->request({experiment, document_.view.cursor.clamped(experiment), std::move(all)});
}

void Computation::refresh() {
    further_.clear();
    further_of_reference_.clear();
    state_ = worker_->state();
    follow_reference();
    if (reference_) reference_->state = reference_->worker->state();
    if (state_.results && state_.results->notice != backend_notice_) {
        backend_notice_ = state_.results->notice;
        backend_description_ = state_.results->backend;
        notices_.notify(backend_notice_, Notice::Kind::error);
    }
}

void Computation::wait() {
    state_ = worker_->wait();
    if (reference_) reference_->state = reference_->worker->wait();
}

std::shared_ptr<const Results> Computation::results_for(const Needs& needs) const {
    return newest(state_, needs);
}

std::shared_ptr<const Results> Computation::reference_for(const Needs& needs) const {
    return reference_ ? newest(reference_->state, needs) : nullptr;
}

bool Computation::is_stale(const Results& results) const {
    return !(results.request.experiment == document_.experiment()) &&
           std::chrono::steady_clock::now() - document_.edited_at() > patience;
}

std::shared_ptr<const Results> Computation::before_drag() const {
    if (!document_.is_dragging())
        before_drag_ = nullptr;
    else if (!before_drag_ && state_.results)
        before_drag_ = without_views(*state_.results);
    return before_drag_;
}

}  // namespace ropewalk
