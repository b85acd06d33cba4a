// The thread that computes. The latest request wins, stale work is dropped between tiles, and a preview precedes the
// exact results.
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

/// The current results.
struct WorkerState {
    std::shared_ptr<const Results> results;  // the latest exact ones; null before the first
    std::shared_ptr<const Results>
        coarse;  // a preview of a newer request, until its exact results are complete; usually null
    std::shared_ptr<const Results> complete;  // the latest ones with every job done
    std::string error;                        // why the latest request could not be computed; empty if it could
    bool busy = false;                        // newer results are being computed
    std::optional<JobProgress> job;           // of the stage of queries and keys, or else of the running job

    /// Returns the newest results with these needs, even if they are coarse or belong to an older experiment; null
    /// before the first.
    std::shared_ptr<const Results> newest(const Needs& needs) const;
};

class Worker {
  public:
    /// Starts the worker. `published` is called from the worker's thread whenever `state` has changed; it must not
    /// block.
    Worker(std::unique_ptr<Backend> backend, std::function<void()> published, BackendMaker for_jobs = usual_backend,
           InputsBuilder build_inputs = build);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Replaces the previous request. Never waits for a computation. An equal request changes nothing.
    void request(const Request& request);
    /// Sets results whose answers the next request may use, and those after it while they are remembered.
    void take_over(std::shared_ptr<const Results> found);
    WorkerState state() const;
    /// Returns the latest request.
    std::optional<Request> asked() const;
    /// Waits until the latest request has been answered, and returns the state. For batch use. Throws Cancelled.
    WorkerState wait(const Cancel& cancel = {}) const;

  private:
    void run();
    /// Builds queries and keys, and publishes the progress.
    void prepare(const Request& request, const Cancel& cancel);
    /// Publishes a preview, if there is one.
    void look_first(const Request& request, const Cancel& cancel);
    /// Answers the request. Returns why one of its jobs failed, if one did.
    std::string answer(const Request& request, const Cancel& cancel);
    void publish(std::shared_ptr<const Results> results);
    void take_finished_jobs();

    Evaluator evaluator_;
    std::function<void()> published_;
    std::atomic<std::uint64_t> generation_{0};
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::optional<Request> pending_, latest_;
    std::shared_ptr<const Results> given_;  // by another worker
    WorkerState state_;
    std::vector<std::pair<AnswerKey, std::string>>
        failed_;  // recently failed jobs and the reasons; used by the worker's thread only
    // Since when requests have come too fast for exact results, and how long this may last. Used by the worker's thread
    // only.
    static constexpr auto first_wait = std::chrono::milliseconds(100);
    std::optional<Cancel::Clock::time_point> without_exact_since_;
    std::chrono::milliseconds wait_ = first_wait;
    bool has_jobs_ = false;  // the latest results wait for jobs; used by the worker's thread only
    bool stopping_ = false;
    bool job_reported_ = false;
    JobRunner jobs_;
    std::thread thread_;  // last, because it uses the other members from its start
};

}  // namespace ropewalk
