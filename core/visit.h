// The call of a function with what a variant holds.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

namespace ropewalk {

/// The numbers of a variant's alternatives, also of a type derived from a variant.
template <class... A>
std::index_sequence_for<A...> indices_of(const std::variant<A...>& variant);

template <std::size_t index, class R, class F, class V>
R call_with_alternative(F& f, V& variant) {
    return f(*std::get_if<index>(&variant));
}

template <class F, class V, std::size_t... index>
decltype(auto) visit_one_of(F& f, V& variant, std::index_sequence<index...>) {
    using R = decltype(f(*std::get_if<0>(&variant)));
    static constexpr R (*calls[])(F&, V&) = {call_with_alternative<index, R, F, V>...};
    if (variant.valueless_by_exception()) throw std::bad_variant_access();
    return calls[variant.index()](f, variant);
}

/// Returns f(alternative) for the alternative that the variant holds. Does the same as std::visit, but
/// compiles faster: about 40 functions visit about 40 figures.
template <class F, class V>
decltype(auto) visit_alternative(F&& f, V& variant) {
    return visit_one_of(f, variant, decltype(indices_of(variant)){});
}

}  // namespace ropewalk
