#include "core/construction.h"

#include "core/alternatives.h"

namespace ropewalk {

template const ChoiceType& choice_type<Construction>();

bool ignores_encoding(const Construction& construction) {
    return std::visit(
        [](const auto& alternative) {
            return requires {
                alternative.ignores_encoding;
            };
        },
        construction);
}

bool needs_stated_pairing(const Construction& construction) {
    return std::visit(
        [](const auto& alternative) {
            return requires {
                alternative.needs_stated_pairing;
            };
        },
        construction);
}

HeadInputs build(const Construction& construction, const BuildContext& context) {
    return std::visit([&](const auto& alternative) { return alternative.build(context); }, construction);
}

std::optional<std::string> check(const Construction& construction, const Shape& shape) {
    return check_alternative(construction, shape);
}

std::string note_of(const Construction& construction, const Shape& shape) {
    return note_of_alternative(construction, shape);
}

}  // namespace ropewalk
