#include "app/window/cards/page_preview.h"

#include <memory>
#include <utility>

#include "core/evaluation/open_backend.h"

namespace ropewalk {

PagePreview::PagePreview(BackendMaker open_backend, std::function<void()> wake)
    : BackgroundAnswer(
          [open_backend = std::move(open_backend), evaluator = std::shared_ptr<Evaluator>()](
              const PreviewRequest& request, const Cancel& cancel) mutable {
              if (!evaluator) evaluator = std::make_shared<Evaluator>(open_backend());
              PreviewAnswer answer;
              if (request.of_numbers) {
                  answer.numbers = numbers_of(request.page, *evaluator, cancel);
                  answer.bytes = estimated_bytes(*answer.numbers, request.picture.format);
              } else {
                  answer.picture =
                      as_seen(picture_of(request.page, request.picture, *evaluator, cancel), request.sight);
                  answer.omitted = omitted_of(request.page, *evaluator, cancel);
              }
              return answer;
          },
          std::move(wake)) {}

}  // namespace ropewalk
