#include "core/fields/old_names.h"

#include <utility>

namespace ropewalk {
namespace {

constexpr std::pair<std::string_view, std::string_view> old_names[] = {
    {"min", "least"},                   // pooling
    {"max", "greatest"},                // pooling; the longest shift
    {"abs_max", "farthest"},            // pooling
    {"min_base", "least_base"},         // part of `base_bound`
    {"certify_up_to", "march_to"},      // option of `base_bound`
    {"max_weight", "greatest_weight"},  // numbers in lessons
    {"max_key", "greatest_key"},
    {"min_weight", "least_weight"},
    {"video", "film"},  // preferences
};

}  // namespace

std::string_view old_name_of(std::string_view id) {
    for (const auto& [name, old] : old_names)
        if (name == id) return old;
    return {};
}

bool is_name_of(std::string_view id, std::string_view text) {
    return text == id || (!text.empty() && text == old_name_of(id));
}

}  // namespace ropewalk
