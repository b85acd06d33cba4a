#include "app/window/window.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "app/plot/export.h"
#include "app/plot/open_figure.h"
#include "app/window/frame_trace.h"
#include "app/window/main_window/main_window.h"
#include "app/window/session/recovery.h"
#include "app/window/session/session_text.h"
#include "app/window/surface/egl_surface.h"
#include "app/window/surface/glfw_surface.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr const char* default_scene = "barbero-prop31";
constexpr int most_settling_frames = 40;
constexpr std::chrono::seconds saving_interval{2};

/// Saves the session at intervals while it differs from the last saved state. A session without changes is not saved,
/// because the next start restores it anyway.
class SessionSaver {
  public:
    explicit SessionSaver(Recovery& recovery) : recovery_(recovery) {}

    /// Saves the session if necessary. Call once per frame. Returns for how many seconds the next call may wait.
    double save(const Session& session) {
        const bool is_touched = session.document.has_unsaved_changes() || session.document.can_undo();
        if (!is_touched && saved_) {  // what was saved is out of date
            recovery_.forget();
            saved_.reset();
        }
        if (!is_touched || saved_ == SavedState::of(session)) return infinity;
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> left = saved_at_ + saving_interval - now;
        if (left.count() > 0) return left.count() + 0.01;
        saved_at_ = now;
        if (!recovery_.save(session_as_text(session.document)))
            return std::chrono::duration<double>(saving_interval).count();
        saved_ = SavedState::of(session);
        return infinity;
    }

  private:
    struct SavedState {
        std::string path, title;
        Experiment experiment;
        std::optional<Experiment> reference;
        View view;
        std::size_t step = 0, steps = 0;

        static SavedState of(const Session& session) {
            const Scene& scene = session.document.scene();
            SavedState state{scene.path,
                             scene.title,
                             session.document.experiment(),
                             session.document.copied_reference(),
                             session.document.view,
                             session.document.step(),
                             session.document.count_of_steps()};
            if (!state.view.cursor_locked) state.view.cursor = {};  // an unlocked cursor is not worth saving
            return state;
        }
        bool operator==(const SavedState&) const = default;
    };

    Recovery& recovery_;
    std::optional<SavedState> saved_;
    std::chrono::steady_clock::time_point saved_at_{};
};

/// Makes large images and curves go back to the system when they are freed. By default the allocator would keep their
/// memory, because it adapts to the first ones. Smaller blocks stay, as every result needs them again.
void return_large_arrays() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

bool begins_with_arrays(const WindowOptions& options) {
    return options.lesson.empty() && extension_of(options.scene) == "npy";
}

/// If the scene is a lesson file, replaces it by that lesson; lessons then come from the file's folder.
WindowOptions with_lesson_of_file(WindowOptions options) {
    if (extension_of(options.scene) != "lesson" || !options.lesson.empty()) return options;
    options.lesson = read_lesson(options.scene)->id;
    options.lessons = std::filesystem::absolute(options.scene).parent_path().string();
    options.scene.clear();
    return options;
}

Scene first_scene(const WindowOptions& options) {
    if (!options.lesson.empty() || begins_with_arrays(options))
        return open_scene_or_figure(default_scene);  // replaced by the lesson's scene or the arrays
    return open_scene_or_figure(options.scene.empty() ? default_scene : options.scene, options.settings);
}

/// Opens the arrays and applies the settings to their head. Throws as `read_npy` does, and InputError if the arrays are
/// not a valid head.
void start_with_arrays(Session& session, const WindowOptions& options) {
    read_npy(options.scene);  // throws with its own exit code if the file cannot be read
    if (!session.files.open({options.scene})) throw InputError(session.notices.current().sentence);
    if (options.settings.empty()) return;
    const Experiment set = changed(session.document.experiment(), in_one_line(options.settings));
    if (const auto sentence = validate(set)) throw InputError(*sentence);
    session.document.edit(set, Gesture::complete);
}

