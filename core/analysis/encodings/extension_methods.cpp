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
    for_each_alternative<Encoding>([&](auto method) {
        if constexpr (requires { method.extend(factor, trained); }) {
            context.cancel.check();
            keep_common_fields(present, method);
            method.extend(factor, trained);
            if constexpr (requires { method.check(shape); })
                if (method.check(shape)) return;
            std::string title = method.title;
            if constexpr (requires { method.extended_title(); }) title = method.extended_title();
            if (title.empty()) return;
            ExtensionMethod& added = found.methods.emplace_back(ExtensionMethod{method.id, title, {}});
            const auto inv_freq = method.lower(shape).inv_freq;
            for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
                added.divisors.push_back(static_cast<double>(frequencies[pair] / inv_freq[pair]));
        }
    });
    return found;
}

}  // namespace ropewalk
