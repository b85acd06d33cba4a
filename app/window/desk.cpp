#include "app/window/desk.h"

#include <fmt/format.h>

#include <cmath>

#include "app/plot/fonts.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/splitter.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

constexpr double bar_height = 36, status_height = 26, margin = 8;

/// What Ctrl+S proposes: the scene's own file, or a name made of its title.
std::string proposed_name(const Scene& scene) {
    if (!scene.path.empty()) return std::filesystem::path(scene.path).filename().string();
    return "scene.json";
}

std::string readable_times(const Results& results) {
    std::string text;
    for (const StageTime& time : results.times)
        text += fmt::format("{}{} {:.3g} ms", text.empty() ? "" : ", ", time.stage, time.milliseconds);
    return text.empty() ? "nothing to compute" : text;
}

}  // namespace

void Desk::frame() {
    Ui& ui = gui_.begin_frame({.theme = workbench_.theme});
    ui.label_width = 104;
    workbench_.refresh();
    if (!ui.input.dropped.empty()) workbench_.open(ui.input.dropped);
    {
        const Root root(ui);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const double bar = std::round(ui.px(bar_height)), status = std::round(ui.px(status_height)),
                     edge = std::round(ui.px(margin));
        draw_bar(ui, {0, 0, size.x, bar});
        const Rect work{edge, bar, size.x - 2 * edge, std::max(1.0, size.y - bar - status)};
        double& sidebar = workbench_.view.layout.sidebar;
        double fraction = std::clamp(sidebar * ui.scale / work.width, 0.05, 0.6);
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
        draw_sidebar(ui, split.first);
        const PanelRequest request = panels_.draw(ui, workbench_, split.second);
        if (request.export_panel >= 0) {
            export_figure_ = workbench_.view.figures[static_cast<std::size_t>(request.export_panel)];
            question_ = Question::export_figure;
            browser_.ask({.title = fmt::format("Export {} as {}", title_of(export_figure_), request.export_format),
                          .kind = FileQuestion::Kind::save,
                          .extensions = {"." + request.export_format},
                          .name = fmt::format("{}.{}", id_of(export_figure_), request.export_format)});
        }
        draw_status(ui, {edge, size.y - status, size.x - 2 * edge, status});
        draw_scene_list(ui, work);
        if (const auto path = browser_.draw(ui, work)) answer_question(*path);
    }
    take_keys(ui);
    gui_.end_frame();
    if (std::exchange(screenshot_wanted_, false))
        workbench_.write_picture(gui_.screenshot(), std::filesystem::current_path(), "ropewalk");
}

void Desk::draw_bar(Ui& ui, const Rect& rect) {
    ImGui::SetCursorScreenPos({ui.px(margin), std::round(ui.px((bar_height - 24) / 2))});
    Command previous = Command::theme;
    for (const CommandInfo& info : commands) {
        if (info.command == previous) continue;  // a second key for the same command
        previous = info.command;
        if (info.command != Command::scenes) ImGui::SameLine();
        const Control control{
            .id = info.id,
            .label = info.label,
            .help = {.title = info.label, .text = info.help, .range = name_of(info.key, info.modifiers)},
            .enabled = can_run(info.command)};
        if (button(ui, control,
                   info.command == Command::scenes && scenes_open_ ? ButtonLook::chosen : ButtonLook::quiet))
            run(info.command);
    }
    const Scene& scene = workbench_.scene();
    const std::string title = scene.title + (workbench_.has_unsaved_changes() ? "  •  unsaved"
                                             : scene.bundled                  ? "  (bundled)"
                                                                              : "");
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {rect.right() - ui.px(margin + 4), rect.centre().y}, title,
                  {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::end});
}

void Desk::draw_sidebar(Ui& ui, const Rect& rect) {
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
    section(ui, "Display");
    const ControlsState display = figure_controls(ui, workbench_.view.figures.front());
    for (const std::string& sentence : {state.rejected, display.rejected})
        if (!sentence.empty()) workbench_.notice = {sentence, Notice::Kind::error};
    if (state.changed && state.rejected.empty()) workbench_.notice = {};
    sidebar_scrolls_ = ImGui::GetScrollMaxY() > 0;
    ImGui::EndChild();
}

