#include "app/window/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/embedded_scene.h"
#include "app/plot/fonts.h"
#include "app/window/command_list.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/film.h"
#include "app/window/glossary.h"
#include "app/window/row.h"
#include "app/window/splitter.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

constexpr double bar_height = 36, status_height = 26, margin = 8, least_title = 60;
constexpr double around_label = 20;  // of a button, logical pixels
constexpr double note_seconds = 4;
constexpr double text_steps = 10, presented_text = 1.4;  // steps a usual size; of the usual size

/// What Ctrl+S proposes: the scene's own file, or a scene beside the figure that it came in.
std::string proposed_name(const Scene& scene) {
    if (scene.path.empty()) return "scene.json";
    return std::filesystem::path(scene.path).stem().string() + ".json";
}

/// Whether Ctrl+S writes the scene where it came from.
bool has_own_file(const Scene& scene) {
    return !scene.path.empty() && !scene.bundled && !is_figure_file(scene.path);
}

/// The text's size some steps on, without the rounding errors of those on the way.
double stepped_text(double size, int steps) {
    return std::clamp(std::round(size * text_steps + steps) / text_steps, Preferences::least_text,
                      Preferences::greatest_text);
}

std::string readable_job(const JobProgress& job) {
    return fmt::format("{} {:.0f} %  ·  {:.0f} s left", job.stage, 100 * job.fraction, job.seconds_left);
}

std::string readable_times(const Results& results) {
    std::string text;
    for (const StageTime& time : results.times)
        text += fmt::format("{}{} {:.3g} ms", text.empty() ? "" : ", ", time.stage, time.milliseconds);
    return text.empty() ? "nothing to compute" : text;
}

}  // namespace

void Desk::frame() {
    Ui& ui = gui_.begin_frame({.theme = &theme_of(workbench_.preferences),
                               .zoom = workbench_.preferences.text_size * (presents_ ? presented_text : 1)});
    ui.label_width = 130;
    workbench_.refresh();
    age_notice(ui);
    play(ui);
    if (!ui.input.dropped.empty()) workbench_.open(ui.input.dropped);
    const bool had_card = card_is_open();
    std::vector<KeyPress> card_keys;  // no key acts on what is under a card
    if (had_card) card_keys = std::exchange(ui.input.keys, {});
    {
        const Root root(ui);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const double bar = std::round(ui.px(bar_height)), status = std::round(ui.px(status_height)),
                     edge = std::round(ui.px(margin));
        draw_bar(ui, {0, 0, size.x, bar});
        const Rect work{edge, bar, size.x - 2 * edge, std::max(1.0, size.y - bar - status)};
        ui.wake_after = std::min(ui.wake_after, tutor_.update());
        ui.lit_figure = lesson_panel_.lit_figure();
        const Rect room = lesson_panel_.draw_beside(ui, presents_ ? work : draw_sidebar(ui, work),
                                                    presents_ ? Surroundings::presented : Surroundings::controls);
        if (const auto exported = panels_.draw(ui, workbench_, room))
            export_card_.open(workbench_.view.figures[static_cast<std::size_t>(*exported)], workbench_);
        draw_status(ui, {edge, size.y - status, size.x - 2 * edge, status});
        if (had_card) ui.input.keys = std::move(card_keys);
        draw_cards(ui, work);
    }
    if (!had_card) take_keys(ui);
    gui_.end_frame();
    if (std::exchange(screenshot_wanted_, false)) {
        std::error_code gone;  // the working directory may be
        workbench_.write_picture(gui_.screenshot(), std::filesystem::current_path(gone), "ropewalk");
    }
}

