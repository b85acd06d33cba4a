#include "app/window/panels/blending.h"

#include <algorithm>
#include <utility>

namespace ropewalk {

void Blending::follow(const PanelContext& panel, const std::shared_ptr<const Results>& results, bool is_still) {
    constexpr double duration = 0.2;  // seconds
    const bool is_same_kind = figure_ && figure_->index() == panel.figure().index();
    figure_ = panel.figure();
    const std::shared_ptr<const Results> before = std::exchange(to_, results);
    const bool is_other_head =
        before && results && before != results && !(before->request.experiment == results->request.experiment);
    if (is_other_head && is_same_kind) from_ = before, begun_ = ImGui::GetTime();
    if (is_still || !results || !is_same_kind || panel.session.preferences.reduced_motion ||
        panel.session.document.is_dragging() || panel.player.is_playing())
        from_.reset();
    const double time = std::clamp((ImGui::GetTime() - begun_) / duration, 0.0, 1.0);
    share_ = time * time * (3 - 2 * time);
    if (share_ == 1) from_.reset();
    if (!from_) return;
    panel.ui.is_moving = true;
    panel.ui.wake_after = 0;
}

}  // namespace ropewalk
