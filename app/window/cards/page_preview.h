// Previews of an export, made in the background.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/figures/page/page.h"
#include "app/plot/color_vision.h"
#include "app/window/session/background_answer.h"
#include "core/evaluation/job_runner.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {

/// A page to preview: its data instead of its picture, if wanted, and the colour vision to simulate.
struct PreviewRequest {
    Page page;
    PictureOptions picture;
    bool of_numbers = false;
    Sight sight = Sight::all_colors;

    bool operator==(const PreviewRequest&) const = default;
};

/// The preview: either the picture or the data.
struct PreviewAnswer {
    std::optional<Image> picture;
    OmittedParts omitted;  // of the picture
    std::optional<DataTable> numbers;
    double bytes = 0;  // approximate size of the data file
    std::string complaint;
};

/// `wake` is called from another thread when a preview is ready; it must not block.
class PagePreview : public BackgroundAnswer<PreviewRequest, PreviewAnswer> {
  public:
    PagePreview(BackendMaker open_backend, std::function<void()> wake);
};

}  // namespace ropewalk
