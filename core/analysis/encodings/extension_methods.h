// The effect of every extension method on the frequencies.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// An encoding that extends a training length.
struct ExtendedEncoding {
    Encoding encoding;
    std::string title;  // of the method
};
/// Returns every encoding that can extend `trained` tokens by `factor` for heads of this shape, with the fields that it
/// shares with `present`. Methods that equal another without their own list are omitted.
std::vector<ExtendedEncoding> extended_encodings(const Encoding& present, const Shape& shape, double factor,
                                                 int trained);

/// What a method divides RoPE's frequency of each pair by: 1 keeps it, s interpolates it.
struct ExtensionMethod {
    std::string id, title;
    std::vector<double> divisors;  // [pairs]
};

struct ExtensionMethods {
    std::vector<double> turns;  // [pairs], of RoPE over the training length
    std::vector<ExtensionMethod> methods;
};

/// Asks for every encoding that can extend `trained` tokens by `factor`, with the fields that it shares with the
/// current encoding. Methods that reject this head, or that equal another method without their own list, are omitted.
struct ExtensionMethodsQuestion : QuestionDefaults {
    using Answer = ExtensionMethods;
    static constexpr auto stage = "methods";
    double factor = 1;
    int trained = 0;

    bool operator==(const ExtensionMethodsQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
    ExtensionMethodsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
