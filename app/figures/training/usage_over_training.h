// How a head came to use the frequencies.
#pragma once

#include "app/figures/training/run_message.h"

namespace ropewalk {

struct UsageOverTrainingFigure : FigureDefaults {
    static constexpr auto id = "usage_over_training", title = "Usage over training";
    static constexpr auto summary =
        "The share of each pair in ‖qₜ‖‖kₜ‖ of the selected head, from the first step to the last.";
    static constexpr auto source = "after Barbero et al. 2024, arXiv:2410.06205, Fig. 3–6";
    static constexpr auto table_shape = "[snapshots, d/2]";
    static constexpr bool has_color_bar = true;

    bool operator==(const UsageOverTrainingFigure&) const = default;

    Needs needs(const Experiment& experiment, PlotPixels) const {
        return is_under_way(experiment) ? Needs{} : Needs{UsageOverTrainingQuestion{}};
    }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto usage = input.results.find(UsageOverTrainingQuestion{});
        ModelMap shown;
        if (usage && !usage->steps.empty()) {
            const SharedNumbers values(usage, usage->shares);
            const double max = input.range_of({.values = values}).max;
            shown.map = {.values = values,
                         .rows = static_cast<int>(usage->steps.size()),
                         .columns = usage->pairs,
                         .scale = {.map = ColorMap::viridis, .min = 0, .max = max > 0 ? max : 1},
                         .not_a_number = input.theme.not_a_number};
            shown.x = pair_axis(static_cast<std::size_t>(usage->pairs));
            shown.y = {.title = "step",
                       .low = 0,
                       .high = std::max(1.0, static_cast<double>(usage->steps.back())),
                       .downwards = true,
                       .whole = true};
            shown.quantity = "share of ‖qₜ‖ ‖kₜ‖";
        }
        return draw_model_map(shown, message(input), input, canvas, rect);
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_across(frame, at, input.experiment().head_dim / 2);
        if (!pair) return std::nullopt;
        return Cursor{input.cursor.query, input.cursor.key, *pair};
    }

    /// Returns the settings that show the step under the pointer.
    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto usage = input.results.find(UsageOverTrainingQuestion{});
        const auto row = usage && !usage->steps.empty() ? index_down(frame, at, static_cast<int>(usage->steps.size()))
                                                        : std::nullopt;
        return row ? fmt::format("construction.step={}", usage->steps[static_cast<std::size_t>(*row)]) : "";
    }

    std::string readout(const FigureInput& input) const {
        const auto usage = input.results.find(UsageOverTrainingQuestion{});
        if (!usage || usage->steps.empty() || input.cursor.pair >= usage->pairs) return message(input);
        const auto share = [&](std::size_t row) {
            return readable(usage->shares[row * static_cast<std::size_t>(usage->pairs) + input.cursor.pair], 3);
        };
        return fmt::format("pair {}   share {} at the start   {} at step {}", input.cursor.pair, share(0),
                           share(usage->steps.size() - 1), usage->steps.back());
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(UsageOverTrainingQuestion{});
        const UsageOverTrainingQuestion::Answer& usage = of_finished_run(found);
        if (usage.steps.empty()) throw InputError(no_run_message);
        return {.shape = {static_cast<std::int64_t>(usage.steps.size()), usage.pairs},
                .columns = numbered_columns("pair_", usage.pairs),
                .values = usage.shares};
    }

  private:
    static const char* message(const FigureInput& input) {
        return is_under_way(input.experiment()) ? "Shown when the training has ended." : run_message(input);
    }
};

}  // namespace ropewalk
