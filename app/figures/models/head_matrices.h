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
        return {.cells = std::clamp(pixels.across / std::max(1, heads), 16, 64)};
    }
    Needs needs(const Experiment& experiment, PlotPixels pixels) const { return {question(pixels, experiment)}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto found = answer_in(input);
        if (!found || found->pictures.empty()) return draw_message(model_message(input), rect, canvas, input.theme);
        const HeadPlace selected = selected_head(input.experiment());
        PlotOptions options;
        options.x = head_axis(found->heads), options.y = layer_axis(found->layers), options.grid = false;
        const Rect room = layout(options, canvas, rect, input.theme).plot;
        const MapPart layers = MapPart::around(selected.layer, found->layers, room.height),
                      heads = MapPart::around(selected.head, found->heads, room.width);
        const double right = layers.is_whole() ? 0 : track_room, top = heads.is_whole() ? 0 : track_room;
        options.x = heads.on(options.x), options.y = layers.on(options.y);
        Frame frame =
            layout(options, canvas, {rect.x, rect.y + top, rect.width - right, rect.height - top}, input.theme);
        frame.outer = rect;
        draw_background(options, frame, canvas, input.theme);
        for (int layer = layers.first; layer < layers.first + layers.count; ++layer)
            for (int head = heads.first; head < heads.first + heads.count; ++head)
                draw_picture(*found, {layer, head}, input, frame, canvas);
        draw_axes(options, frame, canvas, input.theme);
        draw_selected(picture_place(selected, frame).inset(-gap), input.theme, canvas);
        const auto draw_track = [&](const MapPart& part, const Rect& track, const char* what, const char* name,
                                    const char* help) {
            if (part.is_whole()) return;
            canvas.report_omitted(fmt::format("{} of {} {}", part.all - part.count, part.all, what));
            draw_part_track(part, track, input.theme, canvas);
            canvas.add_tooltip(track.inset(-track_gap), name, help);
        };
        draw_track(layers, layer_track(frame), "layers", "Layers",
                   "Click to select another layer. Press { or } for the previous or next one.");
        draw_track(heads, head_track(frame), "heads", "Heads",
                   "Click to select another head. Press [ or ] for the previous or next one.");
        return frame;
    }

    Badge badge(const FigureInput& input) const {
        const auto found = answer_in(input);
        return found ? problem_badge(found->problem) : Badge{};
    }

    /// Returns the settings that select the head under the pointer.
    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto found = answer_in(input);
        if (!found) return {};
        if (const auto place = head_at(frame, at, found->layers, found->heads)) return place->settings();
        HeadPlace place = selected_head(input.experiment());
        const auto on_track = [&](const Rect& track, double along, const Axis& axis, int all, int& chosen) {
            if (axis.high - axis.low >= all || !track.inset(-track_gap).contains(at)) return false;
            chosen = std::clamp(static_cast<int>(along * all), 0, all - 1);
            return true;
        };
        const Rect down = layer_track(frame), across = head_track(frame);
        const bool is_on_track = on_track(down, (at.y - down.y) / down.height, frame.y, found->layers, place.layer) ||
                                 on_track(across, (at.x - across.x) / across.width, frame.x, found->heads, place.head);
        return is_on_track ? place.settings() : "";
    }

    std::string readout(const FigureInput& input) const {
        if (!is_of_model(input.experiment())) return no_model_message;
        const HeadPlace at = selected_head(input.experiment());
        return fmt::format("layer {}   head {}", at.layer, at.head);
    }

  private:
    static constexpr double track_gap = 4, track_width = 4, track_room = track_width + 2 * track_gap;

    /// Return the tracks beside and above the plot, where it shows only a part of the layers or heads.
    static Rect layer_track(const Frame& frame) {
        return {frame.plot.right() + track_gap, frame.plot.y, track_width, frame.plot.height};
    }
    static Rect head_track(const Frame& frame) {
        return {frame.plot.x, frame.plot.y - track_gap - track_width, frame.plot.width, track_width};
    }

    static std::shared_ptr<const HeadPicturesQuestion::Answer> answer_in(const FigureInput& input) {
        const auto all = input.results.all_of<HeadPicturesQuestion>();
        return all.empty() ? nullptr : all.front().answer;
    }

    static constexpr double gap = 1.5;  // around each picture

    /// Returns the square of a head's picture, in the middle of its cell.
    static Rect picture_place(const HeadPlace& place, const Frame& frame) {
        const Rect cell = cell_of(place, frame);
        const double side = std::max(0.0, std::min(cell.width, cell.height) - 2 * gap);
        return {cell.centre().x - side / 2, cell.centre().y - side / 2, side, side};
    }

    /// Colours by the root of the weight, so that spread-out attention is visible beside a sharp diagonal.
    static void draw_picture(const HeadPicturesQuestion::Answer& all, const HeadPlace& place, const FigureInput& input,
                             const Frame& frame, Canvas& canvas) {
        const Rect square = picture_place(place, frame);
        if (square.width < 1) return;
        const std::vector<float>& picture =
            all.pictures[static_cast<std::size_t>(place.layer) * all.heads + place.head];
        const float largest = *std::max_element(picture.begin(), picture.end());
        Image image{.width = all.cells, .height = all.cells, .pixels = {}};
        const ColorScale scale{.map = ColorMap::viridis};
        for (const float weight : picture)
            image.pixels.push_back(scale.color(!(largest <= 0) ? std::sqrt(static_cast<double>(weight / largest)) : 0,
                                               input.theme.not_a_number));
        canvas.image(square, image);
    }
};

}  // namespace ropewalk
