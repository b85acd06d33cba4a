// What an encoding lets a head do (Barbero et al. 2024, arXiv:2410.06205, Table 1), computed and not written down.
#pragma once

#include "app/figures/curves.h"
#include "app/figures/text_table.h"
#include "core/numbers.h"

namespace ropewalk {

struct PropertiesFigure {
    static constexpr auto id = "properties", title = "What this encoding can do";
    static constexpr auto summary =
        "Can it make a diagonal and a previous-token head, and does a semantic match hold over the whole context? With "
        "the numbers that decide.";
    static constexpr auto table_shape = "[3, 3]: possible, deciding number, second number";
    double epsilon = 0.01;

    bool operator==(const PropertiesFigure&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "epsilon",
                .label = "ε",
                .least = 1e-9,
                .greatest = 0.5,
                .logarithmic = true,
                .help = "A positional head must give its target more than 1 − ε in every row."},
          s.epsilon);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {PropertiesQuestion{epsilon}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto answer = input.results.find(PropertiesQuestion{epsilon});
        Frame frame;
        frame.outer = frame.plot = rect;
        if (!answer || !*answer) {
            draw_message(
                answer ? "The tests are about heads that are rotated, which a larger norm sharpens; this encoding "
                         "adds waves of one size to q and k."
                       : "computing …",
                rect, canvas, input.theme);
            return frame;
        }
        const EncodingProperties* found = &**answer;
        const auto positional = [](const char* name, const PositionalAbility& ability) {
            return std::vector<std::string>{
                name, ability.possible() ? "yes" : "no",
                ability.possible()
                    ? fmt::format("‖ψ‖² = {} on {} pairs", readable(*ability.norm_needed, 5), ability.pairs)
                    : fmt::format("weight {} at ‖ψ‖² = 10⁶", readable(ability.best_weight))};
        };
        const SemanticAbility& semantic = found->semantic;
        TextTable table{.columns = {fmt::format("over {} tokens", readable(found->tokens)), "possible", "because"},
                        .rows = {positional("diagonal head", found->diagonal),
                                 positional("previous-token head", found->previous_token),
                                 {"robust semantic match", semantic.robust ? "yes" : "no", because(semantic)}}};
        const Lowered& lowered = input.results.problem->lowered;
        if (lowered.bias_slope != 0) table.rows.push_back({"left out", "", "the bias by distance"});
        if (found->rows > 1) table.rows.push_back({"tried", "", fmt::format("{} rows", found->rows)});
        draw_text_table(table, input.theme, canvas, rect);
        return frame;
    }

    static std::string because(const SemanticAbility& semantic) {
        if (!semantic.fails_at) return fmt::format("pair {} does not turn", semantic.pair);
        const auto fails = static_cast<double>(*semantic.fails_at);
        return semantic.robust ? "holds to r = " + readable(fails - 1) : "fails from r = " + readable(fails);
    }

    std::optional<Cursor> pick(const FigureInput&, const Frame&, Point) const { return std::nullopt; }

    std::string readout(const FigureInput& input) const {
        return fmt::format("a head gives its target more than {} in every row, or it does not", readable(1 - epsilon)) +
               (input.results.find(PropertiesQuestion{epsilon}) ? "" : "   computing …");
    }

    DataTable table(const Results& results) const {
        const auto answer = results.find(PropertiesQuestion{epsilon});
        DataTable table{.shape = {3, 3}, .columns = {"possible", "decides", "and"}};
        if (!*answer) {
            table.values.assign(9, nan);
            return table;
        }
        const EncodingProperties* found = &**answer;
        for (const PositionalAbility* ability : {&found->diagonal, &found->previous_token})
            table.values.insert(table.values.end(), {ability->possible() ? 1.0 : 0.0,
                                                     ability->norm_needed.value_or(nan), ability->best_weight});
        const SemanticAbility& semantic = found->semantic;
        table.values.insert(table.values.end(),
                            {semantic.robust ? 1.0 : 0.0,
                             semantic.fails_at ? static_cast<double>(*semantic.fails_at) : nan, semantic.inv_freq});
        return table;
    }
};

}  // namespace ropewalk
