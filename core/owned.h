// Objects of libraries in C that end with their owner.
#pragma once

#include <memory>

namespace ropewalk {

/// Passes an object to the function that frees it.
template <auto destroy>
struct Destroys {
    template <class T>
    void operator()(T* object) const {
        destroy(object);
    }
};

/// Owns an object until `destroy` frees it.
template <class T, auto destroy>
using Owned = std::unique_ptr<T, Destroys<destroy>>;

}  // namespace ropewalk
