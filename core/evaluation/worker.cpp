#include "core/evaluation/worker.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_failed = 16;  // failed jobs to remember
constexpr auto a_few_frames = std::chrono::milliseconds(100);

/// Returns whether `results` have an answer of each kind in `needs`, perhaps for other cells.
bool answers_kinds(const Results& results, const Needs& needs) {
    return std::all_of(needs.begin(), needs.end(), [&](const Question& question) {
        return std::any_of(results.answers.begin(), results.answers.end(),
                           [&](const auto& given) { return given.first.index() == question.index(); });
    });
}

bool may_train_others(const Question& question) {
    const auto* const curve = std::get_if<DecayQuestion>(&question);
    return std::holds_alternative<TrainingQuestion>(question) || std::holds_alternative<LengthTestQuestion>(question) ||
           std::holds_alternative<PinnedDecayQuestion>(question) || (curve && !curve->settings.empty());
}

}  // namespace

std::shared_ptr<const Results> WorkerState::newest(const Needs& needs) const {
    for (const auto& each : {coarse, results, complete})
        if (each && answers(*each, needs)) return each;
    // The labels of another head change the size of a plot, and thus its cells: its preview with the cells requested
    // before replaces the older head nevertheless.
    const bool is_of_other_head = coarse && results && !(coarse->request.experiment == results->request.experiment);
    return is_of_other_head && answers_kinds(*coarse, needs) ? coarse : results;
}

Worker::Worker(std::unique_ptr<Backend> backend, std::function<void()> published, BackendMaker for_jobs,
               InputsBuilder build_inputs)
    : evaluator_(std::move(backend), std::move(build_inputs)),
      published_(std::move(published)),
      jobs_(
          [this] {
              {
                  const std::lock_guard lock(mutex_);
                  job_reported_ = true;
              }
              changed_.notify_all();
          },
          std::move(for_jobs)),
      thread_([this] { run(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        generation_ = Cancel::ended;
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::request(const Request& request) {
    {
        const std::lock_guard lock(mutex_);
        if (latest_ == request) return;
        latest_ = request;
        pending_ = request;
        state_.busy = true;
        ++generation_;
    }
    changed_.notify_all();
}

void Worker::take_over(std::shared_ptr<const Results> found) {
    const std::lock_guard lock(mutex_);
    given_.swap(found);  // what is no longer needed is freed without the lock
}

WorkerState Worker::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

std::optional<Request> Worker::asked() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

WorkerState Worker::wait(const Cancel& cancel) const {
    std::unique_lock lock(mutex_);
    constexpr auto patience = std::chrono::milliseconds(50);
    while (!changed_.wait_for(lock, patience, [&] { return !state_.busy; })) cancel.check();
    return state_;
}

void Worker::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return pending_ || job_reported_ || stopping_; });
        if (stopping_) return;
        if (std::exchange(job_reported_, false)) take_finished_jobs();
        if (!pending_) {
            lock.unlock();
            published_();
            lock.lock();
            continue;
        }
        const Request request = std::move(*pending_);
        pending_.reset();
        const Cancel cancel(generation_, generation_.load());
        const auto given = std::exchange(given_, nullptr);
        lock.unlock();
        std::string error;
        has_jobs_ = false;
        try {
            if (given) evaluator_.remember(*given);
            error = answer(request, cancel);
        } catch (const Cancelled&) {
            if (!without_exact_since_) without_exact_since_ = Cancel::Clock::now();
        } catch (const std::bad_alloc&) {
            error = "not enough memory; try a shorter sequence or a smaller head dimension";
        } catch (const std::exception& caught) {
            error = caught.what();
        }
        lock.lock();
        if (cancel.requested()) continue;
        if (!error.empty()) state_.coarse = nullptr;
        state_.busy = has_jobs_;
        state_.error = std::move(error);
        changed_.notify_all();
        published_();
    }
}

