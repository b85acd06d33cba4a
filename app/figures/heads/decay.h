// Logit or weight against distance.
#pragma once

#include "app/figures/parts/curves/compared_curves.h"
#include "app/figures/parts/curves/line_names.h"
#include "app/figures/parts/curves/zoom.h"
#include "core/experiment/settings.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

enum class DecayQuantity { logit, weight };
template <>
struct EnumText<DecayQuantity> {
    static constexpr std::array<EnumName, 2> names{{{"logit", "Logit"}, {"weight", "Weight"}}};
};

struct DecayFigure : ZoomableFigure {
    static constexpr auto id = "decay", title = "Decay curve";
    static constexpr auto summary =
        "The logit against distance, called score where the two are equal: mean ± σ over samples, or the row of the "
        "last query. Where several distances share a pixel, the line shows their mean and the band their range. An "
        "orange dot marks the first negative value, if there is one. The cursor's dot is hollow if the curve shows "
        "another query.";
    static constexpr bool moves = true;
    DecayQuantity quantity = DecayQuantity::logit;
    AxisScale axis = AxisScale::logarithmic;
    std::string compared, pinned;

    bool operator==(const DecayFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "quantity",
                .label = "Quantity",
                .help = "Logit: mean ± σ over samples, or the last query's. Weight: the row of the cursor's query."},
          s.quantity);
        f(Field{.name = "axis",
                .label = "Distance axis",
                .help = "A logarithmic axis shows near and far equally well. It starts at distance 1."},
          s.axis);
        f(Field{.name = "compared",
                .label = "Compared",
                .of_settings = true,
                .most_entries = most_curves,
                .help = "More logit curves. List the fields to change, as in --set, with | between curves: "
                        "encoding=nope | encoding.p=0.5 construction.distance=3."},
          s.compared);
        f(pinned_field(
              "Logit curves that stay whatever you change: their differences from the default experiment, as in --set, "
              "with | between curves and - for an empty slot. The Pin button writes this option."),
          s.pinned);
        zoom_fields(s, f);
    }

    static constexpr bool keeps_curves = true, has_row_per_x = true;

    bool draws_reference() const { return true; }

    bool draws_this_reference(const FigureInput& input) const;

    Needs needs(const Experiment&, PlotPixels) const;

    /// Returns why the current curve cannot be pinned, or nullopt if it can.
    std::optional<std::string> obstacle_to_pin(const Experiment& experiment) const;

    /// Pins the current curve, unless it is pinned already. Requires that there is no obstacle.
    void pin(const Experiment& experiment);

    /// Removes a pinned curve. The others keep their places, and with them their colours.
    void unpin(std::size_t which);

    /// Returns the caption of a pinned curve's head.
    std::string pin_text(const FigureInput& input, std::size_t which) const;

    /// Returns the answer to "does it decay?".
    Badge badge(const FigureInput& input) const;

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    std::vector<Handle> handles(const FigureInput& input) const { return distance_handles(input); }

    /// Returns distance, mean, σ and the compared curves; or distance and weight.
    DataTable table(const Results& results) const;

  private:
    /// The curve and, if there are samples, the band around it. The values belong to the results.
    struct Data {
        int first = 0, samples = 1;
        SharedNumbers values;  // null until known
        std::size_t count = 0;
        bool is_row = false;
        DecayOf of = DecayOf::head;
        SharedNumbers sigma;     // same size as `values`; null unless there are several samples
        SharedNumbers expected;  // also; null if it is unknown

        double at(int distance) const {
            const int index = distance - first;
            if (index < 0 || index >= static_cast<int>(count)) return nan;
            return (*values)[static_cast<std::size_t>(index)];
        }
    };

    /// Returns the settings of each compared curve.
    std::vector<std::string> variants() const { return listed(compared); }
    /// Returns the pinned settings by place, including free places.
    std::vector<std::string> pins() const { return listed(pinned); }

    std::vector<std::string> listed(const std::string& list) const;

    static std::string as_settings(const Experiment& experiment);

    std::vector<ComparedCurve> compared_curves(const FigureInput& input) const;

    /// Returns whether any curve has a name; the state before the drag has none.
    static bool is_compared(const std::vector<ComparedCurve>& others);

    std::vector<LegendEntry> legend(const Data& data, const std::vector<ComparedCurve>& others, const Axis& x,
                                    const FigureInput& input) const;

    Data data_of(const FigureInput& input) const;

    /// Returns the curve mean + `sigmas` · σ.
    static Curve edge_of(const Data& data, double sigmas, const FigureInput& input);

    static Curve curve_of(const Data& data, const FigureInput& input);
    /// Returns the curve that the mean approaches with more samples.
    static Curve expected_of(const Data& data, const FigureInput& input);

    /// Returns the range of the curve with its band.
    static ValueRange range_of(const Data& data, const FigureInput& input);

    /// Makes the vertical axis fit the part of the curves that a zoomed horizontal axis shows.
    void fit_in_sight(PlotOptions& options, const Data& data, const FigureInput& input) const;

    Axis y_axis(const Data& data, const FigureInput& input) const;

    bool is_margin(const Problem& problem) const;

    std::string curve_name(const Problem& problem) const;

    /// Returns the query whose row the curve is, if other queries have other curves.
    static std::optional<int> query_of(const Data& data, const Problem& problem);

    /// Draws the band and the curves; those in `among` may not hide one another.
    void draw_all_curves(const Data& data, const std::vector<ComparedCurve>& others,
                         const std::vector<std::pair<Curve, Stroke>>& among, const FigureInput& input,
                         const Frame& frame, Canvas& canvas) const;

    /// Returns the curves for names beside them, as on paper; none if there is a band.
    static std::vector<NamedLine> named_lines(const Data& data, const std::vector<ComparedCurve>& others,
                                              const std::vector<LegendEntry>& entries, const FigureInput& input,
                                              const Frame& frame);
    /// Marks where the mean first turns negative.
    void draw_first_negative(const Data& data, const FigureInput& input, Frame& frame, Canvas& canvas) const;
    void draw_cursor(const Data& data, const FigureInput& input, const Frame& frame, Canvas& canvas) const;
};

}  // namespace ropewalk
