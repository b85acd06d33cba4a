#include "app/window/main_window/sidebar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/text/caption.h"
#include "app/plot/fonts.h"
#include "app/window/main_window/commands.h"
#include "app/window/main_window/presenter_strip.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"
#include "app/window/widgets/widgets.h"
#include "core/experiment/conform.h"

namespace ropewalk {
namespace {

constexpr double controls_padding = 12;  // logical pixels

}  // namespace

Rect Sidebar::draw(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& work) {
    Document& document = window_.session.document;
    double fraction = document.view.layout.sidebar * ui.scale / work.width;
    const double min = std::min(0.6, 240 * ui.scale / work.width),
                 max = std::max(min, std::min(0.6, 480 * ui.scale / work.width));
    const SplitterState split = splitter(ui,
                                         {.id = "split.sidebar",
                                          .area = work,
                                          .default_fraction = Layout{}.sidebar * ui.scale / work.width,
                                          .min = min,
                                          .max = max},
                                         fraction);
    // In a narrow window the sidebar is drawn narrower than it can be saved.
    const double width = std::clamp(fraction * work.width / ui.scale, Layout::min_sidebar, Layout::max_sidebar);
    if (split.changed) document.resize([&](Layout& layout) { layout.sidebar = width; });
    if (split.is_let_go) document.end_gesture();
    draw_controls(ui, lesson, lit, lesson.draw_above(ui, split.first, split.second.width));
    return split.second;
}

void Sidebar::draw_controls(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& rect) {
    ImGui::SetCursorScreenPos(compat::vector({rect.x + ui.px(controls_padding), rect.y + ui.px(6)}));
    // A scroll bar is in the margin, apart from the controls, which keep their width.
    const double padding = ui.px(controls_padding);
    ImGui::SetNextWindowContentSize(compat::vector({std::max(1.0, rect.width - 2 * padding), 0}));
    compat::begin_child("sidebar", compat::vector({rect.width - padding, rect.height - ui.px(12)}));
    ui.labels_above = true;
    const std::size_t first = ui.registry.all().size();
    std::vector<std::string> revealed = lit;
    revealed.push_back(lesson.pointed_control());
    Session& session = window_.session;
    if (std::exchange(scenes_opened_, session.document.scenes_opened()) != scenes_opened_) {
        ImGui::SetScrollY(0);
        held_place_.reset();
    }
    draw_training(ui);
    draw_badge(ui);
    Folds folds(session.preferences.folded);
    edit_experiment(ui, Place::column,
                    [&](Experiment& edited) { return experiment_controls(ui, edited, folds, revealed); });
    const Figure& main = session.document.view.figures.front();
    const bool is_main = std::any_of(revealed.begin(), revealed.end(), [&](const std::string& path) {
        return path.starts_with(fmt::format("{}.", id_of(main)));
    });
    if (folds.heading(ui, "Display", title_of(main), is_main)) {
        if (!has_controls(main))
            note(ui, "This figure has no options.");
        else if (const auto swept = option_controls(ui, session, 0); !swept.empty())
            window_.cards.sweep(swept, 0);
    }
    ui.labels_above = false;
    hold_focused(ui, first);
    lesson.bring_into_sight(ui);
    ImGui::EndChild();
    lesson.draw_ring(ui, rect);
    for (const std::string& path : lit)
        if (const RegisteredWidget* widget = ui.registry.find(path)) ring_around(ui, widget->with_label(), rect);
}

void Sidebar::hold_focused(Ui& ui, std::size_t first) {
    const auto& all = ui.registry.all();
    const auto widget = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                     [&](const auto& each) { return each.id == ui.interaction.focused; });
    const double scrolled = ImGui::GetScrollY();
    if (widget == all.end()) return held_place_.reset();
    const double place = widget->rect.y - static_cast<double>(ImGui::GetWindowPos().y) + scrolled;
    const bool is_same = held_place_ && held_place_->first == widget->id;
    if (const double moved = is_same ? place - held_place_->second : 0; moved != 0) {
        ImGui::SetScrollY(static_cast<float>(scrolled + moved));
        ui.wake_after = 0;
    }
    if (is_same || widget->visible)
        held_place_.emplace(widget->id, place);
    else
        held_place_.reset();
}

