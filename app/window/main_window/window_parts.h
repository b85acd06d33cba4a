// The parts of the window that commands act on.
#pragma once

#include "app/window/lessons/tutor.h"
#include "app/window/main_window/cards.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/player.h"
#include "app/window/session/recovery.h"
#include "app/window/session/session.h"
#include "app/window/session/setting_preview.h"
#include "app/window/widgets/gui.h"

namespace ropewalk {

struct WindowParts {
    WindowParts(Gui& own_gui, Session& own_session, const TutorOptions& lessons, Recovery* own_recovery)
        : gui(own_gui), session(own_session), recovery(own_recovery), tutor(session, lessons), player(session) {}

    /// Returns the panel that the pointer is on, or was on last, and its figure.
    int pointed_panel() const { return panels.under_pointer(session.document.view); }
    const Figure& pointed_figure() const { return session.document.view.figure(pointed_panel()); }

    Gui& gui;
    Session& session;
    Recovery* recovery;  // null: sessions are not saved for recovery
    Tutor tutor;
    Player player;
    Panels panels;
    Cards cards{session, tutor, gui.surface()};
    SettingPreview setting_preview;
    bool is_presenting = false;
    bool wants_screenshot = false;  // after this frame
};

}  // namespace ropewalk
