#include "app/window/cards/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

constexpr double picture_width = 224, picture_height = 144, around_picture = 6, title_height = 16, item_gap = 8,
                 item_width = picture_width + 2 * around_picture,
                 item_height = picture_height + 2 * title_height + 3 * around_picture, gallery_padding = 12,
                 max_height = 940, min_margin = 16;  // logical pixels
constexpr int most_across = 6, title_lines = 2, rows_of_a_page = 3;
constexpr const char *recent_group = "Recent", *last_group = "More";
constexpr std::string_view file_prefix = "file.", scene_prefix = "scene.";

/// Returns "Barbero et al." for "Barbero et al., Fig. 2a: all ones": the source or topic of the scene.
std::string source_of(const std::string& title) {
    return title.substr(0, title.find_first_of(",:"));
}

/// Returns the rest of the title, capitalised.
std::string rest_of_title(const std::string& title) {
    const std::size_t end = title.find_first_of(",:"), begin = title.find_first_not_of(",: ", end);
    if (end == title.npos || begin == title.npos) return title;
    std::string rest = title.substr(begin);
    if (rest[0] >= 'a' && rest[0] <= 'z') rest[0] = static_cast<char>(rest[0] - 'a' + 'A');
    return rest;
}

/// Returns at most `most` lines; the last one is cut if there are more.
std::vector<std::string> few_lines(const Ui& ui, const std::string& text, double width, std::size_t most) {
    std::vector<std::string> lines = paragraphs(text, width, text_size, Weight::regular);
    while (lines.size() > most) {
        const std::string last = std::move(lines.back());
        lines.pop_back();
        lines.back() += " " + last;
    }
    for (std::string& line : lines) line = fitted(ui, line, width);
    return lines;
}

}  // namespace

void Gallery::close() {
    Finder::close();
    thumbnails_.rest();
}

void Gallery::open(std::vector<PaletteEntry> entries, std::string current) {
    items_.clear();
    thumbnails_.retry_untrained();
    for (const PaletteEntry& entry : entries) {
        const bool is_file = entry.id.starts_with(file_prefix);
        const std::string scene = entry.id.substr(is_file ? file_prefix.size() : scene_prefix.size());
        const std::string source = source_of(entry.title);
        const auto of_source = std::count_if(entries.begin(), entries.end(), [&](const PaletteEntry& other) {
            return !other.id.starts_with(file_prefix) && source_of(other.title) == source;
        });
        const bool is_grouped = !is_file && of_source > 1;
        std::error_code gone;  // drawing it reports the error
        const auto written = std::filesystem::last_write_time(is_file ? scene : bundled_scene_path(scene), gone);
        items_.push_back({.group = is_file      ? recent_group
                                   : is_grouped ? source
                                                : last_group,
                          .title = is_grouped ? rest_of_title(entry.title) : entry.title,
                          .thumbnail = {.scene = scene, .written = written}});
    }
    Finder::open(std::move(entries), std::move(current));
    const int selected = at_;
    arrange();
    if (selected >= 0 && is_current(selected)) select(selected);
}

void Gallery::arrange() {
    groups_.clear();
    for (const int index : found_) {
        const std::string& title = items_[static_cast<std::size_t>(index)].group;
        auto group =
            std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) { return other.title == title; });
        if (group == groups_.end()) group = groups_.insert(groups_.end(), {title, {}});
        group->items.push_back(index);
    }
    std::stable_partition(groups_.begin(), groups_.end(), [](const Group& group) { return group.title != last_group; });
    // Without words, the first item of the first group is selected.
    if (words_.empty() && !groups_.empty()) select(groups_.front().items.front());
}

void Gallery::take_keys(Ui& ui) {
    for (const auto& [key, down, across] :
         {std::tuple{Key::left, 0, -1}, std::tuple{Key::right, 0, 1}, std::tuple{Key::up, -1, 0},
          std::tuple{Key::down, 1, 0}, std::tuple{Key::page_up, -rows_of_a_page, 0},
          std::tuple{Key::page_down, rows_of_a_page, 0}}) {
        if (!ui.take_key_at_all(key) || rows_.empty()) continue;
        int row = 0, column = 0, place = 0;  // the place counts items row by row
        std::vector<int> all;
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t c = 0; c < rows_[r].size(); ++c) {
                if (rows_[r][c] == at_)
                    row = static_cast<int>(r), column = static_cast<int>(c), place = static_cast<int>(all.size());
                all.push_back(rows_[r][c]);
            }
        if (across != 0) {
            select(all[static_cast<std::size_t>(std::clamp(place + across, 0, static_cast<int>(all.size()) - 1))]);
        } else {
            const auto& other =
                rows_[static_cast<std::size_t>(std::clamp(row + down, 0, static_cast<int>(rows_.size()) - 1))];
            select(other[std::min(static_cast<std::size_t>(column), other.size() - 1)]);
        }
    }
}

