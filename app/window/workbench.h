// All mutable state of the window, and what can be done to it; it knows nothing of widgets.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "app/figures/view_io.h"
#include "app/window/history.h"
#include "core/worker.h"

namespace ropewalk {

/// One sentence for the status bar.
struct Notice {
    enum class Kind { note, error };

    std::string sentence;
    Kind kind = Kind::note;
};

struct WorkbenchOptions {
    std::string backend;
    int threads = 0;
    std::function<void()> wake;  // called from other threads when there is something new to show
};

/// A bundled scene, for the picker.
struct SceneEntry {
    std::string name, title, about;
};

class Workbench {
  public:
    Workbench(Scene scene, const WorkbenchOptions& options);

    // ---- what is edited
    const Experiment& experiment() const { return history_.present(); }
    /// Changes the experiment: one step of undo, or part of one while a widget is held.
    void edit(const Experiment& experiment, Gesture gesture);
    void end_gesture() { history_.end_gesture(); }
    void undo();
    void redo();
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    View view;
    const Theme* theme = &dark_theme();

    // ---- what is computed
    /// Whether the experiment can be computed; if not, `complaint` says why, and nothing may be asked of it.
    bool check();
    /// Asks the worker for what the figures need. Only of an experiment that passed `check`.
    void ask(const Needs& needs);
    /// Fetches what the worker has published. Call once a frame.
    void refresh();
    const WorkerState& state() const { return state_; }
    /// Results for a figure with these needs: the coarse ones if they are newer and hold what it needs. Null before the
    /// first.
    std::shared_ptr<const Results> results_for(const Needs& needs) const;
    /// Whether what is shown has been of another experiment for longer than an eye would forgive.
    bool is_stale() const;
    /// Until the worker has answered.
    void wait();
    std::string backend_description() const { return backend_description_; }

    // ---- scenes and files; failures become notices, and nothing is lost
    const Scene& scene() const { return scene_; }
    bool has_unsaved_changes() const;
    /// A scene, or one or two .npy files.
    void open(const std::vector<std::string>& paths);
    void open_bundled(const std::string& name);
    /// Read once.
    const std::vector<SceneEntry>& bundled();
    void save(const std::string& path);
    /// Writes a figure in the background; the file's name says the format.
    void export_figure(const Figure& figure, const std::string& path);
    /// Encodes and writes in the background, to a name that is not taken: "name.png", "name-2.png" …
    void write_picture(Image image, const std::filesystem::path& folder, const std::string& name);
    bool is_writing() const { return writing_.valid(); }

    Notice notice;
    /// Why the present experiment cannot be computed; empty if it can.
    std::string complaint() const;

  private:
    void show(Scene scene);
    void open_arrays(const std::vector<std::string>& paths);
    /// A scene finds its arrays in its own folder: those from elsewhere are copied there, the paths made relative.
    void bring_arrays_along(Scene& scene, const std::filesystem::path& folder) const;
    Scene present_scene() const;
    void write_in_background(std::function<std::string()> work);

    Scene scene_;
    History<Experiment> history_;
    Experiment saved_experiment_;
    std::vector<Figure> saved_figures_;
    WorkerState state_;
    std::vector<SceneEntry> bundled_;
    std::string invalid_;
    std::chrono::steady_clock::time_point edited_ = std::chrono::steady_clock::now();
    WorkbenchOptions options_;
    std::string backend_description_;
    std::future<std::string> writing_;  // its sentence; failures are thrown
    std::unique_ptr<Worker> worker_;
};

}  // namespace ropewalk
