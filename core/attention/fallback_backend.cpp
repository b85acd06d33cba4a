#include "core/attention/fallback_backend.h"

#include <fmt/format.h>

#include <type_traits>

#include "core/error.h"

namespace ropewalk {
namespace {

class FallbackBackend : public Backend {
  public:
    FallbackBackend(std::unique_ptr<Backend> preferred, std::unique_ptr<Backend> substitute, const std::string& reason)
        : preferred_(std::move(preferred)), substitute_(std::move(substitute)) {
        if (!preferred_) fail(reason);
    }

    std::string_view id() const override { return active().id(); }
    std::string_view description() const override { return active().description(); }
    Precision precision() const override { return active().precision(); }
    std::string notice() const override { return notice_; }
    double cost(const Problem& problem, const Viewport& viewport) const override {
        return active().cost(problem, viewport);
    }

    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
        return by_either([&](Backend& backend) { return backend.attend(problem, viewport, cancel); });
    }
    void fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel) override {
        by_either([&](Backend& backend) { backend.fill(matrix, problem, entries, cancel); });
    }

  private:
    const Backend& active() const { return preferred_ ? *preferred_ : *substitute_; }

    /// Returns the work of the preferred backend, or of the substitute once the preferred one has failed.
    template <class Work>
    std::invoke_result_t<Work, Backend&> by_either(Work work) {
        try {
            if (preferred_) return work(*preferred_);
        } catch (const DisplayError& error) {
            preferred_.reset();
            fail(error.what());
        }
        return work(*substitute_);
    }
    void fail(const std::string& reason) {
        notice_ = fmt::format("{}; continuing on the {} backend", reason, substitute_->id());
    }

    std::unique_ptr<Backend> preferred_, substitute_;
    std::string notice_;
};

}  // namespace

std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> preferred, std::unique_ptr<Backend> substitute,
                                               const std::string& reason) {
    return std::make_unique<FallbackBackend>(std::move(preferred), std::move(substitute), reason);
}

}  // namespace ropewalk
