// The divergence of each row of a matrix from the reference's row, as bars beside the matrix.
#pragma once

#include "app/figures/figure.h"
#include "core/analysis/heads/row_divergence.h"

namespace ropewalk {

/// The sampled rows, in order.
using RowDivergences = std::vector<RowDivergence>;

/// Returns whether there is a reference with the same number of rows.
bool has_divergence_track(const FigureInput& input);

/// Returns the current head's divergences from the reference, even while the reference is shown in its place; null if
/// not yet known.
std::shared_ptr<const RowDivergences> divergences_of(const FigureInput& input);

/// Returns the part of `rect` that remains for the matrix; all of it if the track does not fit.
Rect beside_divergence_track(const Rect& rect);

/// Draws the track to the right of the frame's plot, which must be laid out in `beside_divergence_track(rect)`. Moves
/// the colour bar and extends the frame over the track. A dot marks the row with the largest divergence.
void draw_divergence_track(const FigureInput& input, const Rect& rect, Frame& frame, Canvas& canvas);

/// Returns ", max KL from the reference 0.53 nats (row 17)", with the number of sampled rows if these are not all;
/// empty if not yet known.
std::string max_divergence(const FigureInput& input);
/// Returns "   KL of the row 0.53 nats" if the cursor's row was sampled.
std::string divergence_at_cursor(const FigureInput& input);

}  // namespace ropewalk
