// How a RoPE base limits the context (Men et al. 2024, arXiv:2405.14591).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

enum class BaseBoundPart { margins, min_base, published };
template <>
struct EnumText<BaseBoundPart> {
    static constexpr std::array<EnumName, 3> names{
        {{"margins", "Margins"}, {"min_base", "Smallest base"}, {"published", "Published"}}};
};

struct BaseBoundFigure : CurveFigure<BaseBoundFigure> {
    static constexpr auto id = "base_bound", title = "Base and context";
    static constexpr auto summary =
        "Bₘ = Σ cos(m·wₜ): the margin of a similar over a random key at distance m, in units of 2σ². A base supports a "
        "context up to the first negative Bₘ.";
    static constexpr auto table_shape =
        "[distances, 2] (margins); [1, 4] (min_base); [contexts, 5] (published): see the header of the CSV";
    BaseBoundPart part = BaseBoundPart::margins;
    int context = 0;
    int certify_up_to = 1'000'000;

    bool operator==(const BaseBoundFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "part",
                .label = "Show",
                .help = "Margins: Bₘ of this base. Smallest base: the smallest base that is feasible for the context, "
                        "with two significant digits and by a certified search that rules out every smaller base. "
                        "Published: the table of Men et al. (d = 128) beside both."},
          s.part);
        f(Field{.name = "context",
                .label = "Context L",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .min_means = "sequence",
                .help = "Context for which to find the smallest base; 0 is the sequence length."},
          s.context);
        f(Field{.name = "certify_up_to",
                .label = "Certify up to",
                .unit = "tokens",
                .min = 0,
                .max = 1'000'000,
                .help = "Longest context in the published table that gets a certified search; the longest takes "
                        "several seconds."},
          s.certify_up_to);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return part != BaseBoundPart::published; }
    Depicted depicted() const { return part == BaseBoundPart::published ? Depicted::publication : Depicted::encoding; }

    Badge badge(const FigureInput&) const;

    bool is_text() const { return part == BaseBoundPart::published; }
    int context_of(const Experiment& experiment) const { return context > 0 ? context : experiment.seq_len; }

    Needs needs(const Experiment& experiment, PlotPixels) const;

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    DataTable table(const Results& results) const;

    std::vector<CurvePlot> plots_of(const FigureInput& input) const;

  private:
    MarginsQuestion margins_question(const Experiment& experiment) const;

    MinBaseQuestion min_question(const Experiment& experiment) const;

    static bool is_negative_somewhere(const Margins& margins);

    static std::string text_of_base(const std::optional<double>& base);

    void draw_min(const Rect& rect, const FigureInput& input, Canvas& canvas) const;

    Frame draw_published(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
};

}  // namespace ropewalk
