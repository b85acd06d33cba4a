#include "core/experiment/scene_io.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/assets.h"
#include "core/text/closest_name.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_scene_bytes = 16 << 20;

/// Returns what is missing if the head has array files but its pairing is not stated. The files give the shape but not
/// how channels pair up, and a guess would change the result.
std::optional<std::string> missing_pairing(const Experiment& experiment, bool is_stated) {
    if (is_stated || !needs_stated_pairing(experiment.construction)) return std::nullopt;
    return "pairing is missing; with arrays from files it must be 'interleaved' or 'half_split'";
}

/// Returns the part of a problem that names the field and its value, before the rule.
std::string_view complaint_of(std::string_view problem) {
    return problem.substr(0, problem.find(';'));
}

/// Applies settings of the command line in order and validates the experiment, which was read at `place`. Errors name
/// the setting since which the problem exists, or else the place.
void apply(const Settings& settings, const JsonValue& place, Experiment& experiment) {
    std::vector<Experiment> before;  // each setting
    for (const std::string& setting : settings) {
        before.push_back(experiment);
        apply_setting(experiment, setting, {.folder = "", .reach = FileAccess::Reach::anywhere});
    }
    const bool states_pairing =
        place.contains("pairing") ||
        std::any_of(settings.begin(), settings.end(), [](const std::string& s) { return s.starts_with("pairing="); });
    const auto problem_of = [&](const Experiment& one) {
        const auto missing = missing_pairing(one, states_pairing);
        return missing ? missing : validate(one);
    };
    const auto problem = problem_of(experiment);
    if (!problem) return;
    const auto had_it = [&](const Experiment& one) {
        const auto earlier = problem_of(one);
        return earlier && complaint_of(*earlier) == complaint_of(*problem);
    };
    std::size_t cause = settings.size();  // number of the setting since which the problem exists; 0: the place has it
    while (cause > 0 && had_it(before[cause - 1])) --cause;
    throw InputError((cause > 0 ? "--set " + settings[cause - 1] : place.where()) + ": " + *problem);
}

/// Returns a text of the scene itself: its title or what it is about.
std::string text_at(const JsonValue& root, const char* member) {
    if (!root.contains(member)) return {};
    const JsonValue place = root.at(member);
    if (const auto sentence = check_leaf(member, Field{}, place.text())) place.reject(*sentence);
    return place.text();
}

/// Erases the choices in `known` that `written` replaces with another alternative, whose fields are not unknown keys. A
/// choice without an id has the id in `usual`.
void erase_replaced(nlohmann::json& known, const nlohmann::json& written, const nlohmann::json& usual) {
    static const nlohmann::json none = nlohmann::json::object();
    for (const auto& [name, value] : written.items()) {
        if (!value.is_object() || !known.contains(name) || !known[name].is_object()) continue;
        const nlohmann::json& of_usual = usual.contains(name) && usual[name].is_object() ? usual[name] : none;
        if (value.contains("id") && known[name].value("id", of_usual.value("id", nlohmann::json())) != value["id"])
            known.erase(name);
        else
            erase_replaced(known[name], value, of_usual);
    }
}

/// Writes `experiment` into `known`, keeping unknown keys.
void put_into(nlohmann::json& known, const Experiment& experiment) {
    if (!known.is_object()) known = nlohmann::json::object();
    const nlohmann::json written = to_json(experiment);
    erase_replaced(known, written, to_json(Experiment{}));
    known.merge_patch(written);
}

}  // namespace

void experiment_from_json(const JsonValue& json, Experiment& experiment, const FileAccess& access, Warnings& warnings) {
    members_from_json(json, experiment, access, warnings);
    if (!access.keeps_faults) return;
    ConstGroupRef(experiment).for_each([&](const Field& field, const auto& value) {
        std::optional<std::string> sentence;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ConstGroupRef>)
            sentence = check_fields(value);
        else
            sentence = check_leaf(field.name, field, value);  // accepts any choice
        if (sentence) json.reject(*sentence);
    });
}

