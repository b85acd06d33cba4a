// One frame of the window: bar, sidebar, panels, cards, status line and global shortcuts.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/window/cards/export_card.h"
#include "app/window/cards/file_browser.h"
#include "app/window/cards/gallery.h"
#include "app/window/cards/leave_card.h"
#include "app/window/cards/name_card.h"
#include "app/window/cards/palette.h"
#include "app/window/cards/sweep_card.h"
#include "app/window/command_list.h"
#include "app/window/lessons/lesson_panel.h"
#include "app/window/panels/distance_player.h"
#include "app/window/panels/formula_bar.h"
#include "app/window/panels/panels.h"
#include "app/window/session/recovery.h"
#include "app/window/session/session.h"
#include "app/window/widgets/gui.h"

namespace ropewalk {

class MainWindow {
  public:
    /// `recovery` outlives the window; without it, sessions are not saved for recovery.
    MainWindow(Gui& gui, Session& session, const TutorOptions& lessons = {}, Recovery* recovery = nullptr)
        : gui_(gui),
          session_(session),
          recovery_(recovery),
          tutor_(session, lessons),
          gallery_(session.computation.options().wake) {}

    /// Builds and shows one frame. What fails in it becomes a notice, and the session stays.
    void frame();
    Tutor& tutor() { return tutor_; }
    /// Starts closing the window. Asks over the next frames about unsaved changes and running exports, if there are
    /// any.
    void ask_to_leave();
    /// Returns whether the window may be closed now, with nothing left to lose.
    bool is_left() const { return is_left_; }
    /// Whether frames keep failing, so that nothing but the reason is shown.
    bool is_failing() const { return failures_ > 1; }

  private:
    void build_frame(Ui& ui);
    /// Shows why frames cannot be built, in place of them.
    void show_failure();
    FrameOptions frame_options() const;
    /// Opens dropped or chosen files. Returns false, with a notice, on failure.
    bool open(const std::vector<std::string>& files);
    /// Draws the commands that fit, a list of the others, and the scene's title.
    void draw_bar(Ui& ui, const Rect& rect);
    /// Returns the tooltip of the reference: what it is and how it is used. Call only if there is one.
    std::string about_reference() const;
    /// Shows a tooltip for a text that is not a widget.
    static void show_tooltip(Ui& ui, const char* id, const Rect& rect, const Help& help);
    /// Draws the scene's title at the bar's right end, to the right of ImGui's cursor.
    void draw_title(Ui& ui, const Rect& bar);
    /// Draws the controls at the left of `work`, in a column that can be resized. Returns the rest of `work`.
    Rect draw_sidebar(Ui& ui, const Rect& work);
    void draw_controls(Ui& ui, const Rect& rect);
    /// Draws the control that the lesson points at while the others are hidden.
    void draw_pointed_control(Ui& ui, const Rect& rect);
    /// Draws the controls of the experiment, or only that of one path, and takes over what they change.
    void edit_experiment(Ui& ui, std::string_view only = {});
    /// Opens the sweep card for an option of a panel's figure; does nothing if the path is empty.
    void sweep_option(int panel, const std::string& path);
    void draw_status(Ui& ui, const Rect& rect);
    /// Returns what the status line says while an answer is computed; empty during its first moments.
    std::string waited_for(Ui& ui);
    /// Draws the presentation: the bar appears only while the pointer is at the upper edge, and the status line only
    /// shows the current remark.
    void draw_presented(Ui& ui, const Rect& bar, const Rect& room);
    void present(bool presents);
    /// Returns the current notice or the reason why nothing is computed, and its colour; empty if there is neither.
    std::pair<std::string, Color> remark(const Theme& theme) const;
    void draw_cards(Ui& ui, const Rect& area);
    /// Removes notices: a note after a while, an error at the user's next action.
    void age_notice(Ui& ui);
    /// Moves the keyboard focus from control to control, within a card if one is open.
    void take_tab(Ui& ui);
    void take_keys(Ui& ui);
    void move_cursor(Ui& ui);
    /// Advances the running animation: of the distance, or of a sweep.
    void play(Ui& ui);
    void show_step(const Sweep& sweep, int step);
    /// Returns the number that the sweep changes; empty if the panel now shows another figure.
    std::optional<double> swept_number(const Sweep& sweep) const;
    /// The state that a sweep has reached.
    struct Swept {
        Experiment experiment;
        std::optional<double> number;
        std::shared_ptr<const OpenScene> scene;
        std::size_t moves;  // of the history

