#include "app/window/cards/runs_card.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/text/caption.h"
#include "app/plot/axes.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"
#include "core/experiment/conform.h"

namespace ropewalk {
namespace {

constexpr double runs_width = 800, runs_height = 560, around_runs = 96, run_pitch = 26, heads_pitch = 24,
                 runs_padding = 10,
                 between_run_columns = 12;  // logical pixels
constexpr std::size_t runs_of_a_page = 10;

struct RunHead {
    const char *id, *label, *help;
    double width;  // logical pixels; 0: what the others leave
};
constexpr RunHead run_heads[] = {
    {"runs.recipe", "Recipe", "Sort by what distinguishes the recipes.", 0},
    {"runs.loss", "Loss", "Sort by the loss of the last step's batch, in nats.", 70},
    {"runs.accuracy", "Accuracy", "Sort by the accuracy of the last step's batch.", 82},
    {"runs.steps", "Steps", "Sort by the number of steps that are done.", 92},
    {"runs.time", "Time", "Sort by the time spent in training steps. A run that was read from a file has none.", 82},
};

Experiment trained_by(const Experiment& experiment, const Recipe& recipe) {
    Experiment other = experiment;
    other.construction = construction_of({.recipe = recipe}, experiment.construction);
    return other;
}

/// Returns each recipe's encoding and the fields that distinguish it from the others, or from the usual one if it is
/// alone. Fields of the encoding come first; the steps have a column of their own.
std::vector<std::string> words_of_recipes(const std::vector<Recipe>& recipes, const Experiment& experiment) {
    const std::string of_recipe(path_of_recipe), of_encoding = of_recipe + "encoding";
    std::vector<std::string> paths{of_encoding}, others, words;
    const Recipe other = recipes.size() > 1 ? recipes.front() : Recipe{};
    for (const Recipe& recipe : recipes)
        for (const bool is_back : {false, true}) {  // one of two encodings may have fields that the other lacks
            Experiment from = trained_by(experiment, other), to = trained_by(experiment, recipe);
            if (is_back) std::swap(from, to);
            for (std::string& path : differing_paths(from, to))
                if (path.starts_with(of_encoding))
                    paths.push_back(std::move(path));
                else if (path.starts_with(of_recipe) && path != of_recipe + "steps")
                    others.push_back(std::move(path));
        }
    for (const Recipe& recipe : recipes) {
        const Experiment trained = trained_by(experiment, recipe);
        const std::string rest = caption_of(trained, others);
        words.push_back(caption_of(trained, paths) + (rest.empty() ? "" : " · ") + rest);
    }
    return words;
}

std::string time_of_run(const RunSummary& run) {
    if (run.steps_done == 0) return "–";
    if (!run.seconds) return "from a file";
    const double seconds = *run.seconds;
    if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
    const auto whole = std::llround(seconds);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string steps_of_run(const RunSummary& run) {
    const std::string all = readable(run.recipe.steps);
    return run.steps_done == run.recipe.steps ? all : fmt::format("{} of {}", readable(run.steps_done), all);
}

/// Returns the texts of a row's columns.
std::vector<std::string> texts_of_run(const RunSummary& run, const std::string& words) {
    const auto score = [&](double value, int decimals) {
        return run.steps_done > 0 && std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "–";
    };
    return {words, score(run.last.loss, 4), score(run.last.accuracy, 3), steps_of_run(run), time_of_run(run)};
}

/// Returns the columns' rectangles within a row.
std::vector<Rect> run_columns(const Ui& ui, const Rect& row) {
    double rest = row.width - ui.px(2 * runs_padding);
    for (const RunHead& head : run_heads)
        if (head.width > 0) rest -= ui.px(head.width + between_run_columns);
    std::vector<Rect> columns;
    double x = row.x + ui.px(runs_padding);
    for (const RunHead& head : run_heads) {
        const double width = head.width > 0 ? ui.px(head.width) : std::max(1.0, rest);
        columns.push_back({x, row.y, width, row.height});
        x += width + ui.px(between_run_columns);
    }
    return columns;
}

}  // namespace

void RunsCard::refresh(const Experiment& experiment) {
    std::vector<RunSummary> runs = listed_training_runs();
    std::vector<Recipe> recipes;
    for (const RunSummary& run : runs) recipes.push_back(run.recipe);
    if (recipes != recipes_) {
        words_ = words_of_recipes(recipes, experiment);
        recipes_ = std::move(recipes);
    }
    rows_.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) rows_.push_back({std::move(runs[i]), words_[i], i});
    sort();
}

void RunsCard::sort() {
    if (!sorted_by_) return;
    const auto sort_by = [&](auto value) {
        std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& one, const Row& other) {
            return is_downwards_ ? value(other) < value(one) : value(one) < value(other);
        });
    };
    switch (*sorted_by_) {
        case Column::recipe: return sort_by([](const Row& row) { return row.words; });
        case Column::loss:
            return sort_by([](const Row& row) { return std::isnan(row.run.last.loss) ? infinity : row.run.last.loss; });
        case Column::accuracy:
            return sort_by(
                [](const Row& row) { return std::isnan(row.run.last.accuracy) ? -1 : row.run.last.accuracy; });
        case Column::steps: return sort_by([](const Row& row) { return row.run.steps_done; });
        case Column::time: return sort_by([](const Row& row) { return row.run.seconds.value_or(-1); });
    }
}

