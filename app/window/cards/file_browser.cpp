#include "app/window/cards/file_browser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr double browser_width = 560, browser_height = 470;
constexpr double around_label = 20;
constexpr std::size_t most_folders = 5;
constexpr const char* folder_above = "..";
constexpr std::string_view row_prefix = "file.";

/// Returns whether a name's ending looks like a format, as in "a.gif", unlike "alpha0.1" and "figure.v2".
bool names_a_format(const std::filesystem::path& file) {
    const std::string extension = extension_of(file.string());
    return !extension.empty() &&
           std::all_of(extension.begin(), extension.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::filesystem::path with_home(const std::string& name) {
    const char* home = std::getenv("HOME");
    if (!home || !(name == "~" || name.starts_with("~/"))) return name;
    return std::filesystem::path(home) / name.substr(std::min<std::size_t>(2, name.size()));
}

}  // namespace

void FileBrowser::ask(FileQuestion question, const std::filesystem::path& start,
                      const std::vector<std::filesystem::path>& places) {
    question_ = std::move(question);
    name_ = question_.name;
    replacement_.withdraw();
    open_ = true;
    std::error_code error;
    places_.clear();
    if (const char* home = std::getenv("HOME")) places_.emplace_back(home);
    for (const std::filesystem::path& place : places)
        if (places_.size() < most_folders && std::filesystem::is_directory(place, error) &&
            std::find(places_.begin(), places_.end(), place) == places_.end())
            places_.push_back(place);
    const std::filesystem::path& last = start.empty() ? folder_ : start;
    enter(std::filesystem::is_directory(last, error) ? last : std::filesystem::current_path(error));
}

void FileBrowser::ask_to_replace(const std::filesystem::path& file, std::string sentence) {
    std::error_code error;
    const auto folder = std::filesystem::weakly_canonical(file.parent_path(), error);
    replacement_question({folder / file.filename()});
    complain(std::move(sentence));
}

std::optional<std::string> FileBrowser::take(const std::filesystem::path& chosen) {
    enter(chosen.parent_path());
    name_ = chosen.filename().string();
    std::error_code error;
    if (std::filesystem::exists(folder_ / name_, error))  // its replacement was asked and confirmed there
        replacement_question({folder_ / name_});
    return accept();
}

std::string FileBrowser::replacement_question(const std::vector<std::filesystem::path>& files) {
    std::string paths;
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) {
        paths += file.string() + '\0';
        names.push_back(file.filename().string());
    }
    return replacement_.question(paths, names);
}

void FileBrowser::complain(std::string sentence) {
    complaint_ = std::move(sentence);
    starts_naming_ = true;
}

bool FileBrowser::is_of_kind(const std::filesystem::path& file) const {
    const std::string extension = "." + extension_of(file.string());
    return std::find(question_.extensions.begin(), question_.extensions.end(), extension) != question_.extensions.end();
}

bool FileBrowser::is_opened(const std::filesystem::path& folder) const {
    std::error_code error;
    return !question_.folder_marker.empty() && std::filesystem::exists(folder / question_.folder_marker, error);
}

void FileBrowser::enter(const std::filesystem::path& folder) {
    std::error_code error;
    const std::vector<std::string> names = names_in(folder, error);
    if (error) return complain(fmt::format("{}: {}", folder.string(), error.message()));
    complaint_.clear();
    starts_naming_ = true;
    folder_ = std::filesystem::weakly_canonical(folder, error);
    std::vector<std::string> folders, files;
    for (const std::string& name : names) {
        if (name.starts_with('.')) continue;
        if (std::filesystem::is_directory(folder / name, error))
            folders.push_back(name);
        else if (is_of_kind(folder / name))
            files.push_back(name);
    }
    std::sort(folders.begin(), folders.end());
    std::sort(files.begin(), files.end());
    rows_.clear();
    if (folder_.has_parent_path() && folder_ != folder_.root_path()) rows_.emplace_back(folder_above);
    for (const std::string& name : folders) rows_.push_back(name + "/");
    rows_.insert(rows_.end(), files.begin(), files.end());
}

