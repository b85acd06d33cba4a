// One score as rotating clocks: every pair's angle at the cursor's distance, and their sum tip to tail (Su et al. 2021,
// arXiv:2104.09864, section 3.4.3).
#pragma once

#include "app/figures/parts/figure_defaults.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

enum class PhasorSteps { unit, head };
template <>
struct EnumText<PhasorSteps> {
    static constexpr std::array<EnumName, 2> names{{{"unit", "Length 1"}, {"head", "This head's"}}};
};

enum class PhasorDrawing { path, lengths };
template <>
struct EnumText<PhasorDrawing> {
    static constexpr std::array<EnumName, 2> names{{{"path", "Path"}, {"lengths", "|Sⱼ|"}}};
};

struct PhasorsFigure : FigureDefaults {
    static constexpr auto id = "phasors", title = "Phasors";
    static constexpr auto summary =
        "One clock per pair at the cursor's distance, and the same hands added tip to tail. The real part of the end "
        "point is the sum of cosines, or of this head's gₜ.";
    static constexpr auto table_shape = "[d/2 + 1, 4]";
    static constexpr bool is_played = true;
    PhasorSteps steps = PhasorSteps::unit;
    PhasorDrawing sums = PhasorDrawing::path;

    bool operator==(const PhasorsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "steps",
                .label = "Steps",
                .help = "Length 1: Sⱼ, the sum of the first j unit arrows at angle r·wₜ. This head's: arrows of length "
                        "‖qₜ‖‖kₜ‖, rotated by the angle between qₜ and kₜ, so that the path ends above the score."},
          s.steps);
        f(Field{.name = "sums",
                .label = "Sums",
                .help = "Path: the partial sums Sⱼ in the plane. |Sⱼ|: their lengths against the number j of pairs. "
                        "By summation by parts, these lengths bound the score."},
          s.sums);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {PhasorsQuestion{}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    /// Returns whether the point is on the track's height, including to the left and right of its ends.
    bool scrubs_at(const FigureInput& input, const Frame& frame, Point at) const;

    std::optional<Cursor> scrubbed(const FigureInput& input, const Frame& frame, const Scrub& scrub) const {
        return pick(input, frame, {scrub.to.x, scrub.from.y});
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    DataTable table(const Results& results) const;

  private:
    static constexpr double largest_clock = 112, min_radius = 4;  // logical pixels; smaller hands cannot be read
    static constexpr double track_height = 22, knob = 6, track_end = knob + 1, min_height_beside_with_track = 150,
                            min_height_stacked_with_track = 300;
    static constexpr double key_height = 18, min_height_with_key = 110;

    /// The grid of clocks.
    struct ClockGrid {
        Point origin;
        int columns = 1;
        double cell = 0;  // pixels per clock, in both directions

        double radius() const { return 0.42 * cell; }
    };

    const std::vector<Complex>& path_of(const Phasors& phasors) const;

    /// Returns the name of the sum: the score only with this head's steps. If waves are added to q and k and nothing
    /// rotates, the cosines add up to the product of both positions' waves.
    const char* sum_name(const FigureInput& input) const;

    /// Returns the track below clocks and path, for dragging the distance from 0 to the query's position; empty without
    /// a cursor or room.
    static Rect track_of(const FigureInput& input, const Rect& rect);

    static Rect above_track(const FigureInput& input, const Rect& rect);

    static void draw_track(const FigureInput& input, Canvas& canvas, const Rect& track);

    /// Returns the parts for the clocks and the path. The part for the clocks is empty if they would be too small to
    /// read.
    static std::pair<Rect, Rect> parts(const Rect& rect, int pairs);

    /// Returns both parts side by side, or above each other if the rect is narrow.
    static std::pair<Rect, Rect> shared_parts(const Rect& rect);

    /// Returns the place of the colour key below the clocks; empty if it does not fit.
    static Rect key_of(const Rect& part);

    static ClockGrid grid_of(const Rect& part, int pairs);

    /// Returns the direction of a clock's hand, that of the pair's step.
    Complex hand_of(const Phasors& phasors, std::size_t pair) const;

    void draw_clocks(const Phasors& phasors, const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    /// Draws "fast", the colours of the pairs, "slow".
    static void draw_key(const Rect& key, Canvas& canvas, const Theme& theme);

    /// Returns the legend: the value of the sum, and the reference's dashed path.
    std::vector<LegendEntry> legend(const Phasors* phasors, const Phasors* reference, const FigureInput& input) const;

    /// Returns the frame of a plot that shows these paths, with the same scale on both axes, and sets the axes.
    static Frame frame_of(std::initializer_list<const std::vector<Point>*> paths, PlotOptions& options,
                          const FigureInput& input, const Canvas& canvas, const Rect& rect);

    /// Draws |Sⱼ| against j.
    Frame draw_lengths(const FigureInput& input, Canvas& canvas, const Rect& whole) const;

    /// Draws the path and its projection on the real axis.
    Frame draw_sum(const Phasors* phasors, const Phasors* reference, const FigureInput& input, Canvas& canvas,
                   const Rect& whole) const;
};

}  // namespace ropewalk
