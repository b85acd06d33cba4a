// The text that a model reads, token by token.
#pragma once

#include "app/figures/models/model_map.h"

namespace ropewalk {

/// What a token's colour says: its loss, or the weight that the cursor's query gives it.
enum class TokenColor { loss, weight };
template <>
struct EnumText<TokenColor> {
    static constexpr std::array<EnumName, 2> names{{{"loss", "Loss"}, {"weight", "Weight"}}};
};

struct TokensFigure : FigureDefaults {
    static constexpr auto id = "tokens", title = "Text";
    static constexpr auto summary =
        "The text, split into tokens. Colour shows each token's loss, or the weight that the cursor's query gives it.";
    static constexpr auto table_shape = "[tokens, 3]: id, loss, weight";
    TokenColor color = TokenColor::weight;

    bool operator==(const TokensFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "color",
                .label = "Colour",
                .help = "Loss: −ln of the probability that the model gave the token; in a task, the answer asked for "
                        "there (blank if none). Weight: the attention of the cursor's query."},
          s.color);
    }

    bool is_text() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {TokensQuestion{}, RowQuestion{}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        Frame frame{.outer = rect, .plot = rect};
        const auto tokens = input.results.find(TokensQuestion{});
        if (!tokens || tokens->ids.empty()) return draw_message(model_message(input), rect, canvas, input.theme);
        const std::vector<double> values = values_of(input, *tokens);
        const double max = color == TokenColor::weight ? 1 : std::max(1.0, finite_range(values).max);
        const ColorScale scale{.map = ColorMap::viridis, .min = 0, .max = max};
        frame.places = chips(input, static_cast<int>(tokens->ids.size()), rect, canvas);
        for (int token = 0; token < static_cast<int>(frame.places.size()); ++token) {
            const Rect& chip = frame.places[static_cast<std::size_t>(token)];
            const double value = values[static_cast<std::size_t>(token)];
            if (!std::isnan(value))
                canvas.fill_rect(chip, input.theme.faded(input.theme.accent, 0.08 + 0.72 * scale.position(value)), 3);
            if (token == input.cursor.query) canvas.stroke_rect(chip, {.color = input.theme.text, .width = 2}, 3);
            if (token == input.cursor.key && token != input.cursor.query)
                canvas.stroke_rect(chip, {.color = input.theme.series[1], .width = 2}, 3);
            canvas.text(chip.centre(), label_of(input, token),
                        {.size = input.theme.label_size, .color = input.theme.text, .across = Align::middle});
        }
        return frame;
    }

    /// Moves the key to the token under the pointer.
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto found =
            std::find_if(frame.places.begin(), frame.places.end(), [&](const Rect& chip) { return chip.contains(at); });
        if (found == frame.places.end()) return std::nullopt;
        const auto token = static_cast<int>(found - frame.places.begin());
        return Cursor{std::max(input.cursor.query, token), token, input.cursor.pair};
    }

    std::string readout(const FigureInput& input) const {
        const auto tokens = input.results.find(TokensQuestion{});
        const auto key = static_cast<std::size_t>(input.cursor.key);
        if (!tokens || key >= tokens->ids.size()) return model_message(input);
        return fmt::format("token {}   id {}   loss {}   weight {}", token_text(input, input.cursor.key),
                           tokens->ids[key], loss_text(tokens->loss[key]), readable(weights_of(input.results)[key], 3));
    }

    DataTable table(const Results& results) const {
        const auto tokens = results.find(TokensQuestion{});
        if (tokens->ids.empty()) throw InputError(no_model_message);
        return table_of_columns({{"id", {tokens->ids.begin(), tokens->ids.end()}},
                                 {"loss", tokens->loss},
                                 {"weight", weights_of(results)}});
    }

  private:
    /// Returns the places of the tokens that fit, line by line.
    static std::vector<Rect> chips(const FigureInput& input, int tokens, const Rect& rect, Canvas& canvas) {
        const double size = input.theme.label_size, height = 1.75 * size, gap = 3;
        std::vector<Rect> chips;
        double x = rect.x, y = rect.y;
        for (int token = 0; token < tokens; ++token) {
            const double width =
                std::min(rect.width, canvas.measure(label_of(input, token), size, Weight::regular).width + size * 0.7);
            if (x > rect.x && x + width > rect.right()) x = rect.x, y += height + gap;
            if (y + height > rect.bottom()) {
                canvas.report_omitted(fmt::format("{} of {} tokens", tokens - token, tokens));
                break;
            }
            chips.push_back({x, y, width, height});
            x += width + gap;
        }
        return chips;
    }

    std::vector<double> values_of(const FigureInput& input, const TokensQuestion::Answer& tokens) const {
        std::vector<double> values = color == TokenColor::loss ? tokens.loss : weights_of(input.results);
        values.resize(tokens.ids.size(), 0);
        return values;
    }

    static std::vector<double> weights_of(const Results& results) {
        const auto row = results.find(RowQuestion{});
        std::vector<double> weights(static_cast<std::size_t>(results.request.experiment.seq_len));
        if (row) std::copy_n(row->weights.begin(), std::min(weights.size(), row->weights.size()), weights.begin());
        return weights;
    }

    static std::string label_of(const FigureInput& input, int token) {
        const auto& labels = input.results.problem->inputs.labels;
        const auto at = static_cast<std::size_t>(token);
        return at < labels.size() ? labels[at] : std::to_string(token);
    }
};

}  // namespace ropewalk
