#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/lessons/library.h"
#include "app/lessons/live_number.h"
#include "app/plot/math/math_text.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {
namespace {

/// An entry of a list, one line as text.
struct Item {
    std::string id, title, summary, source;
};

/// Returns the item of each element.
template <class All, class F>
std::vector<Item> items_of(const All& all, F item_of) {
    std::vector<Item> items;
    for (const auto& each : all) items.push_back(item_of(each));
    return items;
}

template <Choice C>
std::vector<Item> alternatives() {
    return items_of(choice_type<C>().alternatives, [](const ChoiceType::Alternative& each) -> Item {
        return {each.id, each.title, each.summary, each.source};
    });
}

std::vector<Item> data_items() {
    return items_of(data_kinds(), [](const DataKind& kind) -> Item { return {kind.id, kind.shape, kind.summary, ""}; });
}

std::vector<Item> scene_items() {
    return items_of(bundled_scenes(), [](const std::string& name) -> Item {
        const Scene scene = open_scene(name);
        return {name, scene.title, scene.about, ""};
    });
}

std::vector<Item> lesson_items() {
    return items_of(LessonLibrary().lessons(), [](const auto& lesson) -> Item {
        return {lesson->id, lesson->title, lesson->about, lesson->source};
    });
}

std::vector<Item> number_items() {
    return items_of(live_number_kinds(), [](const LiveNumberKind& kind) -> Item {
        return {kind.signature, kind.may_be_of_cursor() ? kind.id() + " of the cursor" : "", kind.help, ""};
    });
}

std::vector<Item> backend_items() {
    return items_of(open_backends(), [](const BackendStatus& status) -> Item {
        return {status.id, status.backend ? "available" : "not available", status.sentence, ""};
    });
}

std::vector<Item> field_items() {
    return items_of(describe_fields(Experiment{}), [](const nlohmann::json& field) -> Item {
        return {field["path"], field.value("of", ""), field["help"], ""};
    });
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
        text +=
            fmt::format("{:<{}}  {:<{}}  {}\n", item.id, id_width, item.title, title_width, without_math(item.summary));
    return text;
}

nlohmann::json as_json(const Kind& kind) {
    if (std::string_view(kind.name) == "fields") {
        nlohmann::json fields = describe_fields(Experiment{});
        for (nlohmann::json& field : fields) field["help"] = without_math(std::string(field["help"]));
        return fields;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const Item& item : kind.items()) {
        nlohmann::json object{{"id", item.id}, {"title", item.title}, {"summary", without_math(item.summary)}};
        if (!item.source.empty()) object["source"] = item.source;
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace

void print_list(const Arguments& arguments) {
    const std::string& kind = arguments.kind;
    std::vector<std::string> names;
    std::string text;
    nlohmann::json json = nlohmann::json::object();
    for (const Kind& candidate : kinds) {
        names.emplace_back(candidate.name);
        if (kind.empty() ? candidate.is_long : kind != candidate.name) continue;
        if (arguments.json)
            json[candidate.name] = as_json(candidate);
        else
            text += (kind.empty() ? fmt::format("{}{}:\n", text.empty() ? "" : "\n", candidate.name) : "") +
                    as_text(candidate.items());
    }
    if (json.empty() && text.empty())
        throw UsageError(fmt::format("unknown list '{}'; it must be {}", kind, one_of(names)));
    if (arguments.json) return print_json(kind.empty() ? json : json[kind]);
    write_output("-", text);
}

}  // namespace ropewalk
