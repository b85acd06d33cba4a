#include "app/window/step_name.h"

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/plot/axes.h"
#include "core/fields_io.h"

namespace ropewalk {
namespace {

/// What a field was set to, in a few words; nothing of lists and texts.
template <class T>
std::string short_text_of(const Field& field, const T& value) {
    if constexpr (std::derived_from<T, ConstChoiceRef>)
        return title_of(value);
    else if constexpr (std::is_same_v<T, bool>)
        return value ? "on" : "off";
    else if constexpr (std::is_arithmetic_v<T>)
        return readable(static_cast<double>(value), field.unit);
    else if constexpr (std::is_same_v<T, EnumRef>)
        return value.name().title;
    else
        return {};
}

}  // namespace

std::string step_name(const ConstGroupRef& before, const ConstGroupRef& after) {
    std::vector<std::pair<std::string, std::string>> old;
    walk_fields(before, [&](const std::string& path, const Field&, const auto& value) {
        old.emplace_back(path, text_of(value));
    });
    std::string changed;
    walk_fields(after, [&](const std::string& path, const Field& field, const auto& value) {
        if (!changed.empty()) return;
        for (const auto& [old_path, old_text] : old)
            if (old_path == path && old_text == text_of(value)) return;
        changed = field.label;
        if (const std::string text = short_text_of(field, value); !text.empty()) changed += ": " + text;
    });
    return changed;
}

}  // namespace ropewalk
