// How a head came to use the frequencies.
#pragma once

#include <algorithm>

#include "app/figures/models/model_map.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/training/run_state.h"

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
        const auto run = known_run(experiment);
        if (!run || !run->is_under_way()) return {UsageOverTrainingQuestion{}};
        return {UsageOverTrainingQuestion::so_far(run->steps_done(), run->recipe().steps)};
    }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto usage = usage_in(input.results);
        ModelMap shown;
        if (usage && usage->rows_done > 0) {
            const SharedNumbers values(usage, usage->shares);
            const double max = *std::max_element(usage->shares.begin(), usage->shares.begin() + done_in(*usage));
            shown.map = {.values = values,
                         .rows = static_cast<int>(usage->steps.size()),
                         .columns = usage->pairs,
                         .scale = {.map = ColorMap::viridis, .min = 0, .max = max > 0 ? max : 1},
                         .not_a_number = {0, 0, 0, 0}};  // steps to come
            shown.x = pair_axis(static_cast<std::size_t>(usage->pairs));
            shown.y = {.title = "step",
                       .low = 0,
                       .high = std::max(1.0, static_cast<double>(usage->steps.back())),
                       .downwards = true,
                       .whole = true};
            shown.quantity = "share of ‖qₜ‖ ‖kₜ‖";
        }
        return draw_model_map(shown, run_message(input), input, canvas, rect);
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_across(frame, at, input.experiment().head_dim / 2);
        if (!pair) return std::nullopt;
        return Cursor{input.cursor.query, input.cursor.key, *pair};
    }

    /// Returns the settings that show the step under the pointer.
    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto usage = usage_in(input.results);
        const auto row = usage && !usage->steps.empty() ? index_down(frame, at, static_cast<int>(usage->steps.size()))
                                                        : std::nullopt;
        if (!row || static_cast<std::size_t>(*row) >= usage->rows_done) return {};
        return fmt::format("construction.step={}", usage->steps[static_cast<std::size_t>(*row)]);
    }

    std::string readout(const FigureInput& input) const {
        const auto usage = usage_in(input.results);
        if (!usage || usage->rows_done == 0 || input.cursor.pair >= usage->pairs) return run_message(input);
        const auto share = [&](std::size_t row) {
            return readable(usage->shares[row * static_cast<std::size_t>(usage->pairs) + input.cursor.pair], 3);
        };
        return fmt::format("pair {}   share {} at the start   {} at step {}", input.cursor.pair, share(0),
                           share(usage->rows_done - 1), usage->steps[usage->rows_done - 1]);
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
    using Usage = UsageOverTrainingQuestion::Answer;

    /// Returns the usage over the whole run, or over the steps that are done.
    static std::shared_ptr<const Usage> usage_in(const Results& results) {
        const auto all = results.all_of<UsageOverTrainingQuestion>();
        return all.empty() ? nullptr : all.back().answer;
    }
    /// Returns how many shares are known.
    static std::ptrdiff_t done_in(const Usage& usage) {
        return static_cast<std::ptrdiff_t>(usage.rows_done) * usage.pairs;
    }
};

}  // namespace ropewalk
