// Thumbnails of scenes: their first figures, drawn in the background once they are visible.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/plot/theme.h"
#include "app/window/session/background_answer.h"

namespace ropewalk {

struct ThumbnailRequest {
    std::string scene;                          // name of a bundled scene, or a file
    std::filesystem::file_time_type written{};  // last change of its file
    int width = 0, height = 0;                  // device pixels
    double scale = 1;                           // device pixels per logical pixel

    bool operator==(const ThumbnailRequest&) const = default;
};

/// A thumbnail in both themes, so that switching the theme costs nothing.
struct SceneThumbnail {
    Image dark, light;
    std::string complaint{};  // why there is no image; empty if there is one
    bool awaits_training = false;

    const Image& in(const Theme& theme) const { return &theme == &light_theme() ? light : dark; }
};

class SceneThumbnails {
  public:
    /// `wake` is called from another thread when a thumbnail was drawn; it must not block.
    explicit SceneThumbnails(std::function<void()> wake);

    /// Returns the thumbnail of the scene's current content, in another size until this one is drawn; null if there is
    /// none.
    const SceneThumbnail* find(const ThumbnailRequest& request) const;
    /// Draws the missing thumbnails among those visible, one at a time, slow ones last. Call once per frame. Returns
    /// for how many seconds the next call may wait.
    double draw(const std::vector<ThumbnailRequest>& in_sight);
    /// Forgets the thumbnails that wait for a training, so that those whose models are trained by now are drawn.
    void retry_untrained();
    /// Cancels the current drawing. Finished thumbnails stay.
    void rest() { drawing_.drop(); }

  private:
    using Clock = std::chrono::steady_clock;
    struct Drawn {
        ThumbnailRequest request;
        SceneThumbnail thumbnail;
    };

    bool has(const ThumbnailRequest& request) const;

    std::map<std::string, Drawn> drawn_;  // by scene
    std::set<std::string> slow_;          // scenes that were postponed, because others were still missing
    Clock::time_point begun_{};
    BackgroundAnswer<ThumbnailRequest, SceneThumbnail> drawing_;
};

}  // namespace ropewalk
