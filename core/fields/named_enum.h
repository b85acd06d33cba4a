// Enumerations with an id and a title for each value.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ropewalk {

/// Specialised for every enum used in a field: `static constexpr std::array<EnumName, n> names`, in the order of its
/// values, which start at 0.
struct EnumName {
    const char* id;
    const char* title;
};
template <class E>
struct EnumText;

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires {
    EnumText<T>::names;
};

template <NamedEnum E>
constexpr const EnumName& name_of(E value) {
    return EnumText<E>::names.at(static_cast<std::size_t>(value));
}

/// A reference to a value of any named enum.
class EnumRef {
  public:
    template <NamedEnum E>
    EnumRef(E& value)
        : value_(&value),
          names_(EnumText<E>::names),
          get_([](const void* at) { return static_cast<int>(*static_cast<const E*>(at)); }),
          set_([](void* at, int chosen) { *static_cast<E*>(at) = static_cast<E>(chosen); }) {}

    std::span<const EnumName> names() const { return names_; }
    std::vector<std::string> ids() const {
        std::vector<std::string> ids;
        for (const EnumName& name : names_) ids.emplace_back(name.id);
        return ids;
    }
    int value() const { return get_(value_); }
    const EnumName& name() const { return names_[static_cast<std::size_t>(value())]; }
    void set(int value) { set_(value_, value); }
    bool is_same_enum(const EnumRef& other) const { return names_.data() == other.names_.data(); }

  private:
    void* value_;
    std::span<const EnumName> names_;
    int (*get_)(const void*);
    void (*set_)(void*, int);
};

}  // namespace ropewalk
