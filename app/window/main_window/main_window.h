// app/window/main_window: one frame of the window. Menu bar, toolbar, sidebar, cards, status line, keys and the table
// of commands, which act on the WindowParts. Here: the parts put together.
#pragma once

#include <string>
#include <vector>

#include "app/window/lessons/lesson_panel.h"
#include "app/window/main_window/context_menu.h"
#include "app/window/main_window/menu_bar.h"
#include "app/window/main_window/sidebar.h"
#include "app/window/main_window/status_line.h"
#include "app/window/main_window/window_parts.h"
#include "app/window/panels/formula_bar.h"

namespace ropewalk {

class MainWindow {
  public:
    /// `recovery` outlives the window; without it, sessions are not saved for recovery.
    MainWindow(Gui& gui, Session& session, const TutorOptions& lessons = {}, Recovery* recovery = nullptr)
        : window_(gui, session, lessons, recovery) {}

    /// Builds and shows one frame. What fails in it becomes a notice, and the session stays.
    void frame();
    Tutor& tutor() { return window_.tutor; }
    /// Opens files as if they were dropped on the window. Returns false, with a notice, on failure.
    bool open(const std::vector<std::string>& files) { return window_.cards.open(files); }
    bool has_palette_open() const { return window_.cards.palette.is_open(); }
    /// Returns whether the head has a setting that the palette only previews.
    bool is_previewing() const { return window_.setting_preview.is_shown(); }
    /// Shows the head as it was before the preview, if there is one.
    void end_preview() { window_.setting_preview.show(window_.session.document, ""); }
    /// Starts closing the window. Asks over the next frames about unsaved changes and running exports, if there are
    /// any.
    void ask_to_leave();
    /// Returns whether the window may be closed now, with nothing left to lose.
    bool is_left() const { return window_.cards.is_left(); }
    /// Returns whether frames keep failing, so that nothing but the reason is shown.
    bool is_failing() const { return failures_ > 1; }

  private:
    FrameOptions frame_options() const;
    void build_frame(Ui& ui);
    /// Draws everything but the cards.
    void draw_parts(Ui& ui, bool has_card);
    /// Draws the lesson with the control that it points at, and the presenter strip. Returns the rest of `work`.
    Rect draw_presented_controls(Ui& ui, const Rect& work);
    /// Draws the figures; in a presentation the first one alone, unless another is maximised.
    Panels::Answer draw_figures(Ui& ui, const Rect& figures);
    /// Draws the sidebar and, if it is open, the lesson. Returns the rest of `work`.
    Rect draw_controls(Ui& ui, const std::vector<std::string>& lit, const Rect& work);
    /// Draws the background of the figures in `room`, the right part of `work`, up to the window's edge.
    static void fill_ground(const Ui& ui, const Rect& room, const Rect& work);
    /// Draws the lesson at the left of `work` in place of the controls, and below the figures the one control that its
    /// step needs. Returns the rest of `work`.
    Rect draw_focused_lesson(Ui& ui, const Rect& work);
    /// Shows why frames cannot be built, in place of them.
    void show_failure();

    WindowParts window_;
    LessonPanel lesson_panel_{window_.tutor};
    FormulaBar formula_bar_;
    std::optional<ReadoutItem> compared_;  // in the last frame
    MenuBar menu_bar_;
    ContextMenu context_menu_;
    Sidebar sidebar_{window_};
    StatusLine status_line_;
    int failures_ = 0;  // frames in a row that could not be built
};

}  // namespace ropewalk
