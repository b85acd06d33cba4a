// The tokens that a model expects after the cursor's query.
#pragma once

#include <numeric>

#include "app/figures/models/model_map.h"

namespace ropewalk {

struct NextTokenFigure : FigureDefaults {
    static constexpr auto id = "next_token", title = "Next token";
    static constexpr auto summary = "The most likely next tokens after the cursor's query, with their probabilities.";
    static constexpr auto table_shape = "[vocabulary]";
    int count = 10;

    bool operator==(const NextTokenFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "count",
                .label = "Tokens",
                .min = 1,
                .max = 40,
                .help = "How many of the most likely tokens to list."},
          s.count);
    }

    bool is_text() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {NextTokenQuestion{}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto logits = input.results.find(NextTokenQuestion{});
        const auto learned = learned_head_of(input.experiment().construction);
        if (!logits || logits->empty() || !learned)
            return draw_message(model_message(input), rect, canvas, input.theme);
        const double row_height = 1.7 * input.theme.label_size, name_width = std::min(rect.width * 0.35, 180.0);
        const std::vector<Likely> likely = most_likely(*logits, count);
        double y = rect.y + row_height / 2;
        for (std::size_t i = 0; i < likely.size(); ++i) {
            const Likely& token = likely[i];
            if (y + row_height / 2 > rect.bottom()) {
                canvas.report_omitted(fmt::format("{} of {} tokens", likely.size() - i, likely.size()));
                break;
            }
            const double bar = (rect.width - name_width - 70) * token.probability / likely.front().probability;
            canvas.text({rect.x + name_width - 8, y}, fmt::format("“{}”", piece_of(*learned->model, token.id)),
                        {.size = input.theme.label_size, .color = input.theme.text, .across = Align::end});
            canvas.fill_rect({rect.x + name_width, y - row_height * 0.3, std::max(1.0, bar), row_height * 0.6},
                             input.theme.series[0], 2);
            canvas.text({rect.x + name_width + std::max(1.0, bar) + 8, y}, readable(token.probability, 3),
                        {.size = input.theme.label_size, .color = input.theme.text_dim});
            y += row_height;
        }
        return {.outer = rect, .plot = rect};
    }

    std::string readout(const FigureInput& input) const {
        const auto logits = input.results.find(NextTokenQuestion{});
        const auto learned = learned_head_of(input.experiment().construction);
        if (!logits || logits->empty() || !learned) return model_message(input);
        const Likely first = most_likely(*logits, 1).front();
        return fmt::format("after token {}   “{}” with probability {}", token_text(input, input.cursor.query),
                           piece_of(*learned->model, first.id), readable(first.probability, 3));
    }

    DataTable table(const Results& results) const {
        const auto logits = results.find(NextTokenQuestion{});
        if (logits->empty()) throw InputError(no_model_message);
        return {.shape = {static_cast<std::int64_t>(logits->size())}, .columns = {"logit"}, .values = *logits};
    }

  private:
    struct Likely {
        int id = 0;
        double probability = 0;
    };

    static std::vector<Likely> most_likely(const std::vector<double>& logits, int count) {
        const double largest = *std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (const double logit : logits) sum += std::exp(logit - largest);
        std::vector<int> order(logits.size());
        std::iota(order.begin(), order.end(), 0);
        const auto shown = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(order.size()));
        std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                          [&](int a, int b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
        std::vector<Likely> likely;
        for (std::ptrdiff_t i = 0; i < shown; ++i) {
            const int id = order[static_cast<std::size_t>(i)];
            likely.push_back({id, std::exp(logits[static_cast<std::size_t>(id)] - largest) / sum});
        }
        return likely;
    }
};

}  // namespace ropewalk
