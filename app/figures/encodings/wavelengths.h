// The wavelengths of all pairs, compared with the sequence length.
#pragma once

#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

enum class WavelengthsAxis { pair, channel };
template <>
struct EnumText<WavelengthsAxis> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"channel", "Channel"}}};
};

struct WavelengthsFigure : FigureDefaults {
    static constexpr auto id = "wavelengths", title = "Wavelengths";
    static constexpr auto summary =
        "2π/wₜ of every pair, or of every channel in storage order, on a logarithmic axis with the sequence length; "
        "pairs that "
        "are not rotated are at ∞.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2]";
    WavelengthsAxis axis = WavelengthsAxis::pair;

    bool operator==(const WavelengthsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "axis",
                .label = "Against",
                .help = "Channel: in the order in which q and k are stored. Two channels of equal height form a pair, "
                        "as set by the pairing."},
          s.axis);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    /// Returns a range that includes the wavelengths and lengths of the head, the reference and the state before the
    /// drag.
    static ValueRange shown_range(const FigureInput& input);
    static PairLayout layout_of(const Results& results);
    static Axis channel_axis(const FigureInput& input);
    /// Returns the places of a pair: one on an axis of pairs, two on an axis of channels.
    std::vector<double> places_of(int pair, const Results& results) const;

    /// Points for rotated pairs (place, wavelength) and for the others (place, shelf).
    struct Dots {
        std::vector<Point> rotated, unrotated;
    };
    /// Returns the dots of a head; none without results.
    Dots dots(const Results* results, double shelf) const;
    static void draw_small(const Dots& dots, double radius, Color color, const Frame& frame, Canvas& canvas);
    static void draw_close(const Dots& dots, double radius, const Frame& frame, Canvas& canvas, const Theme& theme);
    static void draw_apart(const Dots& dots, double radius, const Frame& frame, Canvas& canvas, const Theme& theme);
};

}  // namespace ropewalk
