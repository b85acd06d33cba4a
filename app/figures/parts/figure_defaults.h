// What a figure may do beyond drawing itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/parts/brush.h"
#include "app/figures/parts/cells/token_range.h"
#include "app/figures/parts/marks/handle.h"

namespace ropewalk {

/// The base of all figures. Each figure defines
///     needs(experiment, plot pixels) → the questions it draws from
///     draw(input, canvas, rect) → the frame it drew in
///     readout(input) → one line about the cursor
/// and redefines of the following what it needs. A redefinition with another signature hides the default and does not
/// compile where figures.cpp calls it.
struct FigureDefaults {
    static constexpr auto source = "";
    static constexpr auto brief_title = "";       // short form of a long title, for narrow panels
    static constexpr bool is_square = false;      // its plot is as high as wide, whatever its rect
    static constexpr bool is_played = false;      // it is made to be seen while the distance moves
    static constexpr bool has_color_bar = false;  // a bar beside it says what its colours mean
    static constexpr bool takes_brush = false;    // the mouse draws on it
    static constexpr bool keeps_curves = false;   // curves can be pinned in it
    static constexpr bool has_row_per_x = false;  // the table's first column is the horizontal axis
    static constexpr bool moves = false;          // it draws what is between `blended_from` and the current state
    static constexpr auto table_shape = "";       // of `table`, in words, if `ropewalk data` writes it

    /// Lists the figure's options; by default none.
    static void fields(auto&, auto&&) {}

    /// Returns what it draws from when it is compared with another experiment, where that differs from `needs`.
    std::optional<Needs> needs_beside(const Experiment&, PlotPixels, const Experiment& /*reference*/) const {
        return std::nullopt;
    }
    /// Returns the readout of the state before the last change; nullopt: `readout` of the ghost. Requires `ghost`.
    std::optional<std::string> readout_before(const FigureInput&) const { return std::nullopt; }
    /// Returns what its picture depends on.
    Depicted depicted() const { return Depicted::head; }
    /// Returns a sentence if its options contradict each other.
    std::optional<std::string> check() const { return std::nullopt; }
    /// Returns whether it shows text and numbers to read, which take as much height on a page as they need.
    bool is_text() const { return false; }
    /// Returns the remark beside its title: how the picture was pooled, or what it amounts to.
    Badge badge(const FigureInput&) const { return {}; }
    /// Changes the option that a click on the badge stands for.
    void badge_clicked() {}
    /// Returns the numbers that it shows. Throws InputError with the message that it shows where there are none.
    std::optional<DataTable> table(const Results&) const { return std::nullopt; }
    /// Returns what distinguishes it from other figures of its kind, for its title.
    std::optional<std::string> own_name() const { return std::nullopt; }

    /// Returns whether it shows nothing but the difference from a reference.
    bool compares() const { return false; }
    /// Returns whether something of a reference is drawn in it,
    bool draws_reference() const { return false; }
    /// and whether something of this one is.
    bool draws_this_reference(const FigureInput&) const { return true; }

    /// Returns the lines that can be dragged to change the experiment or an option.
    std::vector<Handle> handles(const FigureInput&) const { return {}; }
    /// Returns the cursor under the pointer.
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        return pick_on(input, frame, at);
    }
    /// Returns the settings that a click here applies to the experiment, as after `--set`; empty: none.
    std::string chosen(const FigureInput&, const Frame&, Point) const { return {}; }
    /// Returns whether dragging from this point, along a track, moves the cursor.
    bool scrubs_at(const FigureInput&, const Frame&, Point) const { return false; }
    /// Returns the cursor after such a drag.
    std::optional<Cursor> scrubbed(const FigureInput&, const Frame&, const Scrub&) const { return std::nullopt; }
    /// Returns the part of the matrix that it is zoomed to.
    std::optional<Part> shown_part() const { return std::nullopt; }
    /// Zooms to this part.
    void show(const Part&) {}
    /// Returns the ranges of its axes, if they can be zoomed.
    std::optional<Zoom> zoom() const { return std::nullopt; }
    /// Zooms its axes to these ranges.
    void zoom_to(const Zoom&) {}
    /// Takes over what it needs of the figure as it was before its options were changed.
    template <class F>
    void adopt(const F& /*before*/, const FigureInput&) {}

    /// Returns whether the mouse draws here.
    bool draws_at(const Frame&, Point) const { return false; }
    /// Changes the figure or the experiment by one move of the mouse. Throws InputError if the figure cannot store the
    /// drawing.
    void draw_with(const BrushMove&, const Frame&, const FigureInput&, Experiment&) const {}
    /// Returns the presets that the figure or the experiment can be set to.
    std::span<const Preset> presets() const { return {}; }
    void apply(std::size_t /*preset*/, const FigureInput&, Experiment&) const {}
    /// Returns the experiment that follows from what it shows; nothing if that is the current one.
    std::optional<Proposal> proposal(const FigureInput&, const Experiment&) const { return std::nullopt; }

    /// Returns why the curve of this experiment cannot be pinned.
    std::optional<std::string> obstacle_to_pin(const Experiment&) const { return std::nullopt; }
    /// Keeps the curve of this experiment beside those to come.
    void pin(const Experiment&) {}
    /// Removes the pinned curve of this number, which is also that of its chip in the frame.
    void unpin(std::size_t /*which*/) {}
    /// Returns what that curve is of.
    std::string pin_text(const FigureInput&, std::size_t /*which*/) const { return {}; }

    bool operator==(const FigureDefaults&) const = default;
};

}  // namespace ropewalk
