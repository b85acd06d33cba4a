#include "app/window/cards/export_card.h"

#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr Entry sights[] = {{"full colour vision", "No simulation."},
                            {"protanopia (no red cones)", "About 1 % of men."},
                            {"deuteranopia (no green cones)", "About 1 % of men; the weaker form is more common."},
                            {"tritanopia (no blue cones)", "Rare."},
                            {"greyscale", "Lightness only, as printed without colour."}};

}  // namespace

void ExportCard::open(std::optional<int> panel, Session& session) {
    figures_ = session.document.view.figures, panel_ = panel;
    experiment_ = session.exports.shown();
    if (ExportFormat& format = session.preferences.page.format; !panel_ && is_of_numbers(format))
        format = ExportFormat::svg;  // several figures are not one table
    pane_ = std::make_unique<PagePane>("export", session.computation.options());
}

Page ExportCard::page(const Session& session) const {
    const PageStyle& style = session.preferences.page;
    return panel_ ? session.exports.page_of({{figure()}}, style, experiment_)
                  : session.exports.page_of_all(style, experiment_);
}

bool ExportCard::draw(Ui& ui, Session& session, const Rect& area) {
    if (!is_open()) return false;
    const PageCard card(
        ui, {.id = "export", .title = "Export " + title(), .width = 980, .height = 620, .controls_width = 310}, area);
    draw_controls(ui, session, card.controls());
    pane_->draw(ui, page(session), session.preferences.page, static_cast<Sight>(sight_), card.page());

    card.begin_buttons();
    const bool can = !pane_->has_failed();
    bool accepted = button(ui, {.id = "export.accept", .label = "Export …", .enabled = can}, ButtonLook::chosen);
    ImGui::SameLine();
    if (card.draw_cancel("export.cancel")) close();
    accepted |= can && ui.take_key(Key::enter);
    if (is_open() && pane_->has_content()) pane_->draw_extent(ui, session.preferences.page, card.page().right());
    return accepted;
}

void ExportCard::draw_figure_choice(Ui& ui) {
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < figures_.size(); ++i) titles.push_back(title_among(figures_, i));
    std::vector<Entry> entries;
    for (const std::string& title : titles) entries.push_back({.title = title});
    int chosen = *panel_;
    combo(ui,
          {.id = "export.figure",
           .label = "Figure",
           .help = {.title = "Figure", .text = "Choose which of the window's figures to export."}},
          entries, chosen, chosen);
    panel_ = chosen;
}

void ExportCard::draw_controls(Ui& ui, Session& session, const Rect& rect) {
    compat::begin_child("page", compat::vector({rect.width, rect.height}));
    if (panel_ && session.document.view.panels_in_sight() > 1) draw_figure_choice(ui);
    PageStyle& style = session.preferences.page;
    const bool of_numbers = is_of_numbers(style.format);
    const PageControls controls{.usual = Preferences{}.page,
                                .prefix = "page.",
                                .figures = panel_ ? 1 : session.document.view.panels_in_sight()};
    const ControlsState state = page_controls(ui, style, controls, [&](std::string_view field) {
        if (field == "color_bar" && panel_ && !has_color_bar(figure())) return false;
        const bool is_paper = style.paper.is_paper();
        if (field == "font" || field == "font_size") return is_paper && !of_numbers;
        if (is_paper && (field == "theme" || field == "title" || field == "caption" || field == "cursor")) return false;
        return field == "format" || !(of_numbers || (field == "scale" && style.format != ExportFormat::png));
    });
    session.notices.complain(state.rejected);
    if (!of_numbers) {
        section(ui, "Preview");
        combo(
            ui,
            {.id = "export.sight",
             .label = "Preview as",
             .help =
                 {.title = "Preview as",
                  .text =
                      "Simulate a colour-vision deficiency or greyscale printing. The exported file keeps its colours.",
                  .source = "Machado, Oliveira and Fernandes 2009"}},
            sights, sight_);
        if (session.document.before())
            note(ui,
                 "Grey curves of the state before the last change are not exported. To export the comparison, undo the "
                 "change, set a reference (R) and make the change again.");
    }
    ImGui::EndChild();
}

}  // namespace ropewalk
