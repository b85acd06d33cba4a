// The cards over the window: their questions, and what follows from the answers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/plot/export.h"
#include "app/window/main_window.h"
#include "app/window/session/video.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr auto scene_extension = ".ropewalk.json";  // the desktop recognises scenes by it

/// Returns the name that Ctrl+S proposes: that of the scene's file, or of the figure that contained the scene.
std::string proposed_name(const Scene& scene) {
    return (scene.path.empty() ? "scene" : title_of_file(scene.path)) + scene_extension;
}

/// Returns a sentence naming the scenes that were left with unsaved changes.
std::string sentence_about_unsaved(const std::vector<std::string>& left) {
    constexpr std::size_t most = 3;  // number of titles shown
    const std::size_t named = std::min(left.size(), most);
    std::string names =
        fmt::format("'{}'", fmt::join(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(named), "', '"));
    if (left.size() > named) names += fmt::format(" and {} more", left.size() - named);
    const bool is_one = left.size() == 1;
    return fmt::format("{} {} unsaved changes. Undo leads back to {}. ", names, is_one ? "has" : "have",
                       is_one ? "it" : "them");
}

}  // namespace

void MainWindow::draw_cards(Ui& ui, const Rect& area) {
    if (palette_.is_open() && (ui.take_shortcut(Key{'K'}, with_control) || ui.take_shortcut(Key{'B'}, with_control) ||
                               ui.take_shortcut(Key{'L'}, with_control_shift)))
        palette_.close();
    if (const auto chosen = palette_.draw(ui, area)) follow(*chosen);
    if (gallery_.is_open() && ui.take_shortcut(Key{'O'}, with_control_shift)) gallery_.close();
    if (const auto chosen = gallery_.draw(ui, area, session_.computation.state().busy)) follow(*chosen);
    if (const auto name = name_card_.draw(ui, area)) {
        const bool done =
            renamed_layout_.empty() ? session_.layouts.save(*name) : session_.layouts.rename(renamed_layout_, *name);
        done ? name_card_.close() : name_card_.complain(session_.notices.current().sentence);
    }
    if (export_card_.draw(ui, session_, area)) {
        const auto& [format_id, format_title] = name_of(session_.preferences.page.format);
        const std::string format = format_id;
        question_ = Question::export_page;
        browser_.ask({.title = fmt::format("Export {} as {}", export_card_.title(), format_title),
                      .kind = FileQuestion::Kind::save,
                      .extensions = {"." + format},
                      .name = fmt::format("{}.{}", export_card_.file_name(), format)});
        export_card_.close();
    }
    switch (sweep_card_.draw(ui, session_, area)) {
        case SweepCard::Action::none: break;
        case SweepCard::Action::play: sweep_step_ = 0; break;
        case SweepCard::Action::video:
            question_ = Question::video;
            browser_.ask({.title = has_video_maker() ? "Export the sweep as .gif, .mp4 or numbered .png"
                                                     : "Export the sweep as numbered .png (videos need ffmpeg)",
                          .kind = FileQuestion::Kind::save,
                          .extensions = has_video_maker() ? std::vector<std::string>{".gif", ".mp4", ".png"}
                                                          : std::vector<std::string>{".png", ".gif", ".mp4"},
                          .name = has_video_maker() ? "sweep.gif" : "sweep.png"});
    }
    if (const auto path = browser_.draw(ui, area)) {
        if (answer_question(*path))
            browser_.close();
        else
            browser_.complain(session_.notices.current().sentence);
    }
    switch (leave_card_.draw(ui, area)) {
        case LeaveCard::Answer::none: break;
        case LeaveCard::Answer::save: leaves_when_saved_ = true, save(); break;
        case LeaveCard::Answer::discard: is_left_ = true; break;
    }
    leaves_when_saved_ &= browser_.is_open();  // the user may have cancelled saving
}

void MainWindow::ask_to_leave() {
    stop_playing();
    // Changes that a lesson asked for need not be saved.
    const bool is_of_lesson = tutor_.is_open() && tutor_.lesson() && !tutor_.has_left(),
               is_unsaved = session_.document.has_unsaved_changes() && !is_of_lesson,
               is_writing = session_.exports.is_writing();
    const std::vector<std::string> left = session_.document.left_unsaved();
    if (!is_unsaved && !is_writing && left.empty()) {
        is_left_ = true;
    } else if (!leave_card_.is_open()) {
        std::string sentence;
        if (is_unsaved) sentence = fmt::format("'{}' has unsaved changes. ", session_.document.scene().title);
        if (!left.empty()) sentence += sentence_about_unsaved(left);
        if (is_writing) sentence += "An export is still running. Closing cancels it.";
        palette_.close(), gallery_.close(), name_card_.close(), export_card_.close(), sweep_card_.close(),
            browser_.close();
        leave_card_.ask(std::move(sentence), is_unsaved);
    }
    gui_.settle();
}

void MainWindow::ask_what_to_open() {
    FileQuestion question{.title = "Open a scene, array, lesson or exported figure",
                          .extensions = {".json", ".npy", ".lesson"}};
    for (const FigureFormat& format : figure_formats) question.extensions.push_back(std::string(".") + format.id);
    question_ = Question::open;
    browser_.ask(std::move(question));
}

void MainWindow::ask_where_to_save() {
    question_ = Question::save;
    browser_.ask({.title = "Save the scene",
                  .kind = FileQuestion::Kind::save,
                  .extensions = {scene_extension, ".json"},
                  .name = proposed_name(session_.document.scene())});
}

void MainWindow::save() {
    const Scene& scene = session_.document.scene();
    if (has_own_file(scene))
        save_to(scene.path);
    else
        ask_where_to_save();
}

bool MainWindow::save_to(const std::string& path) {
    if (!session_.files.save(path)) return false;
    is_left_ |= leaves_when_saved_;
    return true;
}

bool MainWindow::answer_question(const std::string& path) {
    switch (question_) {
        case Question::open: return open({path});
        case Question::save: return save_to(path);
        case Question::video:
            return session_.exports.export_video(sweep_card_.page(session_), sweep_card_.sweep(), path);
        case Question::export_page: return session_.exports.export_page(export_card_.page(session_), path);
    }
    return false;
}

}  // namespace ropewalk
