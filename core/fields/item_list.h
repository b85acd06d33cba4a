// Lists of structs in a text: the fields of each item as settings, with | between the items, as in
// "kind=zero_output layers=0,1 | kind=only_pairs pairs=4".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields/fields_io.h"

namespace ropewalk {

/// An item of a list.
struct ListItem {
    std::shared_ptr<void> value;
    GroupRef fields;
};

/// Returns an item with every default.
ListItem new_item(const GroupType& type);

/// Reads a list. Throws InputError or UsageError with the number of the item.
std::vector<ListItem> items_in(std::string_view text, const GroupType& type);
/// Reads a list of one type of struct. Throws like `items_in`.
template <Group S>
std::vector<S> items_of(std::string_view text) {
    std::vector<S> items;
    for (const ListItem& item : items_in(text, group_type<S>()))
        items.push_back(*static_cast<const S*>(item.value.get()));
    return items;
}

/// Returns items as text: of each, its first field and what is not the default.
std::string text_of_items(const std::vector<ListItem>& items);

/// Returns a sentence if the text is not a list of such structs with acceptable values.
std::optional<std::string> check_items(const std::string& path, const GroupType& type, std::string_view text);

/// Returns the list as an array of objects.
nlohmann::json items_to_json(std::string_view text, const GroupType& type);
/// Reads the text from an array of objects. Unknown keys become warnings; without `warnings` they are refused. Throws
/// InputError with the place.
std::string items_from_json(const JsonValue& json, const GroupType& type, const FileAccess& access, Warnings* warnings);

}  // namespace ropewalk
