#include "app/window/cards/leave_card.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double leave_card_width = 420, beside_sentence = 24, around_sentence = 100,
                 below_sentence = 40;  // logical pixels

}  // namespace

void LeaveCard::ask(std::string sentence, Saving saving) {
    sentence_ = std::move(sentence);
    saving_ = saving;
    open_ = true;
}

LeaveCard::Answer LeaveCard::draw(Ui& ui, const Rect& area) {
    if (!open_) return Answer::none;
    const double width = std::min<double>(ui.px(leave_card_width), area.width);
    const auto lines = paragraphs(sentence_, width / ui.scale - beside_sentence, text_size, Weight::regular).size();
    const double height = std::round(ui.px(paragraph_line)) * static_cast<double>(lines);
    const Card card(ui, "leave", in_the_middle(area, width, ui.px(around_sentence) + height));
    section(ui, "Close Ropewalk?");
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    // In a low window the sentence scrolls, and the buttons stay in sight.
    const float shown = std::clamp(room.y - ui.px(below_sentence), 1.0f, static_cast<float>(std::max(1.0, height)));
    compat::begin_child("sentence", {0, shown});
    note(ui, sentence_);
    ImGui::EndChild();
    ui.registry.add({.id = "leave.sentence", .label = "", .rect = {at.x, at.y, room.x, shown}, .value = sentence_});
    ImGui::Dummy({0, ui.px(4)});
    Answer answer = Answer::none;
    const bool can_save = saving_ == Saving::possible;
    if (can_save) {
        if (button(ui, {.id = "leave.save", .label = "Save and close"}, ButtonLook::chosen)) answer = Answer::save;
        ImGui::SameLine();
    }
    const char* const close = saving_ == Saving::unneeded ? "Close" : "Discard and close";
    if (button(ui, {.id = "leave.discard", .label = close}, ButtonLook::warning)) answer = Answer::discard;
    ImGui::SameLine();
    const bool stays = card.draw_cancel("leave.cancel");
    // Checked after the buttons, which take the key if they have the focus.
    if (answer == Answer::none && !stays && can_save && ui.take_key(Key::enter)) answer = Answer::save;
    open_ = answer == Answer::none && !stays;
    return answer;
}

}  // namespace ropewalk
