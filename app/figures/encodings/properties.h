// What an encoding lets a head do, computed for each encoding (Barbero et al. 2024, arXiv:2410.06205, Table 1).
#pragma once

#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/plot/elide.h"
#include "app/plot/fonts.h"

namespace ropewalk {

struct PropertiesFigure : FigureDefaults {
    static constexpr auto id = "properties", title = "Encoding properties";
    static constexpr auto brief_title = "Properties";
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

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto answer = input.results.find(PropertiesQuestion{.epsilon = epsilon});
        if (!answer || !*answer)
            return draw_message(answer ? nothing_rotates : still_computing, rect, canvas, input.theme);
        const EncodingProperties& found = **answer;
        std::vector<Finding> findings{finding("diagonal head", found.diagonal),
                                      finding("previous-token head", found.previous_token),
                                      {"robust semantic match", found.semantic.robust, because(found.semantic)}};
        std::string tried = fmt::format(
            "A positional head is possible if a norm gives its target a weight above {} in every row. The test covers "
            "{} tokens",
            readable(1 - epsilon), readable(found.tokens));
        if (found.rows > 1) tried += fmt::format(", in {} sampled rows", found.rows);
        if (input.results.problem->lowered.bias_slope != 0) tried += ", without the distance bias";
        draw_findings(findings, tried + ".", input.theme, canvas, rect);
        return {.outer = rect, .plot = rect};
    }

    std::string readout(const FigureInput& input) const {
        const std::string required = fmt::format("required weight {}", readable(1 - epsilon));
        const auto answer = input.results.find(PropertiesQuestion{.epsilon = epsilon});
        if (!answer) return required + "   computing …";
        return *answer ? fmt::format("{}   tokens {}", required, readable((*answer)->tokens)) : required;
    }

