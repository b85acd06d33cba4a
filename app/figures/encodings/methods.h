// The factor by which each method of context extension divides each pair's frequency.
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"
#include "app/figures/parts/place_of_encoding.h"
#include "core/analysis/encodings/extension_methods.h"

namespace ropewalk {

enum class MethodsAxis { pair, turns };
template <>
struct EnumText<MethodsAxis> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"turns", "Turns"}}};
};

struct MethodsFigure : FigureDefaults {
    static constexpr auto id = "methods", title = "Extension methods";
    static constexpr auto summary =
        "What each method divides RoPE's frequency by, for every pair: 1 keeps it, s interpolates it.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2, 2 + methods]";
    double factor = 0;
    int trained = 0;
    MethodsAxis axis = MethodsAxis::turns;

    bool operator==(const MethodsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "axis",
                .label = "Against",
                .help = "The pair's number, or its turns over the training length. On the axis of turns you can drag "
                        "the encoding's thresholds, if it has any."},
          s.axis);
        f(Field{.name = "factor",
                .label = "Compare at s",
                .unit = "×",
                .min = 0,
                .max = 1024,
                .slider_max = 64,
                .min_means = "encoding's",
                .help = "Factor of the context extension, the same for all methods. 0: the encoding's own, or 8."},
          s.factor);
        f(Field{.name = "trained",
                .label = "Compare at L",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .min_means = "encoding's",
                .help = "Training length to extend. 0: the encoding's own, or 4096."},
          s.trained);
    }

    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    /// Returns s and L, unless the encoding has the same values.
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    CurvePlot plot_of(const FigureInput& input) const;
    ExtensionMethodsQuestion question(const Experiment& experiment) const;
};

}  // namespace ropewalk
