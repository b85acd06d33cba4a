#include "core/models/families/rope_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/encodings/encoding_list.h"

namespace ropewalk {
namespace {

/// The object that states the scaling, and the whole config.
struct Stated {
    std::optional<ConfigReader> scaling;
    const ConfigReader& config;
    const RopeDefaults& defaults;

    double number(const char* key, double otherwise) const {
        return scaling ? scaling->number({key}, otherwise) : otherwise;
    }
    double required(const char* key) const {
        if (!scaling->has(key)) scaling->root().reject(fmt::format("has no '{}'; its rope_type needs it", key));
        return scaling->number({key}, 0);
    }
    double base() const {
        return number("rope_theta", config.number({"rope_theta", "rotary_emb_base"}, defaults.base));
    }
    int context() const { return config.count({"max_position_embeddings"}, defaults.context, 1, 1 << 30); }
    /// Returns the training length before the extension, and whether the file states it.
    std::pair<int, bool> original_length() const {
        for (const ConfigReader* reader : {scaling ? &*scaling : nullptr, &config})
            if (reader && reader->has("original_max_position_embeddings"))
                return {reader->count({"original_max_position_embeddings"}, 1, 1, 1 << 24), true};
        if (defaults.original_length > 0) return {defaults.original_length, true};
        return {std::min(context(), 1 << 24), false};
    }
    double rotary_fraction() const {
        const double fraction =
            config.has("rotary_dim")
                ? config.count({"rotary_dim"}, 0, 0, defaults.head_dim) / static_cast<double>(defaults.head_dim)
                : number("partial_rotary_factor",
                         config.number({"partial_rotary_factor", "rotary_pct"}, defaults.rotary_fraction));
        if (!(fraction > 0 && fraction <= 1))
            config.root().reject(
                fmt::format("rotates {} of the channels; the fraction must be above 0 and at most 1", fraction));
        return fraction;
    }
};

Encoding default_rope(const Stated& s) {
    Rope rope;
    rope.base = s.base();
    return rope;
}

Encoding linear(const Stated& s) {
    Linear linear;
    linear.base = s.base();
    linear.factor = s.required("factor");
    return linear;
}

Encoding dynamic(const Stated& s) {
    DynamicNtk ntk;
    ntk.base = s.base();
    ntk.factor = s.required("factor");
    ntk.original_length = std::min(s.context(), 1 << 24);
    return ntk;
}

Encoding yarn(const Stated& s) {
    Yarn yarn;
    yarn.base = s.base();
    yarn.factor = s.required("factor");
    yarn.original_length = s.original_length().first;
    yarn.beta_fast = s.number("beta_fast", 32);
    yarn.beta_slow = s.number("beta_slow", 1);
    yarn.truncate = s.scaling->flag("truncate", true);
    yarn.attention_factor = s.number("attention_factor", 0);
    const double all = s.number("mscale_all_dim", 0), of_cosines = s.number("mscale", 0);
    if (yarn.attention_factor == 0 && all != 0 && of_cosines != 0 && yarn.factor > 1)
        yarn.attention_factor =
            (0.1 * of_cosines * std::log(yarn.factor) + 1) / (0.1 * all * std::log(yarn.factor) + 1);
    return yarn;
}

Encoding longrope(const Stated& s) {
    LongRope rope;
    rope.base = s.base();
    const auto [length, is_stated] = s.original_length();
    rope.original_length = length;
    // Where the whole model states its original length, the factor follows from both lengths.
    const double ratio = static_cast<double>(s.context()) / length;
    rope.factor = s.config.has("original_max_position_embeddings") ? ratio : s.number("factor", is_stated ? ratio : 1);
    rope.attention_factor = s.number("attention_factor", 0);
    rope.short_factor = s.scaling->numbers("short_factor");
    rope.long_factor = s.scaling->numbers("long_factor");
    const auto pairs = static_cast<std::size_t>(s.defaults.head_dim * s.rotary_fraction()) / 2;
    for (const auto* list : {&rope.short_factor, &rope.long_factor})
        if (list->size() != pairs)
            s.scaling->root().reject(
                fmt::format("{} has {} numbers; it must have one for each of the {} rotating pairs",
                            list == &rope.short_factor ? "short_factor" : "long_factor", list->size(), pairs));
    return rope;
}

Encoding llama3(const Stated& s) {
    Llama3 llama;
    llama.base = s.base();
    llama.factor = s.required("factor");
    llama.low_freq_factor = s.required("low_freq_factor");
    llama.high_freq_factor = s.required("high_freq_factor");
    llama.original_length = s.original_length().first;
    return llama;
}

Encoding proportional(const Stated& s) {
    PRope rope;
    rope.base = s.base();
    rope.p = s.rotary_fraction();
    if (s.number("factor", 1) != 1)
        s.scaling->root().reject("states a factor; p-RoPE with interpolated positions is not supported");
    return rope;
}

struct RopeType {
    std::string_view name;
    Encoding (*read)(const Stated&);
};
constexpr std::array<RopeType, 8> rope_types{{{"default", default_rope},
                                              {"linear", linear},
                                              {"dynamic", dynamic},
                                              {"yarn", yarn},
                                              {"longrope", longrope},
                                              {"su", longrope},
                                              {"llama3", llama3},
                                              {"proportional", proportional}}};

/// Returns the object with the settings of these layers, if there is one.
std::optional<ConfigReader> scaling_of(const ConfigReader& config, const std::string& layer_type) {
    const auto parameters = config.object("rope_parameters");
    if (!parameters) return config.object("rope_scaling");
    if (auto of_layers = parameters->object(layer_type)) return of_layers;
    for (const auto& [key, value] : parameters->root().raw().items())
        if (value.is_object())
            parameters->root().reject(fmt::format("has no settings for '{}' layers; add them", layer_type));
    return parameters;
}

}  // namespace

LayerConfig rope_settings(const ConfigReader& config, const RopeDefaults& defaults, const std::string& layer_type) {
    const Stated stated{scaling_of(config, layer_type), config, defaults};
    std::string type = "default";
    if (stated.scaling) type = stated.scaling->text({"rope_type", "type"}, type);
    const auto found =
        std::find_if(rope_types.begin(), rope_types.end(), [&](const RopeType& t) { return t.name == type; });
    if (found == rope_types.end())
        stated.scaling->root().reject(fmt::format(
            "rope_type '{}' is unknown; default, linear, dynamic, yarn, longrope, llama3 and proportional can be read",
            type));
    LayerConfig layer;
    const bool longrope_by_another_name = defaults.always_longrope && type == "yarn";
    layer.encoding = longrope_by_another_name ? longrope(stated) : found->read(stated);
    if (type != "proportional") layer.rotary_fraction = stated.rotary_fraction();
    return layer;
}

Encoding without_rope() {
    return NoPE{};
}

}  // namespace ropewalk
