// Scene files: an experiment and its view, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"
#include "core/io/files.h"

namespace ropewalk {

inline constexpr int scene_schema = 1;
inline constexpr const char* reference_member = "compared_with";

/// The content of a scene file:
///   {"schema": 1, "title": …, "about": …, "experiment": {…}, "compared_with": {…}, "view": {…}}
struct Scene {
    std::string title, about;
    Experiment experiment;
    std::optional<Experiment> reference;                 // the "compared_with" member
    nlohmann::json view = nlohmann::json::object();      // owned and interpreted by app/figures
    nlohmann::json document = nlohmann::json::object();  // as read; keeps unknown keys for saving
    std::string path;                                    // empty if not from a file
    std::optional<FileStamp> stamp;                      // of that file as it was read or written
    bool bundled = false;
    Warnings warnings;
};

/// Reads the members of an experiment; those that are missing keep their values. Where `access` keeps faults, only the
/// encoding and the construction may have any, as in the window. Throws InputError or IoError.
void experiment_from_json(const JsonValue& json, Experiment& experiment, const FileAccess& access, Warnings& warnings);

/// Reads a scene from text; errors call it `name`. Applies the settings in order, with their files relative to the
/// working directory, and then validates the whole experiment unless `access` keeps faults; a reference has none in any
/// case. Throws InputError, IoError or UsageError.
Scene parse_scene(std::string_view text, const std::string& name, const FileAccess& access,
                  const Settings& settings = {});

/// Reads a scene by the path of its file or by the name of a bundled scene. Throws IoError if there is neither.
Scene open_scene(const std::string& file_or_name, const Settings& settings = {});

/// Returns the scene as JSON text, including the unknown keys that were read.
std::string scene_text(const Scene& scene);
/// Throws InputError or LimitError if a scene's text could not be read again, because it has too many unknown keys. To
/// be called before it is written.
void require_readable(std::string_view scene_text);

/// Removes a reference that reads files, because the scene could not be opened where these files are missing.
void leave_out_files_of_reference(Scene& scene);

/// Returns the title of a scene without one: its file's name without .json or .ropewalk.json.
std::string title_of_file(const std::string& path);

/// Returns the sorted names of the bundled scenes, and the path of one.
std::vector<std::string> bundled_scenes();
std::string bundled_scene_path(const std::string& name);

}  // namespace ropewalk
