// core/analysis/models: what can be asked about a whole model, beside its selected head. Here: its run.
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/analysis_context.h"
#include "core/models/model.h"
#include "core/models/run/model_run.h"

namespace ropewalk {

/// The run of the model that the analysed head belongs to.
std::shared_ptr<ModelRun> run_of(const AnalysisContext& context);

/// Returns whether a problem's head may belong to a model.
inline bool is_of_model(const Experiment& experiment) {
    return learned_head_of(experiment.construction).has_value();
}

/// Return the multiply-adds of running a valid experiment's model, whole or up to the selected layer's queries and
/// keys; 0 without a model.
double run_work(const Experiment& experiment);
double run_work_of_layer(const Experiment& experiment);

/// Returns what an answer about the whole model depends on: not on the selected layer and head, nor on the encoding
/// unless it acts on the whole model.
Dependence on_model(const HeadAtCursor& head);

/// Returns the experiment with another head of the same model, as it was trained.
Experiment at_head(Experiment experiment, int layer, int head);

/// Returns mean ‖q_t‖ times mean ‖k_t‖ of every pair of a head over its tokens, [head_dim / 2], in the order of pairs.
std::vector<double> pair_usage(const ModelConfig& config, const LayerCapture& capture, int layer, int head);

}  // namespace ropewalk
