#include "app/window/widgets/gui.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "app/window/surface/compat.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// The em sizes used, in logical pixels.
constexpr std::array<double, 10> text_sizes = {9, 10, 11, 12, 13, 14, 16, 17, 22, 28};

/// While events are pending, a frame is drawn only this often, so that the queue empties quickly.
constexpr std::chrono::milliseconds longest_undrawn(100);

CursorShape cursor_shape() {
    switch (ImGui::GetMouseCursor()) {
        case ImGuiMouseCursor_TextInput: return CursorShape::text;
        case ImGuiMouseCursor_Hand: return CursorShape::hand;
        case ImGuiMouseCursor_ResizeEW: return CursorShape::resize_across;
        case ImGuiMouseCursor_ResizeNS: return CursorShape::resize_down;
        case ImGuiMouseCursor_ResizeAll: return CursorShape::crosshair;
        case ImGuiMouseCursor_None: return CursorShape::hidden;
        default: return CursorShape::arrow;
    }
}

ImGuiContext* make_context() {
    static ImFontAtlas none;  // until there is a scale; a context that is given an atlas does not delete it
    ImGuiContext* context = ImGui::CreateContext(&none);
    ImGui::SetCurrentContext(context);
    return context;
}

/// Returns whether an edited text uses the key, so that it is not a shortcut.
bool edits_text(const KeyPress& press) {
    if (press.key >= Key::f1 && press.key < Key::keypad_0) return false;
    if (!press.modifiers.control && !press.modifiers.super) return true;
    return press.key >= Key::escape ||
           std::string_view("ACVXYZ").find(static_cast<char>(press.key)) != std::string_view::npos;
}

}  // namespace

Gui::Gui(Surface& surface, std::optional<double> time_step)
    : surface_(surface),
      context_(make_context(), ImGui::DestroyContext),
      textures_(renderer_),
      clipboard_(std::make_unique<compat::Clipboard>(compat::Clipboard{surface, {}})),
      time_step_(time_step),
      last_frame_(std::chrono::steady_clock::now()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
    io.KeyRepeatDelay = FLT_MAX;  // the event queue repeats keys
    compat::set_up_keys(io);
    compat::set_up_clipboard(*clipboard_);
    compat::set_mouse_position(io, {-FLT_MAX, -FLT_MAX});
    ui_.textures = &textures_;
    ui_.scale = 0;
}

Gui::~Gui() = default;

void Gui::apply_style(const Theme& theme, double scale) {
    const auto px = [&](double logical) { return static_cast<float>(std::round(logical * scale)); };
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.AntiAliasedLinesUseTex = false;
    style.CircleTessellationMaxError = 0.08f;  // pixels: a large circle with the usual 0.3 is visibly a polygon
    style.WindowPadding = {px(12), px(10)};
    style.WindowRounding = style.ChildRounding = px(6);
    style.PopupRounding = px(6);
    style.WindowBorderSize = style.ChildBorderSize = 0;
    style.PopupBorderSize = std::max(1.0f, px(1));
    style.FrameRounding = px(4);
    style.FramePadding = {px(8), px(4)};
    style.ItemSpacing = {px(8), px(6)};
    style.ScrollbarSize = px(9);
    style.ScrollbarRounding = style.GrabRounding = px(5);
    const struct {
        ImGuiCol slot;
        Color color;
    } colors[] = {
        {ImGuiCol_Text, theme.text},
        {ImGuiCol_TextDisabled, theme.text_faint},
        {ImGuiCol_WindowBg, theme.window},
        {ImGuiCol_ChildBg, theme.panel.with_alpha(0)},
        {ImGuiCol_PopupBg, theme.panel},
        {ImGuiCol_Border, theme.panel_border},
        {ImGuiCol_FrameBg, theme.control},
        {ImGuiCol_FrameBgHovered, theme.control_hovered},
        {ImGuiCol_FrameBgActive, theme.control_active},
        {ImGuiCol_ScrollbarBg, theme.panel.with_alpha(0)},
        {ImGuiCol_ScrollbarGrab, theme.control_active},
        {ImGuiCol_ScrollbarGrabHovered, theme.text_faint},
        {ImGuiCol_ScrollbarGrabActive, theme.text_dim},
        {ImGuiCol_TextSelectedBg, theme.accent.with_alpha(0.35)},
        {ImGuiCol_NavHighlight, theme.accent},
    };
    for (const auto& [slot, color] : colors) style.Colors[slot] = compat::color_vector(color);
}

