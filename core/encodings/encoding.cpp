#include "core/encodings/encoding.h"

#include "core/encodings/encoding_list.h"
#include "core/fields/indirect-inl.h"

namespace ropewalk {

template class Indirect<EncodingVariant>;
template const ChoiceType& choice_type<Encoding>();

LoweredEncoding lower(const Encoding& encoding, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.lower(shape); }, *encoding);
}

std::optional<std::string> check(const Encoding& encoding, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.check(shape); }, *encoding);
}

std::string note_of(const Encoding& encoding, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.note(shape); }, *encoding);
}

bool depends_on_seed(const Encoding& encoding) {
    return std::visit([](const auto& alternative) { return alternative.depends_on_seed(); }, *encoding);
}

std::string formula_of(const Encoding& encoding) {
    return std::visit(
        [](const auto& alternative) -> std::string {
            if constexpr (requires { alternative.formula(); })
                return alternative.formula();
            else
                return alternative.formula;
        },
        *encoding);
}

std::string numpy_of(const Encoding& encoding, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.numpy(shape); }, *encoding);
}

bool extend(Encoding& encoding, double factor, int trained) {
    return std::visit([&](auto& alternative) { return alternative.extend(factor, trained); }, *encoding);
}

std::string extended_title(const Encoding& encoding) {
    return std::visit([](const auto& alternative) { return alternative.extended_title().value_or(alternative.title); },
                      *encoding);
}

bool truncate_to(Encoding& encoding, double fraction, const Shape& shape) {
    return std::visit([&](auto& alternative) { return alternative.truncate_to(fraction, shape); }, *encoding);
}

}  // namespace ropewalk
