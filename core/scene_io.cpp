#include "core/scene_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/closest_name.h"
#include "core/io/assets.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t greatest_scene_bytes = 16 << 20;

/// The shape of an arrays construction is its files' business; how their channels pair up is not, and guessing it would
/// change the picture.
void require_stated_pairing(const Scene& scene, const JsonValue& root, const Settings& settings) {
    if (!needs_stated_pairing(scene.experiment.construction)) return;
    const bool has_experiment = root.contains("experiment");
    const JsonValue place = has_experiment ? root.at("experiment") : root;
    const bool in_file = has_experiment && place.contains("pairing");
    const bool set =
        std::any_of(settings.begin(), settings.end(), [](const std::string& s) { return s.starts_with("pairing="); });
    if (!in_file && !set)
        place.reject(
            "the pairing is not stated; with arrays from files it must say how channels pair up: 'interleaved' or "
            "'half_split'");
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& name, const FileAccess& access, const Settings& settings) {
    Scene scene;
    scene.document = parse_json(text, name);
    const JsonValue root(scene.document, name);
    if (!scene.document.is_object()) root.reject("a scene must be an object {\"schema\": 1, \"experiment\": {…}}");
    const std::int64_t schema = root.at("schema").integer(1, 1'000'000);
    if (schema > scene_schema)
        root.at("schema").reject(
            fmt::format("is {}: made by a newer Ropewalk; this one reads schema {}", schema, scene_schema));
    if (root.contains("title")) scene.title = root.at("title").text();
    if (root.contains("about")) scene.about = root.at("about").text();
    if (root.contains("experiment")) members_from_json(root.at("experiment"), scene.experiment, access, scene.warnings);
    if (root.contains("view")) {
        if (!root.at("view").raw().is_object()) root.at("view").reject("must be an object");
        scene.view = root.at("view").raw();
    }
    for (const auto& member : scene.document.items())
        if (const std::string& key = member.key();
            key != "schema" && key != "title" && key != "about" && key != "experiment" && key != "view")
            scene.warnings.push_back(root.at(key).where() + ": is not known to this version; it is kept");
    for (const auto& setting : settings)
        apply_setting(scene.experiment, setting, {.folder = "", .reach = FileAccess::Reach::anywhere});
    require_stated_pairing(scene, root, settings);
    if (auto sentence = validate(scene.experiment)) throw InputError(name + ": " + *sentence);
    return scene;
}

Scene open_scene(const std::string& file_or_name, const Settings& settings) {
    std::error_code error;
    const bool is_name = file_or_name.find('/') == std::string::npos && !std::filesystem::exists(file_or_name, error);
    const auto names = is_name ? bundled_scenes() : std::vector<std::string>{};
    const bool bundled = std::find(names.begin(), names.end(), file_or_name) != names.end();
    if (is_name && !bundled && !file_or_name.ends_with(".json")) {
        const std::string meant = closest_name(file_or_name, names);
        throw IoError(fmt::format("'{}' is neither a file nor a bundled scene; {}`ropewalk list scenes` names them",
                                  file_or_name, meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant)));
    }
    const std::string path = bundled ? bundled_scene_path(file_or_name) : file_or_name;
    Scene scene = parse_scene(read_file(path, greatest_scene_bytes), path,
                              {.folder = std::filesystem::path(path).parent_path()}, settings);
    scene.path = path;
    scene.bundled = bundled;
    if (scene.title.empty()) scene.title = std::filesystem::path(path).stem().string();
    return scene;
}

std::string scene_text(const Scene& scene) {
    nlohmann::json document = scene.document.is_object() ? scene.document : nlohmann::json::object();
    document["schema"] = scene_schema;
    document["title"] = scene.title;
    if (!scene.about.empty()) document["about"] = scene.about;
    nlohmann::json experiment = to_json(scene.experiment);
    nlohmann::json& known = document["experiment"];
    if (!known.is_object()) known = nlohmann::json::object();
    const nlohmann::json usual = to_json(Experiment{});
    for (const auto& [path, value] : experiment.items()) {
        // Another alternative's fields are not this one's unknown keys; a choice without an id is the usual one.
        if (!value.is_object() || !value.contains("id") || !known.contains(path) || !known[path].is_object()) continue;
        if (known[path].value("id", usual[path]["id"]) != value["id"]) known.erase(path);
    }
    known.merge_patch(experiment);
    document["view"] = scene.view;
    return document.dump(2) + "\n";
}

std::vector<std::string> bundled_scenes() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(assets_folder() / "scenes"))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string bundled_scene_path(const std::string& name) {
    return (assets_folder() / "scenes" / (name + ".json")).string();
}

void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access) {
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos)
        throw UsageError(
            fmt::format("'{}' is no setting; write it as path=value, such as encoding.base=500000", setting));
    set_field(experiment, setting.substr(0, equals), setting.substr(equals + 1), access);
}

std::vector<std::string> parts_outside_quotes(std::string_view text, char separator) {
    const bool has_quotes = std::count(text.begin(), text.end(), '\'') % 2 == 0;  // one alone is an apostrophe
    const auto is_blank = [](char c) { return std::string_view(" \t\r\n").find(c) != std::string_view::npos; };
    std::vector<std::string> parts(1);
    bool quoted = false;
    for (const char c : text) {
        quoted ^= has_quotes && c == '\'';
        if (!quoted && (c == separator || (separator == ' ' && is_blank(c))))
            parts.emplace_back();
        else
            parts.back() += c;
    }
    for (std::string& part : parts) {
        while (!part.empty() && is_blank(part.front())) part.erase(0, 1);
        while (!part.empty() && is_blank(part.back())) part.pop_back();
    }
    std::erase(parts, "");
    return parts;
}

Settings settings_in(std::string_view text) {
    Settings settings = parts_outside_quotes(text, ' ');
    for (std::string& setting : settings) {
        if (std::count(setting.begin(), setting.end(), '\'') % 2 != 0) continue;  // an apostrophe
        std::string plain;
        bool quoted = false;
        for (std::size_t i = 0; i < setting.size(); ++i) {
            const bool is_quote = setting[i] == '\'';
            const bool is_doubled = is_quote && quoted && i + 1 < setting.size() && setting[i + 1] == '\'';
            if (!is_quote || is_doubled) plain += setting[i];
            if (is_doubled)
                ++i;
            else
                quoted ^= is_quote;
        }
        setting = plain;
    }
    return settings;
}

std::string in_one_line(const Settings& settings) {
    std::string text;
    for (const std::string& setting : settings) {
        if (!text.empty()) text += ' ';
        const auto value = setting.find('=') + 1;
        if (setting.find_first_of(" \t\r\n|'", value) == std::string::npos) {
            text += setting;
            continue;
        }
        text += setting.substr(0, value) + '\'';
        for (const char c : setting.substr(value)) text += c == '\'' ? std::string("''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

Experiment changed(Experiment experiment, const std::string& settings) {
    for (const std::string& setting : settings_in(settings)) apply_setting(experiment, setting, {});
    if (auto sentence = validate(experiment)) throw InputError(fmt::format("with {}: {}", settings, *sentence));
    return experiment;
}

Settings settings_between(Experiment from, const Experiment& to) {
    const FileAccess anywhere{.folder = "", .reach = FileAccess::Reach::anywhere};
    return settings_between(from, to, [&](const std::string& setting) { apply_setting(from, setting, anywhere); });
}

}  // namespace ropewalk
