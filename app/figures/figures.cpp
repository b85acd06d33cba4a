#include "app/figures/figures.h"

#include <algorithm>

namespace ropewalk {

template const ChoiceType& choice_type<Figure>();

Needs needs_of(const Figure& figure, const Experiment& experiment, PlotPixels pixels, const Experiment* reference) {
    return std::visit(
        [&](const auto& f) {
            if constexpr (requires { f.needs(experiment, pixels, *reference); })
                if (reference) return f.needs(experiment, pixels, *reference);
            return f.needs(experiment, pixels);
        },
        figure);
}

CursorUse cursor_use(const Figure& figure, const Experiment& experiment) {
    const Problem problem = make_problem(experiment);
    CursorUse use = CursorUse::none;
    for (const Question& question : needs_of(figure, experiment, {})) {
        const AnswerKey key = key_of(question, {.experiment = experiment, .cursor = {.query = 1, .key = 1}}, problem);
        if (key.key != 0) return CursorUse::cell;
        if (key.query != 0) use = CursorUse::query;
    }
    return use;
}

Frame draw(const Figure& figure, const FigureInput& input, Canvas& canvas, const Rect& rect) {
    return std::visit([&](const auto& f) { return f.draw(input, canvas, rect); }, figure);
}

std::optional<Cursor> pick(const Figure& figure, const FigureInput& input, const Frame& frame, Point at) {
    return std::visit([&](const auto& f) { return f.pick(input, frame, at); }, figure);
}

bool scrubs_at(const Figure& figure, const FigureInput& input, const Frame& frame, Point at) {
    return std::visit(
        [&](const auto& f) {
            if constexpr (requires { f.scrubs_at(input, frame, at); })
                return f.scrubs_at(input, frame, at);
            else
                return false;
        },
        figure);
}

std::string readout(const Figure& figure, const FigureInput& input) {
    return std::visit([&](const auto& f) { return f.readout(input); }, figure);
}

Badge badge(const Figure& figure, const FigureInput& input) {
    return std::visit(
        [&](const auto& f) -> Badge {
            if constexpr (requires { f.badge(input); })
                return f.badge(input);
            else
                return {};
        },
        figure);
}

std::vector<Handle> handles_of(const Figure& figure, const FigureInput& input) {
    return std::visit(
        [&](const auto& f) -> std::vector<Handle> {
            if constexpr (requires { f.handles(input); })
                return f.handles(input);
            else
                return {};
        },
        figure);
}

std::optional<std::string> check(const Figure& figure) {
    return std::visit(
        [](const auto& f) -> std::optional<std::string> {
            if constexpr (requires { f.check(); })
                return f.check();
            else
                return std::nullopt;
        },
        figure);
}

bool compares(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            if constexpr (requires { f.compares(); })
                return f.compares();
            else
                return false;
        },
        figure);
}

bool draws_reference(const Figure& figure) {
    return std::visit(
        [&](const auto& f) {
            if constexpr (requires { f.draws_reference(); })
                return f.draws_reference();
            else
                return compares(figure);
        },
        figure);
}

bool draws_reference(const Figure& figure, const FigureInput& input) {
    if (!input.reference || !draws_reference(figure)) return false;
    return std::visit(
        [&](const auto& f) {
            if constexpr (requires { f.draws_reference(input); })
                return f.draws_reference(input);
            else
                return true;
        },
        figure);
}

Depicted depicted_by(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            if constexpr (requires { f.depicted(); })
                return f.depicted();
            else if constexpr (requires { f.depicted; })
                return f.depicted;
            else
                return Depicted::head;
        },
        figure);
}

bool has_color_bar(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            if constexpr (requires { f.has_color_bar; })
                return f.has_color_bar;
            else
                return false;
        },
        figure);
}

std::optional<Part> shown_part(const Figure& figure) {
    return std::visit(
        [](const auto& f) -> std::optional<Part> {
            if constexpr (requires { f.part(); })
                return f.part();
            else
                return std::nullopt;
        },
        figure);
}

void show(Figure& figure, const Part& part) {
    std::visit(
        [&](auto& f) {
            if constexpr (requires { f.show(part); }) f.show(part);
        },
        figure);
}

void click_badge(Figure& figure) {
    std::visit(
        [](auto& f) {
            if constexpr (requires { f.badge_clicked(); }) f.badge_clicked();
        },
        figure);
}

