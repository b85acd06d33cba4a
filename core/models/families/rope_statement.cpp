#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/models/families/rope_settings.h"

namespace ropewalk {
namespace {

using Members = nlohmann::json;

/// Returns the members that state an encoding, as far as they can; null if there are none.
struct Statement {
    template <class E>
    Members operator()(const E&) const {
        return {};
    }
    Members operator()(const Rope& rope) const { return {{"rope_theta", rope.base}}; }
    Members operator()(const Linear& linear) const {
        return with_scaling(linear.base, {{"rope_type", "linear"}, {"factor", linear.factor}});
    }
    Members operator()(const DynamicNtk& ntk) const {
        Members members = with_scaling(ntk.base, {{"rope_type", "dynamic"}, {"factor", ntk.factor}});
        members["max_position_embeddings"] = ntk.original_length;
        return members;
    }
    Members operator()(const Yarn& yarn) const {
        return with_scaling(
            yarn.base,
            with_attention_factor(yarn.attention_factor, {{"rope_type", "yarn"},
                                                          {"factor", yarn.factor},
                                                          {"original_max_position_embeddings", yarn.original_length},
                                                          {"beta_fast", yarn.beta_fast},
                                                          {"beta_slow", yarn.beta_slow},
                                                          {"truncate", yarn.truncate}}));
    }
    Members operator()(const LongRope& rope) const {
        return with_scaling(
            rope.base,
            with_attention_factor(rope.attention_factor, {{"rope_type", "longrope"},
                                                          {"factor", rope.factor},
                                                          {"original_max_position_embeddings", rope.original_length},
                                                          {"short_factor", rope.short_factor},
                                                          {"long_factor", rope.long_factor}}));
    }
    Members operator()(const Llama3& llama) const {
        return with_scaling(llama.base, {{"rope_type", "llama3"},
                                         {"factor", llama.factor},
                                         {"low_freq_factor", llama.low_freq_factor},
                                         {"high_freq_factor", llama.high_freq_factor},
                                         {"original_max_position_embeddings", llama.original_length}});
    }
    Members operator()(const PRope& rope) const {
        return with_scaling(rope.base, {{"rope_type", "proportional"}, {"partial_rotary_factor", rope.p}});
    }

  private:
    static Members with_scaling(double base, Members scaling) {
        return {{"rope_theta", base}, {"rope_scaling", std::move(scaling)}};
    }
    static Members with_attention_factor(double factor, Members scaling) {
        if (factor > 0) scaling["attention_factor"] = factor;
        return scaling;
    }
};

}  // namespace

bool state_rope(const Encoding& encoding, nlohmann::json& config) {
    const Members members = std::visit(Statement{}, *encoding);
    if (members.is_null()) return false;
    config.update(members);
    try {
        const ConfigReader reader{JsonValue(config, "config.json")};
        const RopeDefaults defaults{.head_dim = config.at("head_dim").get<int>()};
        const LayerConfig read = rope_settings(reader, defaults, "full_attention");
        return read.encoding == encoding && read.rotary_fraction == 1;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace ropewalk
