#include "app/window/surface/event_queue.h"

#include <imgui.h>

#include <cfloat>
#include <utility>

#include "app/window/surface/compat.h"

namespace ropewalk {
namespace {

bool is_modifier(Key key) {
    return key >= Key::left_shift && key <= Key::right_super;
}

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

void EventQueue::push(Event event) {
    // Of several consecutive moves only the last one matters.
    if (!events_.empty() && std::holds_alternative<MouseMoved>(event) &&
        std::holds_alternative<MouseMoved>(events_.back()))
        events_.back() = std::move(event);
    else
        events_.push_back(std::move(event));
}

Modifiers EventQueue::modifiers() const {
    return {.control = held(Key::left_control) || held(Key::right_control),
            .shift = held(Key::left_shift) || held(Key::right_shift),
            .alt = held(Key::left_alt) || held(Key::right_alt),
            .super = held(Key::left_super) || held(Key::right_super)};
}

/// Returns whether a text field handles the key itself, instead of waiting for its character.
bool EventQueue::edits(Key key) const {
    return key == Key::space    ? false
           : key >= Key::escape ? !is_modifier(key)
                                : modifiers().control || modifiers().super;
}

bool EventQueue::fits(const Event& event, const Seen& seen) const {
    return std::visit(
        Overloaded{[&](const MouseMoved&) { return !seen.button && !seen.wheel; },
                   [&](const MouseLeft&) { return !seen.button && !seen.wheel; },
                   [&](const MouseButton& button) {
                       const bool again = seen.buttons[static_cast<std::size_t>(button.button)];
                       return !again && !seen.key_down && !seen.character && !(seen.moved_while_held && !button.down);
                   },
                   [&](const KeyChanged& key) {
                       if (seen.keys[static_cast<std::size_t>(key.key)]) return false;
                       if (is_modifier(key.key)) return !seen.key_down && !seen.button && !seen.wheel;
                       return !key.down || (!seen.modifier && !seen.button && !(seen.editing && edits(key.key)));
                   },
                   [&](const CharacterTyped&) { return !seen.editing && !seen.button; },
                   [&](const FocusChanged&) { return !seen.key_down && !seen.button; },
                   [](const auto&) { return true; }},
        event);
}

void EventQueue::apply(const Event& event, Seen& seen, FrameInput& input, ImGuiIO& io) {
    std::visit(Overloaded{[&](const MouseMoved& move) {
                              seen.moved_while_held = seen.moved_while_held || buttons_.any();
                              compat::set_mouse_position(io, compat::vector({move.x, move.y}));
                          },
                          [&](const MouseLeft&) {
                              compat::set_mouse_position(io, {-FLT_MAX, -FLT_MAX});
                          },
                          [&](const MouseButton& button) { apply_button(button, seen, io); },
                          [&](const MouseWheel& wheel) {
                              seen.wheel = true;
                              alt_alone_ = false;
                              compat::add_wheel(io, static_cast<float>(wheel.x), static_cast<float>(wheel.y));
                          },
                          [&](const KeyChanged& key) { apply_key(key, seen, input, io); },
                          [&](const CharacterTyped& typed) {
                              seen.character = true;
                              io.AddInputCharacter(static_cast<unsigned>(typed.character));
                              input.characters.push_back(typed.character);
                          },
                          [&](const FocusChanged& focus) {
                              if (!focus.focused) release_everything(io);
                          },
                          [&](const FilesDropped& drop) {
                              input.dropped.insert(input.dropped.end(), drop.paths.begin(), drop.paths.end());
                          },
                          [&](const WindowChanged&) { input.window_changed = true; }},
               event);
}

void EventQueue::apply_button(const MouseButton& button, Seen& seen, ImGuiIO& io) {
    const auto index = static_cast<std::size_t>(button.button);
    seen.button = seen.buttons[index] = true;
    alt_alone_ = false;
    buttons_[index] = button.down;
    compat::set_mouse_button(io, button.button, button.down);
}

void EventQueue::apply_key(const KeyChanged& key, Seen& seen, FrameInput& input, ImGuiIO& io) {
    const auto index = static_cast<std::size_t>(key.key);
    seen.keys[index] = true;
    keys_[index] = key.down;
    const bool is_alt = key.key == Key::left_alt;
    input.alt_tapped |= is_alt && !key.down && alt_alone_;
    alt_alone_ = is_alt && key.down;
    if (is_modifier(key.key)) {
        seen.modifier = true;
        compat::set_modifiers(io, modifiers());
        return;
    }
    compat::set_key(io, key.key, key.down);
    if (!key.down) return;
    seen.key_down = true;
    seen.editing = seen.editing || edits(key.key);
    input.keys.push_back({key.key, modifiers(), key.repeat});
}

/// Releases all keys and buttons, because releases in another window are never reported here.
void EventQueue::release_everything(ImGuiIO& io) {
    for (std::size_t key = 0; key < keys_.size(); ++key)
        if (keys_[key]) compat::set_key(io, static_cast<Key>(key), false);
    for (std::size_t button = 0; button < buttons_.size(); ++button)
        if (buttons_[button]) compat::set_mouse_button(io, static_cast<int>(button), false);
    keys_.reset();
    buttons_.reset();
    alt_alone_ = false;
    compat::set_modifiers(io, {});
}

FrameInput EventQueue::feed(ImGuiIO& io) {
    FrameInput input;
    Seen seen;
    while (!events_.empty()) {
        const KeyChanged* key = std::get_if<KeyChanged>(&events_.front());
        if (key && key->repeat && held(key->key) && !seen.keys[static_cast<std::size_t>(key->key)]) {
            // ImGui's own repetition is off, because it depends on frame times: a repeated key goes up and down again.
            events_.push_front(KeyChanged{key->key, false});
            continue;
        }
        if (!fits(events_.front(), seen)) break;
        apply(events_.front(), seen, input, io);
        events_.pop_front();
        input.any = true;
    }
    return input;
}

}  // namespace ropewalk
