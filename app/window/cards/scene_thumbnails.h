// What scenes look like, small: their first figures, drawn in the background when they are looked at.
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
    std::string scene;                          // the name of a bundled one, or a file
    std::filesystem::file_time_type written{};  // when its file was
    int width = 0, height = 0;                  // device pixels
    double scale = 1;                           // of them per logical pixel

    bool operator==(const ThumbnailRequest&) const = default;
};

/// Drawn for every theme, so that another one costs nothing.
struct SceneThumbnail {
    Image dark, light;
    std::string complaint;  // why there are none; empty if there are

    const Image& in(const Theme& theme) const { return &theme == &light_theme() ? light : dark; }
};

class SceneThumbnails {
  public:
    /// `wake` is called from another thread when one has been drawn; it must not block.
    explicit SceneThumbnails(std::function<void()> wake);

    /// That of the scene as it is now, be it of another size until one of this size is there; null if there is none.
    const SceneThumbnail* find(const ThumbnailRequest& request) const;
    /// Draws what is missing of those in sight, one at a time and what takes long last. Call once a frame. For how many
    /// seconds the next call may wait.
    double draw(const std::vector<ThumbnailRequest>& in_sight);
    /// Gives up what is being drawn. What was drawn is kept.
    void rest() { drawing_.drop(); }

  private:
    using Clock = std::chrono::steady_clock;
    struct Drawn {
        ThumbnailRequest request;
        SceneThumbnail thumbnail;
    };

    bool has(const ThumbnailRequest& request) const;

    std::map<std::string, Drawn> drawn_;  // by scene
    std::set<std::string> slow_;          // scenes that others were drawn before, once they were missing
    Clock::time_point begun_{};
    BackgroundAnswer<ThumbnailRequest, SceneThumbnail> drawing_;
};

}  // namespace ropewalk
