// What the shape of an array does not say about the head in it.
#pragma once

#include <string>
#include <vector>

#include "core/experiment/experiment.h"

namespace ropewalk {

struct ArrayReading {
    Pairing pairing = Pairing::interleaved;
    Scale scale = Scale::none;
    int head = 0, batch = 0;

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
        f(Field{.name = "head",
                .label = "Head",
                .min = 0,
                .max = 4095,
                .slider_max = 31,
                .help = "Which query head, from 0."},
          s.head);
        f(Field{.name = "batch",
                .label = "Batch entry",
                .min = 0,
                .max = 65'535,
                .slider_max = 31,
                .help = "Which entry of the batch, from 0."},
          s.batch);
    }
};

/// A question about arrays, with an answer to start from.
struct ArrayQuestion {
    std::vector<std::string> paths;
    std::string names, shape;  // "q.npy and k.npy", "[8, 512, 64]"
    int heads = 1, entries = 1;
    ArrayReading guess;
};

}  // namespace ropewalk
