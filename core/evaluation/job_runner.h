// Runs long computations next to the worker. They continue while the cursor moves and other questions are answered, and
// stop when their answers are no longer needed.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// A question that takes long, with its context.
struct Job {
    AnswerKey key;  // equal keys mean the same job
    Experiment experiment;
    std::shared_ptr<const Problem> problem;
    Cursor cursor;
};

/// The progress of a job.
struct JobProgress {
    std::string stage;
    double fraction = 0;  // 0 … 1
    double seconds_left = 0;

    /// Estimates what is left of a stage that began at `start`.
    static JobProgress since(Cancel::Clock::time_point start, std::string stage, double fraction);
};

using BackendMaker = std::function<std::unique_ptr<Backend>()>;
/// Returns the `cpu` backend on every core.
std::unique_ptr<Backend> usual_backend();

class JobRunner {
  public:
    /// Starts the runner. `reported` is called from the runner's thread on progress or an answer; it must not block.
    /// The runner makes its own backend, because a backend is not thread-safe.
    explicit JobRunner(std::function<void()> reported, BackendMaker make_backend = usual_backend);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Replaces the list of wanted jobs. The running job continues if it is still wanted, otherwise it is cancelled. A
    /// finished job is not started again before its answer is taken.
    void want(std::vector<Job> jobs);

    struct Finished {
        AnswerKey key;
        std::shared_ptr<const void> answer;  // null if it failed
        std::string error;
    };
    /// Returns the jobs finished since the last call.
    std::vector<Finished> take_finished();
    /// Returns the progress of the running job; nothing if none is running.
    std::optional<JobProgress> progress() const;

  private:
    void run();
    Finished carry_out(const Job& job, const Cancel& cancel);

    std::function<void()> reported_;
    BackendMaker make_backend_;
    std::atomic<std::uint64_t> generation_{0};
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Job> wanted_;
    std::optional<AnswerKey> running_;
    std::optional<JobProgress> progress_;
    std::vector<Finished> finished_;
    bool stopping_ = false;
    std::thread thread_;  // last, because it uses the other members from its start
};

}  // namespace ropewalk
