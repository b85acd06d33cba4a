// What a run of a model changes in some of its heads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/fields/fields.h"
#include "core/models/model_config.h"

namespace ropewalk {

/// What happens to a head: no rotation, another encoding, an output of zero, or scores of only, or all but, the pairs
/// with the largest product of mean ‖q_t‖ and mean ‖k_t‖.
enum class InterventionKind { rotation_off, encoding, zero_output, only_pairs, without_pairs };
template <>
struct EnumText<InterventionKind> {
    static constexpr std::array<EnumName, 5> names{{{"rotation_off", "Rotation off"},
                                                    {"encoding", "Another encoding"},
                                                    {"zero_output", "Output zero"},
                                                    {"only_pairs", "Only the largest pairs"},
                                                    {"without_pairs", "Without the largest pairs"}}};
};

struct Intervention {
    InterventionKind kind = InterventionKind::rotation_off;
    std::vector<double> layers, heads;  // whole numbers; empty: all
    Encoding encoding;
    int pairs = 1;

    bool covers(int layer, int head) const;
    /// Returns whether it leaves out pairs.
    bool chooses_pairs() const {
        return kind == InterventionKind::only_pairs || kind == InterventionKind::without_pairs;
    }
    bool operator==(const Intervention&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "kind",
                .label = "Change",
                .help = "Rotation off: the head's queries and keys do not rotate. Another encoding: they are encoded "
                        "differently. Output zero: the head adds nothing. Largest pairs: those with the largest "
                        "product of mean ‖q_t‖ and mean ‖k_t‖."},
          s.kind);
        f(Field{.name = "layers",
                .label = "Layers",
                .min = 0,
                .max = 1023,
                .may_be_empty = true,
                .help = "Layer numbers from 0, separated by commas. Empty: all."},
          s.layers);
        f(Field{.name = "heads",
                .label = "Heads",
                .min = 0,
                .max = 4095,
                .may_be_empty = true,
                .help = "Head numbers from 0, separated by commas. Empty: all heads of these layers."},
          s.heads);
        f(Field{.name = "encoding",
                .label = "Encoding",
                .in_controls = s.kind == InterventionKind::encoding,
                .help = "How positions enter the score of these heads."},
          s.encoding);
        f(Field{.name = "pairs",
                .label = "Pairs",
                .in_controls = s.chooses_pairs(),
                .min = 1,
                .max = widest_head / 2,
                .slider_max = 64,
                .help = "How many of the largest pairs are the only ones kept, or are left out."},
          s.pairs);
    }
};

/// Returns why a model cannot be changed so, or nothing.
std::optional<std::string> check_intervention(const Intervention& intervention, const ModelConfig& config, int tokens);

}  // namespace ropewalk
