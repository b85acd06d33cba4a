// What each method of context extension costs a whole model, token by token.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/models/model_context.h"

namespace ropewalk {

/// Asks for the loss of every token under the current encoding, and under every encoding that extends the training
/// length: each replaces the encoding of all layers that rotate like the selected one.
struct LossByPositionQuestion : QuestionDefaults {
    struct Method {
        std::string id, title;
        std::vector<double> loss;  // [tokens], as in ModelOutputs
    };
    struct Answer {
        double factor = 1;
        int trained = 0;              // tokens
        std::vector<double> present;  // [tokens], of the model as the experiment has it
        std::vector<Method> methods;
    };
    static constexpr auto stage = "loss by position";
    static constexpr bool reads_whole_run = true;
    double factor = 0;  // 0: the number of tokens over the training length, at least 1
    int trained = 0;    // tokens; 0: the length that the model was trained for

    bool operator==(const LossByPositionQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
