// Optional members of a choice's alternatives besides their fields.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

/// Returns `check(shape)` of the current alternative, for rules beyond the ranges of single fields; nothing without it.
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

/// Returns `note(shape)` of the current alternative; empty without it.
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
