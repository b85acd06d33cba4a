// Long scans beside the worker: they go on while the cursor moves and other questions are answered, and end when nobody
// wants them any more.
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

/// A question that takes long, and what it is about.
struct Job {
    AnswerKey key;  // what makes it the same job
    Experiment experiment;
    std::shared_ptr<const Problem> problem;
    Cursor cursor;
};

/// How far a job is.
struct JobProgress {
    std::string stage;
    double fraction = 0;  // 0 … 1
    double seconds_left = 0;
};

using BackendMaker = std::function<std::unique_ptr<Backend>()>;
/// `cpu` on every core.
std::unique_ptr<Backend> usual_backend();

class JobRunner {
  public:
    /// `reported` is called from the runner's thread when there is progress or an answer; it must not block. Every job
    /// has a backend of its own: only one thread may ask a backend.
    explicit JobRunner(std::function<void()> reported, BackendMaker make_backend = usual_backend);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Replaces all that was wanted before. A job that is running goes on if it is still wanted, else it is cancelled;
    /// one that has been finished is not begun again before it was taken.
    void want(std::vector<Job> jobs);

    struct Finished {
        AnswerKey key;
        std::shared_ptr<const void> answer;  // null if it failed
        std::string error;
    };
    /// What has been finished since the last call.
    std::vector<Finished> take_finished();
    /// Of the running job, if there is one.
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
    std::thread thread_;  // last, so that everything it uses exists before it starts
};

}  // namespace ropewalk
