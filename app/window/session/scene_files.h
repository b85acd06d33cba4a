// Scenes, arrays and texts that a document is opened from, and the file that it is saved to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/window/session/array_reading.h"
#include "app/window/session/document.h"
#include "app/window/session/recent_scenes.h"

namespace ropewalk {

struct SceneEntry {
    std::string name, title, about;
};

/// Returns the one or two files of queries and keys that a list of files begins with.
std::vector<std::string> leading_arrays(const std::vector<std::string>& paths);

/// Opens and saves a document. Failures become notices, and nothing is lost by them.
class SceneFiles {
  public:
    /// `recent` is the folder of the list of recent scenes; if it is empty the list is not saved.
    SceneFiles(Document& document, Notices& notices, const std::filesystem::path& recent);

    /// Opens a scene, a figure that carries one, one or two files of queries and keys, or a folder with a model; takes
    /// the settings of a config.json. One step of undo. Returns false on failure.
    bool open(const std::vector<std::string>& paths);
    /// Returns what one or two files of queries and keys leave open, with a guess. Throws InputError or IoError.
    ArrayQuestion question_about(const std::vector<std::string>& paths) const;
    /// Opens the model in a folder, or in the folder of a file. Returns false, with a notice, on failure.
    bool open_model_at(const std::string& path);
    /// Opens them as the question was answered. Returns false, with a notice, on failure.
    bool open_arrays_as(const ArrayQuestion& answered);
    bool open_bundled(const std::string& name);
    /// Opens a scene as text, for example from the clipboard. Files that it names must be below the working directory.
    bool open_text(const std::string& text);
    /// Saves the scene. Returns false, with a notice, on failure.
    bool save(const std::string& path);
    /// Returns the bundled scenes, which are read once.
    const std::vector<SceneEntry>& bundled();
    RecentScenes& recent() { return recent_; }

  private:
    void open_arrays(const std::vector<std::string>& paths, std::optional<ArrayReading> reading);
    void open_model(const std::string& path);
    void take_config(const std::string& path);

    Document& document_;
    Notices& notices_;
    RecentScenes recent_;
    std::vector<SceneEntry> bundled_;
};

}  // namespace ropewalk
