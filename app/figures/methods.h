// By what each way of extending the context divides each pair's frequency.
#pragma once

#include "app/figures/curves.h"
#include "app/figures/handle.h"

namespace ropewalk {

enum class MethodsAxis { pair, turns };
template <>
struct EnumText<MethodsAxis> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"turns", "Turns"}}};
};

struct MethodsFigure {
    static constexpr auto id = "methods", title = "Extension methods";
    static constexpr auto summary =
        "RoPE's frequency divided by each method's, pair by pair: 1 is left alone, s is interpolated.";
    static constexpr auto table_shape = "[d/2, 2 + methods]";
    double factor = 8;
    int trained = 4096;
    MethodsAxis axis = MethodsAxis::turns;

    bool operator==(const MethodsFigure&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "axis",
                .label = "Against",
                .help =
                    "The pair's number, or its turns over the trained context; there the thresholds of the encoding in "
                    "force, if it has any, can be dragged."},
          s.axis);
        f(Field{.name = "factor",
                .label = "Factor s",
                .unit = "×",
                .least = 1,
                .greatest = 1024,
                .slider_greatest = 64,
                .logarithmic = true,
                .help = "How many times the trained context is to be extended, by all methods alike."},
          s.factor);
        f(Field{.name = "trained",
                .label = "Trained L",
                .unit = "tokens",
                .least = 16,
                .greatest = 1 << 20,
                .logarithmic = true,
                .help = "The context that is to be extended."},
          s.trained);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Theme& theme = input.theme;
        const Found found = divisors(input.experiment());
        const auto pairs = static_cast<double>(found.turns.size());
        CurvePlot plot{.x = {.title = "pair i (fast to slow)", .low = -0.5, .high = pairs - 0.5, .whole = true},
                       .y = {.title = "divisor of the frequency", .low = 1, .high = 0, .scale = AxisScale::logarithmic},
                       .cursor_x = static_cast<double>(input.cursor.pair)};
        if (axis == MethodsAxis::turns) {
            plot.x = {.title = "turns over the trained context",
                      .low = found.turns.back() / 1.2,
                      .high = found.turns.front() * 1.2,
                      .scale = AxisScale::logarithmic};
            plot.cursor_x = found.turns[std::min(static_cast<std::size_t>(input.cursor.pair), found.turns.size() - 1)];
            for (const auto& [label, handle] : threshold_handles(input.experiment()))
                plot.marks.push_back({.at = handle.at, .label = label, .color = theme.warning, .grip = true});
        }
        std::size_t color = 0;
        for (const Method& method : found.methods) {
            Series series{.label = method.title, .color = theme.series[color % theme.series.size()]};
            series.dash = color++ % 2 == 1 ? 6 : 0;  // methods that agree stay visible
            if (method.id == id_of(input.experiment().encoding)) series.width = 3;
            for (std::size_t pair = 0; pair < method.divisors.size(); ++pair)
                series.points.push_back({axis == MethodsAxis::turns ? found.turns[pair] : static_cast<double>(pair),
                                         method.divisors[pair]});
            plot.series.push_back(std::move(series));
        }
        return draw_curves({plot}, input, canvas, rect);
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        if (!frame.plot.contains(at)) return std::nullopt;
        if (axis == MethodsAxis::pair) return pick_pair(input, frame, at);
        const auto turns = divisors(input.experiment()).turns;
        const double wanted = frame.x_at(at.x);
        const auto nearest = std::min_element(turns.begin(), turns.end(), [&](double a, double b) {
            return std::abs(std::log(a / wanted)) < std::abs(std::log(b / wanted));
        });
        return Cursor{input.cursor.query, input.cursor.key, static_cast<int>(nearest - turns.begin())};
    }

    std::string readout(const FigureInput& input) const {
        const Found found = divisors(input.experiment());
        const auto pair = std::min(static_cast<std::size_t>(input.cursor.pair), found.turns.size() - 1);
        std::string text = fmt::format("pair {}   {} turns", pair, readable(found.turns[pair]));
        for (const Method& method : found.methods)
            text += fmt::format("   {} ÷ {}", method.title, readable(method.divisors[pair]));
        return text;
    }

    /// The present encoding's thresholds in turns.
    std::vector<Handle> handles(const FigureInput& input) const {
        std::vector<Handle> all;
        if (axis == MethodsAxis::turns)
            for (const auto& [label, handle] : threshold_handles(input.experiment())) all.push_back(handle);
        return all;
    }

    DataTable table(const Results& results) const {
        const Found found = divisors(results.request.experiment);
        std::vector<std::pair<std::string, std::vector<double>>> columns{{"pair", counted(found.turns.size())},
                                                                         {"turns", found.turns}};
        for (const Method& method : found.methods) columns.emplace_back(method.id, method.divisors);
        return table_of_columns(columns);
    }

  private:
    static std::vector<std::pair<std::string, Handle>> threshold_handles(const Experiment& experiment) {
        std::vector<std::pair<std::string, Handle>> all;
        walk_fields(experiment, [&](const std::string& path, const Field& field, const auto& value) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>)
                if (field.meaning == Meaning::turns_threshold)
                    all.push_back({fmt::format("{} {}", field.label, readable(value)), {path, value}});
        });
        return all;
    }

    struct Method {
        std::string id, title;
        std::vector<double> divisors;  // [pairs]
    };
    struct Found {
        std::vector<double> turns;  // [pairs], of RoPE over the trained context
        std::vector<Method> methods;
    };

    /// Every encoding that can extend a context, with the present one's fields where they share them, at a length of
    /// s · L; those that this head cannot have are left out.
    Found divisors(const Experiment& experiment) const {
        Rope rope;
        keep_common_fields(ConstChoiceRef(experiment.encoding).fields(), rope);
        rope.exponent = LadderExponent::d;
        Shape shape = experiment.shape();
        shape.seq_len = static_cast<int>(std::min(factor * trained, 16777216.0));
        const auto ladder = rope.lower(shape).inv_freq;
        Found found;
        for (const long double w : ladder)
            found.turns.push_back(static_cast<double>(trained * w / (2 * std::numbers::pi_v<long double>)));
        for_each_alternative<Encoding>([&](auto method) {
            if constexpr (requires { method.extend(factor, trained); }) {
                keep_common_fields(ConstChoiceRef(experiment.encoding).fields(), method);
                method.extend(factor, trained);
                if constexpr (requires { method.check(shape); })
                    if (method.check(shape)) return;
                Method& added = found.methods.emplace_back(Method{method.id, method.title, {}});
                const auto inv_freq = method.lower(shape).inv_freq;
                for (std::size_t pair = 0; pair < ladder.size(); ++pair)
                    added.divisors.push_back(static_cast<double>(ladder[pair] / inv_freq[pair]));
            }
        });
        return found;
    }
};

}  // namespace ropewalk
