// A field's value in words.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "app/plot/axes.h"
#include "core/fields/fields.h"

namespace ropewalk {

enum class Units { shown, omitted };

/// Returns "p-RoPE", "Logits", "on", "2048 tokens", "−1.571, 0"; other types as in files.
template <class T>
std::string value_in_words(const Field& field, const T& value, Units units = Units::shown) {
    if constexpr (std::derived_from<T, ConstChoiceRef>)
        return title_of(value);
    else if constexpr (std::is_same_v<T, EnumRef>)
        return value.name().title;
    else if constexpr (std::is_same_v<T, bool>)
        return value ? "on" : "off";
    else if constexpr (std::is_arithmetic_v<T>) {
        const auto number = static_cast<double>(value);
        if (*field.min_means && number == field.min) return field.min_means;
        return readable(number, units == Units::shown ? field.unit : "");
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
        std::string text;
        for (const double number : value) text += (text.empty() ? "" : ", ") + readable(number);
        return text;
    } else
        return text_of(value);
}

}  // namespace ropewalk
