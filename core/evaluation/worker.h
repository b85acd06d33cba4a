// One thread that computes: the latest request wins, stale work is dropped between tiles, a coarse look comes before
// the exact one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/cancel.h"
#include "core/evaluation/job_runner.h"

namespace ropewalk {

/// What is known at the moment.
struct WorkerState {
    std::shared_ptr<const Results> results;  // the last exact ones; null before the first
    std::shared_ptr<const Results>
        coarse;  // a first look at a newer request, until its exact results are there; usually null
    std::shared_ptr<const Results> complete;  // the last ones with every job done
    std::string error;                        // why the latest request could not be computed; empty if it could
    bool busy = false;                        // a newer answer is on its way
    std::optional<JobProgress> job;           // of what takes long
};

class Worker {
  public:
    /// `published` is called from the worker's thread whenever `state` has changed; it must not block.
    Worker(std::unique_ptr<Backend> backend, std::function<void()> published, BackendMaker for_jobs = usual_backend);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Replaces whatever was asked before. Never blocks on computation. An equal request changes nothing.
    void request(const Request& request);
    WorkerState state() const;
    /// Blocks until the latest request has been answered: for pictures without a person.
    WorkerState wait() const;

  private:
    void run();
    /// Publishes what can be known before the exact results of it.
    void look_first(const Request& request, const Cancel& cancel);
    /// Returns why a job that it waits for failed, if one did.
    std::string answer(const Request& request, const Cancel& cancel);
    void publish(std::shared_ptr<const Results> results);
    void take_finished_jobs();

    Evaluator evaluator_;
    std::function<void()> published_;
    std::atomic<std::uint64_t> generation_{0};
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::optional<Request> pending_, latest_;
    WorkerState state_;
    std::vector<std::pair<AnswerKey, std::string>>
        failed_;  // jobs that did of late, and why; the worker's thread's own
    // How long requests have come too fast for exact results, and how long that may go on; the worker's thread's own.
    static constexpr auto first_wait = std::chrono::milliseconds(100);
    std::optional<Cancel::Clock::time_point> without_exact_since_;
    std::chrono::milliseconds wait_ = first_wait;
    bool has_jobs_ = false;  // that the latest results wait for; the worker's thread's own
    bool stopping_ = false;
    bool job_reported_ = false;
    JobRunner jobs_;
    std::thread thread_;  // last, so that everything it uses exists before it starts
};

}  // namespace ropewalk