void Sidebar::draw_training(Ui& ui) {
    const Session& session = window_.session;
    const std::string description = session.training.description();
    if (!trained_head_of(session.document.experiment().construction) || description.empty()) return;
    note(ui, description);
    const auto offer = [&](const char* command_id, const char* label, ButtonLook look = ButtonLook::filled) {
        const Command& command = *find_command(command_id);
        const Obstacle obstacle = command.obstacle_in(window_);
        const std::string id = std::string("sidebar.") + command.id;
        const Control control{.id = id, .label = label, .help = command.help_of_button(obstacle), .enabled = !obstacle};
        if (button(ui, control, look)) run(command, window_);
        ImGui::SameLine();
    };
    const LiveTraining::State state = session.training.state();
    if (state == LiveTraining::State::training) offer("train", "Pause");
    if (state == LiveTraining::State::paused) offer("train", "Resume", ButtonLook::chosen);
    if (state != LiveTraining::State::done) offer("train_one_step", "Step");
    offer("train_again", "Restart");
    offer("training_runs", "Runs");
    ImGui::NewLine();
    ImGui::Dummy({0, ui.px(8)});
}

void Sidebar::draw_badge(Ui& ui) {
    Document& document = window_.session.document;
    const Experiment& now = document.experiment();
    const Experiment trained = as_trained(now);
    if (trained == now) return;
    note(ui, fmt::format("Trained with {}.", caption_of(trained, differing_paths(now, trained))));
    if (button(ui, {.id = "as_trained", .label = "Restore"})) document.edit(trained, Gesture::complete);
    ImGui::Dummy({0, ui.px(4)});
}

void Sidebar::edit_experiment(Ui& ui, Place place, const std::function<ControlsState(Experiment& edited)>& draw) {
    Document& document = window_.session.document;
    Notices& notices = window_.session.notices;
    // While Shift shows the reference, the controls show its values, which cannot be edited.
    const bool is_of_reference = window_.session.other_on_shift() == Other::reference && ui.modifiers.shift &&
                                 !is_held_ && ui.input.keys.empty() && !ImGui::IsAnyMouseDown();
    Experiment edited = is_of_reference ? *document.reference() : document.experiment();
    const ControlsState state = draw(edited);
    const int last_notice = notices.current().number;
    const bool was_held_here = is_held_ && held_in_ == place;
    was_drawn_ |= was_held_here || state.held;
    if (!is_of_reference) document.edit(edited, state.held ? Gesture::ongoing : Gesture::complete);
    const bool is_refused = notices.current().number != last_notice;
    if (is_refused) refuse(ui, state.touched, notices.current().sentence);
    if (was_held_here && !state.held) {
        document.end_gesture();
        is_held_ = false;
    }
    if (state.held) is_held_ = true, held_in_ = place;
    notices.complain(state.rejected);
    if (!is_refused && state.rejected.empty() && !state.rounded.empty()) notices.notify(state.rounded);
    if (!state.context.empty()) menu_.open(ui, state.context);
}

void Sidebar::release_hidden() {
    if (is_held_ && !was_drawn_) {
        window_.session.document.end_gesture();
        is_held_ = false;
    }
    was_drawn_ = false;
}

void Sidebar::draw_strip(Ui& ui, const std::vector<std::string>& paths, const Rect& rect) {
    fill(ui, rect, ui.theme->window, 0);
    fill(ui, {rect.x, rect.y, rect.width, std::max(1.0f, std::round(ui.px(1)))}, ui.theme->panel_border, 0);
    ui.labels_above = ui.is_large = true;
    const auto count = static_cast<int>(paths.size());
    edit_experiment(ui, Place::strip, [&](Experiment& edited) {
        ControlsState all;
        for (int i = 0; i < count; ++i) {
            const std::string& path = paths[static_cast<std::size_t>(i)];
            const Rect place = place_in_strip(ui, rect, i, count);
            ImGui::SetCursorScreenPos(compat::vector({place.x, place.y}));
            compat::begin_child(path.c_str(), compat::vector({place.width, place.height}),
                                ImGuiWindowFlags_NoScrollbar);
            all.include(experiment_control(ui, edited, path));
            ImGui::EndChild();
        }
        return all;
    });
    ui.labels_above = ui.is_large = false;
    ui.registry.add({.id = "strip", .label = "", .rect = rect});
}

void Sidebar::draw_pointed_control(Ui& ui, const std::string& path, const Rect& rect) {
    panel_background(ui, rect);
    const double padding = ui.px(controls_padding);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + padding, rect.y + padding}));
    compat::begin_child("pointed", compat::vector({rect.width - 2 * padding, rect.height - 2 * padding}));
    edit_experiment(ui, Place::pointed, [&](Experiment& edited) { return experiment_control(ui, edited, path); });
    const double needed = std::ceil(static_cast<double>(ImGui::GetCursorPosY()) + 2 * padding);
    if (std::abs(needed - pointed_height_) > 1) pointed_height_ = needed, ui.wake_after = 0;
    ImGui::EndChild();
}

}  // namespace ropewalk
