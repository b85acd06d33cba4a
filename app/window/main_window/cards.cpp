#include "app/window/main_window/cards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "app/figures/page/page_caption.h"
#include "app/plot/export.h"
#include "app/window/session/video.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr auto scene_extension = ".ropewalk.json";  // the desktop recognises scenes by it

/// Returns the name that Ctrl+S proposes: that of the scene's file, or of the figure that contained the scene.
std::string proposed_name(const Scene& scene) {
    return (scene.path.empty() ? "scene" : title_of_file(scene.path)) + scene_extension;
}

FileQuestion question_of_saving(std::string name) {
    return {.title = "Save the scene",
            .kind = FileQuestion::Kind::save,
            .extensions = {scene_extension, ".json"},
            .name = std::move(name)};
}

/// Returns a sentence naming the scenes that were left with unsaved changes.
std::string sentence_about_unsaved(const std::vector<std::string>& left) {
    constexpr std::size_t most = 3;  // number of titles shown
    const std::size_t named = std::min(left.size(), most);
    std::string names =
        fmt::format("'{}'", fmt::join(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(named), "', '"));
    if (left.size() > named) names += fmt::format(" and {} more", left.size() - named);
    const bool is_one = left.size() == 1;
    return fmt::format("{} {} unsaved changes, which closing discards. Undo leads back to {}. ", names,
                       is_one ? "has" : "have", is_one ? "it" : "them");
}

}  // namespace

bool Cards::is_open() const {
    return palette.is_open() || gallery.is_open() || keys_sheet.is_open() || settings_card.is_open() ||
           runs_card.is_open() || name_card_.is_open() || export_card_.is_open() || sweep_card_.is_open() || dialog_ ||
           browser_.is_open() || leave_card_.is_open() || array_card_.is_open();
}

bool Cards::open(const std::vector<std::string>& files) {
    if (extension_of(files.front()) == "lesson") return tutor_.open_file(files.front());
    // What arrays mean is asked, never guessed in silence; a second one that is no array is not opened with it.
    const std::vector<std::string> arrays = leading_arrays(files);
    if (arrays.empty() && files.size() == 1 && may_be_model(files.front())) {
        session_.files.begin_model(files.front());
        return true;
    }
    if (arrays.empty()) return session_.files.open(files);
    return session_.notices.attempt([&] { array_card_.ask(session_.files.question_about(arrays)); });
}

void Cards::ask_what_to_open() {
    FileQuestion question{.title = "Open a scene, array, lesson or exported figure",
                          .extensions = {".json", ".npy", ".npz", ".safetensors", ".lesson"}};
    for (const FigureFormat& format : figure_formats) question.extensions.push_back(std::string(".") + format.id);
    ask_for_file(std::move(question), [this](const std::string& path) { return open({path}); });
}

void Cards::ask_which_model() {
    ask_for_file({.title = "Open a model: choose its folder or config.json",
                  .extensions = {".json", ".safetensors"},
                  .folder_marker = "config.json"},
                 [this](const std::string& path) {
                     session_.files.begin_model(path);
                     return true;
                 });
}

void Cards::save() {
    if (const std::string obstacle = session_.files.obstacle_to_saving(); !obstacle.empty())
        return session_.notices.complain(obstacle);
    const Scene& scene = session_.document.scene();
    if (!has_own_file(scene))
        ask_where_to_save();
    else if (session_.files.is_changed_elsewhere())
        ask_whether_to_replace();
    else if (!save_to(scene.path) && !session_.files.misses_file())
        ask_where_to_save_instead();
}

void Cards::ask_where_to_save() {
    if (const std::string obstacle = session_.files.obstacle_to_saving(); !obstacle.empty())
        return session_.notices.complain(obstacle);
    ask_for_file(question_of_saving(proposed_name(session_.document.scene())),
                 [this](const std::string& path) { return save_to(path); });
}

std::filesystem::path Cards::propose_own_file() {
    const std::string own = session_.document.scene().path;
    const std::string name = std::filesystem::path(own).filename().string();
    file_question_ = question_of_saving(name);
    if (const std::string extension = extension_of(name); extension != "json")
        file_question_.extensions.push_back("." + extension);
    use_path_ = [this, own](const std::string& path) {
        std::error_code gone;
        return save_to(std::filesystem::equivalent(path, own, gone) ? own : path);  // keeps the scene's title
    };
    const std::filesystem::path folder = folder_of(session_.document.scene());
    open_browser(folder);
    return folder / name;
}