void Worker::prepare(const Request& request, const Cancel& cancel) {
    const auto show = [&](std::optional<JobProgress> progress) {
        {
            const std::lock_guard lock(mutex_);
            state_.job = std::move(progress);
        }
        published_();
    };
    const auto start = Cancel::Clock::now();
    bool is_shown = false;
    const auto hide = [&] {
        if (is_shown) show(jobs_.progress());
    };
    try {
        evaluator_.prepare(request.experiment, cancel, [&](double fraction) {
            is_shown = true;
            show(JobProgress::since(start, inputs_stage, fraction));
        });
    } catch (...) {
        hide();
        throw;
    }
    hide();
}

void Worker::look_first(const Request& request, const Cancel& cancel) {
    // A preview that fits into a frame is finished and shown even if a newer request has come, so that the figures
    // follow even a fast drag.
    if (evaluator_.is_slow(request))
        publish(evaluator_.evaluate(request, Detail::coarse, evaluator_.is_slow_coarsely(request) ? cancel : Cancel{}));
    cancel.check();
    if (evaluator_.takes_patience(request)) publish(evaluator_.evaluate(request, Detail::prompt, cancel));
    cancel.check();
}

std::string Worker::answer(const Request& request, const Cancel& cancel) {
    // A drag without pauses makes every exact pass stale. Now and then one still gets a few frames, so that results
    // without a preview follow, too. If it needs more time, it is tried less and less often.
    const auto now = Cancel::Clock::now();
    Cancel patient = cancel;
    if (without_exact_since_ && now - *without_exact_since_ > wait_) {
        patient = cancel.spared_until(now + a_few_frames);
        without_exact_since_ = now;
        wait_ *= 2;
    }
    Request possible = request;
    std::string error;
    try {
        prepare(request, patient);
        look_first(request, patient);
    } catch (const InputError& caught) {  // a training that diverged still has a curve of its loss
        possible.needs = without_inputs(request.needs);
        if (possible.needs.empty()) throw;
        error = caught.what();
    }
    auto results = evaluator_.evaluate(possible, Detail::exact, patient);
    without_exact_since_.reset();
    wait_ = first_wait;
    if (cancel.requested()) {  // finished within the few frames, for a request that is no longer the latest
        publish(std::move(results));
        throw Cancelled();
    }
    std::vector<Job> jobs;
    for (const Question& question : results->jobs) {
        const AnswerKey key =
            key_of(question, {results->request.experiment, results->problem->lowered, results->request.cursor});
        const auto failed = std::find_if(failed_.begin(), failed_.end(), [&](const auto& f) { return f.first == key; });
        if (failed == failed_.end())
            jobs.push_back({key, results->request.experiment, results->problem, results->request.cursor});
        else
            error = failed->second;  // it would fail again
    }
    // What may train other models comes last, so that nothing else waits for that.
    std::stable_partition(jobs.begin(), jobs.end(), [](const Job& job) { return !may_train_others(job.key.question); });
    has_jobs_ = !jobs.empty();
    jobs_.want(std::move(jobs));
    publish(std::move(results));
    return error;
}

/// Adds finished jobs to the cache and repeats the request, whose other answers are cached. Call with the lock held.
void Worker::take_finished_jobs() {
    state_.job = jobs_.progress();
    for (JobRunner::Finished& finished : jobs_.take_finished()) {
        if (finished.answer) {
            evaluator_.remember(finished.key, std::move(finished.answer));
        } else {
            if (failed_.size() == most_failed) failed_.erase(failed_.begin());
            failed_.emplace_back(finished.key, std::move(finished.error));
        }
        if (!pending_) pending_ = latest_;  // its results have the answer, or the reason why there is none
        changed_.notify_all();
    }
}

void Worker::publish(std::shared_ptr<const Results> results) {
    {
        const std::lock_guard lock(mutex_);
        if (results->coarse) {
            state_.coarse = std::move(results);
        } else {
            if (results->jobs.empty()) state_.complete = results;
            state_.results = std::move(results);
            state_.coarse = nullptr;
        }
    }
    published_();
}

}  // namespace ropewalk
