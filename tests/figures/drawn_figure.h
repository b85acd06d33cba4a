// Figures of an experiment, drawn on a recording canvas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure_list.h"
#include "app/figures/figures.h"
#include "app/plot/math/math_text.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {

inline std::vector<std::string> ids_of_figures() {
    std::vector<std::string> ids;
    for_each_alternative<Figure>([&](const auto& figure) { ids.emplace_back(figure.id); });
    return ids;
}

/// Returns the experiment with eight steps of training, for tests that ask what is drawn, not what is learned.
inline Experiment briefly_trained(const Experiment& experiment) {
    return trained_head_of(experiment.construction) ? changed(experiment, "construction.recipe.steps=8") : experiment;
}

/// Returns the results of an experiment for one figure.
inline std::shared_ptr<const Results> results_for(const Figure& figure, const Experiment& experiment,
                                                  const Cursor& cursor, PlotPixels pixels = {200, 160}) {
    Evaluator evaluator(open_backend("", 2));
    return evaluator.evaluate({experiment, cursor, needs_of(figure, experiment, pixels)}, Detail::exact, {});
}

/// Draws a figure of an experiment on a canvas of this size.
inline RecordingCanvas drawn(const Figure& figure, const Experiment& experiment, const Cursor& cursor,
                             const Rect& rect) {
    const auto results = results_for(figure, experiment, cursor);
    FigureMemo memo;
    RecordingCanvas canvas(rect);
    draw(figure, {.results = *results, .cursor = cursor, .cursor_shown = true, .theme = dark_theme(), .memo = memo},
         canvas, rect);
    return canvas;
}

inline std::vector<std::string> words(const RecordingCanvas& canvas) {
    std::vector<std::string> all;
    for (const DrawnText& text : canvas.texts()) all.push_back(without_math(text.text));
    return all;
}

}  // namespace ropewalk
