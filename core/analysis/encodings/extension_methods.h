// What each way of extending a context does to the frequencies.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// By what a method divides RoPE's frequency of each pair: 1 is left alone, s is interpolated.
struct ExtensionMethod {
    std::string id, title;
    std::vector<double> divisors;  // [pairs]
};

struct ExtensionMethods {
    std::vector<double> turns;  // [pairs], of RoPE over the trained context
    std::vector<ExtensionMethod> methods;
};

/// Every encoding that can extend a context of `trained` tokens to `factor` as many, with the present one's fields
/// where they share them; those that this head cannot have, or that say nothing without a list of their own, are left
/// out.
struct ExtensionMethodsQuestion {
    using Answer = ExtensionMethods;
    static constexpr auto stage = "methods";
    static constexpr auto dependence = Dependence::experiment;
    double factor = 1;
    int trained = 0;

    bool operator==(const ExtensionMethodsQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
    ExtensionMethodsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
