#include "core/encodings/encoding.h"

#include "core/encodings/encoding_list.h"
#include "core/fields/indirect-inl.h"
#include "core/visit.h"

namespace ropewalk {

template class Indirect<EncodingVariant>;
template const ChoiceType& choice_type<Encoding>();

namespace {

/// Returns the shape that an encoding works on: with a rotary fraction, the leading channels, unless it adds waves.
Shape part_of(const Encoding& encoding, const Shape& shape) {
    return std::holds_alternative<Sinusoidal>(*encoding) ? shape : shape.rotating();
}

}  // namespace

LoweredEncoding lower(const Encoding& encoding, const Shape& shape) {
    const Shape part = part_of(encoding, shape);
    LoweredEncoding lowered =
        visit_alternative([&](const auto& alternative) { return alternative.lower(part); }, *encoding);
    lowered.inv_freq.resize(static_cast<std::size_t>(shape.pairs()), 0);
    if (!lowered.damping.empty()) lowered.damping.resize(static_cast<std::size_t>(shape.pairs()), 0);
    return lowered;
}

std::optional<std::string> check(const Encoding& encoding, const Shape& shape) {
    const Shape part = part_of(encoding, shape);
    if (part.head_dim % 2 != 0 || part.head_dim == 0)
        return fmt::format(
            "rotary_fraction is {}, which rotates {} of {} channels; the number must be even and above 0, because "
            "channels rotate in pairs",
            text_of(shape.rotary_fraction), part.head_dim, shape.head_dim);
    return visit_alternative([&](const auto& alternative) { return alternative.check(part); }, *encoding);
}

std::string note_of(const Encoding& encoding, const Shape& shape) {
    return visit_alternative(
        [&, part = part_of(encoding, shape)](const auto& alternative) { return alternative.note(part); }, *encoding);
}

bool depends_on_seed(const Encoding& encoding) {
    return visit_alternative([](const auto& alternative) { return alternative.depends_on_seed(); }, *encoding);
}

std::string formula_of(const Encoding& encoding) {
    return visit_alternative(
        [](const auto& alternative) -> std::string {
            if constexpr (requires { alternative.formula(); })
                return alternative.formula();
            else
                return alternative.formula;
        },
        *encoding);
}

std::string numpy_of(const Encoding& encoding, const Shape& shape) {
    const Shape part = part_of(encoding, shape);
    const std::string w = visit_alternative([&](const auto& alternative) { return alternative.numpy(part); }, *encoding);
    if (w.empty()) return {};
    if (part.head_dim == shape.head_dim) return fmt::format("d, t = {0}, np.arange({0} // 2)\n{1}", shape.head_dim, w);
    return fmt::format("d = {}  # of {} channels rotate\nt = np.arange(d // 2)\n{}w = np.append(w, np.zeros({}))\n",
                       part.head_dim, shape.head_dim, w, (shape.head_dim - part.head_dim) / 2);
}

bool extend(Encoding& encoding, double factor, int trained) {
    return visit_alternative([&](auto& alternative) { return alternative.extend(factor, trained); }, *encoding);
}

std::string extended_title(const Encoding& encoding) {
    return visit_alternative(
        [](const auto& alternative) { return alternative.extended_title().value_or(alternative.title); }, *encoding);
}

bool truncate_to(Encoding& encoding, double fraction, const Shape& shape) {
    return visit_alternative(
        [&, part = part_of(encoding, shape)](auto& alternative) { return alternative.truncate_to(fraction, part); },
        *encoding);
}

}  // namespace ropewalk
