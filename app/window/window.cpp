#include "app/window/window.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "app/plot/export.h"
#include "app/plot/open_figure.h"
#include "app/window/frame_trace.h"
#include "app/window/main_window/main_window.h"
#include "app/window/session/late_session.h"
#include "app/window/session/recovery.h"
#include "app/window/session/session_saver.h"
#include "app/window/session/session_text.h"
#include "app/window/surface/egl_surface.h"
#include "app/window/surface/glfw_surface.h"
#include "core/error.h"
#include "core/evaluation/affordable.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "core/models/files/head_arrays.h"
#include "core/models/files/model_folder.h"
#include "core/models/model.h"
#include "core/models/open_model.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr const char* default_scene = "barbero-prop31";
constexpr int most_settling_frames = 40;

/// Makes large images and curves go back to the system when they are freed. By default the allocator would keep their
/// memory, because it adapts to the first ones. Smaller blocks stay, as every result needs them again.
void return_large_arrays() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

bool begins_with_arrays(const WindowOptions& options) {
    return options.lesson.empty() && may_hold_heads(options.scene);
}
bool begins_with_model(const WindowOptions& options) {
    std::error_code error;
    const std::filesystem::path path(options.scene);
    return options.lesson.empty() && (std::filesystem::exists(path / "config.json", error) ||
                                      (extension_of(options.scene) == "safetensors" &&
                                       std::filesystem::exists(path, error) && !begins_with_arrays(options)));
}
/// Returns whether arrays, a model or its configuration take the place of a scene.
bool begins_with_heads(const WindowOptions& options) {
    return begins_with_model(options) || begins_with_arrays(options) ||
           (options.lesson.empty() && is_model_config(options.scene));
}
/// Returns whether the window asks how arrays are to be read. Settings of the command line answer for the user.
bool asks_about_arrays(const WindowOptions& options) {
    return begins_with_arrays(options) && options.settings.empty();
}

/// Returns whether the command line changes the scene with which the window begins, so that its file does not contain
/// everything.
bool has_settings_of_scene(const WindowOptions& options) {
    return !options.settings.empty() && !options.scene.empty() && options.lesson.empty() && !begins_with_heads(options);
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
    if (!options.lesson.empty() || begins_with_heads(options))
        return open_scene_or_figure(default_scene);  // replaced by the lesson's scene, or by another head
    return open_scene_or_figure(options.scene.empty() ? default_scene : options.scene, options.settings);
}

/// Reads arrays, a model or its configuration, so that a failure has its own exit code. Returns the model, if it is
/// one.
std::shared_ptr<const Model> read_heads(const WindowOptions& options) {
    if (begins_with_model(options)) return shared_model(find_model_folder(options.scene).folder.string());
    if (begins_with_arrays(options))
        open_head_arrays(options.scene);
    else
        read_model_config(options.scene);
    return nullptr;
}

