// The range of token ids.
#pragma once

#include <nlohmann/json.hpp>

#include "core/io/json_reader.h"

namespace ropewalk {

inline constexpr int max_token_id = (1 << 19) - 1;  // the largest vocabularies have half of that

inline bool is_token_id(const nlohmann::json& value) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= max_token_id;
}

/// Returns the id. Throws InputError with the place for anything else.
inline int read_token_id(const JsonValue& value) {
    return static_cast<int>(value.integer(0, max_token_id));
}

}  // namespace ropewalk
