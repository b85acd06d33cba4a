// One frame of the window: bar, sidebar, panels, status line, and the keys that work everywhere.
#pragma once

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
    /// `recovery` outlives it; without one nothing is ever left behind.
    MainWindow(Gui& gui, Session& session, const TutorOptions& lessons = {}, Recovery* recovery = nullptr)
        : gui_(gui),
          session_(session),
          recovery_(recovery),
          tutor_(session, lessons),
          gallery_(session.options().wake) {}

    /// Builds and shows one frame. What fails in it becomes a notice, and the session stays.
    void frame();
    Tutor& tutor() { return tutor_; }
    /// The window is to be closed: asks over the next frames what becomes of unsaved changes and of what is being
    /// written, if there are any.
    void ask_to_leave();
    /// Whether it may be closed now, nothing being left to lose.
    bool is_left() const { return is_left_; }
    /// Whether frames keep failing, so that nothing but the reason is shown.
    bool is_failing() const { return failures_ > 1; }

  private:
    void build_frame(Ui& ui);
    /// Shows why frames cannot be built, in place of them.
    void show_failure();
    FrameOptions frame_options() const;
    /// Files that were dropped or chosen. False, with a notice, if they cannot be.
    bool open(const std::vector<std::string>& files);
    /// The commands that there is room for, a list of the others, and the scene's title.
    void draw_bar(Ui& ui, const Rect& rect);
    /// What is kept as the reference, and how it is used. There is one.
    std::string about_reference() const;
    /// A tooltip for a text that is no widget.
    static void show_tooltip(Ui& ui, const char* id, const Rect& rect, const Help& help);
    /// At the bar's right end, behind ImGui's cursor.
    void draw_title(Ui& ui, const Rect& bar);
    /// The controls at the left of `work`, which may be drawn wider; what is left of it.
    Rect draw_sidebar(Ui& ui, const Rect& work);
    void draw_controls(Ui& ui, const Rect& rect);
    /// The control that the lesson points at, while the others are hidden.
    void draw_pointed_control(Ui& ui, const Rect& rect);
    /// What the controls make of the experiment; all of them, or that of one path.
    void edit_experiment(Ui& ui, std::string_view only = {});
    /// Opens the card for it, if the path is of an option.
    void sweep_option(int panel, const std::string& path);
    void draw_status(Ui& ui, const Rect& rect);
    /// What the status line says of an answer that is not there yet; nothing in its first moments.
    std::string waited_for(Ui& ui);
    /// While figures are presented there is no bar but where the pointer asks for it, at the upper edge, and of the
    /// status line only what is to be said now.
    void draw_presented(Ui& ui, const Rect& bar, const Rect& room);
    void present(bool presents);
    /// What is to be said now, a notice or why nothing is computed; empty if nothing is.
    std::pair<std::string, Color> remark(const Theme& theme) const;
    void draw_cards(Ui& ui, const Rect& area);
    /// Notices give way: a note after a while, an error when the person does the next thing.
    void age_notice(Ui& ui);
    /// Leads from control to control, of a card if one is open.
    void take_tab(Ui& ui);
    void take_keys(Ui& ui);
    void move_cursor(Ui& ui);
    /// Moves on what plays, the distance or a sweep.
    void play(Ui& ui);
    void show_step(const Sweep& sweep, int step);
    /// The number that it changes; nothing if another figure stands there by now.
    std::optional<double> swept_number(const Sweep& sweep) const;
    /// What a sweep has come to.
    struct Swept {
        Experiment experiment;
        std::optional<double> number;
        const Scene* scene;
        std::size_t moves;  // of the history

        bool operator==(const Swept&) const = default;
    };
    Swept swept_now(const Sweep& sweep) const;
    void stop_playing();
    bool is_playing() const { return player_.is_playing() || sweep_step_; }
    void run(Command command);
    /// Else a notice says why not.
    void run_if_possible(Command command);
    void save();
    /// False, with a notice, if it could not be saved.
    bool save_to(const std::string& path);
    void ask_where_to_save();
    void ask_what_to_open();
    void play_or_stop();
    /// Undo or redo.
    void travel(void (Session::*way)());
    /// Of every figure that shows a part.
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
    /// With these entries, the recent scenes and the bundled ones.
    void open_palette(std::vector<PaletteEntry> entries);
    /// The recent scenes and the bundled ones; and the id of the one that is open, if it is bundled.
    std::vector<PaletteEntry> scene_entries();
    std::string present_scene() const;
    void open_history();
    void open_recoverable();
    /// Puts the present desk in the place of one that was left behind.
    void take_recovered(const std::string& path);
    /// The layouts that there are; the kept ones alone, to be renamed or deleted; and the name of one, to be asked for.
    void open_layouts();
    void open_saved_layouts(Command command);
    void ask_layout_name(const std::string& renamed = {});
    std::vector<PaletteEntry> layout_entries() const;
    /// Does what was chosen in the palette.
    void follow(const std::string& id);
    /// Puts a text on the clipboard and says so.
    void copy(const std::string& text, const std::string& what);
    /// That the pointer is on, or was on last.
    const Figure& pointed_figure() const;
    /// The panel whose curve is to be pinned: the one under the pointer, or else the first that has one.
    std::optional<int> panel_to_pin() const;
    /// If there is none: why not.
    Obstacle obstacle_to_pin() const;
    /// False if the file did not do; a notice says why.
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
    std::string renamed_layout_;                 // that the card asks a name for; empty: the present one is to be kept
    int noticed_ = 0;                            // number of the notice that is shown,
    double noticed_since_ = 0;                   // in ImGui's time
    bool presents_ = false, shows_bar_ = false;  // the latter while it presents
    bool screenshot_wanted_ = false;
    bool leaves_when_saved_ = false, is_left_ = false;
    int failures_ = 0;  // frames in a row that could not be built
    bool was_held_ = false, sidebar_scrolls_ = false;
    double sidebar_labels_ = 0;  // width of their column, logical pixels; 0 before the first frame
    double pointed_height_ = 0;  // device pixels of the card of the control that the lesson points at
    ExportCard export_card_;
    SweepCard sweep_card_;
    DistancePlayer player_;
    std::optional<double> sweep_step_;    // of the card's sweep, while it plays,
    std::optional<Swept> swept_;          // since its first step
    std::optional<double> busy_since_;    // ImGui's time, while an answer is on its way,
    const void* waits_beside_ = nullptr;  // and the results that it will follow
    enum class Question { open, save, export_page, film } question_ = Question::open;
};

}  // namespace ropewalk