std::optional<std::string> Gallery::draw(Ui& ui, const Rect& area, bool is_busy) {
    if (!is_open()) return std::nullopt;
    const double scroll_bar = static_cast<double>(ImGui::GetStyle().ScrollbarSize),
                 around = 2 * ui.px(gallery_padding) + scroll_bar, item_pitch = ui.px(item_width + item_gap);
    const double most = std::floor((area.width - 2 * ui.px(min_margin) - around + ui.px(item_gap)) / item_pitch);
    const int columns = static_cast<int>(std::clamp<double>(most, 1, most_across));
    const double width = columns * item_pitch - ui.px(item_gap) + around,
                 height = std::min<double>(ui.px(max_height), area.height - ui.px(min_margin));
    const Rect rect = in_the_middle(area, width, height);
    const Card card(ui, "gallery", rect);
    draw_heading(ui, rect);
    for (const Key key : {Key::left, Key::right})
        compat::hide_key(ImGui::GetIO(), key);  // they move from scene to scene
    const std::string before = words_;
    const Typing typing = draw_field(ui, card);
    if (words_ != before) arrange();
    take_keys(ui);
    ImGui::Dummy({0, ui.px(2)});
    compat::begin_child("scenes", {0, 0});
    std::optional<int> chosen = draw_groups(ui, columns);
    ImGui::EndChild();
    if (typing.is_entered && at_ >= 0) chosen = at_;
    if (is_busy)
        thumbnails_.rest();
    else
        ui.wake_after = std::min(ui.wake_after, thumbnails_.draw(in_sight_));
    if (!chosen && typing.by_typing) focus_field();
    if (chosen || typing.is_left) close();
    return chosen ? std::optional(entry(*chosen).id) : std::nullopt;
}

void Gallery::draw_heading(Ui& ui, const Rect& card) const {
    const double y = static_cast<double>(ImGui::GetCursorScreenPos().y);
    section(ui, "Gallery");
    const std::size_t found = found_.size(), all = entries_.size();
    const std::string count =
        found == all ? fmt::format("{} scenes", found) : fmt::format("{} of {} scenes", found, all);
    text_in(ui, {card.x, y, card.width - ui.px(gallery_padding), ui.px(18)}, count, ui.theme->text_dim, Align::end);
}

std::optional<int> Gallery::draw_groups(Ui& ui, int columns) {
    std::optional<int> clicked;
    rows_.clear();
    in_sight_.clear();
    if (groups_.empty()) note(ui, "No matches.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(item_gap), ui.px(item_gap)});
    for (const Group& group : groups_) {
        section(ui, group.title);
        for (std::size_t i = 0; i < group.items.size(); ++i) {
            if (i % static_cast<std::size_t>(columns) == 0)
                rows_.emplace_back();
            else
                ImGui::SameLine();
            rows_.back().push_back(group.items[i]);
            if (draw_item(ui, group.items[i])) clicked = group.items[i];
        }
    }
    ImGui::PopStyleVar();
    scrolls_to_it_ = false;
    return clicked;
}

bool Gallery::draw_item(Ui& ui, int index) {
    Item& shown = items_[static_cast<std::size_t>(index)];
    const Theme& theme = *ui.theme;
    const auto [rect, clicked, hovered] =
        draw_area(ui, index, std::round(ui.px(item_width)), std::round(ui.px(item_height)));
    if (!ImGui::IsItemVisible()) return clicked;
    if (index == at_) fill(ui, rect, theme.control_hovered, 6);
    const double inset = std::round(ui.px(around_picture));
    const Rect picture{rect.x + inset, rect.y + inset, std::round(ui.px(picture_width)),
                       std::round(ui.px(picture_height))};
    shown.thumbnail.width = static_cast<int>(picture.width);
    shown.thumbnail.height = static_cast<int>(picture.height);
    shown.thumbnail.scale = ui.scale;
    in_sight_.push_back(shown.thumbnail);
    draw_picture(ui, index, picture);
    if (shown.lines.empty()) shown.lines = few_lines(ui, shown.title, picture_width, title_lines);
    lines_in(ui, {picture.x, picture.bottom() + inset, picture.width, ui.px(title_height)}, shown.lines,
             is_current(index) ? theme.accent : theme.text, Align::start);
    if (hovered) {
        const SceneThumbnail* thumbnail = thumbnails_.find(shown.thumbnail);
        const bool is_broken = thumbnail && !thumbnail->complaint.empty() && !thumbnail->awaits_training;
        const std::string& scene = shown.thumbnail.scene;
        const bool names_file = is_broken && thumbnail->complaint.starts_with(scene);
        tooltip(ui, entry(index).id,
                {.title = entry(index).title,
                 .text = is_broken ? thumbnail->complaint : entry(index).about,
                 .source = names_file ? std::string() : scene},
                rect);
    }
    return clicked;
}

void Gallery::draw_picture(Ui& ui, int index, const Rect& rect) {
    const Theme& theme = *ui.theme;
    const SceneThumbnail* thumbnail = thumbnails_.find(items_[static_cast<std::size_t>(index)].thumbnail);
    fill(ui, rect, theme.panel);
    std::string remark = "drawing …";
    if (thumbnail && thumbnail->complaint.empty()) {
        ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
        canvas.image({rect.x / ui.scale, rect.y / ui.scale, rect.width / ui.scale, rect.height / ui.scale},
                     thumbnail->in(theme));
        remark = "drawn";
    } else {
        if (thumbnail) remark = thumbnail->complaint;
        const double room = picture_width - 2 * gallery_padding;
        const auto lines = few_lines(ui, remark, room, 5);
        const double height = ui.px(title_height), y = rect.centre().y - height * static_cast<double>(lines.size()) / 2;
        lines_in(ui, {rect.x, y, rect.width, height}, lines, theme.text_dim, Align::middle);
    }
    outline(ui, rect, theme.panel_border);
    ui.registry.add({"thumbnail." + entry(index).id, "", rect, remark, middle_is_in_sight(rect)});
}

}  // namespace ropewalk