std::optional<std::string> FileBrowser::accept() {
    std::error_code error;
    if (name_.find_first_not_of(' ') == name_.npos) {
        if (is_opened(folder_)) return folder_.string();
        return complain(
                   question_.folder_marker.empty()
                       ? "Enter a file name first"
                       : fmt::format("This folder has no {}; choose a folder that has one", question_.folder_marker)),
               std::nullopt;
    }
    const std::filesystem::path path = folder_ / with_home(name_);
    if (std::filesystem::is_directory(path, error)) {
        if (is_opened(path)) return (path / "").lexically_normal().parent_path().string();
        enter(path);
        name_ = question_.name;
        return std::nullopt;
    }
    if (question_.kind == FileQuestion::Kind::save) return accept_to_save(path);
    if (!std::filesystem::exists(path, error))
        return complain(name_.find('/') == name_.npos
                            ? fmt::format("There is no file '{}' in this folder", name_)
                            : fmt::format("There is no file '{}'", path.lexically_normal().string())),
               std::nullopt;
    return path.string();
}

std::optional<std::string> FileBrowser::accept_to_save(std::filesystem::path path) {
    std::error_code error;
    if (!is_of_kind(path)) {
        if (names_a_format(path))
            return complain(fmt::format("'{}' ends in {}; the name must end in {}", name_, path.extension().string(),
                                        fmt::join(question_.extensions, " or "))),
                   std::nullopt;
        path += question_.extensions.front();
    }
    std::vector<std::filesystem::path> replaced{path};
    if (question_.written_beside) replaced.emplace_back(question_.written_beside(path.string()));
    std::erase_if(replaced, [&](const auto& file) { return file.empty() || !std::filesystem::exists(file, error); });
    if (replaced.empty()) return path.string();
    std::string question = replacement_question(replaced);
    if (question.empty()) return path.string();
    complain(std::move(question));
    return std::nullopt;
}

std::optional<std::filesystem::path> FileBrowser::draw_places(Ui& ui) const {
    std::optional<std::filesystem::path> chosen;
    const char* home = std::getenv("HOME");
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::string label = home && places_[i] == home ? "Home" : places_[i].filename().string();
        const double width =
            measure_text(label, text_size_of(ButtonLook::filled), Weight::regular).width + around_label;
        if (i > 0) ImGui::SameLine();
        if (i > 0 && ImGui::GetContentRegionAvail().x < ui.px(width)) {
            ImGui::NewLine();
            break;
        }
        const std::string id = fmt::format("file.place{}", i + 1);
        const Control control{.id = id, .label = label, .help = {.text = places_[i].string()}};
        if (button(ui, control, ButtonLook::filled, around_label)) chosen = places_[i];
    }
    return chosen;
}

bool FileBrowser::draw_row(Ui& ui, const std::string& label) const {
    const bool is_chosen = label == name_, is_folder = label == folder_above || label.ends_with('/');
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, ui.px(row_height)};
    const bool pressed = compat::invisible_button(label.c_str(), size);
    const Rect rect{at.x, at.y, size.x, size.y};
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                                  compat::color(ui.theme->control_hovered), ui.px(4));
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {at.x + ui.px(8), at.y + size.y / 2}, label,
                  {.size = ui.theme->label_size,
                   .color = is_folder   ? ui.theme->text_dim
                            : is_chosen ? ui.theme->accent
                                        : ui.theme->text});
    const std::string id = std::string(row_prefix) + label;
    const KeyPlace place = key_place(ui, id, rect);
    ui.registry.add({.id = id,
                     .label = label,
                     .rect = rect,
                     .visible = middle_is_in_sight(rect),
                     .takes_focus = place.takes_focus});
    return pressed || place.is_pressed;
}

