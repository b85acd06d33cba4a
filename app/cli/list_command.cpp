#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/lessons/library.h"
#include "app/lessons/live_number.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {
namespace {

/// An entry of a list, one line as text.
struct Item {
    std::string id, title, summary, source;
};

template <Choice C>
std::vector<Item> alternatives() {
    std::vector<Item> items;
    for (const ChoiceType::Alternative& alternative : choice_type<C>().alternatives)
        items.push_back({alternative.id, alternative.title, alternative.summary, alternative.source});
    return items;
}

std::vector<Item> data_items() {
    std::vector<Item> items;
    for (const DataKind& kind : data_kinds()) items.push_back({kind.id, kind.shape, kind.summary, ""});
    return items;
}

std::vector<Item> scene_items() {
    std::vector<Item> items;
    for (const auto& name : bundled_scenes()) {
        const Scene scene = open_scene(name);
        items.push_back({name, scene.title, scene.about, ""});
    }
    return items;
}

std::vector<Item> lesson_items() {
    std::vector<Item> items;
    const LessonLibrary library;
    for (const auto& lesson : library.lessons())
        items.push_back({lesson->id, lesson->title, lesson->about, lesson->source});
    return items;
}

std::vector<Item> number_items() {
    std::vector<Item> items;
    for (const LiveNumberKind& kind : live_number_kinds())
        items.push_back({kind.signature, kind.may_be_of_cursor() ? kind.id() + " of the cursor" : "", kind.help, ""});
    return items;
}

std::vector<Item> backend_items() {
    std::vector<Item> items;
    for (const BackendStatus& status : open_backends())
        items.push_back({status.id, status.backend ? "available" : "not available", status.sentence, ""});
    return items;
}

std::vector<Item> field_items() {
    std::vector<Item> items;
    for (const auto& field : describe_fields(Experiment{}))
        items.push_back({field["path"], field.value("of", ""), field["help"], ""});
    return items;
}

/// Returns the possible values for --option of each figure, as "axis=linear|logarithmic".
std::vector<Item> option_items() {
    std::vector<Item> items;
    for (const ChoiceType::Alternative& figure : choice_type<Figure>().alternatives)
        walk_fields(defaults_of(*figure.type), [&](const std::string& path, const Field& field, const auto& value) {
            std::string values = text_of(value);
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, EnumRef>) {
                values.clear();
                for (const EnumName& name : value.names()) values += (values.empty() ? "" : "|") + std::string(name.id);
            }
            items.push_back({figure.id, path + "=" + values, field.help, ""});
        });
    return items;
}

struct Kind {
    const char* name;
    std::vector<Item> (*items)();
    bool is_long = false;  // listed only on request
};
constexpr Kind kinds[] = {{"encodings", alternatives<Encoding>},
                          {"constructions", alternatives<Construction>},
                          {"figures", alternatives<Figure>},
                          {"data", data_items},
                          {"scenes", scene_items},
                          {"lessons", lesson_items},
                          {"backends", backend_items},
                          {"numbers", number_items, true},
                          {"options", option_items, true},
                          {"fields", field_items, true}};

std::string as_text(const std::vector<Item>& items) {
    std::size_t id_width = 0, title_width = 0;
    for (const Item& item : items)
        id_width = std::max(id_width, item.id.size()), title_width = std::max(title_width, item.title.size());
    std::string text;
    for (const Item& item : items)
        text += fmt::format("{:<{}}  {:<{}}  {}\n", item.id, id_width, item.title, title_width, item.summary);
    return text;
}

nlohmann::json as_json(const Kind& kind) {
    if (std::string_view(kind.name) == "fields") return describe_fields(Experiment{});
    nlohmann::json list = nlohmann::json::array();
    for (const Item& item : kind.items()) {
        nlohmann::json object{{"id", item.id}, {"title", item.title}, {"summary", item.summary}};
        if (!item.source.empty()) object["source"] = item.source;
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace

void print_list(const std::string& kind, ListFormat format) {
    std::vector<std::string> names;
    std::string text;
    nlohmann::json json = nlohmann::json::object();
    for (const Kind& candidate : kinds) {
        names.emplace_back(candidate.name);
        if (kind.empty() ? candidate.is_long : kind != candidate.name) continue;
        if (format == ListFormat::json)
            json[candidate.name] = as_json(candidate);
        else
            text += (kind.empty() ? fmt::format("{}{}:\n", text.empty() ? "" : "\n", candidate.name) : "") +
                    as_text(candidate.items());
    }
    if (json.empty() && text.empty())
        throw UsageError(fmt::format("unknown list '{}'; it must be {}", kind, one_of(names)));
    if (format == ListFormat::json) text = json_text(kind.empty() ? json : json[kind]);
    write_output("-", text);
}

}  // namespace ropewalk
