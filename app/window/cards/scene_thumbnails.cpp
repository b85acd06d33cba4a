#include "app/window/cards/scene_thumbnails.h"

#include <algorithm>

#include "app/figures/figures.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "app/plot/open_figure.h"
#include "core/evaluation/affordable.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {
namespace {

constexpr double figure_size = 0.7;  // relative to the usual size, so that labels leave space for the data
constexpr std::chrono::milliseconds turn{700};
constexpr double most_model_work = 2e9;  // multiply-adds, about 0.1 s: longer training is left to the user
constexpr int one_thread = 1;            // the others are for the user's work

SceneThumbnail drawn_thumbnail(const ThumbnailRequest& request, const Cancel& cancel) {
    Scene scene = open_scene_or_figure(request.scene);
    const View view = read_view(scene);
    const PlotPixels pixels{request.width, request.height};
    if (trained_head_of(scene.experiment.construction) &&
        model_work_of(scene.experiment, needs_of(view.figures.front(), scene.experiment, pixels)) > most_model_work)
        return {.complaint = "Trains a model when opened", .awaits_training = true};
    const double scale = figure_size * request.scale;
    constexpr double rounding = 1e-6;  // prevents an image that is one pixel too wide
    Page page{.figures = {{view.figures.front()}},
              .experiment = scene.experiment,
              .options = {.width = (request.width - rounding) / scale,
                          .height = (request.height - rounding) / scale,
                          .scale = scale,
                          .parts = {.title = false, .caption = false, .color_bar = false},
                          .cursor = view.cursor}};
    Evaluator evaluator(open_backend("cpu", one_thread));  // reuses the results that both images share
    const auto in = [&](const Theme& theme) {
        page.options.theme = &theme;
        return picture_of(page, {.scale = scale}, evaluator, cancel);
    };
    return {.dark = in(dark_theme()), .light = in(light_theme()), .complaint = {}};
}

}  // namespace

SceneThumbnails::SceneThumbnails(std::function<void()> wake) : drawing_(drawn_thumbnail, std::move(wake)) {}

const SceneThumbnail* SceneThumbnails::find(const ThumbnailRequest& request) const {
    const auto found = drawn_.find(request.scene);
    return found != drawn_.end() && found->second.request.written == request.written ? &found->second.thumbnail
                                                                                     : nullptr;
}

bool SceneThumbnails::has(const ThumbnailRequest& request) const {
    const auto found = drawn_.find(request.scene);
    return found != drawn_.end() && found->second.request == request;
}

void SceneThumbnails::retry_untrained() {
    std::erase_if(drawn_, [](const auto& drawn) { return drawn.second.thumbnail.awaits_training; });
}

double SceneThumbnails::draw(const std::vector<ThumbnailRequest>& in_sight) {
    if (drawing_.asked()) {
        drawing_.ask(*drawing_.asked());  // takes the answer, if there is one
        if (drawing_.is_current()) {
            drawn_.insert_or_assign(drawing_.asked()->scene, Drawn{*drawing_.asked(), *drawing_.answer()});
            drawing_.drop();
        }
    }
    std::vector<ThumbnailRequest> missing;
    std::copy_if(in_sight.begin(), in_sight.end(), std::back_inserter(missing),
                 [&](const ThumbnailRequest& request) { return !has(request); });
    if (missing.empty()) {
        rest();
        return infinity;
    }
    const auto now = Clock::now();
    const std::optional<ThumbnailRequest> asked = drawing_.asked();
    const bool is_wanted = asked && std::find(missing.begin(), missing.end(), *asked) != missing.end();
    if (is_wanted && now >= begun_ + turn) slow_.insert(asked->scene);
    const auto is_quick = [&](const ThumbnailRequest& request) { return !slow_.contains(request.scene); };
    std::stable_partition(missing.begin(), missing.end(), is_quick);
    const bool continues = is_wanted && (is_quick(*asked) || !is_quick(missing.front()));
    if (!continues) begun_ = now;
    const ThumbnailRequest& next = continues ? *asked : missing.front();
    drawing_.ask(next);
    const std::chrono::duration<double> left = begun_ + turn - now;
    return is_quick(next) && missing.size() > 1 ? left.count() + 0.01 : infinity;
}

}  // namespace ropewalk
