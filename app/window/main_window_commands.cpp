// Runs the commands of the window.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/cards/glossary.h"
#include "app/window/command_list.h"
#include "app/window/main_window.h"
#include "app/window/session/session_text.h"
#include "app/window/surface/compat.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr double text_steps = 10;  // steps between the usual size and twice that
constexpr std::string_view of_encoding = "encoding.", of_construction = "construction.", of_figure = "figure.",
                           of_session = "session.";  // prefixes of entries' ids

/// Adds every alternative of a choice, to be found by its title.
template <Choice C>
void add_alternatives(const std::string& kind, std::string_view prefix, std::vector<PaletteEntry>& entries) {
    for (const ChoiceType::Alternative& each : choice_type<C>().alternatives)
        entries.push_back({.id = std::string(prefix) + each.id, .title = kind + each.title, .about = each.summary});
}

ThemeChoice other_than(ThemeChoice theme) {
    return theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark;
}

/// Returns the text size after this many steps, without accumulating rounding errors.
double stepped_text(double size, int steps) {
    return std::clamp(std::round(size * text_steps + steps) / text_steps, Preferences::min_text, Preferences::max_text);
}

}  // namespace

void MainWindow::open_palette(std::vector<PaletteEntry> entries) {
    const bool has_commands = !entries.empty();
    if (has_commands)
        for (const auto& lesson : tutor_.lessons())
            entries.push_back(
                {.id = "lesson." + lesson->id, .title = "Lesson: " + lesson->title, .about = lesson->about});
    if (has_commands)
        for (PaletteEntry& layout : layout_entries()) {
            layout.title = "Layout: " + layout.title;
            entries.push_back(std::move(layout));
        }
    if (has_commands) {
        add_alternatives<Encoding>("Encoding: ", of_encoding, entries);
        add_alternatives<Construction>("Construction: ", of_construction, entries);
        add_alternatives<Figure>("Figure: ", of_figure, entries);
        for (PaletteEntry& gesture : gesture_entries()) entries.push_back(std::move(gesture));
    }
    for (PaletteEntry& scene : scene_entries()) entries.push_back(std::move(scene));
    palette_.open(has_commands ? "Commands" : "Scenes", std::move(entries), has_commands ? "" : current_scene());
}

std::vector<PaletteEntry> MainWindow::scene_entries() {
    std::vector<PaletteEntry> entries;
    for (const std::string& path : session_.files.recent().paths())
        entries.push_back(
            {.id = "file." + path, .title = std::filesystem::path(path).filename().string(), .about = path});
    for (const SceneEntry& scene : session_.files.bundled())
        entries.push_back({.id = "scene." + scene.name, .title = scene.title, .about = scene.about});
    return entries;
}

std::string MainWindow::current_scene() const {
    const Scene& scene = session_.document.scene();
    return scene.bundled ? "scene." + std::filesystem::path(scene.path).stem().string() : "file." + scene.path;
}

void MainWindow::open_history() {
    std::vector<PaletteEntry> entries;
    const auto id = [](std::size_t step) { return fmt::format("step.{}", step); };
    const std::vector<std::string> names = session_.document.steps();
    for (std::size_t step = names.size(); step-- > 0;)
        entries.push_back({.id = id(step),
                           .title = step == 0 ? "The beginning" : names[step],
                           .about = {},
                           .keys = step == session_.document.step()  ? "now"
                                   : step > session_.document.step() ? "undone"
                                                                     : ""});
    palette_.open("History", std::move(entries), id(session_.document.step()));
}

void MainWindow::open_recoverable() {
    constexpr std::size_t most = 20;
    std::vector<SessionFile> files = recovery_->recoverable();
    files.resize(std::min(files.size(), most));
    std::vector<PaletteEntry> entries;
    for (const SessionFile& file : files) {
        std::string text;
        try {
            text = read_file(file.path.string(), Recovery::max_bytes);
        } catch (const std::exception&) {  // the entry has no title, but choosing it shows the error
        }
        auto [title, about] = title_and_caption_of_session(text);
        entries.push_back({.id = std::string(of_session) + file.path.string(),
                           .title = title.empty() ? file.path.filename().string() : std::move(title),
                           .about = std::move(about),
                           .keys = file.when});
    }
    palette_.open("Recover a session", std::move(entries));
}