    DataTable table(const Results& results) const {
        const auto answer = results.find(PropertiesQuestion{.epsilon = epsilon});
        if (!*answer) throw InputError(nothing_rotates);
        DataTable table{.shape = {3, 3}, .columns = {"possible", "decides", "and"}};
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

  private:
    struct Finding {
        std::string what;
        bool possible = false;
        std::string because;
    };

    static Finding finding(const char* name, const PositionalAbility& ability) {
        return {
            name, ability.possible(),
            ability.possible()
                ? fmt::format("‖ψ‖² = {} is enough, on the fastest {} pairs.", readable(*ability.norm_needed, 5),
                              ability.pairs)
                : fmt::format("With equal keys, some row gives its target a weight of at most {}, even at ‖ψ‖² = {}.",
                              readable(ability.best_weight), readable(largest_norm_tried))};
    }

    static std::string because(const SemanticAbility& semantic) {
        if (!semantic.fails_at)
            return fmt::format("A match on pair {}, which is not rotated, holds at every distance.", semantic.pair);
        const auto fails = static_cast<double>(*semantic.fails_at);
        return fmt::format(
            "A match on pair {}, the slowest, {}.", semantic.pair,
            semantic.robust ? "holds up to r = " + readable(fails - 1) : "turns negative at r = " + readable(fails));
    }

    static constexpr double padding = 8, line = 1.6, between = 0.5;  // logical pixels; em

    static std::string answer_of(const Finding& finding, bool is_brief) {
        if (is_brief) return finding.possible ? "yes" : "no";
        return finding.possible ? "possible" : "not possible";
    }
    /// Returns whether all answers fit beside the names of the findings.
    static bool fit_beside_names(std::span<const Finding> findings, double room, double size) {
        return std::ranges::all_of(findings, [&](const Finding& finding) {
            const auto width_of = [&](const std::string& text) {
                return measure_text(text, size, Weight::semibold).width;
            };
            return width_of(finding.what) + size + width_of(answer_of(finding, false)) <= room;
        });
    }

    /// Returns the theme with text as large as the room allows, within limits. On paper its size is given.
    static Theme enlarged(Theme theme, std::span<const Finding> findings, const std::string& tried, const Rect& rect) {
        constexpr double larger[] = {17, 16, 14};  // sizes of the window's fonts
        const auto height = [&](double size) {
            const auto lines_of = [&](const std::string& text) {
                return static_cast<double>(
                    wrapped(words_of(text), rect.width - 2 * padding, size, Weight::regular).size());
            };
            double em = line * (lines_of(tried) + 1);
            for (const Finding& finding : findings) em += line * (1 + lines_of(finding.because)) + 2 * between;
            return 2 * padding + em * size;
        };
        const auto fitting = std::ranges::find_if(larger, [&](double size) {
            return !theme.is_paper && size > theme.label_size && height(size) <= rect.height &&
                   fit_beside_names(findings, rect.width - 2 * padding, size);
        });
        if (fitting != std::end(larger)) theme.label_size = *fitting;
        return theme;
    }

    /// Draws each finding with its answer at the right and its reason below. If there is little room, reasons are cut
    /// to one line or omitted.
    static void draw_findings(std::span<const Finding> findings, const std::string& tried, const Theme& usual,
                              Canvas& canvas, const Rect& rect) {
        const Theme theme = enlarged(usual, findings, tried, rect);
        const TextStyle reason{.size = theme.label_size, .color = theme.text_dim};
        const double size = theme.label_size, step = size * line, left = rect.x + padding,
                     room = rect.width - 2 * padding;
        const auto lines_of = [&](const std::string& text) {
            return wrapped(words_of(text), room, size, Weight::regular);
        };
        std::vector<std::vector<std::string>> reasons;
        const auto height = [&] {
            double lines = 0;
            for (const auto& each : reasons) lines += 1 + static_cast<double>(each.size());
            return 2 * padding + step * lines + 2 * between * size * static_cast<double>(reasons.size());
        };
        for (const Finding& finding : findings) reasons.push_back(lines_of(finding.because));
        if (height() > rect.height)
            for (std::size_t i = 0; i < findings.size(); ++i)
                reasons[i] = {elided(findings[i].because, room, reason, canvas)};
        if (height() > rect.height) {
            canvas.report_omitted("the reasons");
            reasons.assign(findings.size(), {});
        }
        for (std::size_t i = 0; i < findings.size(); ++i)
            if (reasons[i].size() == 1 && reasons[i].front() != findings[i].because)
                canvas.report_omitted(fmt::format("the reason for “{}”", findings[i].what));
        double y = rect.y + padding;
        const auto draw_lines = [&](const std::vector<std::string>& lines) {
            for (const std::string& text : lines) {
                canvas.text({left, y + step / 2}, text, reason);
                y += step;
            }
        };
        canvas.push_clip(rect);
        const bool is_brief = !fit_beside_names(findings, room, size);
        for (std::size_t i = 0; i < findings.size(); ++i) {
            const Finding& finding = findings[i];
            const TextStyle name{.size = size, .color = theme.text, .weight = Weight::semibold};
            TextStyle answer = name;
            answer.across = Align::end;
            answer.color = finding.possible ? theme.series[2] : theme.series[3];
            const std::string yes_or_no = answer_of(finding, is_brief);
            const double rest = room - size - measure_text(yes_or_no, size, name.weight).width;
            canvas.text({left, y + step / 2}, elided(finding.what, rest, name, canvas), name);
            canvas.text({left + room, y + step / 2}, yes_or_no, answer);
            y += step;
            draw_lines(reasons[i]);
            y += between * size;
            canvas.line({left, y}, {left + room, y}, {.color = theme.grid});
            y += between * size;
        }
        if (const auto lines = lines_of(tried); y + step * static_cast<double>(lines.size()) < rect.bottom())
            draw_lines(lines);
        else
            canvas.report_omitted(fmt::format("“{}”", tried));
        canvas.pop_clip();
    }

    static constexpr auto nothing_rotates =
        "These tests need an encoding that rotates, so that a larger norm sharpens the attention. This encoding adds "
        "waves of fixed size to q and k.";
};

}  // namespace ropewalk
