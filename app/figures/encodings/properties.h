// What an encoding lets a head do, computed for each encoding (Barbero et al. 2024, arXiv:2410.06205, Table 1).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/plot/elide.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

struct PropertiesFigure : FigureDefaults {
    static constexpr auto id = "properties", title = "Encoding properties";
    static constexpr auto summary =
        "Whether diagonal and previous-token heads are possible, and whether a semantic match holds over the whole "
        "sequence, with the deciding numbers.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[3, 3]: possible, deciding number, second number";
    double epsilon = 0.01;

    bool operator==(const PropertiesFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "epsilon",
                .label = "ε",
                .min = 1e-9,
                .max = 0.5,
                .logarithmic = true,
                .help = "A positional head must give its target a weight above 1 − ε in every row."},
          s.epsilon);
    }

    bool is_text() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {PropertiesQuestion{.epsilon = epsilon}}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput&, const Frame&, Point) const { return std::nullopt; }
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    struct Finding {
        std::string what;
        bool possible = false;
        std::string because;
    };

    static Finding finding(const char* name, const PositionalAbility& ability);
    static std::string because(const SemanticAbility& semantic);

    /// Draws each finding with its answer at the right and its reason below. If there is little room, reasons are cut
    /// to one line or omitted.
    static void draw_findings(std::span<const Finding> findings, const std::string& tried, const Theme& theme,
                              Canvas& canvas, const Rect& rect);

    static constexpr auto nothing_rotates =
        "These tests need an encoding that rotates, so that a larger norm sharpens the attention. This encoding adds "
        "waves of fixed size to q and k.";
};

}  // namespace ropewalk
