#include "app/window/cards/name_card.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/widgets/row.h"
#include "core/text/split.h"

namespace ropewalk {
namespace {

constexpr double name_card_width = 440, name_card_height = 104, complaint_line = 18, above_complaint = 12,
                 card_sides = 24;

}  // namespace

void NameCard::ask(NameQuestion question) {
    question_ = std::move(question);
    name_ = question_.name;
    complaint_.clear();
    replacement_.withdraw();
    open_ = starts_typing_ = true;
}

std::optional<std::string> NameCard::accept() {
    const std::string name(trimmed(name_, " "));
    const auto& taken = question_.taken;
    if (name == question_.name || std::find(taken.begin(), taken.end(), name) == taken.end()) return name;
    std::string question = replacement_.question(name, {name});
    if (question.empty()) return name;
    complain(std::move(question));
    return std::nullopt;
}

std::optional<std::string> NameCard::draw(Ui& ui, const Rect& area) {
    if (!open_) return std::nullopt;
    const auto lines = paragraphs(complaint_, name_card_width - card_sides, text_size, Weight::regular).size();
    const Card card(ui, "name",
                    in_the_middle(area, ui.px(name_card_width),
                                  ui.px(name_card_height + (lines > 0 ? above_complaint : 0) +
                                        complaint_line * static_cast<double>(lines))));
    if (std::exchange(starts_typing_, false)) ui.interaction.wants_editing = "name.text";
    section(ui, question_.title);
    const WidgetState typing = text_input(ui, {.id = "name.text", .label = "Name"}, name_);
    if (typing.changed) {
        replacement_.withdraw();
        complaint_.clear();
    }
    const char* action = replacement_.is_asked() ? "Replace" : question_.name.empty() ? "Save" : "Rename";
    bool accepted = button(ui, {.id = "name.accept", .label = action}, ButtonLook::chosen);
    ImGui::SameLine();
    if (card.draw_cancel("name.cancel") || typing.left_by == Key::escape) close();
    accepted |= typing.left_by == Key::enter || ui.take_key(Key::enter);
    std::optional<std::string> name;
    if (accepted) name = accept();
    starts_typing_ = accepted && !name;
    if (!complaint_.empty()) note(ui, complaint_);
    ui.registry.add({.id = "name.complaint", .label = "", .value = complaint_});
    return name;
}

}  // namespace ropewalk
