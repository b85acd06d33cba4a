// The attention of every head of a model as a small picture.
#pragma once

#include "app/figures/models/model_map.h"

namespace ropewalk {

struct HeadMatricesFigure : FigureDefaults {
    static constexpr auto id = "head_matrices", title = "All heads";
    static constexpr auto summary =
        "The attention matrix of every head as a small picture, layers down and heads across. Click a head.";

    bool operator==(const HeadMatricesFigure&) const = default;

    static HeadPicturesQuestion question(PlotPixels pixels, const Experiment& experiment) {
        const auto learned = learned_head_of(experiment.construction);
        const int heads = learned ? learned->model->config.heads : 1;
        return {.cells = std::clamp(pixels.across / std::max(1, heads), 8, 64)};
    }
    Needs needs(const Experiment& experiment, PlotPixels pixels) const { return {question(pixels, experiment)}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        Frame frame;
        frame.outer = frame.plot = rect;
        const auto found = answer_in(input);
        if (!found || found->pictures.empty()) {
            draw_message(model_message(input), rect, canvas, input.theme);
            return frame;
        }
        PlotOptions options;
        options.x = head_axis(found->heads), options.y = layer_axis(found->layers), options.grid = false;
        frame = layout(options, canvas, rect, input.theme);
        draw_background(options, frame, canvas, input.theme);
        for (int layer = 0; layer < found->layers; ++layer)
            for (int head = 0; head < found->heads; ++head) draw_picture(*found, layer, head, input, frame, canvas);
        draw_axes(options, frame, canvas, input.theme);
        draw_selected(selected_head(input.experiment()), frame, input.theme, canvas);
        return frame;
    }

    Badge badge(const FigureInput& input) const {
        const auto found = answer_in(input);
        return found ? problem_badge(found->problem) : Badge{};
    }

    /// Returns the settings that select the head under the pointer.
    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto found = answer_in(input);
        const auto place = found ? head_at(frame, at, found->layers, found->heads) : std::nullopt;
        return place ? place->settings() : "";
    }

    std::string readout(const FigureInput& input) const {
        if (!is_of_model(input.experiment())) return no_model_message;
        const HeadPlace at = selected_head(input.experiment());
        return fmt::format("layer {}   head {}", at.layer, at.head);
    }

  private:
    static std::shared_ptr<const HeadPicturesQuestion::Answer> answer_in(const FigureInput& input) {
        const auto all = input.results.all_of<HeadPicturesQuestion>();
        return all.empty() ? nullptr : all.front().answer;
    }

    /// Colours by the root of the weight, so that spread-out attention is visible beside a sharp diagonal.
    static void draw_picture(const HeadPicturesQuestion::Answer& all, int layer, int head, const FigureInput& input,
                             const Frame& frame, Canvas& canvas) {
        constexpr double gap = 1.5;
        const Point from = frame.to_pixels(head - 0.5, layer - 0.5), to = frame.to_pixels(head + 0.5, layer + 0.5);
        const double side = std::min(to.x - from.x, to.y - from.y) - 2 * gap;
        if (side < 2) return;
        const Point centre{(from.x + to.x) / 2, (from.y + to.y) / 2};
        const std::vector<float>& picture = all.pictures[static_cast<std::size_t>(layer) * all.heads + head];
        const float largest = *std::max_element(picture.begin(), picture.end());
        Image image{.width = all.cells, .height = all.cells, .pixels = {}};
        const ColorScale scale{.map = ColorMap::viridis};
        for (const float weight : picture)
            image.pixels.push_back(scale.color(!(largest <= 0) ? std::sqrt(static_cast<double>(weight / largest)) : 0,
                                               input.theme.not_a_number));
        canvas.image({centre.x - side / 2, centre.y - side / 2, side, side}, image);
    }
};

}  // namespace ropewalk
