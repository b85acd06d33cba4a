// app/window/session: all mutable state of the window, in parts that know of no widget: document, computation, files,
// layouts, exports, recovery. Here: the parts together.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "app/window/session/computation.h"
#include "app/window/session/document.h"
#include "app/window/session/exports.h"
#include "app/window/session/layouts.h"
#include "app/window/session/live_training.h"
#include "app/window/session/notices.h"
#include "app/window/session/preferences.h"
#include "app/window/session/scene_files.h"

namespace ropewalk {

struct SessionOptions {
    std::filesystem::path recent{};   // folder of the list of recent scenes; empty: not saved
    std::filesystem::path layouts{};  // folder of the saved layouts; empty: they last as long as the program
    ComputationOptions computation{};
    bool trains_live = false;  // models are shown while they are trained; otherwise once they are
};

/// The parts of a session. Each knows only those above it, so another part is added below without changing them.
struct Session {
    explicit Session(Scene first, const SessionOptions& options = {})
        : document(std::move(first), notices),
          computation(document, notices, options.computation),
          files(document, notices, options.recent, options.computation.wake),
          layouts(document, notices, options.layouts),
          exports(document, notices, options.computation),
          training(options.computation.wake),
          trains_live_(options.trains_live) {
        const auto shown = [this](const Experiment& experiment) { return training.shown(experiment); };
        computation.show_as(shown), exports.show_as(shown);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Fetches what was computed and written in the background, but for files that replace the scene (`files.refresh`).
    /// Call once per frame.
    void refresh() {
        if (trains_live_) training.follow(document.experiment(), document.before(), document.is_dragging());
        if (const std::string failure = training.take_failure(); !failure.empty())
            notices.notify(failure, Notice::Kind::error);
        computation.refresh();
        exports.refresh();
    }
    /// Returns why the current experiment cannot be computed, or could not be; empty if it can.
    std::string complaint() const { return document.fault().empty() ? computation.state().error : document.fault(); }

    /// Returns the head that Shift shows in place of the current one: the reference or, without one of this scene, the
    /// state before the last change. Returns nothing if there is neither.
    std::optional<Other> other_on_shift() const {
        if (document.before() && (!document.reference() || document.has_foreign_reference())) return Other::before;
        return document.reference() ? std::optional(Other::reference) : std::nullopt;
    }

    Notices notices;
    Preferences preferences;
    Document document;        // what is edited, with its history
    Computation computation;  // what is computed for it
    SceneFiles files;         // where it comes from and is saved to
    Layouts layouts;          // how its figures are arranged
    Exports exports;          // what leaves the program
    LiveTraining training;    // how its model comes about

  private:
    bool trains_live_;
};

}  // namespace ropewalk
