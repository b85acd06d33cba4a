// What a model loses without its positional heads, against random ones (Hong et al. 2024, section 4.3.2).
#pragma once

#include <vector>

#include "core/analysis/models/head_atlas.h"

namespace ropewalk {

/// Asks for the mean loss with the heads of the highest measure set to zero, and with as many random ones.
struct MaskedHeadsQuestion : QuestionDefaults {
    struct Share {
        double share = 0;                 // of all heads
        std::vector<int> heads;           // layer · heads + head, the highest measure first
        double loss = 0;                  // mean, without them
        std::vector<double> random_loss;  // [repetitions], without as many random heads
    };
    struct Answer {
        double loss = 0;  // of the model as the experiment has it
        std::vector<Share> shares;
    };
    static constexpr auto stage = "masked heads";
    AtlasMeasure measure = AtlasMeasure::spearman;
    std::vector<double> shares{0.05, 0.1};  // each at least one head
    int repetitions = 5;

    bool operator==(const MaskedHeadsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
