#include "app/window/cards/sweep_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/page/figure_titles.h"
#include "app/figures/parts/text/caption.h"
#include "app/window/session/video.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

bool SweepCard::open(const Session& session, const std::string& path, std::optional<int> panel) {
    const Experiment& experiment = session.document.experiment();
    const ConstGroupRef fields = panel ? ConstChoiceRef(session.document.view.figure(*panel)).fields() : experiment;
    auto sweep = sweep_over(fields, experiment.shape(), path);
    if (!sweep) return false;
    sweep->panel = panel;
    const std::string owner = panel ? id_of(session.document.view.figure(*panel)) : "";
    const bool is_other = std::exchange(owner_, owner) != owner || sweep->path != sweep_.path;
    if (is_other || sweep->panel != sweep_.panel) sweep_ = *sweep;
    if (panel) figure_ = *panel;
    usual_ = *sweep;
    walk_fields(fields, [&](const std::string& field_path, const Field& field, const auto&) {
        if (field_path == path) field_ = field;
    });
    pane_ = std::make_unique<PagePane>("sweep", session.computation.options());
    return true;
}

Page SweepCard::page(const Session& session) const {
    const PageStyle& style = session.preferences.video;
    const View& view = session.document.view;
    if (figure_ < view.panels())
        return session.exports.page_of({{.figure = view.figure(figure_), .panel = figure_}}, style);
    return session.exports.page_of_all(style);
}

Page SweepCard::first_page(const Session& session) const {
    return sweep_.check() ? page(session) : page_at(page(session), sweep_, 0);
}

void SweepCard::draw_end(Ui& ui, Session& session, const char* id, const char* label, double& value, double usual) {
    const double before = value;
    WidgetState widget =
        slider(ui,
               {.control = {.id = id, .label = label, .help = {.title = label, .text = "Set one end of the sweep."}},
                .unit = field_.unit,
                .min = usual_.from,
                .max = usual_.to,
                .logarithmic = usual_.spacing == Spacing::logarithmic,
                .default_value = usual},
               value);
    if (widget.rejected.empty() && widget.changed)
        if (const auto complaint = check_leaf(label, field_, value)) {
            value = before;
            widget.rejected = with_readable_numbers(*complaint);
            refuse(ui, id, widget.rejected);
        }
    session.notices.complain(widget.rejected);
}

void SweepCard::draw_video(Ui& ui, Session& session) {
    section(ui, "Video");
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < session.document.view.figures.size(); ++i)
        titles.push_back(title_among(session.document.view.figures, i));
    std::vector<Entry> figures;
    for (std::size_t i = 0; i < titles.size(); ++i)  // an option changes only its own figure
        figures.push_back({.title = titles[i], .enabled = !sweep_.panel || *sweep_.panel == static_cast<int>(i)});
    figures.push_back({"All figures"});
    figure_ = std::min(figure_, static_cast<int>(figures.size()) - 1);
    combo(ui,
          {.id = "sweep.figure",
           .label = "Shows",
           .help = {.title = "Shows", .text = "Choose what the video shows. In the window all figures play."}},
          figures, figure_);
    const bool of_all = figure_ == session.document.view.panels();
    const PageControls controls{.usual = Preferences{}.video,
                                .prefix = "video.",
                                .figures = of_all ? session.document.view.panels_in_sight() : 1};
    const ControlsState state = page_controls(ui, session.preferences.video, controls, [](std::string_view field) {
        return field == "scale" || field == "theme" || field.find('.') != field.npos;
    });
    session.notices.complain(state.rejected);
    note(ui, "The preview shows the first frame. All frames share the same axis and colour ranges.");
}

void SweepCard::draw_controls(Ui& ui, Session& session, const Rect& rect) {
    compat::begin_child("sweep controls", compat::vector({rect.width, rect.height}));
    draw_end(ui, session, "sweep.from", "From", sweep_.from, usual_.from);
    draw_end(ui, session, "sweep.to", "To", sweep_.to, usual_.to);
    const ControlsState state = group_controls(
        ui, sweep_, usual_, "sweep.", [](std::string_view path) { return path != "sweep.from" && path != "sweep.to"; });
    session.notices.complain(state.rejected);
    const auto complaint = sweep_.check();
    note(ui, complaint
                 ? *complaint
                 : fmt::format(
                       "{} steps, {} s. In the window, the sweep loops until you press Esc or Space. Undo restores the "
                       "value before the sweep.",
                       sweep_.steps, readable(sweep_.steps / sweep_.per_second, 3)));
    draw_video(ui, session);
    ImGui::EndChild();
}

SweepCard::Action SweepCard::draw(Ui& ui, Session& session, const Rect& area) {
    if (!is_open()) return Action::none;
    const PageCard card(ui,
                        {.id = "sweep",
                         .title = std::string("Sweep: ") + field_.label,
                         .width = 880,
                         .height = 520,
                         .controls_width = 400},
                        area);
    draw_controls(ui, session, card.controls());
    const auto complaint = sweep_.check();
    PageStyle& style = session.preferences.video;
    pane_->draw(ui, first_page(session), style, Sight::all_colors, card.page());

    card.begin_buttons();
    Action action = Action::none;
    const auto pressed = [&](const char* id, const char* label, const char* help, ButtonLook look) {
        return button(ui, {.id = id, .label = label, .help = {.title = label, .text = help}, .enabled = !complaint},
                      look);
    };
    if (pressed("sweep.play", "Play", "Play the sweep in the window, in a loop.", ButtonLook::chosen))
        action = Action::play;
    ImGui::SameLine();
    if (pressed("sweep.video", "Export …", "Export the sweep as GIF, MP4 or numbered images.", ButtonLook::filled))
        action = Action::video;
    ImGui::SameLine();
    if (card.draw_cancel("sweep.cancel")) close();
    if (!complaint && ui.take_key(Key::enter)) action = Action::play;
    if (action != Action::none) close();
    if (is_open() && pane_->has_content()) pane_->draw_extent(ui, style, card.page().right());
    return action;
}

}  // namespace ropewalk
