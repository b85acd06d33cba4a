// The list of figures. A new one is a file beside this and an entry here: it is then a panel, a name for `ropewalk
// figure`, an export and a golden test.
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

/// An alternative has `id`, `title`, `summary`, its options as fields, and
///     needs(experiment, plot pixels) → what it must know           draw(input, canvas, rect) → the frame it drew in
///     pick(input, frame, point) → the cursor under the pointer     readout(input) → one line about the cursor
/// and, where it has them,
///     needs(experiment, plot pixels, reference) → the same where it is compared with another experiment
///     draws_reference() → whether curves of a reference stand beside its own, and draws_reference(input) → whether
///     those of the input's do, if that follows from what it is
///     is_square, if its plot is as high as wide whatever its rect
///     is_text() → whether it is words and numbers to be read, which on a page take as much height as they need
///     is_played, if moving through the distances is what it is for
///     scrubs_at(input, frame, point) → whether the cursor is dragged from there, along a track
///     badge(input) → a remark beside the title: how the picture was pooled, or what it comes to
///     check() → a sentence if options contradict each other
///     table(results) → the numbers that it shows; of `table_shape`, if `ropewalk data` is to write them. InputError in
///     the words that it shows in their place where there are none
///     handles(input) → lines that may be dragged to change the experiment or an option
///     part(), show(part) → the part of the matrix that it is zoomed to
///     badge_clicked() → changes an option
///     adopt(before, input) → takes over what it was before its options were changed
///     draws_at(frame, point) → whether the mouse draws there, and draw_with(move, frame, input, experiment) → what it
///     does to the figure or the experiment
///     presets(), apply(preset, input, experiment) → what either can be set to at once
///     obstacle_to_pin(experiment), pin(experiment) → keeps what it shows of the experiment beside what comes; unpin(n)
///     takes the nth of these away, whose place is that of the frame's nth chip, and pin_text(input, n) says what it is
///     of proposal(input, experiment) → the experiment that follows from what it shows.
using Figure =
    std::variant<AttentionFigure, DecayFigure, RotationHeatmapFigure, FrequencyUsageFigure, ContributionsFigure,
                 AttentionRowFigure, WavelengthsFigure, PhasorsFigure, PhasorBoundFigure, BaseBoundFigure,
                 RobustnessFigure, PropertiesFigure, RotationsFigure, RandomRopeDecayFigure, DominanceFigure,
                 TopPairsFigure, AlignmentFigure, EntropyFigure, MethodsFigure, PositionMapFigure, TruncationFigure,
                 NumberFormatsFigure, BandsFigure, TargetFigure, ShiftFigure>;
extern template const ChoiceType& choice_type<Figure>();

/// `reference`: what it is compared with, where the figure is of the present; null without one and of the reference.
Needs needs_of(const Figure& figure, const Experiment& experiment, PlotPixels pixels,
               const Experiment* reference = nullptr);
/// Whether what it shows is of the cursor's query, or of its query and key.
enum class CursorUse { none, query, cell };
CursorUse cursor_use(const Figure& figure, const Experiment& experiment);
Frame draw(const Figure& figure, const FigureInput& input, Canvas& canvas, const Rect& rect);
std::optional<Cursor> pick(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
bool scrubs_at(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
std::string readout(const Figure& figure, const FigureInput& input);
Badge badge(const Figure& figure, const FigureInput& input);
std::vector<Handle> handles_of(const Figure& figure, const FigureInput& input);
std::optional<std::string> check(const Figure& figure);
/// Whether it shows nothing but the difference from a reference.
bool compares(const Figure& figure);

/// Whether something of a reference stands in it; and whether it does of this one, which may be of another length, or
/// have only a message where its curves would be.
bool draws_reference(const Figure& figure);
bool draws_reference(const Figure& figure, const FigureInput& input);

/// What its picture follows from.
Depicted depicted_by(const Figure& figure);
/// Whether a bar beside it says what its colours mean, unless that is left out.
bool has_color_bar(const Figure& figure);
std::optional<Part> shown_part(const Figure& figure);
bool is_square(const Figure& figure);
bool is_text(const Figure& figure);
bool is_played(const Figure& figure);
/// Where `shown_part` gives one.
void show(Figure& figure, const Part& part);
void click_badge(Figure& figure);
void adopt(Figure& figure, const Figure& before, const FigureInput& input);
/// Whether the mouse draws on figures of this kind at all.
bool takes_brush(const Figure& figure);
bool draws_at(const Figure& figure, const Frame& frame, Point at);
void draw_with(Figure& figure, const BrushMove& move, const Frame& frame, const FigureInput& input,
               Experiment& experiment);
/// Whether figures of this kind keep curves at all.
bool keeps_curves(const Figure& figure);
/// Why one of them does not keep its present one; nothing where it can.
std::optional<std::string> obstacle_to_pin(const Figure& figure, const Experiment& experiment);
bool can_pin(const Figure& figure, const Experiment& experiment);
void pin(Figure& figure, const Experiment& experiment);
void unpin(Figure& figure, std::size_t which);
std::string pin_text(const Figure& figure, const FigureInput& input, std::size_t which);
std::span<const Preset> presets_of(const Figure& figure);
void apply_preset(Figure& figure, std::size_t preset, const FigureInput& input, Experiment& experiment);
/// Nothing where the experiment is that already.
std::optional<Proposal> proposal_of(const Figure& figure, const FigureInput& input, const Experiment& experiment);
std::optional<DataTable> table_of(const Figure& figure, const Results& results);

/// Adds what `more` asks for to `needs`, each thing once.
void add_needs(Needs& needs, const Needs& more);

}  // namespace ropewalk
