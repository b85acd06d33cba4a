// Answers made on a thread beside the window's: one at a time, what was asked for last wins.
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

/// An Answer has a `complaint`, which says why there is nothing else in it.
template <class Request, class Answer>
class BackgroundAnswer {
  public:
    using Work = std::function<Answer(const Request&, const Cancel&)>;

    /// `work` runs on another thread; `wake` is called from there when it is done and must not block.
    BackgroundAnswer(Work work, std::function<void()> wake) : work_(std::move(work)), wake_(std::move(wake)) {}
    ~BackgroundAnswer() { drop(); }
    BackgroundAnswer(const BackgroundAnswer&) = delete;
    BackgroundAnswer& operator=(const BackgroundAnswer&) = delete;

    /// Asks for it unless it was asked for last. Call once a frame.
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
            std::optional<Answer> answer;  // nothing if it was given up
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
    /// Gives up what is asked for.
    void drop() {
        ++generation_;
        asked_.reset();
    }

    const std::optional<Request>& asked() const { return asked_; }
    /// The newest answer, be it to an older request; null before the first.
    const Answer* answer() const { return answer_ ? &*answer_ : nullptr; }
    /// The request that was answered last is the one that was asked last.
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
    std::future<std::optional<Answer>> making_;  // last: what it uses is there until it has ended
};

}  // namespace ropewalk