void Desk::draw_status(Ui& ui, const Rect& rect) {
    const Theme& theme = *ui.theme;
    const std::string complaint = workbench_.complaint();
    std::string left;
    Color color = theme.text_dim;
    if (!complaint.empty())
        left = complaint, color = theme.warning;
    else if (!workbench_.notice.sentence.empty())
        left = workbench_.notice.sentence,
        color = workbench_.notice.kind == Notice::Kind::error ? theme.warning : theme.text;
    else
        left = panels_.readout() + (workbench_.view.cursor_locked ? "   (locked; Esc releases)" : "");
    std::string right = workbench_.backend_description();
    if (const auto& results = workbench_.state().results) right = readable_times(*results) + "  ·  " + right;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double y = rect.centre().y;
    const double right_width = measure_text(right, theme.label_size, Weight::regular).width * ui.scale;
    list.PushClipRect({static_cast<float>(rect.x), static_cast<float>(rect.y)},
                      {static_cast<float>(rect.right() - right_width) - ui.px(24), static_cast<float>(rect.bottom())},
                      true);
    ui.fonts.draw(list, {rect.x + ui.px(4), y}, left, {.size = theme.label_size, .color = color});
    list.PopClipRect();
    ui.fonts.draw(list, {rect.right() - ui.px(4), y}, right,
                  {.size = theme.label_size, .color = theme.text_faint, .across = Align::end});
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = left});
}

void Desk::draw_scene_list(Ui& ui, const Rect& area) {
    if (!scenes_open_) return;
    const float width = std::min(ui.px(620), static_cast<float>(area.width) - ui.px(32)),
                height = std::min(ui.px(620), static_cast<float>(area.height) - ui.px(16));
    ImGui::SetNextWindowPos({static_cast<float>(area.x), static_cast<float>(area.y)});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, compat::color_vector(ui.theme->panel));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("scenes", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    section(ui, "Bundled scenes");
    for (const SceneEntry& entry : workbench_.bundled()) {
        const bool is_open =
            workbench_.scene().bundled && std::filesystem::path(workbench_.scene().path).stem() == entry.name;
        if (button(ui, {.id = "scene." + entry.name, .label = entry.title},
                   is_open ? ButtonLook::chosen : ButtonLook::heading)) {
            workbench_.open_bundled(entry.name);
            scenes_open_ = false;
        }
        note(ui, entry.about);
    }
    if (ui.take_key(Key::escape) || (ImGui::IsMouseClicked(0) &&
                                     !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                                             ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                                     ImGui::GetIO().MousePos.y > ui.px(bar_height)))
        scenes_open_ = false;
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

void Desk::take_keys(Ui& ui) {
    const bool types = ImGui::GetIO().WantTextInput;
    for (const CommandInfo& info : commands) {
        const bool edits_text = info.command == Command::undo || info.command == Command::redo;
        if (!(types && edits_text) && ui.take_shortcut(info.key, info.modifiers) && can_run(info.command))
            run(info.command);
    }
    if (types) return;
    if (ui.take_key(Key::escape)) workbench_.view.cursor_locked = false, workbench_.notice = {};
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

bool Desk::can_run(Command command) const {
    if (command == Command::undo) return workbench_.can_undo();
    if (command == Command::redo) return workbench_.can_redo();
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
    switch (command) {
        case Command::scenes:
            scenes_open_ = !scenes_open_;
            break;
        case Command::open:
            question_ = Question::open;
            browser_.ask({.title = "Open a scene or an array", .extensions = {".json", ".npy"}});
            break;
        case Command::save:
            scene.path.empty() || scene.bundled ? ask_save() : workbench_.save(scene.path);
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
            for (Figure& figure : workbench_.view.figures)
                if (auto* attention = std::get_if<AttentionFigure>(&figure)) attention->rows = attention->columns = {};
            break;
        case Command::screenshot:
            screenshot_wanted_ = true;
            break;
        case Command::theme:
            workbench_.theme = workbench_.theme == &dark_theme() ? &light_theme() : &dark_theme();
            break;
        case Command::full_screen:
            gui_.surface().toggle_full_screen();
            break;
    }
    gui_.settle();
}

void Desk::answer_question(const std::string& path) {
    switch (question_) {
        case Question::open:
            workbench_.open({path});
            break;
        case Question::save:
            workbench_.save(path);
            break;
        case Question::export_figure:
            workbench_.export_figure(export_figure_, path);
            break;
    }
}

}  // namespace ropewalk