void Desk::draw_bar(Ui& ui, const Rect& rect) {
    ImGui::SetCursorScreenPos({ui.px(margin), std::round(ui.px((bar_height - 24) / 2))});
    std::optional<Command> previous;
    for (const CommandInfo& info : commands) {
        if (info.place != Place::bar || info.command == previous) continue;  // a second key for the same command
        previous = info.command;
        if (info.command != Command::scenes) {
            const double end = static_cast<double>(ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x) +
                               ui.scale * (measure_text(info.label, text_size, Weight::regular).width + around_label);
            if (end > rect.right()) break;  // the palette has it as well
            ImGui::SameLine();
        }
        const Control control{
            .id = info.id,
            .label = info.label,
            .help = {.title = info.label, .text = info.help, .range = name_of(info.key, info.modifiers)},
            .enabled = can_run(info.command)};
        const bool is_open =
            info.command == Command::lessons ? tutor_.is_open() : palette_.is_open() && palette_.title() == info.label;
        if (button(ui, control, is_open ? ButtonLook::chosen : ButtonLook::quiet)) run(info.command);
    }
    const Scene& scene = workbench_.scene();
    const std::string title = scene.title + (workbench_.has_unsaved_changes() ? "  •  unsaved"
                                             : scene.bundled                  ? "  (bundled)"
                                                                              : "");
    ImGui::SameLine();
    const double right = rect.right() - ui.px(margin + 4),
                 room = (right - static_cast<double>(ImGui::GetCursorScreenPos().x)) / ui.scale;
    if (room < least_title) return;
    const std::string shown = fitted(ui, title, room, ui.theme->label_size);
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {right, rect.centre().y}, shown,
                  {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::end});
    const double width = ui.scale * measure_text(shown, ui.theme->label_size, Weight::regular).width;
    ui.registry.add({.id = "title", .label = "", .rect = {right - width, rect.y, width, rect.height}, .value = title});
}

Rect Desk::draw_sidebar(Ui& ui, const Rect& work) {
    double& sidebar = workbench_.view.layout.sidebar;
    double fraction = sidebar * ui.scale / work.width;
    const double least = std::min(0.6, 240 * ui.scale / work.width),
                 greatest = std::max(least, std::min(0.6, 480 * ui.scale / work.width));
    const SplitterState split = splitter(ui,
                                         {.id = "split.sidebar",
                                          .area = work,
                                          .default_fraction = Layout{}.sidebar * ui.scale / work.width,
                                          .least = least,
                                          .greatest = greatest},
                                         fraction);
    if (split.changed) sidebar = fraction * work.width / ui.scale;
    draw_controls(ui, lesson_panel_.draw_above(ui, split.first, split.second.width));
    return split.second;
}

void Desk::draw_controls(Ui& ui, const Rect& rect) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low{static_cast<float>(rect.x), static_cast<float>(rect.y)},
        high{static_cast<float>(rect.right()), static_cast<float>(rect.bottom())};
    list.AddRectFilled(low, high, compat::color(ui.theme->panel), ui.px(6));
    list.AddRect(low, high, compat::color(ui.theme->panel_border), ui.px(6));
    ImGui::SetCursorScreenPos({low.x + ui.px(12), low.y + ui.px(6)});
    // A scroll bar stands in the margin, so that the controls keep their width.
    const float margins = ui.px(sidebar_scrolls_ ? 15 : 24);
    compat::begin_child("sidebar",
                        {static_cast<float>(rect.width) - margins, static_cast<float>(rect.height) - ui.px(12)});
    Experiment edited = workbench_.experiment();
    ControlsState state = experiment_controls(ui, edited);
    workbench_.edit(edited, state.held ? Gesture::ongoing : Gesture::complete);
    if (was_held_ && !state.held) workbench_.end_gesture();
    was_held_ = state.held;
    if (Figure& figure = workbench_.view.figures.front(); has_controls(figure)) {
        section(ui, "Display");
        if (const auto display = figure_controls(ui, figure, workbench_.experiment().shape());
            !display.rejected.empty())
            state.rejected = display.rejected;
    }
    if (!state.rejected.empty()) workbench_.tell(state.rejected, Notice::Kind::error);
    if (!state.context.empty()) sweep_card_.open(workbench_.experiment(), state.context);
    sidebar_scrolls_ = ImGui::GetScrollMaxY() > 0;
    lesson_panel_.bring_into_sight(ui);
    ImGui::EndChild();
    lesson_panel_.draw_ring(ui, rect);
}

void Desk::age_notice(Ui& ui) {
    const Notice& notice = workbench_.notice();
    if (notice.sentence.empty()) return;
    const double now = ImGui::GetTime();
    if (noticed_ != notice.number) {
        noticed_ = notice.number;
        noticed_since_ = now;
    } else if (notice.kind == Notice::Kind::error) {
        const FrameInput& input = ui.input;
        if (!input.keys.empty() || !input.text_keys.empty() || !input.characters.empty() || ImGui::IsMouseClicked(0))
            return workbench_.dismiss_notice();
    }
    if (notice.kind == Notice::Kind::error) return;
    const double left = noticed_since_ + note_seconds - now;
    if (left <= 0)
        workbench_.dismiss_notice();
    else
        ui.wake_after = std::min(ui.wake_after, left + 0.01);
}

