// A panel: one figure with its header, the shared cursor, zoom and pan, draggable lines, options and export.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/window/panels/blending.h"
#include "app/window/panels/figure_mouse.h"
#include "app/window/panels/overview.h"
#include "app/window/panels/panel_header.h"
#include "app/window/panels/panel_menu.h"

namespace ropewalk {

class FigurePanel {
  public:
    /// Draws the panel's figure with its surroundings, and changes the session's view as the mouse says. `is_lit`
    /// highlights it.
    void draw(PanelContext& panel, bool is_lit);

    /// Returns the frame of the last drawn figure, in logical pixels of the panel.
    const Frame& frame() const { return frame_; }
    /// Returns the plot's size in device pixels.
    PlotPixels pixels(const Ui& ui) const;

  private:
    /// The head that is drawn.
    enum class Head { current, reference, before };
    /// The results that are drawn, and those they are compared with: while another head is shown in place of the
    /// current one, the latter's.
    struct Shown {
        std::shared_ptr<const Results> results, reference{}, ghost{};  // shared: a button may end the drag meanwhile
        Head head = Head::current;
    };
    Shown shown_results(const PanelContext& panel, const Needs& needs) const;
    /// Returns the figure's input; empty before the first results.
    std::optional<FigureInput> input_of(const Shown& shown, const PanelContext& panel);
    void draw_body(PanelContext& panel, const FigureInput& input, const Rect& body, ImGuiCanvas& canvas);
    /// Draws the figure, or what is between it and the state before a change.
    void draw_figure(const PanelContext& panel, const FigureInput& input, const Rect& room, ImGuiCanvas& canvas);

    PanelHeader header_;
    PanelMenu menu_;
    FigureMouse mouse_;
    Overview overview_;
    BrushStroke stroke_;
    Blending blending_;
    Frame frame_;                                 // of the last drawn figure; logical pixels of the panel
    std::optional<Figure> drawn_;                 // the figure drawn last,
    int scenes_opened_ = 0, rearrangements_ = 0;  // and the numbers of opened scenes and rearrangements by then
    FigureMemo memo_;
    std::pair<Experiment, Experiment> compared_;  // the heads of `names_`
    ComparedNames names_;
    std::optional<PlotRanges> ranges_;  // since a sweep started to play
};

}  // namespace ropewalk