Scene parse_scene(std::string_view text, const std::string& name, const FileAccess& access, const Settings& settings) {
    Scene scene;
    scene.document = parse_json(text, name);
    const JsonValue root(scene.document, name);
    if (!scene.document.is_object()) root.reject("a scene must be an object {\"schema\": 1, \"experiment\": {…}}");
    if (!root.contains("schema"))
        root.reject("has no member 'schema', so it is not a scene; a scene has \"schema\": 1");
    const std::int64_t schema = root.at("schema").integer(1, 1'000'000);
    if (schema > scene_schema)
        root.at("schema").reject(fmt::format(
            "is {}: the scene was made by a newer Ropewalk; this version reads schema {}", schema, scene_schema));
    scene.title = text_at(root, "title");
    scene.about = text_at(root, "about");
    if (root.contains("experiment"))
        experiment_from_json(root.at("experiment"), scene.experiment, access, scene.warnings);
    if (root.contains(reference_member)) {
        const JsonValue place = root.at(reference_member);
        members_from_json(place, scene.reference.emplace(), access, scene.warnings);
        if (const auto missing = missing_pairing(*scene.reference, place.contains("pairing"))) place.reject(*missing);
        if (auto sentence = validate(*scene.reference)) place.reject(*sentence);
    }
    if (root.contains("view")) {
        if (!root.at("view").raw().is_object()) root.at("view").reject("must be an object");
        scene.view = root.at("view").raw();
    }
    warn_of_others(root, {"schema", "title", "about", "experiment", reference_member, "view"}, scene.warnings);
    if (!access.keeps_faults || !settings.empty())
        apply(settings, root.contains("experiment") ? root.at("experiment") : root, scene.experiment);
    return scene;
}

Scene open_scene(const std::string& file_or_name, const Settings& settings) {
    std::error_code error;
    const bool is_name = file_or_name.find('/') == std::string::npos && !std::filesystem::exists(file_or_name, error) &&
                         !error;  // reading the file reports what is wrong
    const auto names = is_name ? bundled_scenes() : std::vector<std::string>{};
    const bool bundled = std::find(names.begin(), names.end(), file_or_name) != names.end();
    if (is_name && !bundled && !file_or_name.ends_with(".json")) {
        const std::string meant = closest_name(file_or_name, names);
        throw IoError(fmt::format("'{}' is neither a file nor a bundled scene; {}see `ropewalk list scenes`",
                                  file_or_name, meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant)));
    }
    const std::string path = bundled ? bundled_scene_path(file_or_name) : file_or_name;
    const auto stamp = stamp_of(path);  // before it is read, so that a change meanwhile is noticed
    Scene scene = parse_scene(read_file(path, max_scene_bytes), path,
                              {.folder = std::filesystem::path(path).parent_path()}, settings);
    scene.path = path;
    scene.stamp = stamp;
    scene.bundled = bundled;
    if (scene.title.empty()) scene.title = title_of_file(path);
    return scene;
}

std::string scene_text(const Scene& scene) {
    nlohmann::json document = scene.document.is_object() ? scene.document : nlohmann::json::object();
    document["schema"] = scene_schema;
    document["title"] = scene.title;
    if (!scene.about.empty()) document["about"] = scene.about;
    put_into(document["experiment"], scene.experiment);
    if (scene.reference)
        put_into(document[reference_member], *scene.reference);
    else
        document.erase(reference_member);
    document["view"] = scene.view;
    return json_text(document);
}

void require_readable(std::string_view scene_text) {
    const bool is_surely_readable = scene_text.size() <= JsonLimits{}.events;  // each takes a byte
    if (!is_surely_readable) parse_json(scene_text, "the scene, as it would be written");
}

void leave_out_files_of_reference(Scene& scene) {
    if (scene.reference && reads_files(*scene.reference)) scene.reference.reset();
}

std::string title_of_file(const std::string& path) {
    const std::string stem = as_utf8(std::filesystem::path(path).stem().string());
    constexpr std::string_view kind = ".ropewalk";
    return stem.ends_with(kind) && stem.size() > kind.size() ? stem.substr(0, stem.size() - kind.size()) : stem;
}

std::vector<std::string> bundled_scenes() {
    std::vector<std::string> names;
    for (const std::string& file : names_in(assets_folder() / "scenes"))
        if (const std::filesystem::path path = file; path.extension() == ".json") names.push_back(path.stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string bundled_scene_path(const std::string& name) {
    return (assets_folder() / "scenes" / (name + ".json")).string();
}

}  // namespace ropewalk