void MainWindow::take_recovered(const std::string& path) {
    // Setting the current session aside first ensures that no later failure can lose it.
    std::filesystem::path saved_current;
    if (session_.document.has_unsaved_changes() || session_.document.can_undo()) try {
            saved_current = recovery_->set_aside(session_as_text(session_.document));
        } catch (const std::exception& error) {
            return session_.notices.complain(error.what());
        }
    const auto left = recovery_->take(path);
    if (!left) session_.notices.complain("That session no longer exists");
    const bool is_recovered = left && recover(session_.document, session_.notices, *left);
    if (!is_recovered && !saved_current.empty()) Recovery::discard(saved_current);
}

void MainWindow::follow(const std::string& id) {
    constexpr std::string_view scene = "scene.", lesson = "lesson.", file = "file.", step = "step.", layout = "layout.",
                               renamed = "rename_layout.", deleted = "delete_layout.";
    Experiment experiment = session_.document.experiment();
    if ((id.starts_with(of_encoding) && choose(experiment.encoding, id.substr(of_encoding.size()))) ||
        (id.starts_with(of_construction) && choose(experiment.construction, id.substr(of_construction.size()))))
        session_.document.edit(experiment, Gesture::complete);
    Figure shown;
    if (id.starts_with(of_figure) && choose(shown, id.substr(of_figure.size())))
        session_.document.rearrange(std::string("Show ") + title_of(shown),
                                    [&](Arrangement& changed) { changed.figures.front() = std::move(shown); });
    if (id.starts_with(lesson)) tutor_.start(id.substr(lesson.size()));
    if (id.starts_with(scene)) session_.files.open_bundled(id.substr(scene.size()));
    if (id.starts_with(file)) session_.files.open({id.substr(file.size())});
    if (id.starts_with(step)) session_.document.go_to_step(std::stoul(id.substr(step.size())));
    if (id.starts_with(layout)) session_.layouts.choose(id.substr(layout.size()));
    if (id.starts_with(of_session)) take_recovered(id.substr(of_session.size()));
    if (id.starts_with(renamed)) ask_layout_name(id.substr(renamed.size()));
    if (id.starts_with(deleted)) session_.layouts.remove(id.substr(deleted.size()));
    if (const auto command = command_of(id)) run_if_possible(*command);
}

const Figure& MainWindow::pointed_figure() const {
    return session_.document.view.figure(panels_.under_pointer());
}

std::optional<int> MainWindow::panel_to_pin() const {
    const std::vector<Figure>& figures = session_.document.view.figures;
    const auto has_curve = [&](const Figure& figure) { return can_pin(figure, session_.document.experiment()); };
    if (has_curve(pointed_figure())) return panels_.under_pointer();
    const auto first = std::find_if(figures.begin(), figures.end(), has_curve);
    return first == figures.end() ? std::nullopt : std::optional(static_cast<int>(first - figures.begin()));
}

Obstacle MainWindow::obstacle_to_pin() const {
    if (panel_to_pin()) return std::nullopt;
    std::vector<Figure> figures{pointed_figure()};  // comes first
    figures.insert(figures.end(), session_.document.view.figures.begin(), session_.document.view.figures.end());
    for (const Figure& figure : figures)
        if (const auto own = ropewalk::obstacle_to_pin(figure, session_.document.experiment())) return own;
    return "no figure shows a curve that can be pinned";
}

void MainWindow::copy(const std::string& text, const std::string& notice) {
    if (text.empty()) return;
    gui_.surface().set_clipboard(text);
    session_.notices.notify(notice);
}

