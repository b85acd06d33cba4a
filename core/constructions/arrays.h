// Queries and keys from .npy files of one head or several, with channels in the order of the experiment's pairing.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/constructions/common.h"
#include "core/constructions/construction.h"
#include "core/fields/input_file.h"
#include "core/io/npy.h"

namespace ropewalk {

struct Arrays : ConstructionDefaults {
    static constexpr auto id = "arrays", title = "Arrays from files", source = "your own .npy files";
    static constexpr auto summary = "Reads q and k from .npy files of shape [tokens, d], also of several heads.";
    static constexpr bool needs_stated_pairing = true;  // a guess would change the result
    ArrayFile q, k;
    int head = 0, batch = 0;

    bool operator==(const Arrays&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "q",
                .label = "Queries",
                .help =
                    "A .npy file of shape [tokens, d], [heads, tokens, d] or [batch, heads, tokens, d], unrotated, as "
                    "float16, 32 or 64. You can also drop the file on the window."},
          s.q);
        f(Field{.name = "k",
                .label = "Keys",
                .help = "A .npy file of such a shape, unrotated. It may have fewer heads: each then serves several "
                        "queries."},
          s.k);
        f(Field{.name = "head",
                .label = "Head",
                .min = 0,
                .max = 4095,
                .slider_max = 31,
                .help = "Which of the array's query heads, from 0."},
          s.head);
        f(Field{.name = "batch",
                .label = "Batch entry",
                .advanced = true,
                .min = 0,
                .max = 65'535,
                .slider_max = 31,
                .help = "Which entry of an array with a batch axis, from 0."},
          s.batch);
    }

    std::optional<std::string> check(const Shape& shape) const {
        for (const auto& [name, file] : {std::pair{"q", &q}, std::pair{"k", &k}})
            if (auto sentence = check_file(name, *file, shape)) return sentence;
        const auto queries = *ArrayAxes::of(q.content->shape), keys = *ArrayAxes::of(k.content->shape);
        if (head >= queries.heads)
            return fmt::format("construction.head is {}; '{}' has heads 0 to {}", head, q.path, queries.heads - 1);
        if (batch >= std::min(queries.batch, keys.batch))
            return fmt::format("construction.batch is {}; the arrays have entries 0 to {}", batch,
                               std::min(queries.batch, keys.batch) - 1);
        if (queries.heads % keys.heads == 0) return std::nullopt;
        return fmt::format("construction.k has {} heads; their number must divide the {} of construction.q", keys.heads,
                           queries.heads);
    }

    HeadInputs build(const BuildContext& context) const {
        const PairLayout layout{context.shape.pairing, context.shape.head_dim, context.lowered.rotary_dim};
        const auto rows_of = [layout, this](const ArrayFile& file, std::int64_t of_heads) {
            const ArrayAxes axes = *ArrayAxes::of(file.content->shape);
            const std::int64_t number = batch * axes.heads + head * axes.heads / of_heads;
            const double* const from = file.content->values.data() + number * axes.tokens * axes.channels;
            return RowSource::of([layout, from, content = file.content](int token, std::span<double> row) {
                const double* entry = from + std::size_t{row.size()} * static_cast<std::size_t>(token);
                for (int pair = 0; pair < layout.head_dim / 2; ++pair) {
                    row[2 * pair] = entry[layout.first(pair)];
                    row[2 * pair + 1] = entry[layout.second(pair)];
                }
            });
        };
        const std::int64_t heads = ArrayAxes::of(q.content->shape)->heads;
        return {.q = rows_of(q, heads), .k = rows_of(k, heads)};
    }

  private:
    static std::optional<std::string> check_file(const char* name, const ArrayFile& file, const Shape& shape) {
        if (file.path.empty())
            return fmt::format("construction.{} names no file; it must be a .npy file of shape [seq_len, head_dim]",
                               name);
        if (!file.content) return fmt::format("construction.{} is '{}', which has not been read", name, file.path);
        const auto axes = ArrayAxes::of(file.content->shape);
        if (axes && axes->channels == shape.head_dim && axes->tokens >= shape.seq_len && axes->heads > 0)
            return std::nullopt;
        return fmt::format(
            "construction.{} is '{}' of shape [{}]; seq_len {} and head_dim {} need at least {} rows of {} channels",
            name, file.path, fmt::join(file.content->shape, ", "), shape.seq_len, shape.head_dim, shape.seq_len,
            shape.head_dim);
    }
};

}  // namespace ropewalk
