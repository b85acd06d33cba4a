#include "app/window/leave_card.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/window/row.h"

namespace ropewalk {
namespace {

constexpr double leave_card_width = 420, beside_sentence = 24, around_sentence = 100;  // logical pixels

}  // namespace

void LeaveCard::ask(std::string title) {
    title_ = std::move(title);
    open_ = true;
}

LeaveCard::Answer LeaveCard::draw(Ui& ui, const Rect& area) {
    if (!open_) return Answer::none;
    const std::string sentence = fmt::format("What was changed in '{}' is in no file yet.", title_);
    const auto lines = paragraphs(sentence, leave_card_width - beside_sentence, text_size, Weight::regular).size();
    const Card card(ui, "leave",
                    in_the_middle(area, ui.px(leave_card_width),
                                  ui.px(around_sentence + paragraph_line * static_cast<double>(lines))));
    section(ui, "Close without saving?");
    note(ui, sentence);
    ui.registry.add({.id = "leave.sentence", .label = "", .value = sentence});
    ImGui::Dummy({0, ui.px(4)});
    Answer answer = Answer::none;
    if (button(ui, {.id = "leave.save", .label = "Save"}, ButtonLook::chosen) || ui.take_key(Key::enter))
        answer = Answer::save;
    ImGui::SameLine();
    if (button(ui, {.id = "leave.discard", .label = "Discard and close"}, ButtonLook::warning))
        answer = Answer::discard;
    ImGui::SameLine();
    const bool stays =
        button(ui, {.id = "leave.cancel", .label = "Cancel"}) || card.clicked_outside() || ui.take_key(Key::escape);
    open_ = answer == Answer::none && !stays;
    return answer;
}

}  // namespace ropewalk
