#include "app/window/main_window/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/cards/glossary.h"
#include "app/window/main_window/entries.h"

namespace ropewalk {
namespace {

constexpr Modifiers with_control{.control = true}, with_control_shift{.control = true, .shift = true};

/// Returns the key Fn.
constexpr Key function_key(int n) {
    return Key{static_cast<std::uint16_t>(static_cast<int>(Key::f1) + n - 1)};
}

Obstacle unless(bool can, std::string why) {
    return can ? std::nullopt : std::optional(std::move(why));
}

bool has_lesson(const WindowParts& window) {
    return window.tutor.is_open() && window.tutor.lesson();
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
    return unless(window.session.document.view.can_duplicate(),
                  fmt::format("the maximum of {} panels is open", most_panels));
}

Obstacle without_animation(const WindowParts& window) {
    return unless(window.player.plays_distance(), "no animation is running");
}

/// Returns the panel whose curve is to be pinned: the one under the pointer, or else the first that has a curve.
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

void travel(WindowParts& window, void (Document::*way)()) {
    window.player.stop();
    (window.session.document.*way)();
}

void show_all(View& view) {
    for (Figure& figure : view.figures) show(figure, {});
}

void toggle_maximised(WindowParts& window) {
    View& view = window.session.document.view;
    view.toggle_maximised(view.maximised().value_or(window.pointed_panel()));
}

void switch_theme(Preferences& preferences) {
    preferences.theme = preferences.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark;
}

/// Makes text larger by this many tenths of the usual size, without accumulating rounding errors.
void enlarge_text(Preferences& preferences, int tenths) {
    preferences.text_size =
        std::clamp(std::round(preferences.text_size * 10 + tenths) / 10, Preferences::min_text, Preferences::max_text);
}

/// Copies a text to the clipboard and shows `notice`. Does nothing if the text is empty.
void copy(WindowParts& window, const std::string& text, const std::string& notice) {
    if (text.empty()) return;
    window.gui.surface().set_clipboard(text);
    window.session.notices.notify(notice);
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

constexpr Command all_commands[] = {
    {.id = "scenes",
     .title = "Scenes",
     .keys = {{Key{'B'}, with_control}},
     .help = "Choose a recent or bundled scene.",
     .run = open_scenes,
     .in_bar = true},
    {.id = "gallery",
     .title = "Gallery",
     .keys = {{Key{'O'}, with_control_shift}},
     .help = "Browse recent and bundled scenes as thumbnails.",
     .run = [](auto& w) { w.cards.gallery.open(scene_entries(w), current_scene(w)); },
     .is_on = [](auto& w) { return w.cards.gallery.is_open(); },
     .in_bar = true},
    {.id = "lessons",
     .title = "Lessons",
     .keys = {{Key{'L'}, with_control}},
     .help = "Open or close the lessons: short, interactive, next to a live scene.",
     .run = [](auto& w) { w.tutor.is_open() ? w.tutor.close() : w.tutor.open(); },
     .is_on = [](auto& w) { return w.tutor.is_open(); },
     .in_bar = true},
    {.id = "next_step",
     .title = "Next step of the lesson",
     .keys = {{Key::page_down}},
     .help = "Go to the next step or lesson. Presentation remotes send this key.",
     .run = [](auto& w) { w.tutor.next(); },
     .obstacle = without_lesson},
    {.id = "previous_step",
     .title = "Previous step of the lesson",
     .keys = {{Key::page_up}},
     .help = "Go to the previous step of the lesson.",
     .run = [](auto& w) { w.tutor.enter(w.tutor.step_index() - 1); },
     .obstacle = before_first_step},
    {.id = "layouts",
     .title = "Layouts",
     .keys = {{Key{'L'}, with_control_shift}},
     .help = "Choose which figures are shown and where, or save the current layout.",
     .run = open_layouts,
     .in_bar = true},
    {.id = "commands",
     .title = "Commands",
     .keys = {{Key{'K'}, with_control}},
     .help = "Find any command or scene by typing.",
     .run = open_commands,
     .in_bar = true},
    {.id = "left_behind",
     .title = "Recover a session",
     .help = "Restore a session that was not closed properly. The current session is kept and can be recovered the "
             "same way.",
     .run = open_recoverable,
     .obstacle = without_sessions},
    {.id = "open",
     .title = "Open",
     .keys = {{Key{'O'}, with_control}},
     .help = "Open a scene, a .npy array, a lesson, or a figure exported by Ropewalk. You can also drop files on the "
             "window.",
     .run = [](auto& w) { w.cards.ask_what_to_open(); },
     .in_bar = true},
    {.id = "save",
     .title = "Save",
     .keys = {{Key{'S'}, with_control}},
     .help = "Save the scene. For a bundled scene you are asked for a file name.",
     .run = [](auto& w) { w.cards.save(); },
     .in_bar = true},
    {.id = "save_as",
     .title = "Save as",
     .keys = {{Key{'S'}, with_control_shift}},
     .help = "Save the scene under another name.",
     .run = [](auto& w) { w.cards.ask_where_to_save(); },
     .in_bar = true},
    {.id = "undo",
     .title = "Undo",
     .keys = {{Key{'Z'}, with_control}},
     .help = "Undo the last change to the head or the panels. A whole drag is one step.",
     .run = [](auto& w) { travel(w, &Document::undo); },
     .obstacle = [](auto& w) { return unless(w.session.document.can_undo(), "there is nothing to undo"); },
     .in_bar = true,
     .is_travel = true},
    {.id = "redo",
     .title = "Redo",
     .keys = {{Key{'Z'}, with_control_shift}, {Key{'Y'}, with_control}},
     .help = "Redo the last undone change.",
     .run = [](auto& w) { travel(w, &Document::redo); },
     .obstacle = [](auto& w) { return unless(w.session.document.can_redo(), "there is nothing to redo"); },
     .in_bar = true,
     .is_travel = true},
    {.id = "fit",
     .title = "Fit",
     .keys = {{Key::home}},
     .help = "Show the whole matrix.",
     .run = [](auto& w) { show_all(w.session.document.view); },
     .in_bar = true},
    {.id = "keep_reference",
     .title = "Set reference",
     .keys = {{Key{'R'}}},
     .help = "Compare everything with the head as it is now. Hold Shift to see the reference itself.",
     .run = [](auto& w) { w.session.document.set_reference(); },
     .is_on = [](auto& w) { return w.session.document.reference() != nullptr; },
     .in_bar = true,
     .title_in_bar = "Reference"},
    {.id = "drop_reference",
     .title = "Clear reference",
     .keys = {{Key{'R'}, {.shift = true}}},
     .help = "Stop comparing with the reference.",
     .run = [](auto& w) { w.session.document.clear_reference(); },
     .obstacle = [](auto& w) { return unless(w.session.document.reference(), "no reference is set"); }},
    {.id = "screenshot",
     .title = "Screenshot",
     .keys = {{function_key(12)}},
     .help = "Save the window as a PNG.",
     .run = [](auto& w) { w.wants_screenshot = true; }},
    {.id = "full_screen",
     .title = "Full screen",
     .keys = {{function_key(11)}},
     .help = "Enter or leave full screen.",
     .run = [](auto& w) { w.gui.surface().toggle_full_screen(); },
     .in_bar = true},
    {.id = "theme",
     .title = "Theme",
     .keys = {{Key{'T'}, with_control}},
     .help = "Switch between dark and light.",
     .run = [](auto& w) { switch_theme(w.session.preferences); },
     .in_bar = true},
    {.id = "maximise",
     .title = "Maximise",
     .keys = {{Key{'M'}, with_control}},
     .help = "Maximise or restore the panel under the pointer.",
     .run = toggle_maximised},
    {.id = "duplicate",
     .title = "Duplicate a panel",
     .keys = {{Key{'D'}, with_control}},
     .help = "Add a second panel with the same figure, to compare two settings.",
     .run = [](auto& w) { Panels::duplicate(w.session, w.pointed_panel()); },
     .obstacle = with_most_panels},
    {.id = "pin",
     .title = "Pin a curve",
     .keys = {{Key{'P'}}},
     .help = "Keep the current curve in the plot for comparison: the one under the pointer, or else the decay curve.",
     .run = [](auto& w) { pin_curve(w.session, panel_to_pin(w).value()); },
     .obstacle = without_curve},
    {.id = "keep_layout",
     .title = "Save layout",
     .help = "Save the figures, their positions and their options under a name.",
     .run = [](auto& w) { w.cards.ask_layout_name(); }},
    {.id = "rename_layout",
     .title = "Rename a layout",
     .help = "Rename one of your saved layouts.",
     .run = [](auto& w) { open_saved_layouts(w, "Rename a layout", "rename_layout."); },
     .obstacle = without_saved_layouts},
    {.id = "delete_layout",
     .title = "Delete a layout",
     .help = "Delete one of your saved layouts.",
     .run = [](auto& w) { open_saved_layouts(w, "Delete a layout", "delete_layout."); },
     .obstacle = without_saved_layouts},
    {.id = "restore_layout",
     .title = "Restore layout",
     .help = "Restore the layout you deleted last.",
     .run = [](auto& w) { w.session.layouts.restore(); },
     .obstacle = [](auto& w) { return unless(!w.session.layouts.deleted().empty(), "no layout was deleted"); }},
    {.id = "keys",
     .title = "Shortcuts",
     .keys = {{Key::slash, {.shift = true}}, {function_key(1)}},
     .help = "List all keyboard shortcuts and mouse actions.",
     .run = open_shortcuts,
     .in_bar = true},
    {.id = "present",
     .title = "Present",
     .keys = {{function_key(5)}},
     .help = "Show only figures, formula and lesson, in large text. Press F5 again or Esc to exit.",
     .run = [](auto& w) { present(w, !w.is_presenting); }},
    {.id = "larger_text",
     .title = "Larger text",
     .keys = {{Key::equal, with_control}, {Key::equal, with_control_shift}, {Key::keypad_add, with_control}},
     .help = "Make text and controls a tenth larger.",
     .run = [](auto& w) { enlarge_text(w.session.preferences, 1); }},
    {.id = "smaller_text",
     .title = "Smaller text",
     .keys = {{Key::minus, with_control}, {Key::keypad_subtract, with_control}},
     .help = "Make text and controls a tenth smaller.",
     .run = [](auto& w) { enlarge_text(w.session.preferences, -1); }},
    {.id = "normal_text",
     .title = "Normal text",
     .keys = {{Key{'0'}, with_control}, {Key::keypad_0, with_control}},
     .help = "Reset the size of text and controls.",
     .run = [](auto& w) { w.session.preferences.text_size = Preferences{}.text_size; }},
    {.id = "copy_scene",
     .title = "Copy the scene",
     .keys = {{Key{'C'}, with_control}},
     .help = "Copy the scene as text. You can paste it here, into a file or into a message.",
     .run = copy_scene},
    {.id = "paste_scene",
     .title = "Paste a scene",
     .keys = {{Key{'V'}, with_control}},
     .help = "Open the scene on the clipboard. You can undo this.",
     .run = [](auto& w) { w.session.files.open_text(w.gui.surface().clipboard()); }},
    {.id = "copy_command",
     .title = "Copy the command line",
     .help = "Copy the `ropewalk figure` command that draws the figure under the pointer.",
     .run = copy_command_line},
    {.id = "copy_numpy",
     .title = "Copy as NumPy",
     .keys = {{Key{'C'}, with_control_shift}},
     .help = "Copy a NumPy script that recomputes this head from its definition and prints the entry at the cursor.",
     .run = copy_numpy},
    {.id = "export_figure",
     .title = "Export a figure",
     .keys = {{Key{'E'}, with_control}},
     .help = "Export the figure under the pointer as SVG, PDF or PNG, or its data as CSV, NPY or JSON. The preview can "
             "simulate colour-vision deficiencies.",
     .run = [](auto& w) { w.cards.export_figure(w.pointed_figure()); }},
    {.id = "export_figures",
     .title = "Export all figures",
     .keys = {{Key{'E'}, with_control_shift}},
     .help = "Export all figures on one page, arranged as in the window.",
     .run = [](auto& w) { w.cards.export_figure(std::nullopt); }},
    {.id = "history",
     .title = "History",
     .keys = {{Key{'H'}, with_control}},
     .help = "List all changes and jump to any of them.",
     .run = open_history},
    {.id = "glossary",
     .title = "Glossary",
     .keys = {{Key{'G'}, with_control}},
     .help = "Look up what papers and libraries call a quantity, and what it is called here.",
     .run = [](auto& w) { w.cards.palette.open("Glossary", glossary()); }},
    {.id = "formula",
     .title = "Formula",
     .keys = {{Key{'F'}}},
     .help = "Show or hide the head's formula, with live numbers, above the figures.",
     .run = [](auto& w) { w.session.preferences.formula = !w.session.preferences.formula; }},
    {.id = "play",
     .title = "Animate the distance",
     .keys = {{Key::space}},
     .help = "Move the cursor along its row; every figure follows. Press again to pause.",
     .run = [](auto& w) { w.player.play_or_stop(); }},
    {.id = "faster",
     .title = "Play faster",
     .keys = {{Key::equal}, {Key::equal, {.shift = true}}, {Key::keypad_add}},
     .help = "Double the speed of the animation.",
     .run = [](auto& w) { w.player.set_speed(2 * w.player.speed()); },
     .obstacle = without_animation},
    {.id = "slower",
     .title = "Play slower",
     .keys = {{Key::minus}, {Key::keypad_subtract}},
     .help = "Halve the speed of the animation.",
     .run = [](auto& w) { w.player.set_speed(w.player.speed() / 2); },
     .obstacle = without_animation},
    {.id = "quit",
     .title = "Quit",
     .keys = {{Key{'Q'}, with_control}},
     .help = "Close Ropewalk. You are asked about unsaved changes first.",
     .run = [](auto& w) { w.gui.surface().request_close(true); }},
};

}  // namespace

std::string Command::shortcuts() const {
    std::string all;
    for (const KeyPress& press : keys)
        if (press.key != Key::none) all += (all.empty() ? "" : ", ") + name_of(press.key, press.modifiers);
    return all;
}

std::string Command::help_in(const WindowParts& window) const {
    const Obstacle why = obstacle_in(window);
    return why ? fmt::format("{}\nUnavailable: {}.", help, *why) : help;
}

bool Command::is_on_in(const WindowParts& window) const {
    const Palette& palette = window.cards.palette;
    return is_on ? is_on(window) : palette.is_open() && palette.title() == title;
}

std::span<const Command> commands() {
    return all_commands;
}

const Command* find_command(std::string_view id) {
    const auto found = std::find_if(std::begin(all_commands), std::end(all_commands),
                                    [&](const Command& command) { return command.id == id; });
    return found == std::end(all_commands) ? nullptr : found;
}

void run(const Command& command, WindowParts& window) {
    command.run(window);
    window.gui.settle();
}

void run_if_possible(const Command& command, WindowParts& window) {
    if (const Obstacle obstacle = command.obstacle_in(window))
        window.session.notices.notify(fmt::format("{}: {}", command.title, *obstacle));
    else
        run(command, window);
}

void present(WindowParts& window, bool presents) {
    constexpr const char* hint = "Press Esc to end the presentation. Move the pointer to the top edge for the toolbar.";
    Notices& notices = window.session.notices;
    window.is_presenting = presents;
    if (presents)
        notices.notify(hint);
    else if (notices.current().sentence == hint)
        notices.dismiss();
}

}  // namespace ropewalk