/// Opens arrays as a guess reads them, a model or its configuration, and applies the settings to the head. Throws
/// IoError or InputError.
void start_with_heads(Session& session, const WindowOptions& options) {
    const auto model = read_heads(options);  // held, so that opening it finds it
    const bool is_open = begins_with_arrays(options)
                             ? session.files.open_arrays_as(session.files.question_about({options.scene}))
                             : session.files.open({options.scene});
    if (!is_open) throw InputError(session.notices.current().sentence);
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

/// What a start finds.
struct Start {
    bool has_run_before = false, has_recovered = false;
};

/// Opens the lesson that was asked for, else the one that was left open, else at the very first start the first lesson.
void open_a_lesson(Tutor& tutor, Session& session, const WindowOptions& options, const Start& start) {
    if (!options.lesson.empty()) return start_lesson(tutor, session, options);
    if (!options.scene.empty()) return;
    if (start.has_recovered && tutor.was_open())
        tutor.open();  // keeps the recovered scene
    else if (start.has_recovered)
        return;
    else if (start.has_run_before)
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

/// Returns the folder of the user's own lessons: $XDG_DATA_HOME/ropewalk/lessons; empty if it is not known.
std::filesystem::path own_lessons() {
    const std::filesystem::path data = own_folder("XDG_DATA_HOME", ".local/share");
    return data.empty() ? data : data / "lessons";
}

SurfaceOptions surface_options(const WindowOptions& options) {
    SurfaceOptions surface{.scale = options.scale};
    if (options.size) std::tie(surface.width, surface.height) = *options.size;
    require_image_size(surface.width, surface.height, surface.scale > 0 ? surface.scale : 1);
    return surface;
}

/// The window without a display.
struct PictureWindow {
    explicit PictureWindow(const WindowOptions& asked) : PictureWindow(Read{with_lesson_of_file(asked)}) {}

    /// Draws frames until everything is exact. Throws InputError if the head cannot be computed, LimitError if it would
    /// take too long, and Cancelled.
    void settle(const Cancel& cancel) {
        const auto backend = open_backend("cpu");
        // The figures' needs depend on the space that their labels leave, and so on earlier results.
        std::optional<Request> shown;
        std::vector<Request> affordable;
        for (int frame = 0; frame < most_settling_frames; ++frame) {
            main_window.frame();
            if (const auto asked = session.computation.asked(); asked != std::exchange(affordable, asked)) {
                double work = 0;
                for (const Request& request : asked)
                    work += work_of(request.experiment, request.needs, *backend, cancel);
                require_affordable(work, "this window", "choose a shorter seq_len, or fewer figures");
            }
            session.computation.wait(cancel);
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
          session(std::move(read.scene), {.computation = {.backend = read.options.backend, .shows_times = false}}),
          gui(surface, 1.0 / 60),
          main_window(gui, session, {.folder = read.options.lessons}) {
        session.preferences = Preferences{}.with_theme(read.options.theme);
        if (begins_with_heads(read.options)) start_with_heads(session, read.options);
        if (!read.options.lesson.empty()) start_lesson(main_window.tutor(), session, read.options);
    }

    EglSurface surface;

  public:
    Session session;
    Gui gui;
    MainWindow main_window;
};

/// The window on the screen, and what it keeps between runs.
class ScreenWindow {
  public:
    ScreenWindow(const WindowOptions& options, Scene scene)
        : preferences_(config_folder()),
          surface_(std::make_unique<GlfwSurface>(place_of(options, preferences_.saved()))),
          session_(std::move(scene),
                   {.recent = state_folder(),
                    .layouts = config_folder(),
                    .computation = {.backend = backend_of(options, preferences_.saved()), .wake = [this] { wake(); }},
                    .trains_live = true}),
          gui_(ready_for_drawing(options)),
          recovery_(state_folder()),
          main_window_(gui_, session_,
                       {.folder = options.lessons.empty() ? own_lessons().string() : options.lessons,
                        .progress_folder = state_folder(),
                        .own_folder = own_lessons()},
                       &recovery_),
          saver_(recovery_) {
        if (!options.frame_trace.empty()) trace_.emplace(options.frame_trace);
        open_first_scene(options);
    }

    void wake() const { surface_->wake(); }
    /// Draws one frame, after waiting until there is a reason for it. Returns false once the window is to be closed.
    bool frame() {
        if (surface_->close_requested()) {
            if (main_window_.is_failing()) return false;  // the next start recovers the session
            surface_->request_close(false);
            main_window_.ask_to_leave();
        }
        if (main_window_.is_left()) {
            recovery_.forget();
            remember();
            return false;
        }
        show_title();
        const double patience = std::min(gui_.timeout(), save());
        surface_->wait(session_.exports.is_writing() ? std::min(0.05, patience) : patience);
        main_window_.frame();
        if (trace_) trace_->add(gui_.times(), session_.computation.state());
        return true;
    }
    /// Saves the session for the next start, which recovers it.
    void save_at_end() {
        main_window_.end_preview();
        saver_.save_at_end(session_);
    }

  private:
    /// Saves whatever is due. Reports a failure once and tries again. Returns for how many seconds the next call may
    /// wait.
    double save() {
        // The palette may show what is not chosen yet; what was there before is saved while it opens.
        const auto when = main_window_.is_previewing()      ? SessionSaver::When::never
                          : main_window_.has_palette_open() ? SessionSaver::When::soon
                                                            : SessionSaver::When::usual;
        double patience = infinity;
        std::string failure;
        const auto attempt = [&](const char* what_fails, auto&& action) {
            constexpr double until_repeated = 3;
            std::string reason;
            try {
                patience = std::min(patience, action());
                return;
            } catch (const std::bad_alloc&) {
                reason = "not enough memory";
            } catch (const std::exception& error) {
                reason = error.what();
            }
            failure = fmt::format("{}: {}. Ropewalk will try again.", what_fails, reason);
            patience = std::min(patience, until_repeated);
        };
        attempt("Your session cannot be saved", [&] { return saver_.save(session_, when); });
        attempt("Your settings cannot be saved", [&] { return preferences_.save(session_.preferences); });
        attempt("Your lesson progress cannot be saved", [&] { return main_window_.tutor().save(); });
        attempt("Other sessions cannot be looked for",
                [&] { return late_session_ ? late_session_->look(session_.notices) : infinity; });
        if (failure != std::exchange(failure_, failure) && !failure.empty()) session_.notices.complain(failure);
        return patience;
    }

    static SurfaceOptions place_of(const WindowOptions& options, const Preferences& saved) {
        SurfaceOptions place = surface_options(options);
        if (!options.size) place.place = saved.window;
        return place;
    }
    /// Returns the backend of the command line, else the preferred one if it opens.
    static BackendOptions backend_of(const WindowOptions& options, const Preferences& saved) {
        BackendOptions backend = options.backend;
        if (!backend.id.empty() || saved.backend == BackendChoice::automatic) return backend;
        backend.id = name_of(saved.backend).id;
        try {
            backend.open();
        } catch (const std::exception&) {  // for example, the graphics card was removed
            backend.id.clear();
        }
        return backend;
    }
    /// Prepares the session for its first frame. Returns the surface.
    GlfwSurface& ready_for_drawing(const WindowOptions& options) {
        session_.preferences = preferences_.saved().with_theme(options.theme);
        if (begins_with_heads(options) && !asks_about_arrays(options)) start_with_heads(session_, options);
        return *surface_;
    }
    /// Opens a recovered session, the last scene or a lesson, if no scene was asked for.
    void open_first_scene(const WindowOptions& options) {
        Tutor& tutor = main_window_.tutor();
        const auto left = options.scene.empty() ? recovery_.take_recovered() : std::nullopt;
        if (!left) late_session_.emplace(recovery_);
        if (left)
            recover(session_.document, session_.notices, recovery_, *left);
        else if (options.scene.empty() && options.lesson.empty())
            open_last_scene(session_);
        open_a_lesson(
            tutor, session_, options,
            {.has_run_before = !tutor.is_new() || preferences_.was_there(), .has_recovered = left.has_value()});
        session_.notices.complain(preferences_.complaint());  // opening a scene would have removed it
        session_.notices.complain(tutor.complaint());
        if (!left) session_.document.forget_steps();  // the user has not seen the scene before the lesson's
        if (has_settings_of_scene(options)) saver_.keep(session_.document.experiment());
        if (!asks_about_arrays(options)) return;
        read_heads(options);
        if (!main_window_.open({options.scene})) throw InputError(session_.notices.current().sentence);
    }
    /// Shows the scene's title. Setting it causes an event, so it is set only when it changes.
    void show_title() {
        const Document& document = session_.document;
        std::string title = (document.has_unsaved_changes() ? "• " : "") + document.scene().title + " – Ropewalk";
        if (title != title_) surface_->set_title(title_ = std::move(title));
    }
    /// Saves the window's place and the scene, for the next start.
    void remember() {
        if (const auto now = surface_->place(); !now.empty()) session_.preferences.window = now;
        session_.preferences.scene = name_to_open(session_.document.scene());
        preferences_.save(session_.preferences);
        preferences_.wait();
        preferences_.save(session_.preferences);
    }

    PreferencesFile preferences_;
    std::unique_ptr<GlfwSurface> surface_;
    Session session_;
    Gui gui_;
    Recovery recovery_;
    MainWindow main_window_;
    SessionSaver saver_;
    std::optional<LateSession> late_session_;
    std::optional<FrameTrace> trace_;
    std::string title_, failure_;  // failure_: to save, as last told
};

}  // namespace

void run_window(const WindowOptions& asked, const std::function<void(std::function<void()>)>& on_signal) {
    return_large_arrays();
    const WindowOptions options = with_lesson_of_file(asked);
    ScreenWindow window(options, first_scene(options));
    std::atomic<bool> stopped = false;
    on_signal([&] { stopped = true, window.wake(); });
    const std::shared_ptr<void> unregistered(nullptr, [&](void*) { on_signal(nullptr); });  // also on an exception
    try {
        while (!stopped && window.frame()) continue;
    } catch (...) {
        try {
            window.save_at_end();
        } catch (const std::exception&) {  // what ended the window is told
        }
        throw;
    }
    if (!stopped) return;
    window.save_at_end();
    throw Cancelled();
}

std::string screenshot_png(const WindowOptions& options, const std::function<void(const Scene&)>& accept,
                           const Cancel& cancel) {
    return_large_arrays();
    PictureWindow window(options);
    const Document& document = window.session.document;
    Scene read = document.scene();
    read.experiment = document.experiment();
    if (const Experiment* reference = document.reference()) read.reference = *reference;
    accept(read);
    const std::string text = scene_text(document.current_scene());
    window.settle(cancel);
    return png_bytes(window.gui.screenshot(), text);
}

WindowTimes time_window(const WindowOptions& options, int frames, const Cancel& cancel) {
    StageClock clock;
    PictureWindow window(options);
    window.main_window.frame();
    WindowTimes times{.first_frame = clock.lap()};
    window.settle(cancel);
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
