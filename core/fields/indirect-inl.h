// The members of Indirect, and the choice between a variant's alternatives. Included by the one source that lists them.
#pragma once

#include <variant>

#include "core/fields/fields.h"

namespace ropewalk {

template <class T>
Indirect<T>::Indirect() : value_(std::make_unique<T>()) {}
template <class T>
Indirect<T>::Indirect(const Indirect& other) : value_(std::make_unique<T>(*other)) {}
template <class T>
Indirect<T>::Indirect(Indirect&& other) noexcept = default;
template <class T>
Indirect<T>& Indirect<T>::operator=(const Indirect& other) {
    if (this != &other) value_ = std::make_unique<T>(*other);
    return *this;
}
template <class T>
Indirect<T>& Indirect<T>::operator=(Indirect&& other) noexcept = default;
template <class T>
Indirect<T>::~Indirect() = default;
template <class T>
std::size_t Indirect<T>::index() const {
    return value_->index();
}
template <class T>
bool Indirect<T>::operator==(const Indirect& other) const {
    return *value_ == *other;
}

template <Choice C>
const ChoiceType& choice_type() {
    static const ChoiceType type = [] {
        ChoiceType made{.alternatives = {},
                        .index = [](const void* choice) { return static_cast<const C*>(choice)->index(); },
                        .choose =
                            [](void* choice, std::size_t index) {
                                C& now = *static_cast<C*>(choice);
                                const C before = now;
                                choice_type<C>().alternatives[index].put_in_force(choice);
                                keep_common_fields(ConstChoiceRef(before).fields(), ChoiceRef(now).fields());
                            }};
        for_each_alternative<C>([&]<class A>(const A&) {
            static_assert(
                requires { static_cast<bool (A::*)(const A&) const>(&A::operator==); },
                "an alternative without its own operator== would be equal to every other value of it");
            made.alternatives.push_back({.id = A::id,
                                         .title = A::title,
                                         .summary = A::summary,
                                         .source = A::source,
                                         .type = &group_type<A>(),
                                         .get = [](void* choice) -> void* { return &get<A>(*static_cast<C*>(choice)); },
                                         .put_in_force = [](void* choice) { *static_cast<C*>(choice) = A{}; }});
        });
        return made;
    }();
    return type;
}

}  // namespace ropewalk
