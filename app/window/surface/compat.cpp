#include "app/window/surface/compat.h"

#include <imgui_internal.h>

namespace ropewalk::compat {

void abandon_frame() {
    if (!GImGui->WithinFrameScope) return;
    ImGui::ErrorCheckEndFrameRecover(nullptr);
    ImGui::EndFrame();
}

void forget_edits(ImGuiID text) {
    if (ImGuiInputTextState* const state = ImGui::GetInputTextState(text)) state->ID = 0;
}

}  // namespace ropewalk::compat
