// The differences between versions of Dear ImGui. Version 1.86 of Debian 12 is tested; later versions are supported as
// far as they are known.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "app/plot/canvas.h"
#include "app/window/surface/keys.h"
#include "app/window/surface/surface.h"

namespace ropewalk::compat {

/// The keys that ImGui's own widgets know.
struct KnownKey {
    Key key;
    ImGuiKey imgui;
};
#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey keypad_enter_key = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey keypad_enter_key = ImGuiKey_KeyPadEnter;
#endif
inline constexpr KnownKey known_keys[] = {
    {Key::left, ImGuiKey_LeftArrow},
    {Key::right, ImGuiKey_RightArrow},
    {Key::up, ImGuiKey_UpArrow},
    {Key::down, ImGuiKey_DownArrow},
    {Key::page_up, ImGuiKey_PageUp},
    {Key::page_down, ImGuiKey_PageDown},
    {Key::home, ImGuiKey_Home},
    {Key::end, ImGuiKey_End},
    {Key::insert, ImGuiKey_Insert},
    {Key::del, ImGuiKey_Delete},
    {Key::backspace, ImGuiKey_Backspace},
    {Key::space, ImGuiKey_Space},
    {Key::enter, ImGuiKey_Enter},
    {Key::escape, ImGuiKey_Escape},
    {Key::keypad_enter, keypad_enter_key},
    {Key{'A'}, ImGuiKey_A},
    {Key{'C'}, ImGuiKey_C},
    {Key{'V'}, ImGuiKey_V},
    {Key{'X'}, ImGuiKey_X},
    {Key{'Y'}, ImGuiKey_Y},
    {Key{'Z'}, ImGuiKey_Z},
};

#if IMGUI_VERSION_NUM >= 18700
/// Turns off ImGui's event spreading, because our queue already spreads events over frames.
inline void set_up_keys(ImGuiIO& io) {
    io.ConfigInputTrickleEventQueue = false;
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
    for (const KnownKey& known : known_keys)
        if (known.key == key) io.AddKeyEvent(known.imgui, down);
}
/// Hides the key from ImGui's own widgets in the current frame.
inline void hide_key(ImGuiIO& io, Key key) {
    for (const KnownKey& known : known_keys)
        if (known.key == key) {
            ImGuiKeyData& data = io.KeysData[known.imgui - ImGuiKey_NamedKey_BEGIN];
            data.Down = false, data.DownDuration = -1;
        }
}
inline void set_modifiers(ImGuiIO& io, Modifiers modifiers) {
    io.AddKeyEvent(ImGuiMod_Ctrl, modifiers.control);
    io.AddKeyEvent(ImGuiMod_Shift, modifiers.shift);
    io.AddKeyEvent(ImGuiMod_Alt, modifiers.alt);
    io.AddKeyEvent(ImGuiMod_Super, modifiers.super);
}
inline void set_mouse_position(ImGuiIO& io, ImVec2 position) {
    io.AddMousePosEvent(position.x, position.y);
}
inline void set_mouse_button(ImGuiIO& io, int button, bool down) {
    io.AddMouseButtonEvent(button, down);
}
inline void add_wheel(ImGuiIO& io, float x, float y) {
    io.AddMouseWheelEvent(x, y);
}
#else
inline void set_up_keys(ImGuiIO& io) {
    for (const KnownKey& known : known_keys) io.KeyMap[known.imgui] = static_cast<int>(known.key);
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
    io.KeysDown[static_cast<int>(key)] = down;
}
inline void hide_key(ImGuiIO& io, Key key) {
    const int at = static_cast<int>(key);
    io.KeysDown[at] = false, io.KeysDownDuration[at] = -1;
}
inline void set_modifiers(ImGuiIO& io, Modifiers modifiers) {
    io.KeyCtrl = modifiers.control;
    io.KeyShift = modifiers.shift;
    io.KeyAlt = modifiers.alt;
    io.KeySuper = modifiers.super;
}
inline void set_mouse_position(ImGuiIO& io, ImVec2 position) {
    io.MousePos = position;
}
inline void set_mouse_button(ImGuiIO& io, int button, bool down) {
    io.MouseDown[button] = down;
}
inline void add_wheel(ImGuiIO& io, float x, float y) {
    io.MouseWheelH += x;
    io.MouseWheel += y;
}
#endif

/// Copy and paste for ImGui's text fields. `text` holds the string lent to ImGui.
struct Clipboard {
    Surface& surface;
    std::string text;
};
/// Returns the clipboard's text as one line, valid until the next call. ImGui would drop line breaks and tabs, and so
/// join words.
inline const char* paste(Clipboard& clipboard) {
    std::string& text = clipboard.text = clipboard.surface.clipboard();
    text.resize(text.find_last_not_of("\r\n") + 1);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return text.c_str();
}
#if IMGUI_VERSION_NUM >= 19110
inline void set_up_clipboard(Clipboard& clipboard) {
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_ClipboardUserData = &clipboard;
    io.Platform_GetClipboardTextFn = [](ImGuiContext*) {
        return paste(*static_cast<Clipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData));
    };
    io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
        static_cast<Clipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->surface.set_clipboard(text);
    };
}
#else
inline void set_up_clipboard(Clipboard& clipboard) {
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = &clipboard;
    io.GetClipboardTextFn = [](void* user) { return paste(*static_cast<Clipboard*>(user)); };
    io.SetClipboardTextFn = [](void* user, const char* text) {
        static_cast<Clipboard*>(user)->surface.set_clipboard(text);
    };
}
#endif

