#include "core/fields/item_list.h"

#include <fmt/format.h>

#include "core/fields/setting_text.h"

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
                            Warnings& warnings) {
    std::vector<ListItem> items;
    for (std::size_t i = 0; i < json.raw().size(); ++i)
        members_from_json(json.at(i), items.emplace_back(new_item(type)).fields, access, warnings);
    return text_of_items(items);
}

}  // namespace ropewalk
