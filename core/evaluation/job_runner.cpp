#include "core/evaluation/job_runner.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "core/evaluation/open_backend.h"

namespace ropewalk {

std::unique_ptr<Backend> usual_backend() {
    return open_backend("cpu");
}

JobProgress JobProgress::since(Cancel::Clock::time_point start, std::string stage, double fraction) {
    const double seconds = std::chrono::duration<double>(Cancel::Clock::now() - start).count();
    return {std::move(stage), fraction, fraction > 0 ? seconds * (1 - fraction) / fraction : 0};
}

JobRunner::JobRunner(std::function<void()> reported, BackendMaker make_backend)
    : reported_(std::move(reported)), make_backend_(std::move(make_backend)), thread_([this] { run(); }) {}

JobRunner::~JobRunner() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        ++generation_;
    }
    changed_.notify_all();
    thread_.join();
}

void JobRunner::want(std::vector<Job> jobs) {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = std::move(jobs);
        std::erase_if(wanted_, [&](const Job& job) {  // done, but not yet taken
            return std::any_of(finished_.begin(), finished_.end(),
                               [&](const Finished& done) { return done.key == job.key; });
        });
        const bool goes_on = std::any_of(wanted_.begin(), wanted_.end(),
                                         [&](const Job& job) { return running_ && job.key == *running_; });
        if (running_ && !goes_on) ++generation_;
    }
    changed_.notify_all();
}

std::vector<JobRunner::Finished> JobRunner::take_finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
}

std::optional<JobProgress> JobRunner::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

void JobRunner::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !wanted_.empty() || stopping_; });
        if (stopping_) return;
        const Job job = wanted_.front();
        running_ = job.key;
        const Cancel cancel(generation_, generation_.load());
        lock.unlock();
        Finished finished = carry_out(job, cancel);
        lock.lock();
        running_.reset();
        progress_.reset();
        if (!cancel.requested()) {
            std::erase_if(wanted_, [&](const Job& other) { return other.key == job.key; });
            finished_.push_back(std::move(finished));
        }
        lock.unlock();
        reported_();
        lock.lock();
    }
}

JobRunner::Finished JobRunner::carry_out(const Job& job, const Cancel& cancel) {
    const auto start = Cancel::Clock::now();
    const Progress progress = [&](double fraction) {
        {
            const std::lock_guard lock(mutex_);
            progress_ = JobProgress::since(start, stage_of(job.key.question), fraction);
        }
        reported_();
    };
    try {
        const auto backend = make_backend_();
        return {job.key,
                answer(job.key.question, {job.experiment, *job.problem, job.cursor, *backend, cancel, progress}), ""};
    } catch (const Cancelled&) {
        return {job.key, nullptr, ""};
    } catch (const std::bad_alloc&) {
        return {job.key, nullptr, "not enough memory; try a shorter sequence or a smaller head dimension"};
    } catch (const std::exception& error) {
        return {job.key, nullptr, error.what()};
    }
}

}  // namespace ropewalk