Obstacle MainWindow::obstacle_to(Command command) const {
    const auto unless = [](bool can, std::string why) { return can ? std::nullopt : std::optional(std::move(why)); };
    const bool has_lesson = tutor_.is_open() && tutor_.lesson();
    switch (command) {
        case Command::undo: return unless(session_.document.can_undo(), "there is nothing to undo");
        case Command::redo: return unless(session_.document.can_redo(), "there is nothing to redo");
        case Command::clear_reference: return unless(session_.document.reference(), "no reference is set");
        case Command::rename_layout:
        case Command::delete_layout:
            return unless(!session_.layouts.saved().names().empty(), "you have not saved a layout yet");
        case Command::restore_layout: return unless(!session_.layouts.deleted().empty(), "no layout was deleted");
        case Command::next_step: return unless(has_lesson, "no lesson is open");
        case Command::previous_step:
            return unless(has_lesson && tutor_.step_index() > 0,
                          has_lesson ? "this is the lesson's first step" : "no lesson is open");
        case Command::duplicate:
            return unless(session_.document.view.can_duplicate(),
                          fmt::format("the maximum of {} panels is open", most_panels));
        case Command::recoverable:
            return unless(recovery_ && !recovery_->recoverable().empty(), "there is no session to recover");
        case Command::pin: return obstacle_to_pin();
        case Command::faster:
        case Command::slower: return unless(player_.is_playing(), "no animation is running");
        default: return std::nullopt;
    }
}

void MainWindow::open_commands() {
    open_palette(command_entries([&](Command each) { return obstacle_to(each); }));
}

void MainWindow::copy_command_line() {
    copy(session_.exports.call_of(pointed_figure()),
         fmt::format("Copied the command line of '{}' to the clipboard", title_of(pointed_figure())));
}

void MainWindow::copy_numpy() {
    const NumpyScript script = session_.exports.as_numpy(session_.computation.state());
    copy(script.text,
         script.loads_files
             ? "Copied a NumPy script. It loads q.npy and k.npy; its comments give the commands that create them."
             : "Copied a NumPy script of this head to the clipboard");
}

void MainWindow::travel(void (Document::*way)()) {
    stop_playing();
    (session_.document.*way)();
}

void MainWindow::show_all() {
    for (Figure& figure : session_.document.view.figures) show(figure, {});
}

void MainWindow::toggle_maximised() {
    View& view = session_.document.view;
    view.toggle_maximised(view.maximised().value_or(panels_.under_pointer()));
}

void MainWindow::play_or_stop() {
    if (is_playing()) return stop_playing();
    Cursor& cursor = session_.document.view.cursor;
    cursor = session_.document.cursor();
    player_.play(cursor, session_.document.experiment().seq_len);
}

void MainWindow::run_if_possible(Command command) {
    const auto obstacle = obstacle_to(command);
    if (!obstacle) return run(command);
    const auto info = std::find_if(std::begin(commands), std::end(commands),
                                   [&](const CommandInfo& each) { return each.command == command; });
    session_.notices.notify(fmt::format("{}: {}", info->label, *obstacle));
}

