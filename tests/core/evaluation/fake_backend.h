// A backend with made-up answers, and requests for it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "core/attention/backend.h"
#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Answers at once, or waits for as long as it is told to, and counts what it was asked.
class FakeBackend : public Backend {
  public:
    struct Log {
        std::atomic<int> asked{0}, finished{0}, cancelled{0};
        std::atomic<bool> slow{false};
    };
    explicit FakeBackend(Log& log) : log_(log) {}
    std::string_view id() const override { return "fake"; }
    std::string_view description() const override { return "fake"; }
    Precision precision() const override { return Precision::fp64; }
    double cost(const Problem&, const Viewport&) const override { return 1; }
    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
        ++log_.asked;
        while (log_.slow) {
            if (cancel.requested()) {
                ++log_.cancelled;
                throw Cancelled{};
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ++log_.finished;
        AttentionView view{.viewport = viewport};
        const auto cells = static_cast<std::size_t>(viewport.cells_down) * viewport.cells_across;
        view.logits = {viewport.cells_down, viewport.cells_across, Numbers(cells, problem.seq_len), {}, {}};
        view.weights = view.logits;
        return view;
    }

  private:
    Log& log_;
};

inline Request request_of(int seq_len) {
    Request request{.experiment = {.seq_len = seq_len}};
    request.needs = {ViewQuestion{.viewport = Viewport::one_to_one({0, seq_len}, {0, seq_len})}};
    return request;
}

inline std::shared_ptr<const AttentionView> view_of(const Results& results) {
    return results.all_of<ViewQuestion>().at(0).answer;
}

}  // namespace ropewalk