void RunsCard::take_keys(Ui& ui) {
    if (rows_.empty()) return;
    const auto selected = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.number == at_; });
    const auto place = std::min(static_cast<std::size_t>(selected - rows_.begin()), rows_.size() - 1);
    std::optional<std::size_t> next;
    if (ui.take_key(Key::up)) next = place - std::min<std::size_t>(place, 1);
    if (ui.take_key(Key::down)) next = place + 1;
    if (ui.take_key(Key::page_up)) next = place - std::min(place, runs_of_a_page);
    if (ui.take_key(Key::page_down)) next = place + runs_of_a_page;
    if (ui.take_key(Key::home)) next = 0;
    if (ui.take_key(Key::end)) next = rows_.size();
    if (!next) return;
    at_ = rows_[std::min(*next, rows_.size() - 1)].number;
    scrolls_to_it_ = true;
}

void RunsCard::draw_heads(Ui& ui, double width) {
    const Point at = compat::point(ImGui::GetCursorScreenPos());
    const Rect line{at.x, at.y, width, std::round(ui.px(heads_pitch))};
    const std::vector<Rect> columns = run_columns(ui, line);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const RunHead& head = run_heads[i];
        const auto column = static_cast<Column>(i);
        const bool is_sorted = sorted_by_ == column;
        const Rect& rect = columns[i];
        ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
        bool is_pressed = compat::invisible_button(head.id, compat::vector({rect.width, rect.height}));
        const bool is_hovered = ImGui::IsItemHovered();
        const KeyPlace place = key_place(ui, head.id, rect);
        is_pressed |= place.is_pressed;
        const Align across = head.width > 0 ? Align::end : Align::start;
        text_in(ui, rect, is_sorted ? fmt::format("{} {}", head.label, is_downwards_ ? "↓" : "↑") : head.label,
                is_sorted || is_hovered ? ui.theme->text : ui.theme->text_dim, across, Weight::semibold);
        ui.registry.add({.id = head.id,
                         .label = head.label,
                         .rect = rect,
                         .value = !is_sorted      ? ""
                                  : is_downwards_ ? "largest first"
                                                  : "smallest first",
                         .takes_focus = place.takes_focus});
        if (is_hovered) tooltip(ui, head.id, {.title = head.label, .text = head.help}, rect);
        if (!is_pressed) continue;
        // Accuracy is best when large, loss when small; a third press gives the order in which the runs began.
        const bool first = column == Column::accuracy;
        if (!is_sorted)
            sorted_by_ = column, is_downwards_ = first;
        else if (is_downwards_ == first)
            is_downwards_ = !first;
        else
            sorted_by_.reset();
        scrolls_to_it_ = true;
    }
    ImGui::SetCursorScreenPos(compat::vector({at.x, line.bottom()}));
    ImGui::Dummy({0, 0});
    fill(ui, {line.x, line.bottom(), line.width, 1}, ui.theme->text_faint.with_alpha(0.4), 0);
}

