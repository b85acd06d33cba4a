#include "core/encodings/encoding.h"

#include "core/fields/alternatives.h"

namespace ropewalk {

template const ChoiceType& choice_type<Encoding>();

LoweredEncoding lower(const Encoding& encoding, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.lower(shape); }, encoding);
}

std::optional<std::string> check(const Encoding& encoding, const Shape& shape) {
    return check_alternative(encoding, shape);
}

std::string note_of(const Encoding& encoding, const Shape& shape) {
    return note_of_alternative(encoding, shape);
}

}  // namespace ropewalk
