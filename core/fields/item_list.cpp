#include "core/fields/item_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fields/setting_text.h"
#include "core/text/closest_name.h"

namespace ropewalk {
namespace {

/// Returns what sets a default item to this one; its first field always.
Settings settings_of_item(const ListItem& item) {
    const ListItem usual = new_item(item.fields.type());
    Settings settings = settings_between(usual.fields, item.fields);
    const std::string first = item.fields.list().front().field.name;
    if (!settings.empty() && settings.front().starts_with(first + "=")) return settings;
    FieldValue value = item.fields.list().front().value;
    visit_value(value, [&](const auto& leaf) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(leaf)>, GroupRef>)
            settings.insert(settings.begin(), first + "=" + text_of(leaf));
    });
    return settings;
}

std::vector<std::string> names_of(const GroupRef& fields) {
    std::vector<std::string> names;
    for (const FieldRef& member : fields.list()) names.emplace_back(member.field.name);
    return names;
}

/// Returns the members of an object that are not among `known`. They are lost when the list is saved.
std::vector<std::string> unknown_members(const JsonValue& object, const std::vector<std::string>& known) {
    std::vector<std::string> unknown;
    for (const auto& member : object.raw().items())
        if (std::find(known.begin(), known.end(), member.key()) == known.end()) unknown.push_back(member.key());
    return unknown;
}

std::string meant_instead(const std::string& name, const GroupRef& fields) {
    const std::vector<std::string> known = names_of(fields);
    return meant_or(name, known, fmt::format("the fields of an item are {}", fmt::join(known, ", ")));
}

}  // namespace

ListItem new_item(const GroupType& type) {
    auto value = type.create();
    const GroupRef fields(value.get(), type);
    return {std::move(value), fields};
}

std::vector<ListItem> items_in(std::string_view text, const GroupType& type) {
    std::vector<ListItem> items;
    for (const std::string& part : parts_outside_quotes(text, '|')) {
        ListItem& item = items.emplace_back(new_item(type));
        for (const std::string& setting : settings_in(part)) try {
                const std::size_t equals = setting.find('=');
                if (equals == setting.npos) throw UsageError("'" + setting + "' is not a setting; write field=value");
                set_field(item.fields, setting.substr(0, equals), setting.substr(equals + 1), {});
            } catch (const Error& error) {
                throw InputError(fmt::format("[{}]: {}", items.size() - 1, error.what()));
            }
    }
    return items;
}

std::string text_of_items(const std::vector<ListItem>& items) {
    std::string text;
    for (const ListItem& item : items) text += (text.empty() ? "" : " | ") + in_one_line(settings_of_item(item));
    return text;
}

std::optional<std::string> check_items(const std::string& path, const GroupType& type, std::string_view text) {
    try {
        items_in(text, type);
        return std::nullopt;
    } catch (const Error& error) {
        return path + error.what();
    }
}

nlohmann::json items_to_json(std::string_view text, const GroupType& type) {
    nlohmann::json list = nlohmann::json::array();
    for (const ListItem& item : items_in(text, type)) {
        const nlohmann::json usual = to_json(new_item(type).fields), all = to_json(item.fields);
        const std::string first = item.fields.list().front().field.name;
        nlohmann::json& object = list.emplace_back(nlohmann::json::object());
        for (const auto& member : all.items())
            if (member.key() == first || member.value() != usual.at(member.key()))
                object[member.key()] = member.value();
    }
    return list;
}

std::string items_from_json(const JsonValue& json, const GroupType& type, const FileAccess& access,
                            Warnings* warnings) {
    std::vector<ListItem> items;
    Warnings found;
    for (std::size_t i = 0; i < json.raw().size(); ++i) {
        const JsonValue object = json.at(i);
        const GroupRef& fields = items.emplace_back(new_item(type)).fields;
        for (const std::string& member : unknown_members(object, read_members(object, fields, access, found)))
            found.push_back(object.at(member).where() + ": is unknown" +
                            (warnings ? ", ignored and not saved; " : "; ") + meant_instead(member, fields));
    }
    if (warnings)
        warnings->insert(warnings->end(), found.begin(), found.end());
    else if (!found.empty())
        throw InputError(found.front());
    return text_of_items(items);
}

}  // namespace ropewalk
