#include "core/analysis/encodings/extension_methods.h"

#include <algorithm>

#include "core/encodings/common.h"

namespace ropewalk {

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
    for (Encoding& method : alternatives_of<Encoding>()) {
        context.cancel.check();
        keep_common_fields(present, ChoiceRef(method).fields());
        if (!extend(method, factor, trained) || check(method, shape)) continue;
        const std::string title = extended_title(method);
        if (title.empty()) continue;
        ExtensionMethod& added = found.methods.emplace_back(ExtensionMethod{id_of(method), title, {}});
        const auto inv_freq = lower(method, shape).inv_freq;
        for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
            added.divisors.push_back(static_cast<double>(frequencies[pair] / inv_freq[pair]));
    }
    return found;
}

}  // namespace ropewalk
