#include "app/window/session/computation.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace ropewalk {
namespace {

constexpr auto patience_with_edits = std::chrono::milliseconds(200);

}  // namespace

bool same_but_for_step(Experiment one, const Experiment& other) {
    const auto step = number_at(other, "construction.step");
    if (step) set_number(one, "construction.step", *step);
    return one == other;
}

Computation::Computation(const Document& document, Notices& notices, ComputationOptions options)
    : document_(document), notices_(notices), options_(std::move(options)) {
    auto backend = options_.backend.open();
    backend_description_ = fmt::format("{} ({})", backend->id(), backend->description());
    worker_ = make_worker(std::move(backend));
    follow(Other::reference);
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
    for (const NeedsOf& needs_of : further_) add_needs(all, needs_of(document_.experiment()));
    worker_->take_over(shown_before(document_.experiment()));
    worker_->request({shown_(document_.experiment()), document_.cursor(), std::move(all)});
}

const Experiment* Computation::wanted(Other other) const {
    if (other == Other::reference) return document_.reference();
    return document_.is_dragging() ? nullptr : document_.before();
}

void Computation::follow(Other other) {
    const Experiment* const wanted = this->wanted(other);
    Companion& known = companion(other);
    if (known.experiment == (wanted ? std::optional(*wanted) : std::nullopt)) return;
    known.experiment = wanted ? std::optional(*wanted) : std::nullopt;
    if (!wanted) {
        if (!document_.is_dragging()) known.worker.reset(), known.state = {};
        return;
    }
    if (!known.worker) notices_.attempt([&] { known.worker = make_worker(options_.backend.open()); });
}

void Computation::ask(Other other, const Needs& needs) {
    follow(other);
    const Companion& known = companion(other);
    if (!known.experiment || !known.worker) return;  // its backend may not have opened
    const Experiment& head = *known.experiment;
    Needs all = needs;
    for (const NeedsOf& needs_of : known.further) add_needs(all, needs_of(head));
    if (other == Other::before) known.worker->take_over(shown_before(head));
    known.worker->request(
        {other == Other::before ? shown_(head) : head, document_.view.cursor.clamped(head), std::move(all)});
}

void Computation::follow_changes() const {
    if (std::exchange(changes_, document_.changes()) == document_.changes()) return;
    // A drag that comes back to its start begins again there, when other results are shown: then the first ones stay.
    const Experiment* const before = document_.before();
    if (state_.results && (!before || are_of(*state_.results, *before)))
        before_change_ = without_views(*state_.results);
    else if (before_change_ && before && !are_of(*before_change_, *before))
        before_change_.reset();
}

std::shared_ptr<const Results> Computation::shown_before(const Experiment& head) const {
    follow_changes();
    return before_change_ && are_of(*before_change_, head) ? before_change_ : nullptr;
}

void Computation::refresh() {
    follow_changes();
    further_.clear();
    state_ = worker_->state();
    for (const Other other : {Other::reference, Other::before}) {
        companion(other).further.clear();
        follow(other);
        if (const Companion& known = companion(other); known.worker) companion(other).state = known.worker->state();
    }
    if (state_.results && state_.results->notice != backend_notice_) {
        backend_notice_ = state_.results->notice;
        backend_description_ = state_.results->backend;
        notices_.notify(backend_notice_, Notice::Kind::error);
    }
}

void Computation::wait(const Cancel& cancel) {
    state_ = worker_->wait(cancel);
    for (Companion& known : companions_)
        if (known.worker) known.state = known.worker->wait(cancel);
}

std::vector<Request> Computation::asked() const {
    std::vector<Request> asked;
    const auto add = [&](const Worker& worker) {
        if (auto request = worker.asked()) asked.push_back(*std::move(request));
    };
    add(*worker_);
    for (const Companion& known : companions_)
        if (known.worker) add(*known.worker);
    return asked;
}

std::shared_ptr<const Results> Computation::results_for(const Needs& needs) const {
    return state_.newest(needs);
}

bool Computation::are_of(const Results& results, const Experiment& other) const {
    const Experiment &have = results.request.experiment, shown = shown_(other);
    if (have == shown || have == other) return true;
    return !(shown == other) && same_but_for_step(have, other) &&
           number_at(have, "construction.step") <= number_at(shown, "construction.step");
}

std::shared_ptr<const Results> Computation::results_for(Other other, const Needs& needs) const {
    const Companion& known = companion(other);
    const auto found = known.state.newest(needs);
    const bool is_of_it = found && known.experiment && are_of(*found, *known.experiment);
    if (other == Other::reference) return is_of_it ? found : nullptr;
    if (!document_.before()) return nullptr;
    return is_of_it && answers(*found, needs) ? found : shown_before(*document_.before());
}

std::string Computation::failure(const Needs& needs) const {
    if (state_.error.empty() || state_.busy || !document_.fault().empty()) return {};
    const bool is_answered = state_.results &&
                             same_but_for_step(state_.results->request.experiment, document_.experiment()) &&
                             answers(*state_.results, needs);
    return is_answered ? "" : state_.error;
}

bool Computation::is_stale(const Results& results) const {
    return !same_but_for_step(results.request.experiment, document_.experiment()) &&
           std::chrono::steady_clock::now() - document_.edited_at() > patience_with_edits;
}

}  // namespace ropewalk