void Desk::draw_status(Ui& ui, const Rect& rect) {
    const Theme& theme = *ui.theme;
    const std::string complaint = workbench_.complaint();
    std::string left = panels_.readout() + (workbench_.view.cursor_locked ? "   (locked; Esc releases)" : "");
    Color color = theme.text_dim;
    if (const Notice& notice = workbench_.notice(); !notice.sentence.empty())
        left = notice.sentence, color = notice.kind == Notice::Kind::error ? theme.warning : theme.text;
    else if (!complaint.empty())
        left = complaint, color = theme.warning;
    const WorkerState& state = workbench_.state();
    std::string right = workbench_.backend_description();
    if (workbench_.is_writing() && workbench_.written() > 0)
        right = fmt::format("exporting {:.0f} %  ·  Esc stops  ·  ", 100 * workbench_.written()) + right;
    else if (state.job)
        right = readable_job(*state.job) + "  ·  " + right;
    else if (state.results)
        right = readable_times(*state.results) + "  ·  " + right;
    const auto width_of = [&](const std::string& text) {
        return measure_text(text, theme.label_size, Weight::regular).width;
    };
    const double y = rect.centre().y, room = rect.width / ui.scale - 8;
    const double left_room = room - width_of(right) - 20;
    const bool has_right = left_room >= std::min(width_of(left), room / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ui.fonts.draw(list, {rect.x + ui.px(4), y}, fitted(ui, left, has_right ? left_room : room, theme.label_size),
                  {.size = theme.label_size, .color = color});
    if (has_right)
        ui.fonts.draw(list, {rect.right() - ui.px(4), y}, right,
                      {.size = theme.label_size, .color = theme.text_faint, .across = Align::end});
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = left});
}

void Desk::draw_cards(Ui& ui, const Rect& area) {
    if (palette_.is_open() && (ui.take_shortcut(Key{'K'}, with_control) || ui.take_shortcut(Key{'B'}, with_control)))
        palette_.close();
    if (const auto chosen = palette_.draw(ui, area)) follow(*chosen);
    if (export_card_.draw(ui, workbench_, area)) {
        const std::string format = name_of(workbench_.preferences.page.format).id;
        question_ = Question::export_page;
        browser_.ask({.title = fmt::format("Export {} as {}", export_card_.title(), format),
                      .kind = FileQuestion::Kind::save,
                      .extensions = {"." + format},
                      .name = fmt::format("{}.{}", export_card_.file_name(), format)});
        export_card_.close();
    }
    switch (sweep_card_.draw(ui, workbench_, area)) {
        case SweepCard::Wish::none:
            break;
        case SweepCard::Wish::play:
            sweep_step_ = 0;
            break;
        case SweepCard::Wish::film:
            question_ = Question::film;
            browser_.ask({.title = has_film_maker() ? "Export the sweep" : "Export the sweep (films need ffmpeg)",
                          .kind = FileQuestion::Kind::save,
                          .extensions = has_film_maker() ? std::vector<std::string>{".gif", ".mp4", ".png"}
                                                         : std::vector<std::string>{".png"},
                          .name = has_film_maker() ? "sweep.gif" : "sweep.png"});
    }
    if (const auto path = browser_.draw(ui, area)) {
        if (answer_question(*path))
            browser_.close();
        else
            browser_.complain(workbench_.notice().sentence);
    }
}

void Desk::take_keys(Ui& ui) {
    const bool types = ImGui::GetIO().WantTextInput;
    for (const CommandInfo& info : commands) {
        if (info.key == Key::none) continue;
        const bool edits_text = info.command == Command::undo || info.command == Command::redo ||
                                !(info.modifiers.control || info.key >= Key::escape);
        if (!(types && edits_text) && ui.take_shortcut(info.key, info.modifiers) && can_run(info.command))
            run(info.command);
    }
    if (types) return;
    if (ui.take_key(Key::escape)) {
        View& view = workbench_.view;
        if (const auto maximised = view.maximised())
            view.toggle_maximised(*maximised);
        else if (workbench_.is_writing())
            workbench_.stop_writing();
        else if (is_playing())
            stop_playing();
        else if (presents_ && !view.cursor_locked)
            presents_ = false;
        else
            view.cursor_locked = false;
    }
    move_cursor(ui);
}

