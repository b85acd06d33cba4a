#include "core/models/tokenizer/metaspace.h"

#include "core/models/tokenizer/component.h"

namespace ropewalk {

Metaspace read_metaspace(const JsonValue& value) {
    using enum Metaspace::Prepend;
    Metaspace metaspace;
    metaspace.replacement = read_character(value.at("replacement"));
    metaspace.split = flag(value, "split", true);
    const bool add_prefix_space = flag(value, "add_prefix_space", true);
    if (!add_prefix_space) metaspace.prepend = never;
    if (!has(value, "prepend_scheme")) return metaspace;

    const JsonValue scheme = value.at("prepend_scheme");
    const std::string name = scheme.text();
    if (name != "always" && name != "first" && name != "never")
        scheme.reject("must be \"always\", \"first\" or \"never\"");
    if (name != "never" && !add_prefix_space)
        scheme.reject("contradicts add_prefix_space = false; delete one of the two");
    metaspace.prepend = name == "always" ? always : name == "first" ? first : never;
    return metaspace;
}

}  // namespace ropewalk
