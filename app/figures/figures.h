// app/figures: one file per figure in heads/ and encodings/, their list (figure_list.h), what they share in parts/, and
// pages and sweeps of them in page/. Here: what can be asked of a figure without knowing which it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/figures/figure.h"
#include "app/figures/parts/brush.h"
#include "app/figures/parts/cells/token_range.h"
#include "app/figures/parts/marks/handle.h"
#include "app/figures/parts/text/caption.h"

namespace ropewalk {

/// One of the figures in figure_list.h with its options.
struct FigureVariant;
using Figure = Indirect<FigureVariant>;
extern template class Indirect<FigureVariant>;
extern template const ChoiceType& choice_type<Figure>();

/// Returns the figure of this id with its default options. It must be one.
Figure figure_of(std::string_view id);
/// Returns the figures that a window starts with, in the order of its panels.
std::vector<Figure> usual_figures();

/// Returns the figure's questions. `reference` is the experiment to compare with; null without one, and for the
/// reference's own figure.
Needs needs_of(const Figure& figure, const Experiment& experiment, PlotPixels pixels,
               const Experiment* reference = nullptr);
/// Says whether a figure depends on the cursor's query, or on its query and key.
enum class CursorUse { none, query, cell };
CursorUse cursor_use(const Figure& figure, const Experiment& experiment);
Frame draw(const Figure& figure, const FigureInput& input, Canvas& canvas, const Rect& rect);
std::optional<Cursor> pick(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
/// Returns the settings that a click applies to the experiment; empty if none.
std::string chosen(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
bool scrubs_at(const Figure& figure, const FigureInput& input, const Frame& frame, Point at);
std::optional<Cursor> scrubbed(const Figure& figure, const FigureInput& input, const Frame& frame, const Scrub& scrub);
std::string readout(const Figure& figure, const FigureInput& input);
/// Returns the same with each number that has changed as "20 → −11.5", if `input` has the state before and does not
/// show that.
std::string readout_with_before(const Figure& figure, const FigureInput& input);
Badge badge(const Figure& figure, const FigureInput& input);
std::vector<Handle> handles_of(const Figure& figure, const FigureInput& input);
std::optional<std::string> check(const Figure& figure);
/// Returns whether the figure shows only the difference from a reference.
bool compares(const Figure& figure);

/// Return whether the figure can draw a reference, and whether it draws this one. A reference of another length, or one
/// with only a message, may not be drawn.
bool draws_reference(const Figure& figure);
bool draws_reference(const Figure& figure, const FigureInput& input);

/// Returns a short form of the title; the title itself if that is short.
std::string_view brief_title_of(const Figure& figure);
/// Returns what the picture depends on.
Depicted depicted_by(const Figure& figure);
/// Returns whether the figure has a colour bar, unless the page omits it.
bool has_color_bar(const Figure& figure);
std::optional<Part> shown_part(const Figure& figure);
bool is_square(const Figure& figure);
bool is_text(const Figure& figure);
bool is_played(const Figure& figure);
/// Returns whether the figure draws a gradual change itself.
bool moves(const Figure& figure);
/// Zooms to a part of the matrix. Requires `shown_part`.
void show(Figure& figure, const Part& part);
/// Return the ranges of its axes, if they can be zoomed, and zoom to others. Requires `zoom_of`.
std::optional<Zoom> zoom_of(const Figure& figure);
void zoom_to(Figure& figure, const Zoom& zoom);
/// Shows all of the matrix or the axes.
void show_all(Figure& figure);
void click_badge(Figure& figure);
void adopt(Figure& figure, const Figure& before, const FigureInput& input);
/// Returns whether the mouse can draw on figures of this kind.
bool takes_brush(const Figure& figure);
bool draws_at(const Figure& figure, const Frame& frame, Point at);
void draw_with(Figure& figure, const BrushMove& move, const Frame& frame, const FigureInput& input,
               Experiment& experiment);
/// Returns whether figures of this kind can pin curves.
bool keeps_curves(const Figure& figure);
/// Returns whether every row of the figure's table has its x in the first column.
bool has_row_per_x(const Figure& figure);
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
/// Returns the shape of that table, in words; empty if `ropewalk data` does not write it.
const char* table_shape(const Figure& figure);
/// Returns what distinguishes it from others of its kind in a title, if it says so itself.
std::optional<std::string> own_name(const Figure& figure);

/// Adds the questions in `more` to `needs`, without duplicates.
void add_needs(Needs& needs, const Needs& more);

}  // namespace ropewalk