std::optional<std::string> FileBrowser::draw_list(Ui& ui, float height) {
    std::string pressed;
    compat::begin_child("files", {0, height});
    const ImVec2 first = ImGui::GetCursorScreenPos();
    const float between = ImGui::GetStyle().ItemSpacing.y, pitch = std::floor(ui.px(row_height) + between);
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const std::string_view focus = ui.interaction.focused;
    const std::ptrdiff_t count = std::ssize(rows_),
                         focused = std::find(rows_.begin(), rows_.end(),
                                             focus.substr(focus.starts_with(row_prefix) ? row_prefix.size() : 0)) -
                                   rows_.begin();
    if (count > 0) ImGui::Dummy({0, static_cast<float>(count) * pitch - between});
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        // Draws only the rows in sight and those that Tab can reach next, because a list may be very long.
        const float y = first.y + static_cast<float>(i) * pitch;
        const bool is_in_sight = y + pitch > top && y < bottom;
        if (!is_in_sight && i > 0 && i + 1 < count && std::abs(i - focused) > 1) continue;
        ImGui::SetCursorScreenPos({first.x, y});
        const std::string& label = rows_[static_cast<std::size_t>(i)];
        if (draw_row(ui, label)) pressed = label;
    }
    if (rows_.empty() || rows_.back() == folder_above) note(ui, "This folder has no files of this type.");
    ImGui::EndChild();
    if (pressed.empty()) return std::nullopt;
    if (pressed == folder_above) return enter(folder_.parent_path()), std::nullopt;
    if (pressed.ends_with('/')) return enter(folder_ / pressed.substr(0, pressed.size() - 1)), std::nullopt;
    name_ = pressed;
    return question_.kind == FileQuestion::Kind::open ? accept() : std::nullopt;
}

std::optional<std::string> FileBrowser::draw(Ui& ui, const Rect& area) {
    if (!open_) return std::nullopt;
    std::optional<std::string> chosen;
    const Card card(ui, "file browser",
                    in_the_middle(area.inset(ui.px(16)), ui.px(browser_width), ui.px(browser_height)));
    const bool was_refused = starts_naming_ && !complaint_.empty();
    if (std::exchange(starts_naming_, false)) ui.interaction.wants_editing = "file.name";
    section(ui, question_.title);
    note(ui, folder_.string());
    if (const auto place = draw_places(ui)) enter(*place);
    constexpr double name_and_buttons = 66, above_complaint = 12;  // logical pixels
    const auto room = static_cast<double>(ImGui::GetContentRegionAvail().x) / ui.scale;
    const auto lines = static_cast<double>(paragraphs(complaint_, room, text_size, Weight::regular).size());
    const double below = name_and_buttons + (complaint_.empty() ? 0 : above_complaint + lines * paragraph_line);
    chosen = draw_list(ui, std::max(1.0f, ImGui::GetContentRegionAvail().y - ui.px(below)));
    const WidgetState name = text_input(ui, {.id = "file.name", .label = "File name"}, name_);
    if (name.changed) replacement_.withdraw();
    const bool replaces = replacement_.is_asked();
    const char* action = question_.kind == FileQuestion::Kind::open ? "Open" : replaces ? "Replace" : "Save";
    bool accepted = button(ui, {.id = "file.accept", .label = action}, ButtonLook::chosen);
    ImGui::SameLine();
    if (button(ui, {.id = "file.cancel", .label = "Cancel"}) || name.left_by == Key::escape || ui.take_key(Key::escape))
        open_ = false;
    accepted |= name.left_by == Key::enter || ui.take_key(Key::enter);
    if (accepted && !chosen) chosen = accept();
    if (!complaint_.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        complaint(ui, complaint_);
        if (was_refused) ImGui::SetScrollHereY(1);  // in a low window the card scrolls
        ui.registry.add({.id = "file.complaint",
                         .label = "",
                         .rect = {at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(18)},
                         .value = complaint_});
    }
    return chosen;
}

}  // namespace ropewalk