void Cards::ask_whether_to_replace() {
    const std::filesystem::path own = propose_own_file();
    browser_.ask_to_replace(own, fmt::format("'{}' has changed since you opened or saved this scene. Press Replace to "
                                             "discard those changes, or enter another name.",
                                             own.filename().string()));
}

void Cards::ask_where_to_save_instead() {
    propose_own_file();
    browser_.complain(session_.notices.current().sentence);
}

void Cards::ask_layout_name(const std::string& renamed) {
    renamed_layout_ = renamed;
    name_card_.ask({.title = renamed.empty() ? "Save layout" : fmt::format("Rename '{}'", renamed),
                    .name = renamed,
                    .taken = session_.layouts.saved().names()});
}

void Cards::ask_to_leave() {
    // Changes that a lesson asked for need not be saved.
    const bool is_of_lesson = tutor_.lesson() && !tutor_.has_left(),
               is_unsaved = session_.document.has_unsaved_changes() && !is_of_lesson,
               is_writing = session_.exports.is_writing();
    const std::vector<std::string> left = session_.document.left_unsaved();
    if (!is_unsaved && !is_writing && left.empty()) {
        is_left_ = true;
    } else if (!leave_card_.is_open()) {
        std::string sentence;
        const std::string obstacle = is_unsaved ? session_.files.obstacle_to_saving() : "";
        if (is_unsaved) sentence = fmt::format("'{}' has unsaved changes. ", session_.document.scene().title);
        if (!obstacle.empty()) sentence += obstacle + " ";
        if (!left.empty()) sentence += sentence_about_unsaved(left);
        if (is_writing) sentence += "An export is still running. Closing cancels it.";
        session_.files.stop_opening();
        withdraw_questions();
        palette.close(), gallery.close(), keys_sheet.close(), settings_card.close(), runs_card.close(),
            name_card_.close(), array_card_.close();
        leave_card_.ask(std::move(sentence), !is_unsaved        ? LeaveCard::Saving::unneeded
                                             : obstacle.empty() ? LeaveCard::Saving::possible
                                                                : LeaveCard::Saving::impossible);
    }
}

void Cards::withdraw_questions() {
    leave_card_.close(), export_card_.close(), sweep_card_.close(), dialog_.reset(), browser_.close();
    leaves_when_saved_ = false;
}

Cards::Choice Cards::draw(Ui& ui, const Rect& area) {
    take_keys(ui);
    Choice choice;
    choice.entry = palette.draw(ui, area);
    if (const auto scene = gallery.draw(ui, area, session_.computation.state().busy)) choice.entry = scene;
    keys_sheet.draw(ui, area);
    settings_card.draw(ui, session_.preferences, area);
    runs_card.draw(ui, session_, area);
    draw_name_card(ui, area);
    draw_export_card(ui, area);
    choice.sweep = draw_sweep_card(ui, area);
    draw_browser(ui, area);
    draw_leave_card(ui, area);
    if (const auto answered = array_card_.draw(ui, area)) session_.files.open_arrays_as(*answered);
    leaves_when_saved_ &= dialog_ || browser_.is_open();  // the user may have cancelled saving
    return choice;
}

void Cards::take_keys(Ui& ui) {
    const Modifiers control{.control = true}, control_shift{.control = true, .shift = true};
    if (is_open() && ui.take_shortcut(Key{'Q'}, control)) surface_.request_close(true);
    if (palette.is_open() && (ui.take_shortcut(Key{'K'}, control) || ui.take_shortcut(Key{'B'}, control) ||
                              ui.take_shortcut(Key{'L'}, control_shift)))
        palette.close();
    if (gallery.is_open() && ui.take_shortcut(Key{'O'}, control_shift)) gallery.close();
    if (runs_card.is_open() && ui.take_shortcut(Key{'R'}, control)) runs_card.close();
    if (keys_sheet.is_open() && (ui.take_shortcut(Key::f1, {}) || ui.take_shortcut(Key::slash, {.shift = true})))
        keys_sheet.close();
}

void Cards::draw_name_card(Ui& ui, const Rect& area) {
    const auto name = name_card_.draw(ui, area);
    if (!name) return;
    const bool is_done =
        renamed_layout_.empty() ? session_.layouts.save(*name) : session_.layouts.rename(renamed_layout_, *name);
    is_done ? name_card_.close() : name_card_.complain(session_.notices.current().sentence);
}

