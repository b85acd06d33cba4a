// Queries and keys from .npy files of shape [seq_len, head_dim], with channels in the order of the experiment's
// pairing.
#pragma once

#include <fmt/format.h>

#include "core/constructions/common.h"
#include "core/fields/array_file.h"

namespace ropewalk {

struct Arrays : ConstructionDefaults {
    static constexpr auto id = "arrays", title = "Arrays from files", source = "your own .npy files";
    static constexpr auto summary = "Reads q and k from .npy files of shape [tokens, d].";
    static constexpr bool needs_stated_pairing = true;  // a guess would change the result
    ArrayFile q, k;

    bool operator==(const Arrays&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "q",
                .label = "Queries",
                .help = "A .npy file of shape [tokens, d], unrotated, as float16, 32 or 64. You can also drop the file "
                        "on the window."},
          s.q);
        f(Field{.name = "k", .label = "Keys", .help = "A .npy file of shape [tokens, d], unrotated."}, s.k);
    }

    std::optional<std::string> check(const Shape& shape) const {
        for (const auto& [name, file] : {std::pair{"q", &q}, std::pair{"k", &k}}) {
            if (file->path.empty())
                return fmt::format("construction.{} names no file; it must be a .npy file of shape [seq_len, head_dim]",
                                   name);
            if (!file->content)
                return fmt::format("construction.{} is '{}', which has not been read", name, file->path);
            const auto& array_shape = file->content->shape;
            if (array_shape.size() != 2 || array_shape[1] != shape.head_dim || array_shape[0] < shape.seq_len)
                return fmt::format(
                    "construction.{} is '{}' of shape [{}]; seq_len {} and head_dim {} need at least {} rows of {} "
                    "channels",
                    name, file->path, fmt::join(array_shape, ", "), shape.seq_len, shape.head_dim, shape.seq_len,
                    shape.head_dim);
        }
        return std::nullopt;
    }

    HeadInputs build(const BuildContext& context) const {
        const PairLayout layout{context.shape.pairing, context.shape.head_dim, context.lowered.rotary_dim};
        const auto rows_of = [layout](const ArrayFile& file) {
            return RowSource::of([layout, content = file.content](int token, std::span<double> row) {
                const double* entry =
                    content->values.data() + std::size_t{row.size()} * static_cast<std::size_t>(token);
                for (int pair = 0; pair < layout.head_dim / 2; ++pair) {
                    row[2 * pair] = entry[layout.first(pair)];
                    row[2 * pair + 1] = entry[layout.second(pair)];
                }
            });
        };
        return {.q = rows_of(q), .k = rows_of(k)};
    }
};

}  // namespace ropewalk