void Desk::move_cursor(Ui& ui) {
    for (const auto& [key, down, across] : {std::tuple{Key::left, 0, -1}, std::tuple{Key::right, 0, 1},
                                            std::tuple{Key::up, -1, 0}, std::tuple{Key::down, 1, 0}}) {
        const auto press = ui.take_key(key);
        if (!press) continue;
        const int step = press->modifiers.control ? 100 : press->modifiers.shift ? 10 : 1;
        Cursor& cursor = workbench_.view.cursor;
        cursor.query += down * step;
        cursor.key += across * step;
        cursor = cursor.clamped(workbench_.experiment());
        workbench_.view.cursor_locked = true;
    }
}

void Desk::play(Ui& ui) {
    constexpr double frame_seconds = 1.0 / 30;
    if (is_playing()) ui.wake_after = std::min(ui.wake_after, frame_seconds);
    if (sweep_step_) {
        const Sweep& sweep = sweep_card_.sweep();
        *sweep_step_ = std::fmod(*sweep_step_ + static_cast<double>(ImGui::GetIO().DeltaTime) * sweep.per_second,
                                 static_cast<double>(sweep.steps));
        workbench_.edit(experiment_at(workbench_.experiment(), sweep, static_cast<int>(*sweep_step_)),
                        Gesture::ongoing);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) stop_playing();
    }
    if (!player_.is_playing()) return;
    View& view = workbench_.view;
    view.cursor = view.cursor.clamped(workbench_.experiment());
    player_.advance(static_cast<double>(ImGui::GetIO().DeltaTime), view.cursor);
    view.cursor_locked = true;
}

void Desk::stop_playing() {
    player_.stop();
    if (std::exchange(sweep_step_, std::nullopt)) workbench_.end_gesture();
}

void Desk::open_palette(std::vector<PaletteEntry> entries) {
    const bool has_commands = !entries.empty();
    if (has_commands)
        for (const auto& lesson : tutor_.lessons())
            entries.push_back(
                {.id = "lesson." + lesson->id, .title = "Lesson: " + lesson->title, .about = lesson->about});
    for (const std::string& path : workbench_.recent().paths())
        entries.push_back(
            {.id = "file." + path, .title = std::filesystem::path(path).filename().string(), .about = path});
    for (const SceneEntry& scene : workbench_.bundled())
        entries.push_back({.id = "scene." + scene.name, .title = scene.title, .about = scene.about});
    const Scene& scene = workbench_.scene();
    const std::string present = scene.bundled ? "scene." + std::filesystem::path(scene.path).stem().string() : "";
    palette_.open(has_commands ? "Commands" : "Scenes", std::move(entries), has_commands ? "" : present);
}

void Desk::open_history() {
    std::vector<PaletteEntry> entries;
    const auto id = [](std::size_t step) { return fmt::format("step.{}", step); };
    const std::vector<std::string> names = workbench_.steps();
    for (std::size_t step = names.size(); step-- > 0;)
        entries.push_back({.id = id(step),
                           .title = step == 0 ? "the beginning" : names[step],
                           .about = {},
                           .keys = step == workbench_.step()  ? "now"
                                   : step > workbench_.step() ? "undone"
                                                              : ""});
    palette_.open("History", std::move(entries), id(workbench_.step()));
}

void Desk::follow(const std::string& id) {
    constexpr std::string_view scene = "scene.", lesson = "lesson.", file = "file.", step = "step.";
    if (id.starts_with(lesson)) tutor_.start(id.substr(lesson.size()));
    if (id.starts_with(scene)) workbench_.open_bundled(id.substr(scene.size()));
    if (id.starts_with(file)) workbench_.open({id.substr(file.size())});
    if (id.starts_with(step)) workbench_.go_to_step(std::stoul(id.substr(step.size())));
    if (const auto command = command_of(id); command && can_run(*command)) run(*command);
}