void Cards::draw_export_card(Ui& ui, const Rect& area) {
    if (!export_card_.draw(ui, session_, area)) return;
    const auto& [id, title] = name_of(session_.preferences.page.format);
    const CaptionFile caption = is_of_numbers(session_.preferences.page.format)
                                    ? CaptionFile::none
                                    : session_.preferences.page.paper.caption_file;
    ask_for_file({.title = fmt::format("Export {} as {}", export_card_.title(), title),
                  .kind = FileQuestion::Kind::save,
                  .extensions = {fmt::format(".{}", id)},
                  .name = fmt::format("{}.{}", export_card_.file_name(), id),
                  .written_beside =
                      [caption](const std::string& path) {
                          return caption == CaptionFile::none ? std::string() : caption_path(path, caption);
                      }},
                 [this, caption](const std::string& path) {
                     return session_.exports.export_page(export_card_.page(session_), path, caption);
                 });
    export_card_.close();
}

std::optional<Sweep> Cards::draw_sweep_card(Ui& ui, const Rect& area) {
    const SweepCard::Action action = sweep_card_.draw(ui, session_, area);
    if (action == SweepCard::Action::video) ask_where_to_export_video();
    return action == SweepCard::Action::play ? std::optional(sweep_card_.sweep()) : std::nullopt;
}

void Cards::ask_where_to_export_video() {
    FileQuestion question{.title = "Export the sweep as .gif, .mp4 or numbered .png",
                          .kind = FileQuestion::Kind::save,
                          .extensions = {".gif", ".mp4", ".png"},
                          .name = "sweep.gif"};
    if (!has_video_maker()) {
        question.title = "Export the sweep as numbered .png (videos need ffmpeg)";
        question.extensions = {".png", ".gif", ".mp4"};
        question.name = "sweep.png";
    }
    ask_for_file(std::move(question), [this](const std::string& path) {
        return session_.exports.export_video(sweep_card_.page(session_), sweep_card_.sweep(), path);
    });
}

void Cards::draw_browser(Ui& ui, const Rect& area) {
    const auto path = dialog_ ? follow_dialog(ui, area) : browser_.draw(ui, area);
    if (!path) return;
    if (!use_path_(*path)) return browser_.complain(session_.notices.current().sentence);
    session_.preferences.folder = std::filesystem::path(*path).parent_path().string();
    browser_.close();
}

void Cards::draw_leave_card(Ui& ui, const Rect& area) {
    switch (leave_card_.draw(ui, area)) {
        case LeaveCard::Answer::none: break;
        case LeaveCard::Answer::save: leaves_when_saved_ = true, save(); break;
        case LeaveCard::Answer::discard: is_left_ = true; break;
    }
}

void Cards::ask_for_file(FileQuestion question, std::function<bool(const std::string& path)> use) {
    use_path_ = std::move(use);
    file_question_ = std::move(question);
    if (session_.preferences.desktop_dialogs)
        dialog_ = surface_.ask_for_file({.saves = file_question_.kind == FileQuestion::Kind::save,
                                         .title = file_question_.title,
                                         .extensions = file_question_.extensions,
                                         .name = file_question_.name,
                                         .folder = session_.preferences.folder});
    if (!dialog_) open_browser(session_.preferences.folder);
}

void Cards::open_browser(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> places;
    for (const std::string& path : session_.files.recent().paths())
        places.push_back(std::filesystem::path(path).parent_path());
    browser_.ask(file_question_, folder, places);
}

std::optional<std::string> Cards::follow_dialog(Ui& ui, const Rect& area) {
    const FileDialogAnswer answer = dialog_->answer();
    if (answer.state == FileDialogAnswer::State::opening) {
        if (ui.take_key(Key::escape)) dialog_.reset();
        return std::nullopt;
    }
    if (answer.state == FileDialogAnswer::State::open) {
        const Card card(ui, "file dialog", in_the_middle(area, ui.px(360), ui.px(112)));
        section(ui, file_question_.title);
        note(ui, "Choose a file in the desktop's dialog.");
        if (button(ui, {.id = "dialog.cancel", .label = "Cancel"}) || ui.take_key(Key::escape)) dialog_.reset();
        return std::nullopt;
    }
    dialog_.reset();
    if (answer.state == FileDialogAnswer::State::cancelled) return std::nullopt;
    open_browser(session_.preferences.folder);
    return answer.path.empty() ? std::nullopt : browser_.take(answer.path);
}

bool Cards::save_to(const std::string& path) {
    if (!session_.files.save(path)) return false;
    is_left_ |= leaves_when_saved_;
    return true;
}

}  // namespace ropewalk