void Gui::set_scale(double scale) {
    ImFontAtlas& atlas = ui_.fonts.build(text_sizes, scale, renderer_.largest_texture());
    ImGui::GetIO().Fonts = &atlas;
    ImGui::GetIO().FontDefault = ui_.fonts.find(12, Weight::regular);
    renderer_.upload_fonts(atlas);
    ui_.scale = scale;
}

float Gui::elapsed() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - std::exchange(last_frame_, now)).count();
    // Not limited to a maximum: otherwise two clicks with a long wait in between would look like a double-click.
    return static_cast<float>(time_step_.value_or(std::max(seconds, 1e-4)));
}

Ui& Gui::begin_frame(const FrameOptions& options) {
    times_ = {.begin = std::chrono::steady_clock::now()};
    ImGui::SetCurrentContext(context_.get());
    ImGuiIO& io = ImGui::GetIO();
    const double scale = surface_.scale() * options.zoom;
    if (const bool rescaled = scale != tried_scale_ || ui_.scale == 0; rescaled || ui_.theme != options.theme) {
        tried_scale_ = scale;
        if (rescaled) set_scale(scale);
        apply_style(*options.theme, ui_.scale);
        settle();
    }
    const PixelSize size = surface_.framebuffer_size();
    io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    io.DeltaTime = elapsed();

    ui_.theme = options.theme;
    ui_.input = surface_.events().feed(io);
    ui_.modifiers = surface_.events().modifiers();
    ui_.wake_after = infinity;
    ui_.is_moving = false;
    ui_.registry.begin_frame();
    redraw_ = redraw_ || ui_.input.window_changed;
    if (ui_.input.any)
        settle();
    else
        settle_frames_ = std::max(0, settle_frames_ - 1);
    ImGui::NewFrame();
    if (io.WantTextInput) {
        std::copy_if(ui_.input.keys.begin(), ui_.input.keys.end(), std::back_inserter(ui_.input.text_keys), edits_text);
        std::erase_if(ui_.input.keys, edits_text);
    }
    // A click clears the focus, which the clicked widget then takes.
    const bool is_clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const auto before = ui_.registry.all_before();
    const bool is_focus_gone = std::none_of(before.begin(), before.end(), [&](const RegisteredWidget& widget) {
        return widget.takes_focus && widget.id == ui_.interaction.focused;
    });
    if (is_clicked || is_focus_gone) ui_.interaction.focused.clear();
    if (is_clicked || io.MouseDelta.x != 0 || io.MouseDelta.y != 0) ui_.interaction.came_by_key = false;
    if (is_clicked || ui_.input.has_typing()) ui_.interaction.refused.clear();
    std::string& pinned = ui_.interaction.pinned;
    const auto was_drawn = [&](const std::string& id) {
        return std::any_of(before.begin(), before.end(), [&](const auto& widget) { return widget.id == id; });
    };
    if (!was_drawn(ui_.interaction.editing)) ui_.interaction.editing.clear();  // what was typed there is discarded
    if (!pinned.empty() && (is_clicked || !was_drawn(pinned) || ui_.input.has_typing())) {
        ui_.take_key(Key::escape);  // it only closes the tooltip
        pinned.clear();
    }
    return ui_;
}

void Gui::abandon_frame() {
    compat::abandon_frame();
}

bool Gui::end_frame() {
    surface_.set_cursor(cursor_shape());
    ImGui::Render();
    const auto built = std::chrono::steady_clock::now();
    times_.build_ms = std::chrono::duration<double, std::milli>(built - times_.begin).count();
    if (surface_.events().pending()) {
        if (!undrawn_since_) undrawn_since_ = times_.begin;
        if (built - *undrawn_since_ < longest_undrawn) return false;
    }
    undrawn_since_.reset();
    const ImDrawData& data = *ImGui::GetDrawData();
    const bool draws = redraw_ || renderer_.differs(data, ui_.theme->window);
    if (draws) {
        surface_.begin_frame();
        renderer_.draw(data, ui_.theme->window, surface_.framebuffer_size());
        surface_.end_frame();
        redraw_ = false;
        times_.draw_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - built).count();
    }
    textures_.end_frame();
    return draws;
}

Image Gui::screenshot() {
    surface_.begin_frame();
    renderer_.draw(*ImGui::GetDrawData(), ui_.theme->window, surface_.framebuffer_size());
    return surface_.read_pixels();
}

double Gui::timeout() const {
    if (settle_frames_ > 0 || surface_.events().pending()) return 0;
    const ImGuiIO& io = ImGui::GetIO();
    double seconds = ui_.wake_after;
    if (io.WantTextInput) seconds = std::min(seconds, 0.5);
    if (io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2]) seconds = std::min(seconds, 1.0 / 30);
    return seconds;
}

}  // namespace ropewalk