/// Starts a lesson and applies the settings to its scene. Throws UsageError if there is no such lesson or step.
void start_lesson(Tutor& tutor, Session& session, const WindowOptions& options) {
    if (tutor.start(options.lesson, options.step ? std::optional(*options.step - 1) : std::nullopt)) {
        if (!options.settings.empty())
            session.document.edit(changed(session.document.experiment(), in_one_line(options.settings)),
                                  Gesture::complete);
        return;
    }
    std::vector<std::string> ids;
    for (const auto& lesson : tutor.lessons()) {
        ids.push_back(lesson->id);
        if (lesson->id == options.lesson)
            throw UsageError(fmt::format("--step is {}, but the lesson '{}' has {} {}", options.step.value_or(0),
                                         lesson->id, lesson->steps.size(),
                                         lesson->steps.size() == 1 ? "step" : "steps"));
    }
    const std::string why = tutor.complaint().empty() ? "" : fmt::format(" ({})", tutor.complaint());
    throw UsageError(fmt::format("unknown lesson '{}'; it must be {}{}", options.lesson, one_of(ids), why));
}

/// Opens the lesson that was asked for, else the one that was left open, else at the very first start the first lesson.
void open_a_lesson(Tutor& tutor, Session& session, const WindowOptions& options, bool has_run_before,
                   bool has_recovered) {
    if (!options.lesson.empty()) return start_lesson(tutor, session, options);
    if (!options.scene.empty()) return;
    if (has_recovered && tutor.was_open())
        tutor.open();  // keeps the recovered scene
    else if (has_recovered)
        return;
    else if (has_run_before)
        tutor.restore();
    else if (!tutor.lessons().empty())
        tutor.start(tutor.lessons().front()->id);
}

/// Opens the scene that was shown when the window was closed, if it still exists.
void open_last_scene(Session& session) {
    const std::string& last = session.preferences.scene;
    const std::vector<std::string> bundled = bundled_scenes();
    std::error_code error;
    if (std::find(bundled.begin(), bundled.end(), last) != bundled.end())
        session.files.open_bundled(last);
    else if (std::filesystem::is_regular_file(last, error))
        session.files.open({last});
}

/// Returns what `open_last_scene` opens: the name of a bundled scene, or a file.
std::string name_to_open(const Scene& scene) {
    std::error_code error;
    if (scene.bundled) return std::filesystem::path(scene.path).stem().string();
    return scene.path.empty() ? "" : std::filesystem::absolute(scene.path, error).string();
}

SurfaceOptions surface_options(const WindowOptions& options) {
    SurfaceOptions surface{.scale = options.scale};
    if (options.size) std::tie(surface.width, surface.height) = *options.size;
    return surface;
}

/// The window without a display.
struct PictureWindow {
    explicit PictureWindow(const WindowOptions& asked) : PictureWindow(Read{with_lesson_of_file(asked)}) {}

    /// Draws frames until everything is exact. Throws InputError if the head cannot be computed.
    void settle() {
        // The figures' needs depend on the space that their labels leave, and so on earlier results.
        std::optional<Request> shown;
        for (int frame = 0; frame < most_settling_frames; ++frame) {
            main_window.frame();
            session.computation.wait();
            const auto& results = session.computation.state().results;
            const auto before = std::exchange(shown, results ? std::optional(results->request) : std::nullopt);
            if (frame > 2 && shown == before) break;
        }
        if (const std::string complaint = session.complaint(); !complaint.empty()) throw InputError(complaint);
        main_window.frame();
    }

  private:
    /// What must be known before there is a surface, so that an unreadable scene is rejected first.
    struct Read {
        WindowOptions options;
        Scene scene = first_scene(options);
    };
    explicit PictureWindow(Read read)
        : surface(surface_options(read.options)),
          session(std::move(read.scene), {.computation = {.backend = read.options.backend}}),
          gui(surface, 1.0 / 60),
          main_window(gui, session, {.folder = read.options.lessons}) {
        session.preferences = Preferences{}.with_theme(read.options.theme);
        if (begins_with_arrays(read.options)) start_with_arrays(session, read.options);
        if (!read.options.lesson.empty()) start_lesson(main_window.tutor(), session, read.options);
    }

    EglSurface surface;