bool RunsCard::draw_row(Ui& ui, const Row& row, double width, const std::optional<Recipe>& current) {
    const Theme& theme = *ui.theme;
    const Point at = compat::point(ImGui::GetCursorScreenPos());
    const Rect rect{at.x, at.y, width, std::round(ui.px(run_pitch))};
    const std::string id = fmt::format("run.{}", row.number);
    const bool is_clicked = compat::invisible_button(id.c_str(), compat::vector({rect.width, rect.height}));
    const bool is_hovered = ImGui::IsItemHovered(), is_current = row.run.recipe == current;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (is_hovered && (moved.x != 0 || moved.y != 0)) at_ = row.number;
    const bool is_selected = row.number == at_;
    if (is_selected && std::exchange(scrolls_to_it_, false) && !middle_is_in_sight(rect)) ImGui::SetScrollHereY();
    if (is_selected) fill(ui, rect, theme.control_hovered);
    if (is_current) fill(ui, {rect.x, rect.y + ui.px(5), ui.px(3), rect.height - ui.px(10)}, theme.accent, 1.5);
    const std::vector<std::string> texts = texts_of_run(row.run, row.words);
    const std::vector<Rect> columns = run_columns(ui, rect);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool is_words = run_heads[i].width == 0;
        text_in(ui, columns[i], fitted(ui, texts[i], columns[i].width / ui.scale),
                is_words ? theme.text : theme.text_dim, is_words ? Align::start : Align::end,
                is_words && is_current ? Weight::semibold : Weight::regular);
    }
    ui.registry.add({.id = id,
                     .label = row.words,
                     .rect = rect,
                     .value = fmt::format("{} | {} | {} | {}", texts[1], texts[2], texts[3], texts[4]),
                     .visible = middle_is_in_sight(rect)});
    if (is_hovered)
        tooltip(ui, id,
                {.title = row.words,
                 .text = is_current ? "The figures show this run." : "Click to show this run. You can undo it."},
                rect);
    return is_clicked;
}

void RunsCard::restore(Session& session, const Recipe& recipe) {
    const Experiment& before = session.document.experiment();
    Experiment next = trained_by(before, recipe);
    conform(next, before);
    session.document.edit(next, Gesture::complete);
}

void RunsCard::draw(Ui& ui, Session& session, const Rect& area) {
    if (!is_open_) return;
    const auto trained = trained_head_of(session.document.experiment().construction);
    const std::optional<Recipe> current = trained ? std::optional(trained->recipe) : std::nullopt;
    refresh(session.document.experiment());
    if (std::exchange(comes_from_key_, false))
        for (const Row& row : rows_)
            if (row.run.recipe == current) at_ = row.number, scrolls_to_it_ = true;
    const double width = std::round(std::min<double>(ui.px(runs_width), area.width)),
                 needed = around_runs + run_pitch * std::max(1.0, static_cast<double>(rows_.size())),
                 height = std::round(std::min<double>(ui.px(std::min(needed, runs_height)), area.height));
    const Card card(ui, "runs", {area.right() - width, area.y, width, height}, 0.12);
    section(ui, "Training runs");
    take_keys(ui);
    const bool is_left = card.clicked_outside() || ui.take_key(Key::escape);
    std::optional<Recipe> chosen;
    const double inside = static_cast<double>(ImGui::GetContentRegionAvail().x);
    draw_heads(ui, inside);
    compat::begin_child("rows", {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    for (const Row& row : rows_)
        if (draw_row(ui, row, static_cast<double>(ImGui::GetContentRegionAvail().x), current)) chosen = row.run.recipe;
    ImGui::PopStyleVar();
    if (rows_.empty()) note(ui, "No model has been trained in this session yet.");
    ImGui::EndChild();
    // Checked after the heads, which take the key if they have the focus.
    if (ui.take_key(Key::enter))
        for (const Row& row : rows_)
            if (row.number == at_) chosen = row.run.recipe;
    if (chosen && chosen != current) restore(session, *chosen);
    if (is_left) close();
}

}  // namespace ropewalk
