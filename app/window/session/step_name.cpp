#include "app/window/session/step_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <type_traits>
#include <vector>

#include "app/figures/parts/text/value_in_words.h"
#include "core/fields/input_file.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

using List = std::vector<double>;

/// Returns the indices where two lists differ, as "3" or "3 to 9"; empty if all do. The last number of a list stands
/// for those it lacks.
std::string changed_places(const List& before, const List& after) {
    if (before.empty() || after.empty()) return {};
    const auto differs = [&](std::size_t i) {
        return before[std::min(i, before.size() - 1)] != after[std::min(i, after.size() - 1)];
    };
    std::size_t first = 0, end = std::max(before.size(), after.size());
    const std::size_t all = end;
    while (first < end && !differs(first)) ++first;
    while (end > first && !differs(end - 1)) --end;
    if (end - first == all || first == end) return {};
    return end - first == 1 ? fmt::format("{}", first) : fmt::format("{} to {}", first, end - 1);
}

/// Returns the new value of a field in a few words, or the changed part of a list; empty for texts.
template <class T>
std::string short_text_of(const Field& field, const T& value, const List& list_before) {
    if constexpr (std::is_same_v<T, List>)
        return changed_places(list_before, value);
    else if constexpr (std::is_same_v<T, std::string> || FileLeaf<T>)
        return {};
    else
        return value_in_words(field, value);
}

/// Returns, for example, "14 points".
std::string couples_of(const Field& field, const List& list) {
    const std::size_t count = list.size() / 2;
    return fmt::format("{} {}{}", count == 0 ? "no" : fmt::format("{}", count), field.couple, count == 1 ? "" : "s");
}

}  // namespace

std::string step_name(const ConstGroupRef& before, const ConstGroupRef& after) {
    struct Old {
        std::string text;
        List list;
    };
    std::map<std::string, Old> old;
    walk_fields(before, [&]<class T>(const std::string& path, const Field&, const T& value) {
        Old& known = old[path];
        known.text = text_of(value);
        if constexpr (std::is_same_v<T, List>) known.list = value;
    });
    std::string changed;
    walk_fields(after, [&]<class T>(const std::string& path, const Field& field, const T& value) {
        if (!changed.empty()) return;
        const Old& known = old[path];
        if (known.text == text_of(value)) return;
        if constexpr (std::is_same_v<T, List>)
            if (*field.couple != '\0') {
                changed = couples_of(field, value);
                return;
            }
        changed = field.label;
        if (const std::string text = short_text_of(field, value, known.list); !text.empty()) changed += ": " + text;
    });
    return changed;
}

}  // namespace ropewalk
