// A part of the attention matrix, as a question.
#pragma once

#include "core/subject.h"

namespace ropewalk {

/// One view of the matrix. `of_scores` asks for rotated q·k over the whole square instead of logits and weights.
struct ViewQuestion {
    using Answer = AttentionView;
    static constexpr auto stage = "attention";
    static constexpr auto dependence = Dependence::experiment;
    Viewport viewport;
    bool of_scores = false;

    bool operator==(const ViewQuestion&) const = default;

    Answer answer(const Subject& subject) const;
    /// A view of the same cells that keeps of them what either wants.
    std::optional<ViewQuestion> widened(const ViewQuestion& other) const;
    /// One row of each cell; where the logits follow from more than the distance, of few cells.
    ViewQuestion coarsened(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const { return backend.cost(problem, viewport); }
};

/// The viewport with its rows sampled where pooling all those of a content-dependent head would cost too much to be
/// live.
Viewport affordable(const Experiment& experiment, Viewport viewport);

}  // namespace ropewalk
