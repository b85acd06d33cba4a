// The weights of a network as the kernels read them.
#pragma once

#include <cstddef>
#include <span>

#include "core/training/network/network_layout.h"

namespace ropewalk {

/// Copies parameters, in the order of parameter_list(shape), to both copies of the padded weights, [layout.size] each.
/// What is padding must be 0 already.
template <class T>
void copy_to_padded(const NetworkShape& shape, const WeightLayout& layout, std::span<const T> parameters, T* plain,
                    T* transposed) {
    const auto list = parameter_list(shape);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const TensorPlace& place = layout.places[i];
        const T* from = parameters.data() + list[i].offset;
        for (int row = 0; row < list[i].rows(); ++row)
            for (int column = 0; column < list[i].columns(); ++column, ++from) {
                plain[place.plain(row, column)] = *from;
                if (place.has_transposed) transposed[place.transposed(row, column)] = *from;
            }
    }
}

}  // namespace ropewalk
