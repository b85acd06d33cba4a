// What alternatives of a choice may have beyond their fields.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

/// The rules of the alternative in force that go beyond its fields' own ranges: `check(shape)`.
template <Choice C>
std::optional<std::string> check_alternative(const C& choice, const Shape& shape) {
    return std::visit(
        [&](const auto& alternative) -> std::optional<std::string> {
            if constexpr (requires { alternative.check(shape); })
                return alternative.check(shape);
            else
                return std::nullopt;
        },
        choice);
}

/// What the alternative in force says of itself at this shape: `note(shape)`.
template <Choice C>
std::string note_of_alternative(const C& choice, const Shape& shape) {
    return std::visit(
        [&](const auto& alternative) -> std::string {
            if constexpr (requires { alternative.note(shape); })
                return alternative.note(shape);
            else
                return {};
        },
        choice);
}

}  // namespace ropewalk
