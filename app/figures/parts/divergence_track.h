// How far each row of a matrix is from that of the reference: a track beside the rows.
#pragma once

#include "app/figures/figure.h"
#include "core/analysis/heads/row_divergence.h"

namespace ropewalk {

/// The rows that were looked at, in order.
using RowDivergences = std::vector<RowDivergence>;

/// Whether there is a reference of the same rows.
bool has_divergence_track(const FigureInput& input);

/// Of the present's results, whichever of the two is shown in place of the other; null where it is not known.
std::shared_ptr<const RowDivergences> divergences_of(const FigureInput& input);

/// What the track leaves of `rect` for the matrix: all where it has no room.
Rect beside_divergence_track(const Rect& rect);

/// The track at the right of the frame's plot, which was laid out in what it leaves of `rect`: the colour bar makes
/// room, and the frame reaches over both. The row that is farthest away is marked.
void draw_divergence_track(const FigureInput& input, const Rect& rect, Frame& frame, Canvas& canvas);

/// ", KL from the reference at most 0.53 nats (row 17)" behind what is said of the reference, with how many rows of how
/// many were looked at where these are not all; empty where it is not known.
std::string max_divergence(const FigureInput& input);
/// "   KL of the row 0.53 nats", where the cursor's was looked at.
std::string divergence_at_cursor(const FigureInput& input);

}  // namespace ropewalk