void adopt(Figure& figure, const Figure& before, const FigureInput& input) {
    std::visit(
        [&](auto& f) {
            using F = std::decay_t<decltype(f)>;
            if constexpr (requires { f.adopt(f, input); })
                if (const auto* same = std::get_if<F>(&before)) f.adopt(*same, input);
        },
        figure);
}

bool takes_brush(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            return requires(Frame frame) {
                f.draws_at(frame, Point{});
            };
        },
        figure);
}

bool draws_at(const Figure& figure, const Frame& frame, Point at) {
    return std::visit(
        [&](const auto& f) {
            if constexpr (requires { f.draws_at(frame, at); })
                return f.draws_at(frame, at);
            else
                return false;
        },
        figure);
}

void draw_with(Figure& figure, const BrushMove& move, const Frame& frame, const FigureInput& input,
               Experiment& experiment) {
    std::visit(
        [&](auto& f) {
            if constexpr (requires { f.draw_with(move, frame, input, experiment); })
                f.draw_with(move, frame, input, experiment);
        },
        figure);
}

bool keeps_curves(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            return requires(const Experiment& experiment) {
                f.obstacle_to_pin(experiment);
            };
        },
        figure);
}

std::optional<std::string> obstacle_to_pin(const Figure& figure, const Experiment& experiment) {
    return std::visit(
        [&](const auto& f) -> std::optional<std::string> {
            if constexpr (requires { f.obstacle_to_pin(experiment); })
                return f.obstacle_to_pin(experiment);
            else
                return std::nullopt;
        },
        figure);
}

bool can_pin(const Figure& figure, const Experiment& experiment) {
    return keeps_curves(figure) && !obstacle_to_pin(figure, experiment);
}

void pin(Figure& figure, const Experiment& experiment) {
    std::visit(
        [&](auto& f) {
            if constexpr (requires { f.pin(experiment); }) f.pin(experiment);
        },
        figure);
}

void unpin(Figure& figure, std::size_t which) {
    std::visit(
        [&](auto& f) {
            if constexpr (requires { f.unpin(which); }) f.unpin(which);
        },
        figure);
}

std::string pin_text(const Figure& figure, const FigureInput& input, std::size_t which) {
    return std::visit(
        [&](const auto& f) -> std::string {
            if constexpr (requires { f.pin_text(input, which); })
                return f.pin_text(input, which);
            else
                return {};
        },
        figure);
}

std::span<const Preset> presets_of(const Figure& figure) {
    return std::visit(
        [](const auto& f) -> std::span<const Preset> {
            if constexpr (requires { f.presets(); })
                return f.presets();
            else
                return {};
        },
        figure);
}

void apply_preset(Figure& figure, std::size_t preset, const FigureInput& input, Experiment& experiment) {
    std::visit(
        [&](auto& f) {
            if constexpr (requires { f.apply(preset, input, experiment); }) f.apply(preset, input, experiment);
        },
        figure);
}

std::optional<Proposal> proposal_of(const Figure& figure, const FigureInput& input, const Experiment& experiment) {
    return std::visit(
        [&](const auto& f) -> std::optional<Proposal> {
            if constexpr (requires { f.proposal(input, experiment); })
                return f.proposal(input, experiment);
            else
                return std::nullopt;
        },
        figure);
}

bool is_square(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            return requires {
                f.is_square;
            };
        },
        figure);
}

bool is_text(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            if constexpr (requires { f.is_text(); })
                return f.is_text();
            else
                return false;
        },
        figure);
}

bool is_played(const Figure& figure) {
    return std::visit(
        [](const auto& f) {
            return requires {
                f.is_played;
            };
        },
        figure);
}

std::optional<DataTable> table_of(const Figure& figure, const Results& results) {
    return std::visit(
        [&](const auto& f) -> std::optional<DataTable> {
            if constexpr (requires { f.table(results); })
                return f.table(results);
            else
                return std::nullopt;
        },
        figure);
}

void add_needs(Needs& needs, const Needs& more) {
    for (const Question& question : more) {
        const bool is_asked =
            std::any_of(needs.begin(), needs.end(), [&](Question& other) { return take_in(other, question); });
        if (!is_asked) needs.push_back(question);
    }
}

}  // namespace ropewalk