void Desk::copy(const std::string& text, const char* what) {
    if (text.empty()) return;
    gui_.surface().set_clipboard(text);
    workbench_.tell(fmt::format("{} is on the clipboard", what));
}

bool Desk::can_run(Command command) const {
    if (command == Command::undo) return workbench_.can_undo();
    if (command == Command::redo) return workbench_.can_redo();
    if (command == Command::drop_reference) return workbench_.reference();
    if (command == Command::faster || command == Command::slower) return player_.is_playing();
    return true;
}

void Desk::run(Command command) {
    const auto ask_save = [&] {
        question_ = Question::save;
        browser_.ask({.title = "Save the scene",
                      .kind = FileQuestion::Kind::save,
                      .extensions = {".json"},
                      .name = proposed_name(workbench_.scene())});
    };
    const Scene& scene = workbench_.scene();
    Preferences& preferences = workbench_.preferences;
    switch (command) {
        case Command::scenes:
            open_palette({});
            break;
        case Command::lessons:
            tutor_.is_open() ? tutor_.close() : tutor_.open();
            break;
        case Command::commands:
            open_palette(command_entries([&](Command each) { return can_run(each); }));
            break;
        case Command::open:
            question_ = Question::open;
            browser_.ask({.title = "Open a scene, an array, or a figure that carries its scene",
                          .extensions = {".json", ".npy", ".png", ".svg", ".pdf"}});
            break;
        case Command::save:
            if (has_own_file(scene))
                workbench_.save(scene.path);
            else
                ask_save();
            break;
        case Command::save_as:
            ask_save();
            break;
        case Command::undo:
            workbench_.undo();
            break;
        case Command::redo:
            workbench_.redo();
            break;
        case Command::fit:
            for (Figure& figure : workbench_.view.figures) show(figure, {});
            break;
        case Command::screenshot:
            screenshot_wanted_ = true;
            break;
        case Command::theme:
            preferences.theme = preferences.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark;
            break;
        case Command::full_screen:
            gui_.surface().toggle_full_screen();
            break;
        case Command::maximise:
            workbench_.view.toggle_maximised(workbench_.view.maximised().value_or(panels_.under_pointer()));
            break;
        case Command::keys:
            palette_.open("Keys", key_entries());
            break;
        case Command::present:
            presents_ = !presents_;
            break;
        case Command::larger_text:
            preferences.text_size = stepped_text(preferences.text_size, 1);
            break;
        case Command::smaller_text:
            preferences.text_size = stepped_text(preferences.text_size, -1);
            break;
        case Command::normal_text:
            preferences.text_size = Preferences{}.text_size;
            break;
        case Command::copy_scene:
            copy(workbench_.scene_as_text(), "The scene");
            break;
        case Command::paste_scene:
            workbench_.open_text(gui_.surface().clipboard());
            break;
        case Command::copy_command:
            copy(workbench_.call_of(workbench_.view.figures.front()), "The command line of the middle figure");
            break;
        case Command::keep_reference:
            workbench_.keep_reference();
            break;
        case Command::drop_reference:
            workbench_.drop_reference();
            break;
        case Command::history:
            open_history();
            break;
        case Command::glossary:
            palette_.open("Glossary", glossary());
            break;
        case Command::play:
            if (is_playing())
                stop_playing();
            else
                player_.play(workbench_.view.cursor, workbench_.experiment().seq_len);
            break;
        case Command::faster:
            player_.set_speed(2 * player_.speed());
            break;
        case Command::slower:
            player_.set_speed(player_.speed() / 2);
            break;
        case Command::export_figure:
            export_card_.open(workbench_.view.figures[static_cast<std::size_t>(panels_.under_pointer())], workbench_);
            break;
        case Command::export_figures:
            export_card_.open(std::nullopt, workbench_);
            break;
        case Command::copy_numpy:
            copy(workbench_.as_numpy(), "A NumPy script of this head");
            break;
    }
    gui_.settle();
}

bool Desk::answer_question(const std::string& path) {
    switch (question_) {
        case Question::open:
            return workbench_.open({path});
        case Question::save:
            return workbench_.save(path);
        case Question::film:
            return workbench_.export_film(sweep_card_.page(workbench_), sweep_card_.sweep(), path);
        case Question::export_page:
            return workbench_.export_page(export_card_.page(workbench_), path);
    }
    return false;
}

}  // namespace ropewalk
