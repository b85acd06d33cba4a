// The published tables behind table_of(), packed as 0xRRGGBB.
#pragma once

#include <array>
#include <cstdint>

namespace ropewalk {

extern const std::array<std::uint32_t, 256> viridis_table;
extern const std::array<std::uint32_t, 256> cividis_table;
extern const std::array<std::uint32_t, 256> magma_table;
extern const std::array<std::uint32_t, 256> diverging_table;
extern const std::array<std::uint32_t, 256> twilight_table;

}  // namespace ropewalk
