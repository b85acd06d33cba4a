// No position encoding at all: the score is q·k (Kazemnejad et al. 2023, arXiv:2305.19466).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

struct NoPE : EncodingDefaults {
    static constexpr auto id = "nope", title = "NoPE", source = "Kazemnejad et al. 2023, arXiv:2305.19466";
    static constexpr auto summary = "No rotation: the score is q·k and ignores position.";
    static constexpr auto formula = "$w_t$ = 0";

    bool operator==(const NoPE&) const = default;

    static void fields(auto&, auto&&) {}

    std::string numpy(const Shape&) const { return "w = np.zeros(d // 2)\n"; }

    LoweredEncoding lower(const Shape& shape) const {
        return rotation_only(std::vector<long double>(static_cast<std::size_t>(shape.pairs()), 0));
    }
};

}  // namespace ropewalk
