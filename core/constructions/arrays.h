// Queries and keys that were saved to files, of one head or several, with channels in the order of the experiment's
// pairing.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/constructions/common.h"
#include "core/constructions/construction.h"
#include "core/error.h"
#include "core/fields/input_file.h"
#include "core/models/files/head_arrays.h"

namespace ropewalk {

struct Arrays : ConstructionDefaults {
    static constexpr auto id = "arrays", title = "Arrays from files", source = "your own files";
    static constexpr auto summary =
        "Reads q and k from .npy files, or those of a model's layers from a .npz or .safetensors file.";
    static constexpr bool needs_stated_pairing = true;  // a guess would change the result
    HeadFile q, k;
    int layer = 0, head = 0, batch = 0;

    bool operator==(const Arrays&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "q",
                .label = "Queries",
                .help = "Unrotated: a .npy file of shape [tokens, d], [heads, tokens, d] or [batch, heads, tokens, d], "
                        "or a "
                        ".npz or .safetensors file of blocks.N.attn.hook_q and hook_k, as TransformerLens names them."},
          s.q);
        f(Field{.name = "k",
                .label = "Keys",
                .help = "Likewise, unrotated. Empty: the file of the queries has the keys. With fewer heads, each "
                        "serves several queries."},
          s.k);
        const ArrayAxes axes = s.axes_of_queries();
        f(with_slider_over(s.last_layer() + 1, layer_field), s.layer);
        f(with_slider_over(static_cast<int>(axes.heads), head_field), s.head);
        f(with_slider_over(static_cast<int>(axes.batch), batch_field(true)), s.batch);
    }

    /// Returns the last layer that has queries; −1 without a file.
    int last_layer() const {
        return q.content && !q.content->layers(HeadSide::queries).empty()
                   ? q.content->layers(HeadSide::queries).rbegin()->first
                   : -1;
    }
    /// Returns the axes of the layer's queries; those of an empty array if there are none.
    ArrayAxes axes_of_queries() const {
        const HeadArray* const array = q.content ? q.content->find(HeadSide::queries, layer) : nullptr;
        return array ? array->axes : ArrayAxes{.batch = 0, .heads = 0};
    }

    std::optional<std::string> check(const Shape& shape) const {
        const ArrayPair files{q, k};
        for (const auto& [name, file, side] :
             {std::tuple{"q", &q, HeadSide::queries}, std::tuple{"k", &files.keys(), HeadSide::keys}})
            if (auto sentence = check_file(name, *file, side, shape)) return sentence;
        const HeadArray &of_queries = *q.content->find(HeadSide::queries, layer),
                        &of_keys = *files.keys().content->find(HeadSide::keys, layer);
        const ArrayAxes &queries = of_queries.axes, &keys = of_keys.axes;
        if (head >= queries.heads)
            return fmt::format("construction.head is {}; '{}' has heads 0 to {}", head, q.path, queries.heads - 1);
        if (batch >= std::min(queries.batch, keys.batch))
            return fmt::format("construction.batch is {}; the arrays have entries 0 to {}", batch,
                               std::min(queries.batch, keys.batch) - 1);
        if (queries.heads % keys.heads != 0)
            return fmt::format("construction.k has {} heads; their number must divide the {} of construction.q",
                               keys.heads, queries.heads);
        try {
            q.content->rows(of_queries, batch, head);
            files.keys().content->rows(of_keys, batch, key_head(queries, keys));
        } catch (const Error& error) {
            return error.what();
        }
        return std::nullopt;
    }

    HeadInputs build(const BuildContext& context) const {
        const PairLayout layout{context.shape.pairing, context.shape.head_dim, context.lowered.rotary_dim};
        const auto rows_of = [&](const HeadFile& file, const HeadArray& array, std::int64_t number) {
            return RowSource::of([layout, content = file.content, rows = file.content->rows(array, batch, number)](
                                     int token, std::span<double> row) {
                std::vector<double> channels(row.size());
                rows(token, channels);
                read_in_pairs(layout, channels.data(), row);
            });
        };
        const ArrayPair files{q, k};
        const HeadArray &queries = *q.content->find(HeadSide::queries, layer),
                        &keys = *files.keys().content->find(HeadSide::keys, layer);
        return {.q = rows_of(q, queries, head), .k = rows_of(files.keys(), keys, key_head(queries.axes, keys.axes))};
    }

  private:
    std::int64_t key_head(const ArrayAxes& queries, const ArrayAxes& keys) const {
        return head * keys.heads / queries.heads;
    }

    std::optional<std::string> check_file(const char* name, const HeadFile& file, HeadSide side,
                                          const Shape& shape) const {
        if (file.path.empty())
            return fmt::format(
                "construction.{} names no file; it must be a .npy file of shape [seq_len, head_dim], or a .npz or "
                ".safetensors file",
                name);
        if (!file.content)
            return fmt::format(
                "construction.{} is '{}', which could not be read; put the file back and press Enter in its field",
                name, file.path);
        const HeadArray* const array = file.content->find(side, layer);
        if (!array) return without_array(name, file, side);
        const ArrayAxes& axes = array->axes;
        if (axes.channels == shape.head_dim && axes.tokens >= shape.seq_len && axes.heads > 0) return std::nullopt;
        return fmt::format(
            "construction.{} is '{}' of shape [{}]; seq_len {} and head_dim {} need at least {} rows of {} channels",
            name, file.path, fmt::join(array->shape, ", "), shape.seq_len, shape.head_dim, shape.seq_len,
            shape.head_dim);
    }

    /// Returns why a file has no array for a side of the layer.
    std::optional<std::string> without_array(const char* name, const HeadFile& file, HeadSide side) const {
        const char* const what = side == HeadSide::queries ? "queries" : "keys";
        const HeadArrays::Layers& layers = file.content->layers(side);
        if (layers.empty())
            return fmt::format("'{}' has no {}; name another file in construction.{}", file.path, what, name);
        if (!file.content->has_layers())
            return fmt::format("construction.layer is {}; '{}' has one layer, 0", layer, file.path);
        return fmt::format("construction.layer is {}; '{}' has the {} of layers {}", layer, file.path, what,
                           numbers_of(layers));
    }
};

}  // namespace ropewalk
