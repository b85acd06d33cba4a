// A field's value in words.
#pragma once

#include <algorithm>
#include <cctype>
#include <concepts>
#include <cstddef>
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

/// Returns the symbol at the end of a label (a letter, possibly with an index): "d₀" for "First channel d₀". Empty if
/// there is none.
inline std::string symbol_of(const Field& field) {
    constexpr std::ptrdiff_t longest = 2;  // characters
    const std::string label = field.label, symbol = label.substr(label.rfind(' ') + 1);
    const auto characters = std::count_if(symbol.begin(), symbol.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    const bool is_word = symbol.size() > 1 && std::isalpha(static_cast<unsigned char>(symbol.back()));
    return characters <= longest && !is_word ? symbol : std::string();
}

}  // namespace ropewalk