  public:
    Session session;
    Gui gui;
    MainWindow main_window;
};

}  // namespace

void run_window(const WindowOptions& asked, const std::function<void(std::function<void()>)>& on_signal) {
    return_large_arrays();
    const WindowOptions options = with_lesson_of_file(asked);
    Scene scene = first_scene(options);
    PreferencesFile preferences(config_folder());
    SurfaceOptions place = surface_options(options);
    if (!options.size) place.place = preferences.saved().window;
    const auto surface = std::make_unique<GlfwSurface>(place);
    Session session(std::move(scene), {.recent = state_folder(),
                                       .layouts = config_folder(),
                                       .computation = {.backend = options.backend, .wake = [&] { surface->wake(); }}});
    session.preferences = preferences.saved().with_theme(options.theme);
    session.notices.complain(preferences.complaint());
    if (begins_with_arrays(options)) start_with_arrays(session, options);
    Gui gui(*surface);
    Recovery recovery(state_folder());
    MainWindow main_window(gui, session, {.folder = options.lessons, .progress_folder = state_folder()}, &recovery);
    std::optional<FrameTrace> trace;
    if (!options.frame_trace.empty()) trace.emplace(options.frame_trace);
    const auto left = options.scene.empty() ? recovery.take_recovered() : std::nullopt;
    if (left)
        recover(session.document, session.notices, *left);
    else if (options.scene.empty() && options.lesson.empty())
        open_last_scene(session);
    open_a_lesson(main_window.tutor(), session, options, !main_window.tutor().is_new() || preferences.was_there(),
                  left.has_value());
    session.notices.complain(main_window.tutor().complaint());  // opening a scene would have removed it
    if (!left) session.document.forget_steps();                 // the user has not seen the scene before the lesson's
    SessionSaver saver(recovery);
    std::atomic<bool> stopped = false;
    on_signal([&] { stopped = true, surface->wake(); });
    const std::shared_ptr<void> unregistered(nullptr, [&](void*) { on_signal(nullptr); });  // also on an exception
    std::string title;
    const auto remember = [&] {
        if (const auto now = surface->place(); !now.empty()) session.preferences.window = now;
        session.preferences.scene = name_to_open(session.document.scene());
        preferences.save(session.preferences);
        preferences.wait();
        preferences.save(session.preferences);
    };
    while (!stopped) {
        if (surface->close_requested()) {
            if (main_window.is_failing()) break;  // the next start recovers the session
            surface->request_close(false);
            main_window.ask_to_leave();
        }
        if (main_window.is_left()) {
            recovery.forget();
            remember();
            break;
        }
        const std::string wanted =
            (session.document.has_unsaved_changes() ? "• " : "") + session.document.scene().title + " – Ropewalk";
        if (wanted != title) surface->set_title(title = wanted);  // setting it causes an event, so only when it changes
        const double patience = std::min(
            {gui.timeout(), saver.save(session), preferences.save(session.preferences), main_window.tutor().save()});
        surface->wait(session.exports.is_writing() ? std::min(0.05, patience) : patience);
        main_window.frame();
        if (trace) trace->add(gui.times(), session.computation.state());
    }
}

std::string screenshot_png(const WindowOptions& options) {
    return_large_arrays();
    PictureWindow window(options);
    const std::string text = scene_text(window.session.document.current_scene());
    window.settle();
    return png_bytes(window.gui.screenshot(), text);
}

WindowTimes time_window(const WindowOptions& options, int frames, const Cancel& cancel) {
    StageClock clock;
    PictureWindow window(options);
    window.main_window.frame();
    WindowTimes times{.first_frame = clock.lap()};
    window.settle();
    for (int frame = 0; frame < frames; ++frame) {
        cancel.check();
        clock.lap();
        window.main_window.frame();
        times.unchanged.push_back(clock.lap());
        times.built.push_back(window.gui.times().build_ms);
    }
    for (int frame = 0; frame < frames; ++frame) {
        cancel.check();
        clock.lap();
        window.gui.screenshot();
        times.redrawn.push_back(clock.lap());
    }
    return times;
}

}  // namespace ropewalk
