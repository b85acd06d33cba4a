#include "app/window/cards/array_card.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double array_card_width = 480, array_card_height = 196, array_row = 34;  // logical pixels

}  // namespace

std::optional<ArrayQuestion> ArrayCard::draw(Ui& ui, const Rect& area) {
    if (!question_) return std::nullopt;
    const std::map<std::string_view, bool> asks{{"arrays.pairing", true},
                                                {"arrays.scale", true},
                                                {"arrays.layer", !question_->layers.empty()},
                                                {"arrays.head", reading_.heads > 1},
                                                {"arrays.batch", reading_.entries > 1}};
    const auto rows = std::count_if(asks.begin(), asks.end(), [](const auto& field) { return field.second; });
    const double height = array_card_height + array_row * static_cast<double>(rows - 2);
    const Card card(ui, "arrays", in_the_middle(area, ui.px(array_card_width), ui.px(height)));
    section(ui, fmt::format("Open {}", question_->names));
    const std::string layers = question_->layers.empty() ? "" : fmt::format(", layers {}", question_->layers);
    note(ui,
         fmt::format("Shape {}{}. The file does not say how channels pair up, nor how scores are scaled: check both.",
                     question_->shape, layers));
    group_controls(ui, reading_, question_->guess, "arrays.", [&](std::string_view path) { return asks.at(path); });
    ImGui::Dummy({0, ui.px(4)});
    const bool accepted =
        button(ui, {.id = "arrays.accept", .label = "Open"}, ButtonLook::chosen) || ui.take_key(Key::enter);
    ImGui::SameLine();
    const bool cancelled = card.draw_cancel("arrays.cancel");
    std::optional<ArrayQuestion> answered;
    if (accepted) {
        answered = question_;
        answered->guess = reading_;
    }
    if (accepted || cancelled) close();
    return answered;
}

}  // namespace ropewalk
