#include "app/figures/page/view_io.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/fields/old_names.h"
#include "core/text/closest_name.h"

namespace ropewalk {
namespace {

constexpr Field place_field{.name = "cursor", .min = 0, .max = longest_sequence};

/// Throws UsageError unless the figure has an option of that name.
void require_option(const Figure& figure, const std::string& name) {
    std::vector<std::string> options, fields;
    walk_fields(ConstChoiceRef(figure).fields(),
                [&](const std::string& path, const Field&, const auto&) { options.push_back(path); });
    const auto is_meant = [&](const std::string& option) { return is_name_of(option, name); };
    if (std::any_of(options.begin(), options.end(), is_meant)) return;
    walk_fields(ConstGroupRef(Experiment{}),
                [&](const std::string& path, const Field&, const auto&) { fields.push_back(path); });
    const std::string field = closest_name(name, fields);
    const std::string otherwise = !field.empty()
                                      ? fmt::format("did you mean the head's field '{}'? Set it with --set", field)
                                  : options.empty() ? "it has no options"
                                                    : fmt::format("its options are {}", fmt::join(options, ", "));
    throw UsageError(
        fmt::format("unknown option '{}' of {}; {}", name, id_of(figure), meant_or(name, options, otherwise)));
}

}  // namespace

Figure read_figure(const JsonValue& json, Warnings& warnings) {
    Figure figure;
    from_json(json, Field{.name = "figure"}, ChoiceRef(figure), {}, warnings);
    const auto sentence = check(figure);
    if (!sentence) return figure;
    zoom_to(figure, {});
    if (check(figure)) json.reject(*sentence);
    warnings.push_back(fmt::format("{}: {}; the whole axis is shown", json.where(), *sentence));
    return figure;
}

void read_arrangement(const JsonValue& json, Arrangement& arrangement, Warnings& warnings) {
    if (json.contains("layout")) {
        const JsonValue layout = json.at("layout");
        from_json(layout, Field{.name = "layout"}, GroupRef(arrangement.layout), {.keeps_faults = true}, warnings);
        set_number(arrangement.layout, "sidebar", arrangement.layout.sidebar);  // narrow windows once wrote too little
        if (const auto sentence = check_fields(arrangement.layout)) layout.reject(*sentence);
    }
    if (json.contains("figures")) {
        const JsonValue list = json.at("figures");
        if (!list.raw().is_array() || list.raw().empty() || list.raw().size() > most_panels)
            list.reject("must be a list of one to ten figures");
        arrangement.figures.resize(list.raw().size());
        for (std::size_t i = 0; i < list.raw().size(); ++i) arrangement.figures[i] = read_figure(list.at(i), warnings);
    }
    if (json.contains("presenter")) {
        const JsonValue list = json.at("presenter");
        if (!list.raw().is_array() || list.raw().size() > most_presenter_fields)
            list.reject(
                fmt::format("must be a list of at most {} fields, such as encoding.base", most_presenter_fields));
        arrangement.presenter.clear();
        for (std::size_t i = 0; i < list.raw().size(); ++i)
            if (std::string path = list.at(i).text();
                std::find(arrangement.presenter.begin(), arrangement.presenter.end(), path) ==
                arrangement.presenter.end())
                arrangement.presenter.push_back(std::move(path));
    }
    const int panels = arrangement.panels();
    arrangement.beside.assign(static_cast<std::size_t>(std::max(0, panels - most_places)), 0);
    if (!json.contains("beside")) return;
    const JsonValue list = json.at("beside");
    if (!list.raw().is_array() || list.raw().size() < arrangement.beside.size() ||
        list.raw().size() >= arrangement.figures.size())
        list.reject("must be a list with the place of each figure that shares one");
    arrangement.beside.resize(list.raw().size());
    for (std::size_t i = 0; i < arrangement.beside.size(); ++i)
        arrangement.beside[i] = static_cast<int>(list.at(i).integer(0, arrangement.places() - 1));
}

View read_view(Scene& scene) {
    View view;
    view.cursor = {scene.experiment.seq_len - 1, scene.experiment.seq_len / 2, 0};
    const FileAccess no_files;
    const JsonValue json(scene.view, scene.path, JsonValue::Pointer("/view"));
    if (json.contains("cursor")) {
        const JsonValue cursor = json.at("cursor");
        if (!cursor.raw().is_object()) cursor.reject("must be an object with query, key and pair");
        for (auto [name, value] : {std::pair{"query", &view.cursor.query}, std::pair{"key", &view.cursor.key},
                                   std::pair{"pair", &view.cursor.pair}})
            if (cursor.contains(name)) from_json(cursor.at(name), place_field, value, no_files, scene.warnings);
        if (cursor.contains("locked")) view.cursor_locked = cursor.at("locked").boolean();
        warn_of_others(cursor, {"query", "key", "pair", "locked"}, scene.warnings);
    }
    read_arrangement(json, view, scene.warnings);
    warn_of_others(json, {"cursor", "layout", "figures", "presenter", "beside"}, scene.warnings);
    view.cursor = view.cursor.clamped(scene.experiment);
    return view;
}

nlohmann::json json_of(const Arrangement& arrangement) {
    nlohmann::json figures = nlohmann::json::array();
    for (const Figure& figure : arrangement.figures) figures.push_back(to_json(figure));
    nlohmann::json json{
        {"figures", std::move(figures)}, {"beside", arrangement.beside}, {"layout", to_json(arrangement.layout)}};
    if (!arrangement.presenter.empty()) json["presenter"] = arrangement.presenter;
    return json;
}

namespace {

/// Adds to each figure the unknown keys of one of the same kind in `known`. Old names of its options are not unknown.
void keep_unknown_keys(nlohmann::json known, nlohmann::json& figures) {
    if (!known.is_array()) return;
    for (nlohmann::json& figure : figures) {
        const auto same = std::find_if(known.begin(), known.end(), [&](const nlohmann::json& other) {
            return other.is_object() && other.value("id", nlohmann::json(id_of(Figure{}))) == figure["id"];
        });
        if (same == known.end()) continue;
        for (const auto& option : figure.items()) same->erase(std::string(old_name_of(option.key())));
        same->merge_patch(figure);
        figure = std::move(*same);
        known.erase(same);
    }
}

}  // namespace

void write_view(const View& view, Scene& scene) {
    const Cursor cursor = view.cursor.clamped(scene.experiment);
    scene.view["cursor"].merge_patch(
        {{"query", cursor.query}, {"key", cursor.key}, {"pair", cursor.pair}, {"locked", view.cursor_locked}});
    scene.view.erase("presenter");
    nlohmann::json written = json_of(view);
    if (scene.view.contains("figures")) keep_unknown_keys(scene.view["figures"], written["figures"]);
    scene.view.merge_patch(written);
}

void set_options(Figure& figure, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw UsageError("--option is '" + setting + "'; it must be name=value, as in axis=linear");
        require_option(figure, setting.substr(0, equals));
        set_field(ChoiceRef(figure).fields(), setting.substr(0, equals), setting.substr(equals + 1), {});
    }
    if (const auto sentence = check(figure)) throw InputError(*sentence);
}

Figure figure_called(const std::string& id, const View& view) {
    for (const Figure& figure : view.figures)
        if (id == id_of(figure)) return figure;
    Figure figure;
    if (auto expected = parse_leaf(id, figure))
        throw UsageError(fmt::format("unknown figure '{}'; {}", id,
                                     meant_or(id, ConstChoiceRef(figure).ids(), "the figures are " + *expected)));
    return figure;
}

void put_in_view(const Figure& figure, View& view) {
    const auto same = std::find_if(view.figures.begin(), view.figures.end(),
                                   [&](const Figure& other) { return other.index() == figure.index(); });
    if (same != view.figures.end())
        *same = figure;
    else if (view.places() == 1)
        view.add(figure);
    else
        view.figures[1] = figure;
}

}  // namespace ropewalk
