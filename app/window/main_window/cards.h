// The dialogs over the window: which one is open, what it asks, and what follows from the answer.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/array_card.h"
#include "app/window/cards/export_card.h"
#include "app/window/cards/file_browser.h"
#include "app/window/cards/gallery.h"
#include "app/window/cards/keys_sheet.h"
#include "app/window/cards/leave_card.h"
#include "app/window/cards/name_card.h"
#include "app/window/cards/palette.h"
#include "app/window/cards/runs_card.h"
#include "app/window/cards/settings_card.h"
#include "app/window/cards/sweep_card.h"
#include "app/window/lessons/tutor.h"
#include "app/window/session/session.h"
#include "app/window/surface/surface.h"

namespace ropewalk {

class Cards {
  public:
    Cards(Session& session, Tutor& tutor, Surface& surface)
        : gallery(session.computation.options().wake), session_(session), tutor_(tutor), surface_(surface) {}

    Palette palette;
    Gallery gallery;
    KeysSheet keys_sheet;
    SettingsCard settings_card;
    RunsCard runs_card;

    bool is_open() const;
    /// Opens dropped or chosen files. Returns false, with a notice, on failure.
    bool open(const std::vector<std::string>& files);
    void ask_what_to_open();
    void ask_which_model();
    /// Saves the scene. Asks for a file if it has none of its own, and whether to replace a file that another program
    /// has changed.
    void save();
    void ask_where_to_save();
    /// Asks for the name of a new layout, or for a new name of `renamed`.
    void ask_layout_name(const std::string& renamed = {});
    /// Opens the card that exports the figure of this panel, or all figures of the window.
    void export_figure(std::optional<int> panel) { export_card_.open(panel, session_); }
    /// Opens the card that sweeps a field, or an option of a panel's figure.
    void sweep(const std::string& path, std::optional<int> panel = {}) { sweep_card_.open(session_, path, panel); }

    /// Asks about unsaved changes and running exports, in place of any other card. If there are none, the window may be
    /// closed at once.
    void ask_to_leave();
    /// Closes the cards that ask what to do with the current scene.
    void withdraw_questions();
    /// Returns whether the window may be closed now, with nothing left to lose.
    bool is_left() const { return is_left_; }

    /// What was chosen in a card for other parts of the window to do.
    struct Choice {
        std::optional<std::string> entry;  // id of an entry of the palette or the gallery
        std::optional<Sweep> sweep;        // to play
    };
    /// Draws the open card within `area` (device pixels).
    Choice draw(Ui& ui, const Rect& area);

  private:
    /// Closes a card if the keys that open it are pressed again.
    void take_keys(Ui& ui);
    void draw_name_card(Ui& ui, const Rect& area);
    void draw_export_card(Ui& ui, const Rect& area);
    std::optional<Sweep> draw_sweep_card(Ui& ui, const Rect& area);
    void ask_where_to_export_video();
    void open_browser(const std::filesystem::path& folder);
    void draw_browser(Ui& ui, const Rect& area);
    /// Draws a card in place of the desktop's dialog while that is open, and returns the path chosen there.
    std::optional<std::string> follow_dialog(Ui& ui, const Rect& area);
    void draw_leave_card(Ui& ui, const Rect& area);
    /// Opens the desktop's dialog, or the file browser where there is none. `use` takes the chosen path, and returns
    /// false, with a notice, on failure.
    void ask_for_file(FileQuestion question, std::function<bool(const std::string& path)> use);
    /// Opens the card for saving with the scene's own file proposed, and returns its path.
    std::filesystem::path propose_own_file();
    /// Asks whether to replace the scene's own file, which has changed.
    void ask_whether_to_replace();
    /// Asks for another place after the scene's own file could not be written.
    void ask_where_to_save_instead();
    bool save_to(const std::string& path);

    Session& session_;
    Tutor& tutor_;
    Surface& surface_;
    NameCard name_card_;
    ExportCard export_card_;
    SweepCard sweep_card_;
    FileQuestion file_question_;
    std::unique_ptr<FileDialog> dialog_;  // the desktop's, while it is open
    FileBrowser browser_;
    LeaveCard leave_card_;
    ArrayCard array_card_;
    std::function<bool(const std::string& path)> use_path_;  // what the browser asks for
    std::string renamed_layout_;  // the layout that the name card renames; empty: it names a new one
    bool leaves_when_saved_ = false, is_left_ = false;
};

}  // namespace ropewalk
