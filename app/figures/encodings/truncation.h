// The wavelengths of p-RoPE, partial and clipped RoPE at the same fraction p.
#pragma once

#include "app/figures/parts/curves/place_of_encoding.h"
#include "app/figures/parts/curves/zoom.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

struct TruncationFigure : ZoomableFigure {
    static constexpr auto id = "truncation", title = "Truncated spectra";
    static constexpr auto summary =
        "Wavelengths of p-RoPE, partial and clipped RoPE at the same p; pairs that are not rotated are at ∞.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2, 5]";
    static constexpr auto own_label = "Compare at p";
    double p = 0;

    bool operator==(const TruncationFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "p",
                .label = own_label,
                .min = 0,
                .max = 1,
                .min_means = "encoding's",
                .of_pairs = true,
                .help = "Fraction of rotated pairs, the same in all rows. 0: the encoding's own, or a quarter."},
          s.p);
        x_field(s, f);
    }
    void zoom_to(const Zoom& zoom) { x_range = zoom.x; }

    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    /// Returns the fraction, unless the encoding has the same one.
    Badge badge(const FigureInput& input) const;

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    /// Returns the pair handles, placed at RoPE's wavelengths.
    std::vector<Handle> handles(const FigureInput& input) const;

    DataTable table(const Results& results) const;

  private:
    static constexpr double min_lane = 44;  // height per row needed for names, logical pixels
    // Tokens. A pair rotates by at most one radian per token; a nearly clipped one may be arbitrarily slow.
    static constexpr double shortest = 5, longest_of_clipped = 5e8;

    struct Kind {
        std::string id, title;
        std::vector<double> wavelengths;  // [pairs]
    };

    /// The axis of wavelengths: whole decades, and a place at ∞ for everything slower.
    struct Reach {
        std::string unit;
        int decades = 0;
        bool goes_beyond = false;  // some pairs at ∞ do rotate

        double end() const { return std::pow(10, decades); }
        double shelf() const { return end() * std::pow(end() / shortest, 0.07); }
        /// Returns a wavelength's place on the axis.
        double place_of(double wavelength) const { return wavelength <= end() ? wavelength : shelf(); }
        Axis axis() const {
            return {.title = fmt::format("wavelength ({})", unit) +
                             (goes_beyond ? "; ∞: not rotated, or beyond " + power_of_ten(decades) : std::string()),
                    .low = shortest,
                    .high = shelf() * std::pow(end() / shortest, 0.05),
                    .scale = AxisScale::logarithmic};
        }
    };

    /// Returns the axis, extended to that of all frames of a sweep.
    static Reach reach_shown(const std::vector<Kind>& kinds, const FigureInput& input);

    /// Extends the plot over the unused room for labels at its left, and adds a tick for ∞.
    static Frame with_shelf(Frame frame, const Reach& reach, const Rect& rect, const Theme& theme);

    /// An encoding's row: its name and, below it, a bar of its pairs; logical pixels.
    struct Lane {
        const Kind& kind;
        Color color;
        double name_height, top, bottom;  // of the bar
    };

    /// Draws the pairs of all rows, and those of the state before the drag as far as they are on this head's axis.
    void draw_pairs(const std::vector<Lane>& lanes, const Reach& reach, const FigureInput& input, const Frame& frame,
                    Canvas& canvas) const;

    /// Draws a row's name and returns its rectangle.
    static Rect draw_name(const std::string& name, const Lane& lane, const TextStyle& style, const Theme& theme,
                          const Frame& frame, Canvas& canvas);

    /// Returns forms of an encoding's name, longest first: "p-RoPE: slowest 3981 tokens, 48 of 64 pairs not rotated",
    /// …, "p-RoPE". The number of forms is the same for all encodings.
    static std::vector<std::string> names_of(const Kind& kind, const Reach& reach);

    /// Returns the longest forms that fit in all rows.
    static std::vector<std::string> names_that_fit(const std::vector<Kind>& kinds, const Reach& reach, double room,
                                                   const TextStyle& style, Canvas& canvas);

    double fraction_of(const Experiment& experiment) const;

    /// Returns the wavelengths of RoPE and of every encoding that truncates it, at the same base and p.
    std::vector<Kind> spectra(const Experiment& experiment) const;
};

}  // namespace ropewalk
