// What an export would look like, made in the background.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/figures/page.h"
#include "app/plot/color_vision.h"

namespace ropewalk {

/// A page, whether its numbers are wanted in place of its picture, and whose eyes see it.
struct PreviewRequest {
    Page page;
    bool of_numbers = false;
    Sight sight = Sight::all_colors;

    bool operator==(const PreviewRequest&) const = default;
};

/// One of them is there.
struct PreviewAnswer {
    std::optional<Image> picture;
    std::optional<DataTable> numbers;
    std::string complaint;
};

/// Draws one page at a time; what was asked for last wins.
class PagePreview {
  public:
    /// `wake` is called from another thread when an answer is there; it must not block.
    PagePreview(std::function<std::unique_ptr<Backend>()> open_backend, std::function<void()> wake);
    ~PagePreview();
    PagePreview(const PagePreview&) = delete;
    PagePreview& operator=(const PagePreview&) = delete;

    /// Asks for it unless it was asked for last. Call once a frame.
    void ask(const PreviewRequest& request);
    /// The newest answer, be it to an older request; null before the first.
    const PreviewAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
    /// The request that was answered last is the one that was asked last.
    bool is_current() const { return answered_ == asked_; }

  private:
    std::function<std::unique_ptr<Backend>()> open_backend_;
    std::function<void()> wake_;
    std::unique_ptr<Evaluator> evaluator_;  // the background's while it draws
    std::atomic<std::uint64_t> generation_ = 0;
    std::future<PreviewAnswer> drawing_;
    std::optional<PreviewRequest> asked_, drawn_, answered_;
    std::optional<PreviewAnswer> answer_;
};

}  // namespace ropewalk
