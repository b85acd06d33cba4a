#include "core/fallback_backend.h"

#include <fmt/format.h>

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
        try {
            if (preferred_) return preferred_->attend(problem, viewport, cancel);
        } catch (const DisplayError& error) {
            preferred_.reset();
            fail(error.what());
        }
        return substitute_->attend(problem, viewport, cancel);
    }

  private:
    const Backend& active() const { return preferred_ ? *preferred_ : *substitute_; }
    void fail(const std::string& reason) {
        notice_ = fmt::format("{}; the {} backend goes on in its place", reason, substitute_->id());
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