        bool operator==(const Swept&) const = default;
    };
    Swept swept_now(const Sweep& sweep) const;
    void stop_playing();
    bool is_playing() const { return player_.is_playing() || sweep_step_; }
    void run(Command command);
    /// Runs the command, or shows why it is unavailable.
    void run_if_possible(Command command);
    void save();
    /// Returns false, with a notice, on failure.
    bool save_to(const std::string& path);
    void ask_where_to_save();
    void ask_what_to_open();
    void play_or_stop();
    /// Runs an undo or redo.
    void travel(void (Document::*way)());
    /// Resets the zoom of every figure.
    void show_all();
    void toggle_maximised();
    void copy_command_line();
    void copy_numpy();
    Obstacle obstacle_to(Command command) const;
    bool card_is_open() const {
        return browser_.is_open() || palette_.is_open() || gallery_.is_open() || name_card_.is_open() ||
               export_card_.is_open() || sweep_card_.is_open() || leave_card_.is_open();
    }
    void open_commands();
    /// Opens the palette with these entries and the recent and bundled scenes.
    void open_palette(std::vector<PaletteEntry> entries);
    /// Returns entries for the recent and the bundled scenes.
    std::vector<PaletteEntry> scene_entries();
    /// Returns the id of the open scene's entry.
    std::string current_scene() const;
    void open_history();
    void open_recoverable();
    /// Recovers the session of this file. The current session is set aside first and can be recovered the same way.
    void take_recovered(const std::string& path);
    /// Opens the palette with all layouts and the commands for them.
    void open_layouts();
    /// Opens the palette with the saved layouts, to rename or delete one.
    void open_saved_layouts(Command command);
    /// Asks for the name of a new layout, or for a new name of `renamed`.
    void ask_layout_name(const std::string& renamed = {});
    std::vector<PaletteEntry> layout_entries() const;
    /// Runs or opens the entry that was chosen in the palette.
    void follow(const std::string& id);
    /// Copies a text to the clipboard and shows `notice`. Does nothing if the text is empty.
    void copy(const std::string& text, const std::string& notice);
    /// Returns the figure that the pointer is on, or was on last.
    const Figure& pointed_figure() const;
    /// Returns the panel whose curve is to be pinned: the one under the pointer, or else the first that has a curve.
    std::optional<int> panel_to_pin() const;
    /// Returns why no curve can be pinned; empty if one can.
    Obstacle obstacle_to_pin() const;
    /// Uses the chosen path as the open question demands. Returns false, with a notice, on failure.
    bool answer_question(const std::string& path);

    Gui& gui_;
    Session& session_;
    Recovery* recovery_;
    Tutor tutor_;
    LessonPanel lesson_panel_{tutor_};
    FormulaBar formula_bar_;
    Panels panels_;
    FileBrowser browser_;
    Palette palette_;
    Gallery gallery_;
    NameCard name_card_;
    LeaveCard leave_card_;
    std::string renamed_layout_;                 // the layout that the name card renames; empty: it names a new one
    int noticed_ = 0;                            // number of the notice shown
    double noticed_since_ = 0;                   // ImGui's time
    bool presents_ = false, shows_bar_ = false;  // shows_bar_: while presenting
    bool screenshot_wanted_ = false;
    bool leaves_when_saved_ = false, is_left_ = false;
    int failures_ = 0;  // frames in a row that could not be built
    bool was_held_ = false, sidebar_scrolls_ = false;
    double sidebar_labels_ = 0;  // width of their column, logical pixels; 0 before the first frame
    double pointed_height_ = 0;  // device pixels of the card of the control that the lesson points at
    ExportCard export_card_;
    SweepCard sweep_card_;
    DistancePlayer player_;
    std::optional<double> sweep_step_;           // of the card's sweep, while it runs
    std::optional<Swept> swept_;                 // the state after the last step of the sweep
    std::optional<double> busy_since_;           // ImGui's time since which an answer is computed
    std::weak_ptr<const Results> waits_beside_;  // the results shown meanwhile
    enum class Question { open, save, export_page, video } question_ = Question::open;
};

}  // namespace ropewalk
