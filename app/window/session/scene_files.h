// Scenes, arrays and texts that a document is opened from, and the file that it is saved to.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/session/array_reading.h"
#include "app/window/session/document.h"
#include "app/window/session/recent_scenes.h"
#include "core/models/open_model.h"

namespace ropewalk {

struct SceneEntry {
    std::string name, title, about;
};

/// Returns the one or two files of queries and keys that a list of files begins with.
std::vector<std::string> leading_arrays(const std::vector<std::string>& paths);

/// Returns whether a path is that of a model: a folder, or a file of weights.
bool may_be_model(const std::string& path);

/// Opens and saves a document. Failures become notices, and nothing is lost by them.
class SceneFiles {
  public:
    /// `recent` is the folder of the list of recent scenes; if it is empty the list is not saved.
    /// `wake` is called from another thread when a model is open, and must not block.
    SceneFiles(Document& document, Notices& notices, const std::filesystem::path& recent,
               std::function<void()> wake = {});
    ~SceneFiles();
    SceneFiles(const SceneFiles&) = delete;
    SceneFiles& operator=(const SceneFiles&) = delete;

    /// Opens a scene, a figure that carries one, one or two files of queries and keys, or a folder with a model; takes
    /// the settings of a config.json. One step of undo. Returns false on failure.
    bool open(const std::vector<std::string>& paths);
    /// Returns what one or two files of queries and keys leave open, with a guess. Throws InputError or IoError, for
    /// example if the arrays are invalid whatever the answer.
    ArrayQuestion question_about(const std::vector<std::string>& paths) const;
    /// Begins to open the model in a folder, or in the folder of a file, on another thread, in place of one that is
    /// being opened. Opening anything else stops it.
    void begin_model(const std::string& path);
    /// Returns the name of the folder that is being opened; empty if there is none.
    std::string opening() const;
    /// Returns which part of that model is being read: "weights" or "tokenizer".
    std::string_view reading() const;
    void stop_opening();
    /// Shows the model that was opened, or why it was not. Call once per frame.
    void refresh();
    /// Opens them as the question was answered. Returns false, with a notice, on failure.
    bool open_arrays_as(const ArrayQuestion& answered);
    bool open_bundled(const std::string& name);
    /// Opens a scene as text, for example from the clipboard. Files that it names must be below the working directory.
    bool open_text(const std::string& text);
    /// Returns whether another program has changed the scene's own file since it was opened or saved; false if it was
    /// deleted.
    bool is_changed_elsewhere() const;
    /// Returns why the scene cannot be saved while its head cannot be computed; empty if it can be computed.
    std::string obstacle_to_saving() const;
    /// Saves the scene. Returns false, with a notice, on failure; a file that was there stays as it was.
    bool save(const std::string& path);
    /// Returns whether the last `save` failed because of a file that the scene reads, which no other name would help.
    bool misses_file() const { return misses_file_; }
    /// Returns the bundled scenes, which are read once.
    const std::vector<SceneEntry>& bundled();
    RecentScenes& recent() { return recent_; }

  private:
    struct State {
        std::atomic<std::uint64_t> generation = 0;
        std::atomic<bool> has_ended = false;
        std::atomic<ModelPart> part = ModelPart::weights;
    };
    struct Opening {
        std::string path;
        std::shared_ptr<State> state;
        std::future<std::shared_ptr<const Model>> model;
    };

    void open_arrays(const std::vector<std::string>& paths, std::optional<ArrayReading> reading);
    void open_model(const std::string& path);
    void take_config(const std::string& path);

    Document& document_;
    Notices& notices_;
    RecentScenes recent_;
    bool misses_file_ = false;
    std::vector<SceneEntry> bundled_;
    std::function<void()> wake_;
    std::optional<Opening> opening_;
    std::vector<Opening> stopped_;  // that have yet to end
};

}  // namespace ropewalk
