#include "app/window/main_window/keyboard.h"

#include <fmt/format.h>

#include <tuple>

#include "app/window/main_window/command_actions.h"
#include "app/window/surface/compat.h"

namespace ropewalk {
namespace {

/// Takes the shortcuts of a command. Returns whether one was pressed that is not for an edited text or an open list.
bool take_shortcut_of(const Command& command, Ui& ui) {
    const bool is_typing = ImGui::GetIO().WantTextInput, has_letters = ui.letters_are_keys();
    bool is_pressed = false;
    for (const auto& [key, modifiers, repeats] : command.keys) {
        if (key == Key::none) continue;
        const bool is_letter = !modifiers.control && key < Key::escape, edits_text = command.is_travel || is_letter;
        if ((is_typing && edits_text) || (is_letter && !has_letters)) continue;
        is_pressed |= ui.take_shortcut(key, modifiers);
    }
    return is_pressed;
}

void end_what_is_under_way(WindowParts& window) {
    View& view = window.session.document.view;
    if (const auto maximised = view.maximised(); maximised && !window.is_presenting)
        view.toggle_maximised(*maximised);
    else if (!window.session.files.opening().empty())
        window.session.files.stop_opening();
    else if (window.session.exports.is_writing())
        window.session.exports.stop_writing();
    else if (window.player.is_playing())
        window.player.stop();
    else if (window.is_presenting)
        end_presenting(window);
    else if (window.session.document.before())
        window.session.document.forget_before();
    else
        view.cursor_locked = false;
}

void move_cursor(Ui& ui, WindowParts& window) {
    for (const auto& [key, down, across] : {std::tuple{Key::left, 0, -1}, std::tuple{Key::right, 0, 1},
                                            std::tuple{Key::up, -1, 0}, std::tuple{Key::down, 1, 0}}) {
        const auto press = ui.take_key(key);
        if (!press) continue;
        const int step = press->modifiers.control ? 100 : press->modifiers.shift ? 10 : 1;
        window.panels.move_cursor(window.session, window.pointed_panel(), across * step, down * step);
    }
}

}  // namespace

void take_tab(Ui& ui) {
    for (const std::vector<KeyPress>* keys : {&ui.input.keys, &ui.input.text_keys})
        for (const KeyPress& press : *keys)
            if (press.key == Key::tab && !press.modifiers.control) ui.move_focus(press.modifiers.shift ? -1 : 1);
}

void take_keys(Ui& ui, WindowParts& window, bool is_held) {
    const bool is_dragging = ImGui::IsAnyItemActive() && ImGui::IsAnyMouseDown();
    is_held |= ui.interaction.list_frame == ImGui::GetFrameCount();
    for (const Command& command : commands()) {
        if (!take_shortcut_of(command, ui)) continue;
        if (window.is_presenting && command.by_remote && command.obstacle_in(window)) continue;
        if (command.is_travel && (is_dragging || is_held))
            window.session.notices.notify(fmt::format("{} is unavailable while {}", command.title,
                                                      is_dragging ? "a mouse button is down" : "a list is open"));
        else
            run_if_possible(command, window);
    }
    if (ImGui::GetIO().WantTextInput) return;
    if (ui.take_key(Key::escape)) end_what_is_under_way(window);
    move_cursor(ui, window);
}

}  // namespace ropewalk
