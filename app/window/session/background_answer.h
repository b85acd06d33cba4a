// Answers computed on another thread, one at a time; a newer request replaces the older one.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <utility>

#include "core/cancel.h"

namespace ropewalk {

/// `Answer` has a member `complaint`, which says why there is nothing else in it.
template <class Request, class Answer>
class BackgroundAnswer {
  public:
    using Work = std::function<Answer(const Request&, const Cancel&)>;

    /// `work` runs on another thread. `wake` is called from there when it is done and must not block.
    BackgroundAnswer(Work work, std::function<void()> wake) : work_(std::move(work)), wake_(std::move(wake)) {}
    ~BackgroundAnswer() { drop(); }
    BackgroundAnswer(const BackgroundAnswer&) = delete;
    BackgroundAnswer& operator=(const BackgroundAnswer&) = delete;

    /// Requests an answer, unless the last request was the same. Call once per frame.
    void ask(const Request& request) {
        take();
        if (asked_ != request) {
            drop();
            asked_ = request;
        }
        if (making_.valid() || answered_ == asked_) return;
        made_ = asked_;
        done_ = false;
        making_ = std::async(std::launch::async, [this, request, cancel = Cancel(generation_, generation_.load())] {
            std::optional<Answer> answer;  // empty if it was cancelled
            try {
                answer = work_(request, cancel);
            } catch (const Cancelled&) {
            } catch (const std::exception& error) {
                answer = Answer{};
                answer->complaint = error.what();
            }
            done_ = true;
            if (wake_) wake_();
            return answer;
        });
    }
    /// Cancels the current request.
    void drop() {
        ++generation_;
        asked_.reset();
    }

    const std::optional<Request>& asked() const { return asked_; }
    /// Returns the newest answer, even if it is to an older request; null before the first.
    const Answer* answer() const { return answer_ ? &*answer_ : nullptr; }
    /// Returns whether the last answer is to the last request.
    bool is_current() const { return answered_ == asked_; }

  private:
    void take() {
        if (!making_.valid() || !done_) return;
        if (std::optional<Answer> answer = making_.get()) {
            answer_ = std::move(answer);
            answered_ = made_;
        }
    }

    Work work_;
    std::function<void()> wake_;
    std::atomic<std::uint64_t> generation_ = 0;
    std::atomic<bool> done_ = false;
    std::optional<Request> asked_, made_, answered_;
    std::optional<Answer> answer_;
    std::future<std::optional<Answer>> making_;  // last: its destructor waits while the other members still exist
};

}  // namespace ropewalk