/// Begins a child window without its own frame; the caller draws its background.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
    return ImGui::BeginChild(id, size, ImGuiChildFlags_None, flags);
#else
    return ImGui::BeginChild(id, size, false, flags);
#endif
}

#if IMGUI_VERSION_NUM >= 19140
inline ImTextureID texture_id(std::uintptr_t handle) {
    return static_cast<ImTextureID>(handle);
}
inline std::uintptr_t handle_of(ImTextureID texture) {
    return static_cast<std::uintptr_t>(texture);
}
#else
inline ImTextureID texture_id(std::uintptr_t handle) {
    return reinterpret_cast<ImTextureID>(handle);
}
inline std::uintptr_t handle_of(ImTextureID texture) {
    return reinterpret_cast<std::uintptr_t>(texture);
}
#endif

inline ImU32 color(Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}
inline ImVec4 color_vector(Color c) {
    return ImGui::ColorConvertU32ToFloat4(color(c));
}
inline ImVec2 vector(Point p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y)};
}
inline Point point(ImVec2 v) {
    return {v.x, v.y};
}

/// Ends a frame that an exception left unfinished: closes every window and group that is still open, draws nothing.
void abandon_frame();

/// Forgets the undo steps of a text that is not being edited. ImGui 1.86 would undo them in the next text of the same
/// name, and ends the program where that text is shorter.
void forget_edits(ImGuiID text);

/// ImGui::InvisibleButton, of at least one pixel each way: ImGui asserts that it is not empty.
inline bool invisible_button(const char* id, ImVec2 size, ImGuiButtonFlags flags = ImGuiButtonFlags_None) {
    return ImGui::InvisibleButton(id, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)}, flags);
}

/// Returns the radius that corners have room for, as ImGui clamps it; 0 below half a pixel, where ImGui's table of arcs
/// has no segments and it would divide by 0.
inline float corner_radius_for(ImVec2 low, ImVec2 high, float radius, ImDrawFlags corners) {
    const auto has = [&](ImDrawFlags both) {
        return (corners & ImDrawFlags_RoundCornersMask_) == 0 || (corners & both) == both;
    };
    const bool share_width = has(ImDrawFlags_RoundCornersTop) || has(ImDrawFlags_RoundCornersBottom);
    const bool share_height = has(ImDrawFlags_RoundCornersLeft) || has(ImDrawFlags_RoundCornersRight);
    const float room =
        std::min((high.x - low.x) * (share_width ? 0.5f : 1), (high.y - low.y) * (share_height ? 0.5f : 1));
    radius = std::min(radius, room - 1);
    return radius < 0.5f ? 0 : radius;
}

/// Fills a rectangle with rounded corners, as far as there is room for them.
inline void fill_rect(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float radius,
                      ImDrawFlags corners = ImDrawFlags_None) {
    radius = corner_radius_for(low, high, radius, corners);
    list.AddRectFilled(low, high, color, radius, radius > 0 ? corners : ImDrawFlags_RoundCornersNone);
}

/// Outlines one.
inline void outline_rect(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float radius, float width) {
    list.AddRect(low, high, color, corner_radius_for(low, high, radius, ImDrawFlags_None), ImDrawFlags_None, width);
}

}  // namespace ropewalk::compat