void MainWindow::run(Command command) {
    Preferences& preferences = session_.preferences;
    switch (command) {
        case Command::scenes: open_palette({}); break;
        case Command::gallery: gallery_.open(scene_entries(), current_scene()); break;
        case Command::lessons: tutor_.is_open() ? tutor_.close() : tutor_.open(); break;
        case Command::next_step: tutor_.next(); break;
        case Command::previous_step: tutor_.enter(tutor_.step_index() - 1); break;
        case Command::layouts: open_layouts(); break;
        case Command::save_layout: ask_layout_name(); break;
        case Command::rename_layout:
        case Command::delete_layout: open_saved_layouts(command); break;
        case Command::restore_layout: session_.layouts.restore(); break;
        case Command::commands: open_commands(); break;
        case Command::recoverable: open_recoverable(); break;
        case Command::open: ask_what_to_open(); break;
        case Command::save: save(); break;
        case Command::save_as: ask_where_to_save(); break;
        case Command::undo: travel(&Document::undo); break;
        case Command::redo: travel(&Document::redo); break;
        case Command::fit: show_all(); break;
        case Command::screenshot: screenshot_wanted_ = true; break;
        case Command::theme: preferences.theme = other_than(preferences.theme); break;
        case Command::full_screen: gui_.surface().toggle_full_screen(); break;
        case Command::quit: gui_.surface().request_close(true); break;
        case Command::maximise: toggle_maximised(); break;
        case Command::duplicate: Panels::duplicate(session_, panels_.under_pointer()); break;
        case Command::pin: FigurePanel::pin_curve(session_, panel_to_pin().value()); break;
        case Command::keys: palette_.open("Shortcuts", key_entries()); break;
        case Command::formula: preferences.formula = !preferences.formula; break;
        case Command::present: present(!presents_); break;
        case Command::larger_text: preferences.text_size = stepped_text(preferences.text_size, 1); break;
        case Command::smaller_text: preferences.text_size = stepped_text(preferences.text_size, -1); break;
        case Command::normal_text: preferences.text_size = Preferences{}.text_size; break;
        case Command::copy_scene:
            copy(scene_text(session_.document.current_scene()), "Copied the scene to the clipboard");
            break;
        case Command::paste_scene: session_.files.open_text(gui_.surface().clipboard()); break;
        case Command::copy_command: copy_command_line(); break;
        case Command::set_reference: session_.document.set_reference(); break;
        case Command::clear_reference: session_.document.clear_reference(); break;
        case Command::history: open_history(); break;
        case Command::glossary: palette_.open("Glossary", glossary()); break;
        case Command::play: play_or_stop(); break;
        case Command::faster: player_.set_speed(2 * player_.speed()); break;
        case Command::slower: player_.set_speed(player_.speed() / 2); break;
        case Command::export_figure: export_card_.open(pointed_figure(), session_); break;
        case Command::export_figures: export_card_.open(std::nullopt, session_); break;
        case Command::copy_numpy: copy_numpy(); break;
    }
    gui_.settle();
}

void MainWindow::take_tab(Ui& ui) {
    for (const std::vector<KeyPress>* keys : {&ui.input.keys, &ui.input.text_keys})
        for (const KeyPress& press : *keys)
            if (press.key == Key::tab && !press.modifiers.control) ui.move_focus(press.modifiers.shift ? -1 : 1);
}

void MainWindow::take_keys(Ui& ui) {
    const bool types = ImGui::GetIO().WantTextInput, has_letters = ui.letters_are_keys();
    for (const CommandInfo& info : commands)
        for (const auto& [key, modifiers, repeats] : info.keys) {
            if (key == Key::none) continue;
            const bool edits_text = info.command == Command::undo || info.command == Command::redo ||
                                    !(modifiers.control || key >= Key::escape);
            const bool is_letter = !modifiers.control && key < Key::escape;
            if ((types && edits_text) || (is_letter && !has_letters) || !ui.take_shortcut(key, modifiers)) continue;
            // Undo during a drag would change the step that is still being made.
            const bool is_dragging = ImGui::IsAnyItemActive() && ImGui::IsAnyMouseDown(),
                       is_travel = info.command == Command::undo || info.command == Command::redo;
            if (is_travel && (is_dragging || was_held_))
                session_.notices.notify(fmt::format("{} is unavailable while {}", info.label,
                                                    is_dragging ? "a mouse button is down" : "a list is open"));
            else
                run_if_possible(info.command);
        }
    if (types) return;
    if (ui.take_key(Key::escape)) {
        View& view = session_.document.view;
        if (const auto maximised = view.maximised(); maximised && !presents_)
            view.toggle_maximised(*maximised);
        else if (session_.exports.is_writing())
            session_.exports.stop_writing();
        else if (is_playing())
            stop_playing();
        else if (presents_ && !view.cursor_locked)
            present(false);
        else
            view.cursor_locked = false;
    }
    move_cursor(ui);
}

}  // namespace ropewalk
