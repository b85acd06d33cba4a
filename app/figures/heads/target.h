// A target for the logit, drawn by hand, and the closest head: a least-squares fit of the pairs' amplitudes and phases.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "core/analysis/fit/band_fit.h"

namespace ropewalk {

/// When the fit is applied to the head: while drawing, or on request.
enum class TargetUse { drawn, asked };
template <>
struct EnumText<TargetUse> {
    static constexpr std::array<EnumName, 2> names{{{"drawn", "While drawing"}, {"asked", "On request"}}};
};

struct TargetFigure : CurveFigure<TargetFigure> {
    static constexpr auto id = "target", title = "Target curve";
    static constexpr auto summary =
        "Draw the logit you want at each distance. A least-squares fit finds the closest head, its residual and the "
        "pairs it uses.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr bool takes_brush = true;
    static constexpr auto table_shape = "[distances, 10]; columns about pairs use the first d/2 rows";
    std::vector<double> points{0, 6, 63, 6, 64, 0, 255, 0};
    int reach = 0;
    AxisScale axis = AxisScale::linear;
    FitWeighting weighting = FitWeighting::distances;
    double ridge = 1e-3;
    int first_pair = 0, last_pair = -1;
    TargetUse use = TargetUse::drawn;

    bool operator==(const TargetFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "points",
                .label = "Points r, logit",
                .min = -1e12,
                .max = 1e12,
                .may_be_empty = true,
                .couple = "point",
                .help = "The target as distance, logit, distance, logit, …, with straight lines between. Distances "
                        "must increase. Drag with the right button to remove points."},
          s.points);
        f(Field{.name = "use",
                .label = "Apply to head",
                .help =
                    "While drawing: queries and keys follow the mouse. On request: they change when you press Apply."},
          s.use);
        f(Field{.name = "reach",
                .label = "Distances shown",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .slider_max = 4096,
                .min_means = "sequence",
                .help = "Length of the axis; 0 is the sequence length."},
          s.reach);
        f(Field{.name = "axis",
                .label = "Distance axis",
                .help = "A logarithmic axis shows near and far equally well. It starts at distance 1."},
          s.axis);
        f(Field{.name = "weighting",
                .label = "Weighting",
                .help = "What counts equally in the fit: every distance, or every octave of distances (weights 1/(r + "
                        "1)), so that near ones count more."},
          s.weighting);
        f(Field{.name = "ridge",
                .label = "Ridge",
                .min = 0,
                .max = 1e6,
                .slider_min = 1e-12,
                .slider_max = 1,
                .logarithmic = true,
                .help = "Penalty on large amplitudes: the fit minimises mean squared error + ridge · Σ amplitude², "
                        "both in logits². 0: plain least squares. Waves that are equal to 1e-10 of the largest then "
                        "count once, and the solution has minimum norm."},
          s.ridge);
        f(Field{.name = "first_pair",
                .label = "First pair",
                .min = 0,
                .max = widest_head / 2 - 1,
                .of_pairs = true,
                .help = "Faster pairs are not used."},
          s.first_pair);
        f(Field{.name = "last_pair",
                .label = "Last pair",
                .min = -1,
                .max = widest_head / 2 - 1,
                .min_means = "slowest",
                .of_pairs = true,
                .help = "Slower pairs are not used; −1 uses all."},
          s.last_pair);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    std::optional<std::string> check() const {
        if (auto sentence = check_ranges()) return sentence;
        return TargetCurve::complaint_about(points, "points");
    }
    Needs needs(const Experiment&, PlotPixels) const { return check() ? Needs{} : Needs{question()}; }

    Badge badge(const FigureInput& input) const;

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    DataTable table(const Results& results) const;

    std::vector<CurvePlot> plots_of(const FigureInput& input) const;

    bool draws_at(const Frame& frame, Point at) const;

    void draw_with(const BrushMove& move, const Frame& frame, const FigureInput& input, Experiment&);

    std::span<const Preset> presets() const { return all_presets; }

    void apply(std::size_t preset, const FigureInput& input, Experiment&);

    /// Returns the head that fits the current target, or nullopt while the fit is unknown or if it equals the current
    /// head.
    std::optional<Proposal> proposal(const FigureInput& input, const Experiment& experiment) const;

  private:
    static constexpr double height = 6;  // of a preset, in logits: a factor of e⁶ in the weight
    static constexpr std::array<Preset, 6> all_presets{
        {{"window", "Window", "A plateau over the nearest quarter of the distances, 0 beyond."},
         {"beyond", "All but near", "0 over the nearest quarter of the distances, a plateau beyond."},
         {"slope", "Slope", "A straight fall over all distances, as in ALiBi."},
         {"crest", "Peak", "A peak at the cursor's distance."},
         {"flat", "Flat", "0 at all distances."},
         {"nothing", "Nothing", "Remove the target."}}};

    /// Returns whether the bands are equal up to rounding.
    static bool alike(const std::vector<Band>& some, const std::vector<Band>& others);

    TargetCurve curve() const { return TargetCurve::of_list(points); }

    BandFitQuestion question() const;

    static std::string no_curve(const std::string& sentence) { return "The target is not a curve: " + sentence + "."; }

    /// Returns the answer to this figure's question or, until it arrives, the newest of its kind.
    std::shared_ptr<const BandFit> fit_of(const Results& results) const;

    /// Returns the largest distance on the axis.
    double last_shown(const Experiment& experiment) const;

    int pairs_in_play(const FigureInput& input) const;

    Axis axis_of_distances(const FigureInput& input) const;

    /// Returns the target's outline. On a logarithmic axis its straight lines are curved, so points are added.
    static std::vector<Point> outline(const TargetCurve& target, const Axis& x);

    CurvePlot logit_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit) const;

    CurvePlot residual_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit) const;

    static CurvePlot pair_plot(const FigureInput& input, const std::shared_ptr<const BandFit>& fit);
};

}  // namespace ropewalk
