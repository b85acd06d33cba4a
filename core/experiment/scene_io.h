// Scene files: an experiment and how it is looked at, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"

namespace ropewalk {

inline constexpr int scene_schema = 1;
inline constexpr const char* reference_member = "compared_with";

/// {"schema": 1, "title": …, "about": …, "experiment": {…}, "compared_with": {…}, "view": {…}}
struct Scene {
    std::string title, about;
    Experiment experiment;
    std::optional<Experiment> reference;                 // that it is compared with: "compared_with"
    nlohmann::json view = nlohmann::json::object();      // ink only; its owner is app/figures
    nlohmann::json document = nlohmann::json::object();  // as read, so that unknown keys survive saving
    std::string path;                                    // empty if it came from no file
    bool bundled = false;
    Warnings warnings;
};

/// Reads a scene from text. `name` is what errors call it. Settings are applied in order, their files found from the
/// working directory; only then is the whole experiment validated. InputError, IoError or UsageError say what is wrong.
Scene parse_scene(std::string_view text, const std::string& name, const FileAccess& access,
                  const Settings& settings = {});

/// A scene by the path of its file, or by the name of a bundled one. IoError if there is neither.
Scene open_scene(const std::string& file_or_name, const Settings& settings = {});

/// The scene as JSON text; what was unknown when it was read is still there.
std::string scene_text(const Scene& scene);

/// A scene that goes elsewhere does without a reference that reads files: it would be refused where these are not.
void leave_out_files_of_reference(Scene& scene);

/// What a scene is called that has no title: its file's name without .json or .ropewalk.json.
std::string title_of_file(const std::string& path);

/// The names of the bundled scenes, sorted, and where they lie.
std::vector<std::string> bundled_scenes();
std::string bundled_scene_path(const std::string& name);

}  // namespace ropewalk
