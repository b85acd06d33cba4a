// The list of figures. To add one, add a header and an entry here. It is then available as a panel, in `ropewalk
// figure`, as an export and in the golden tests.
#pragma once

#include <variant>

#include "app/figures/encodings/base_bound.h"
#include "app/figures/encodings/methods.h"
#include "app/figures/encodings/number_formats.h"
#include "app/figures/encodings/phasor_bound.h"
#include "app/figures/encodings/phasors.h"
#include "app/figures/encodings/position_map.h"
#include "app/figures/encodings/properties.h"
#include "app/figures/encodings/random_rope_decay.h"
#include "app/figures/encodings/robustness.h"
#include "app/figures/encodings/rotation_heatmap.h"
#include "app/figures/encodings/rotations.h"
#include "app/figures/encodings/truncation.h"
#include "app/figures/encodings/wavelengths.h"
#include "app/figures/heads/alignment.h"
#include "app/figures/heads/attention.h"
#include "app/figures/heads/attention_row.h"
#include "app/figures/heads/bands.h"
#include "app/figures/heads/contributions.h"
#include "app/figures/heads/decay.h"
#include "app/figures/heads/dominance.h"
#include "app/figures/heads/entropy.h"
#include "app/figures/heads/frequency_usage.h"
#include "app/figures/heads/shift.h"
#include "app/figures/heads/target.h"
#include "app/figures/heads/top_pairs.h"
#include "app/figures/parts/brush.h"
#include "app/figures/parts/caption.h"
#include "app/figures/parts/handle.h"

namespace ropewalk {

/// A figure. Every alternative has `id`, `title`, `summary`, its options as fields, and
///     needs(experiment, plot pixels) → its questions           draw(input, canvas, rect) → the frame it drew in
///     pick(input, frame, point) → the cursor at the pointer    readout(input) → one line about the cursor
/// Optional members:
///     needs(experiment, plot pixels, reference) → its questions when compared with another experiment
///     draws_reference() → whether it can draw curves of a reference, and draws_reference(input) → whether it draws
///     those of the input's reference, if that depends on the reference
///     is_square, if its plot is as high as wide in any rect
///     is_text() → whether it consists of text, which takes as much height on a page as it needs
///     is_played, if it is meant for animating the distance
///     scrubs_at(input, frame, point) → whether the cursor can be dragged from there, along a track
///     badge(input) → a remark beside the title: how values were pooled, or the result
///     check() → a sentence if options contradict each other
///     table(results) → its data, with the shape `table_shape` if `ropewalk data` can write it. Throws InputError, with
///     the message shown in the figure, if there is none
///     handles(input) → lines that can be dragged to change the experiment or an option
///     part(), show(part) → the part of the matrix that it is zoomed to
///     badge_clicked() → changes an option
///     adopt(before, input) → takes over values from the figure before its options were changed
///     draws_at(frame, point) → whether the mouse can draw there, and draw_with(move, frame, input, experiment) →
///     draws, changing the figure or the experiment presets(), apply(preset, input, experiment) → presets of the figure
///     or the experiment obstacle_to_pin(experiment), pin(experiment) → pins the experiment's curve for comparison;
///     unpin(n) removes the nth pinned curve, whose label is the frame's nth chip; pin_text(input, n) describes it
///     proposal(input, experiment) → the experiment that follows from what it shows.
using Figure =
    std::variant<AttentionFigure, DecayFigure, RotationHeatmapFigure, FrequencyUsageFigure, ContributionsFigure,
                 AttentionRowFigure, WavelengthsFigure, PhasorsFigure, PhasorBoundFigure, BaseBoundFigure,
                 RobustnessFigure, PropertiesFigure, RotationsFigure, RandomRopeDecayFigure, DominanceFigure,
                 TopPairsFigure, AlignmentFigure, EntropyFigure, MethodsFigure, PositionMapFigure, TruncationFigure,
                 NumberFormatsFigure, BandsFigure, TargetFigure, ShiftFigure>;
extern template const ChoiceType& choice_type<Figure>();

/// Returns the figure's questions. `reference` is the experiment to compare with; null without one, and for the
/// reference's own figure.
Needs needs_of(const Figure& figure, const Experiment& experiment, PlotPixels pixels,
               const Experiment* reference = nullptr);
/// Says whether a figure depends on the cursor's query, or on its query and key.
enum class CursorUse { none, query, cell };
CursorUse cursor_use(const Figure& figure, const Experiment& experiment);
Frame draw(const Figure& figure, const FigureInput& input, Canvas& canvas, const Rect& rect);
std::optional<Cursor> pick(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
bool scrubs_at(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
std::string readout(const Figure& figure, const FigureInput& input);
Badge badge(const Figure& figure, const FigureInput& input);
std::vector<Handle> handles_of(const Figure& figure, const FigureInput& input);
std::optional<std::string> check(const Figure& figure);
/// Returns whether the figure shows only the difference from a reference.
bool compares(const Figure& figure);

/// Return whether the figure can draw a reference, and whether it draws this one. A reference of another length, or one
/// with only a message, may not be drawn.
bool draws_reference(const Figure& figure);
bool draws_reference(const Figure& figure, const FigureInput& input);

/// Returns what the picture depends on.
Depicted depicted_by(const Figure& figure);
/// Returns whether the figure has a colour bar, unless the page omits it.
bool has_color_bar(const Figure& figure);
std::optional<Part> shown_part(const Figure& figure);
bool is_square(const Figure& figure);
bool is_text(const Figure& figure);
bool is_played(const Figure& figure);
/// Zooms to a part of the matrix. Requires `shown_part`.
void show(Figure& figure, const Part& part);
void click_badge(Figure& figure);
void adopt(Figure& figure, const Figure& before, const FigureInput& input);
/// Returns whether the mouse can draw on figures of this kind.
bool takes_brush(const Figure& figure);
bool draws_at(const Figure& figure, const Frame& frame, Point at);
void draw_with(Figure& figure, const BrushMove& move, const Frame& frame, const FigureInput& input,
               Experiment& experiment);
/// Returns whether figures of this kind can pin curves.
bool keeps_curves(const Figure& figure);
/// Returns why the figure cannot pin its current curve, or nullopt if it can.
std::optional<std::string> obstacle_to_pin(const Figure& figure, const Experiment& experiment);
bool can_pin(const Figure& figure, const Experiment& experiment);
void pin(Figure& figure, const Experiment& experiment);
void unpin(Figure& figure, std::size_t which);
std::string pin_text(const Figure& figure, const FigureInput& input, std::size_t which);
std::span<const Preset> presets_of(const Figure& figure);
void apply_preset(Figure& figure, std::size_t preset, const FigureInput& input, Experiment& experiment);
/// Returns the experiment that the figure proposes, or nullopt if it equals the current one.
std::optional<Proposal> proposal_of(const Figure& figure, const FigureInput& input, const Experiment& experiment);
std::optional<DataTable> table_of(const Figure& figure, const Results& results);

/// Adds the questions in `more` to `needs`, without duplicates.
void add_needs(Needs& needs, const Needs& more);

}  // namespace ropewalk
