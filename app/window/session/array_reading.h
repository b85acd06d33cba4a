// What arrays of queries and keys do not say about the head in them.
#pragma once

#include <string>
#include <vector>

#include "core/constructions/common.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

struct ArrayReading {
    Pairing pairing = Pairing::interleaved;
    Scale scale = Scale::none;
    int layer = 0, head = 0, batch = 0;
    int heads = 1, entries = 1;  // of the array

    bool operator==(const ArrayReading&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "pairing",
                .label = "Pairing",
                .help =
                    "Which two channels rotate together: 2t and 2t+1 (Meta's Llama), or t and t + d/2 (Hugging Face)."},
          s.pairing);
        f(Field{.name = "scale",
                .label = "Score scale",
                .help = "What the model multiplies scores by. Most models divide them by √d; take 1 if the queries are "
                        "scaled already."},
          s.scale);
        f(layer_field, s.layer);
        f(with_slider_over(s.heads, head_field), s.head);
        f(with_slider_over(s.entries, batch_field(false)), s.batch);
    }
};

/// A question about arrays, with an answer to start from.
struct ArrayQuestion {
    std::vector<std::string> paths;
    std::string names, shape;  // "q.npy and k.npy", "[8, 512, 64]"
    std::string layers;        // "0 to 31"; empty if there is no choice
    ArrayReading guess;
};

}  // namespace ropewalk
