// The cursor's query and key as arrows in the plane of a pair, before and after the rotation (Barbero et al. 2024,
// arXiv:2410.06205, Fig. 1).
#pragma once

#include <vector>

#include "app/figures/parts/figure_defaults.h"
#include "core/analysis/heads/arrows.h"

namespace ropewalk {

struct ArrowsFigure : FigureDefaults {
    static constexpr auto id = "arrows", title = "Query and key";
    static constexpr auto summary =
        "The cursor's query and key on one pair, before and after RoPE rotates them by their positions. With several "
        "pairs, thin arrows show query and key before rotation. Drag the marks below: the angle depends only on their "
        "distance.";
    static constexpr auto table_shape = "[pairs, 11]";
    static constexpr bool is_played = true;
    int pairs = 1;

    bool operator==(const ArrowsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "pairs",
                .label = "Pairs",
                .min = 1,
                .max = 64,
                .min_means = "cursor's",
                .help = "Number of pairs, from the fastest to the slowest. 1: the pair at the cursor."},
          s.pairs);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {ArrowsQuestion{}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    /// Returns the cursor on the pair under the pointer.
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    bool scrubs_at(const FigureInput& input, const Frame& frame, Point at) const;
    std::optional<Cursor> scrubbed(const FigureInput& input, const Frame& frame, const Scrub& scrub) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    /// The dials of several pairs.
    struct Grid {
        Rect rect;
        int columns = 1, rows = 1;

        Rect tile(int place) const;
    };

    /// Returns the pairs that are shown, from the fastest.
    std::vector<int> shown_pairs(int all, int at_cursor) const;
    static Grid grid_of(const Rect& rect, int tiles);

    void draw_one(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    void draw_several(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
};

}  // namespace ropewalk
