#include "app/window/surface/compat.h"

#include <imgui_internal.h>

namespace ropewalk::compat {

void abandon_frame() {
    ImGui::ErrorCheckEndFrameRecover(nullptr);
    ImGui::EndFrame();
}

}  // namespace ropewalk::compat
