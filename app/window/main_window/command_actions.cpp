#include "app/window/main_window/command_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ropewalk {

namespace {

constexpr const char* presenting_hint =
    "Press Esc to end the presentation. Move the pointer to the top edge for the menus.";

bool has_lesson(const WindowParts& window) {
    return window.tutor.is_open() && window.tutor.lesson();
}

/// Copies a text to the clipboard and shows `notice`. Does nothing if the text is empty.
void copy(WindowParts& window, const std::string& text, const std::string& notice) {
    if (text.empty()) return;
    window.gui.surface().set_clipboard(text);
    window.session.notices.notify(notice);
}

}  // namespace

Obstacle unless(bool can, std::string why) {
    return can ? std::nullopt : std::optional(std::move(why));
}

Obstacle without_lesson(const WindowParts& window) {
    return unless(has_lesson(window), "no lesson is open");
}
Obstacle before_first_step(const WindowParts& window) {
    if (!has_lesson(window)) return without_lesson(window);
    return unless(window.tutor.step_index() > 0, "this is the lesson's first step");
}

Obstacle without_saved_layouts(const WindowParts& window) {
    return unless(!window.session.layouts.saved().names().empty(), "you have not saved a layout yet");
}

Obstacle without_sessions(const WindowParts& window) {
    return unless(window.recovery && !window.recovery->recoverable().empty(), "there is no session to recover");
}

Obstacle with_most_panels(const WindowParts& window) {
    return unless(window.session.document.view.can_add(), fmt::format("the maximum of {} panels is open", most_panels));
}

Obstacle on_main_panel(const WindowParts& window) {
    return unless(window.pointed_panel() != 0, "it is the main figure already");
}

Obstacle with_one_panel(const WindowParts& window) {
    return unless(window.session.document.view.can_close(), "only one panel is open");
}

Obstacle without_animation(const WindowParts& window) {
    return unless(window.player.plays_distance(), "no animation is running");
}

std::optional<int> panel_to_pin(const WindowParts& window) {
    const std::vector<Figure>& figures = window.session.document.view.figures;
    const auto has_curve = [&](const Figure& figure) { return can_pin(figure, window.session.document.experiment()); };
    if (has_curve(window.pointed_figure())) return window.pointed_panel();
    const auto first = std::find_if(figures.begin(), figures.end(), has_curve);
    return first == figures.end() ? std::nullopt : std::optional(static_cast<int>(first - figures.begin()));
}
Obstacle without_curve(const WindowParts& window) {
    if (panel_to_pin(window)) return std::nullopt;
    const Document& document = window.session.document;
    std::vector<Figure> figures{window.pointed_figure()};  // comes first
    figures.insert(figures.end(), document.view.figures.begin(), document.view.figures.end());
    for (const Figure& figure : figures)
        if (const auto own = obstacle_to_pin(figure, document.experiment())) return own;
    return "no figure shows a curve that can be pinned";
}

Obstacle without_heads(const WindowParts& window) {
    const Experiment& experiment = window.session.document.experiment();
    return unless(number_at(experiment, "construction.head").has_value(), "the queries and keys are those of one head");
}
Obstacle without_recipe(const WindowParts& window) {
    return unless(trained_head_of(window.session.document.experiment().construction).has_value(),
                  "this head's model is not trained here");
}
Obstacle without_training(const WindowParts& window) {
    if (auto obstacle = without_recipe(window)) return obstacle;
    return unless(window.session.training.state() != LiveTraining::State::done, "all its steps are done");
}
void step_head(WindowParts& window, std::string_view path, int by) {
    Experiment next = window.session.document.experiment();
    const auto now = number_at(next, path);
    if (now && set_if_valid(next, path, *now + by)) window.session.document.edit(next, Gesture::complete);
}

void travel(WindowParts& window, void (Document::*way)()) {
    window.player.stop();
    (window.session.document.*way)();
}

void show_all(View& view) {
    for (Figure& figure : view.figures) ropewalk::show_all(figure);
}

void toggle_maximised(WindowParts& window) {
    View& view = window.session.document.view;
    view.toggle_maximised(view.maximised().value_or(window.pointed_panel()));
}

void switch_theme(Preferences& preferences) {
    preferences.theme = preferences.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark;
}

void enlarge_text(Preferences& preferences, int tenths) {
    preferences.text_size =
        std::clamp(std::round(preferences.text_size * 10 + tenths) / 10, Preferences::min_text, Preferences::max_text);
}

void copy_scene(WindowParts& window) {
    copy(window, scene_text(window.session.document.current_scene()), "Copied the scene to the clipboard");
}

void copy_command_line(WindowParts& window) {
    const Figure& figure = window.pointed_figure();
    copy(window, window.session.exports.call_of(figure),
         fmt::format("Copied the command line of '{}' to the clipboard", title_of(figure)));
}

void copy_numpy(WindowParts& window) {
    const NumpyScript script = window.session.exports.as_numpy(window.session.computation.state());
    copy(window, script.text,
         script.loads_files
             ? "Copied a NumPy script. It loads q.npy and k.npy; its comments give the commands that create them."
             : "Copied a NumPy script of this head to the clipboard");
}

void copy_plot(WindowParts& window) {
    window.session.exports.copy_data(window.pointed_figure(), window.session.preferences.page,
                                     Exports::CopiedData::script);
}

void begin_presenting(WindowParts& window) {
    window.is_presenting = true;
    window.session.notices.notify(presenting_hint);
}

void end_presenting(WindowParts& window) {
    window.is_presenting = false;
    if (window.session.notices.current().sentence == presenting_hint) window.session.notices.dismiss();
}

}  // namespace ropewalk
