// Scene files: an experiment and how it is looked at, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment.h"
#include "core/fields_io.h"

namespace ropewalk {

inline constexpr int scene_schema = 1;

/// {"schema": 1, "title": …, "about": …, "experiment": {…}, "view": {…}}
struct Scene {
    std::string title, about;
    Experiment experiment;
    nlohmann::json view = nlohmann::json::object();      // ink only; its owner is app/figures
    nlohmann::json document = nlohmann::json::object();  // as read, so that unknown keys survive saving
    std::string path;                                    // empty if it came from no file
    bool bundled = false;
    Warnings warnings;
};

/// "encoding.base=500000", as behind `--set`.
using Settings = std::vector<std::string>;

/// Reads a scene from text. `name` is what errors call it. Settings are applied in order, their files found from the
/// working directory; only then is the whole experiment validated. InputError, IoError or UsageError say what is wrong.
Scene parse_scene(std::string_view text, const std::string& name, const FileAccess& access,
                  const Settings& settings = {});

/// A scene by the path of its file, or by the name of a bundled one. IoError if there is neither.
Scene open_scene(const std::string& file_or_name, const Settings& settings = {});

/// The scene as JSON text; what was unknown when it was read is still there.
std::string scene_text(const Scene& scene);

/// The names of the bundled scenes, sorted, and where they lie.
std::vector<std::string> bundled_scenes();
std::string bundled_scene_path(const std::string& name);

/// Applies one "path=value" to an experiment.
void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access);

/// What stands between separators, without blanks around it; nothing of what is empty. A blank as separator means any.
/// A separator between single quotes is none, and the quotes stay; one quote without a second is an apostrophe.
std::vector<std::string> parts_outside_quotes(std::string_view text, char separator);

/// Settings that are written behind one another with spaces between them: construction.text='the cat''s tail' is one.
Settings settings_in(std::string_view text);
/// As `settings_in` reads it.
std::string in_one_line(const Settings& settings);

/// The experiment with such settings applied. No files are read. Validated.
Experiment changed(Experiment experiment, const std::string& settings);

/// What has to be set, in order, so that `from` becomes `to`.
Settings settings_between(Experiment from, const Experiment& to);

}  // namespace ropewalk
