#include "core/analysis/encodings/extension_methods.h"

#include <algorithm>

#include "core/encodings/common.h"

namespace ropewalk {

std::vector<ExtendedEncoding> extended_encodings(const Encoding& present, const Shape& shape, double factor,
                                                 int trained) {
    std::vector<ExtendedEncoding> found;
    for (Encoding& method : alternatives_of<Encoding>()) {
        keep_common_fields(ConstChoiceRef(present).fields(), ChoiceRef(method).fields());
        if (!extend(method, factor, trained) || check(method, shape)) continue;
        if (const std::string title = extended_title(method); !title.empty()) found.push_back({method, title});
    }
    return found;
}

ExtensionMethods ExtensionMethodsQuestion::answer(const AnalysisContext& context) const {
    const ConstGroupRef present = ConstChoiceRef(context.experiment.encoding).fields();
    Encoding plain = Experiment{}.encoding;
    keep_common_fields(present, ChoiceRef(plain).fields());
    const double base = *number_meaning(ConstChoiceRef(plain).fields(), Meaning::base);
    Shape shape = context.experiment.shape();
    shape.seq_len = static_cast<int>(std::min(factor * trained, 16777216.0));
    const auto frequencies = rope_frequencies(base, shape.head_dim);
    ExtensionMethods found;
    for (const long double w : frequencies) found.turns.push_back(static_cast<double>(turns_over(trained, w)));
    for (const auto& [method, title] : extended_encodings(context.experiment.encoding, shape, factor, trained)) {
        context.cancel.check();
        ExtensionMethod& added = found.methods.emplace_back(ExtensionMethod{id_of(method), title, {}});
        const auto inv_freq = lower(method, shape).inv_freq;
        for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
            added.divisors.push_back(static_cast<double>(frequencies[pair] / inv_freq[pair]));
    }
    return found;
}

}  // namespace ropewalk
