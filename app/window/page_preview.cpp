#include "app/window/page_preview.h"

#include <chrono>
#include <utility>

#include "core/error.h"

namespace ropewalk {
namespace {

PreviewAnswer answer_to(const PreviewRequest& request, Evaluator& evaluator, const Cancel& cancel) {
    PreviewAnswer answer;
    if (request.of_numbers)
        answer.numbers = numbers_of(request.page, evaluator, cancel);
    else
        answer.picture = as_seen(picture_of(request.page, evaluator, cancel), request.sight);
    return answer;
}

}  // namespace

PagePreview::PagePreview(std::function<std::unique_ptr<Backend>()> open_backend, std::function<void()> wake)
    : open_backend_(std::move(open_backend)), wake_(std::move(wake)) {}

PagePreview::~PagePreview() {
    ++generation_;
}

void PagePreview::ask(const PreviewRequest& request) {
    using namespace std::chrono_literals;
    if (drawing_.valid() && drawing_.wait_for(0s) == std::future_status::ready) {
        PreviewAnswer answer = drawing_.get();
        if (answer.picture || answer.numbers || !answer.complaint.empty()) {  // else it was dropped
            answer_ = std::move(answer);
            answered_ = drawn_;
        }
    }
    if (asked_ != request) {
        asked_ = request;
        ++generation_;
    }
    if (drawing_.valid() || answered_ == asked_) return;
    drawn_ = asked_;
    drawing_ = std::async(std::launch::async, [this, request, cancel = Cancel(generation_, generation_.load())] {
        PreviewAnswer answer;
        try {
            if (!evaluator_) evaluator_ = std::make_unique<Evaluator>(open_backend_());
            answer = answer_to(request, *evaluator_, cancel);
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            answer.complaint = error.what();
        }
        if (wake_) wake_();
        return answer;
    });
}

}  // namespace ropewalk
