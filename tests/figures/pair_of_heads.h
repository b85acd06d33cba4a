// A figure of a head and its reference, drawn on a recording canvas.
#pragma once

#include "app/figures/figure_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {

/// A figure of two heads.
struct Pair {
    Pair(const Figure& figure, const Experiment& own, const Experiment& reference, Cursor cursor,
         const Rect& rect = {0, 0, 420, 340})
        : current(results_of(figure, own, &reference, cursor)),
          other(results_of(figure, reference, nullptr, cursor)),
          input{.results = *current,
                .cursor = cursor,
                .cursor_shown = true,
                .theme = light_theme(),
                .memo = memo,
                .reference = other.get()},
          canvas(rect),
          frame(draw(figure, input, canvas, rect)) {}

    static std::shared_ptr<const Results> results_of(const Figure& figure, const Experiment& experiment,
                                                     const Experiment* reference, const Cursor& cursor) {
        Evaluator evaluator(open_backend("reference", 1));
        return evaluator.evaluate({experiment, cursor, needs_of(figure, experiment, {200, 160}, reference)},
                                  Detail::complete, {});
    }
    /// Returns the areas of this colour between vertical curves.
    std::vector<DrawnBand> areas(const Color& color) const {
        std::vector<DrawnBand> found;
        for (const Drawn& drawn : canvas.drawn())
            if (const auto* area = std::get_if<DrawnBand>(&drawn.what); area && area->color == color)
                found.push_back(*area);
        return found;
    }
    std::vector<std::vector<Point>> lines(const Color& color) const {
        std::vector<std::vector<Point>> found;
        for (const Drawn& drawn : canvas.drawn())
            if (const auto* line = std::get_if<DrawnLine>(&drawn.what); line && line->stroke.color == color)
                found.push_back(line->points);
        return found;
    }

    std::shared_ptr<const Results> current, other;
    FigureMemo memo;
    FigureInput input;
    RecordingCanvas canvas;
    Frame frame;
};

inline const Experiment gaussian_head = changed({.head_dim = 16, .seq_len = 40}, "construction=gaussian"),
                        faster_head = changed(gaussian_head, "encoding.base=20");
inline const AttentionFigure difference{.against = Against::reference};

}  // namespace ropewalk
