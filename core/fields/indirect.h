// A value kept elsewhere, so that its type may be incomplete where it is used: `Indirect<T>` copies, compares and is
// destroyed as T itself (after std::indirect of C++26). Encoding, Construction and Figure are variants of many structs;
// behind an Indirect, only the one source that needs the structs includes them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace ropewalk {

/// A T on the heap. T is a std::variant or derives from one. `core/fields/indirect-inl.h` defines the members; the
/// source that completes T instantiates them. A moved-from Indirect may only be assigned to or destroyed.
template <class T>
class Indirect {
  public:
    using value_type = T;

    Indirect();
    /// Holds an alternative of T; wherever that is done, T must be complete.
    template <class Alternative>
    requires requires { std::remove_cvref_t<Alternative>::id; }
    Indirect(Alternative&& alternative) : value_(new T(std::forward<Alternative>(alternative))) {}
    Indirect(const Indirect& other);
    Indirect(Indirect&& other) noexcept;
    Indirect& operator=(const Indirect& other);
    Indirect& operator=(Indirect&& other) noexcept;
    ~Indirect();

    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    /// Returns the number of the alternative held.
    std::size_t index() const;
    bool operator==(const Indirect& other) const;

  private:
    std::unique_ptr<T> value_;
};

/// Returns the alternative A of a variant; throws std::bad_variant_access if another one is held.
template <class A, class T>
A& get(Indirect<T>& choice) {
    return std::get<A>(*choice);
}
template <class A, class T>
const A& get(const Indirect<T>& choice) {
    return std::get<A>(*choice);
}

}  // namespace ropewalk
