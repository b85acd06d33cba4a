// The panels beside the sidebar: a figure each, with its header, the shared cursor, zoom and pan, options and export.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/window/ui.h"
#include "app/window/workbench.h"

namespace ropewalk {

/// What a person asked for in a panel that is not the panel's own business.
struct PanelRequest {
    int export_panel = -1;      // whose figure is to be exported
    std::string export_format;  // "svg", "pdf", "png"
};

class Panels {
  public:
    /// Draws all panels in `area` (device pixels), changes the workbench's view as the mouse says, and asks for what
    /// the figures need.
    PanelRequest draw(Ui& ui, Workbench& workbench, const Rect& area);

    /// One line about what the pointer is on, or about the locked cursor; may be empty.
    const std::string& readout() const { return readout_; }
    /// The panel that the pointer is on, or was on last.
    int under_pointer() const { return under_pointer_; }

  private:
    struct Panel {
        Frame frame;   // where its figure stood when it was drawn last; logical pixels from `origin`
        Point origin;  // device pixels
        bool dragged = false;
        std::string handle;     // the field whose line is dragged; empty if none is
        Stretch rows, columns;  // when the mouse was pressed
        Badge badge;
        std::optional<ValueRange> range;  // of the colours, as long as they are not locked,
        const Scene* of_scene = nullptr;  // and of which scene: another's own locked range is not overwritten
    };

    /// Which panels are shown, and where.
    static std::vector<std::pair<int, Rect>> with_duplicates(const Ui& ui, const View& view,
                                                             const std::vector<std::pair<int, Rect>>& places);
    /// The splitters and tabs, as many as there is room for; which places are shown, and where.
    std::vector<std::pair<int, Rect>> arrange(Ui& ui, Workbench& workbench, const Rect& area);
    /// One of these panels at a time. Returns which, and where.
    std::pair<int, Rect> draw_tabs(Ui& ui, const Workbench& workbench, const Rect& area, std::span<const int> tabs);
    void draw_panel(Ui& ui, Workbench& workbench, int index, const Rect& rect, PanelRequest& request);
    void draw_header(Ui& ui, Workbench& workbench, int index, const Rect& rect, PanelRequest& request);
    void draw_menu(Ui& ui, Workbench& workbench, int index, const std::string& name, PanelRequest& request);
    /// The list of figures, while it is open below the panel's title.
    static void choose_figure(Ui& ui, const std::string& name, Point below, Figure& figure);
    void interact(Ui& ui, Workbench& workbench, int index, const FigureInput& input);
    /// Drags the handle that the mouse was pressed on, if it was. Whether one is near the pointer or dragged.
    bool drag_handle(Workbench& workbench, Panel& panel, std::span<const Handle> handles, Point pointer);
    /// Keeps the range that colours have, for the moment when they are locked.
    static void lock_range(Panel& panel, AttentionFigure& figure, const FigureInput& input);
    void navigate(AttentionFigure& figure, const Panel& panel, int seq_len, Point pointer, double wheel,
                  Point moved) const;
    PlotPixels pixels_of(const Ui& ui, int index) const;

    std::vector<Panel> panels_;
    std::function<void(View&)> change_;  // of the panels that there are, for when all of them are drawn
    int under_pointer_ = 0;
    FigureMemo memo_;
    std::string readout_;
    int tab_ = 1;  // the panel that tabs show, where there is no room for all
};

}  // namespace ropewalk
