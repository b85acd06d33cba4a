// A panel: one figure with its header, the shared cursor, zoom and pan, draggable lines, options and export.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// A change of the panels that is made after all of them were drawn.
enum class PanelChange { none, duplicate, close };

/// Events in a panel that concern the rest of the window.
struct PanelEvents {
    bool is_exported = false;       // Export was pressed
    bool is_played = false;         // Play or Pause was pressed
    std::optional<double> speed{};  // newly chosen speed of the animation
    PanelChange change = PanelChange::none;
    bool is_carried = false;  // by its title, over another panel
    bool is_let_go = false;   // dropped there
    bool is_pointed_at = false;
    bool changes_head = false;  // a press here changes the head instead of locking a cell
    std::string readout;        // one line about the entry under the pointer; in the main panel about the cursor
    std::string swept{};        // path of the option to sweep
};

/// Draws controls for the options of a panel's figure. Returns the path of the number whose slider was right-clicked;
/// empty if none was.
std::string option_controls(Ui& ui, Session& session, int panel);

class FigurePanel {
  public:
    static constexpr double header_height = 30, card_padding = 10;  // logical pixels

    /// Draws the figure `index` of the session's view in `rect` (device pixels) and changes the view as the mouse says.
    PanelEvents draw(Ui& ui, Session& session, int index, const Rect& rect);

    /// Pins the current curve of the panel's figure for comparison.
    static void pin_curve(Session& session, int panel);

    /// Returns the plot's size in device pixels.
    PlotPixels pixels(const Ui& ui) const;

  private:
    /// The results that are drawn and those they are compared with; swapped while the reference is shown.
    struct Shown {
        std::shared_ptr<const Results> results, reference{}, ghost{};  // shared: a button may end the drag meanwhile
        bool is_reference = false;
    };
    Shown shown_results(const Ui& ui, const Session& session, const Needs& needs) const;
    /// Returns the figure's input; empty before the first results.
    std::optional<FigureInput> input_of(const Shown& shown, const Ui& ui, const Session& session);
    /// Returns the pointer, limited to the pressed plot if there is one.
    Point within_plot(Point pointer) const;
    void draw_body(Ui& ui, Session& session, const FigureInput& input, const Rect& body, ImGuiCanvas& canvas);
    void take_preset(Ui& ui, Session& session, std::size_t preset, const FigureInput& input);
    void draw_header(Ui& ui, Session& session, const Rect& rect);
    /// Maximises the panel, or restores all of them.
    void maximise(Ui& ui, View& view) const;
    /// Follows a drag of the title. Returns whether the panel is being dragged.
    void follow_title(const Ui& ui);
    /// Draws the badge, if there is one. Returns whether the pointer is on it.
    bool draw_badge(Ui& ui, Session& session, double room);
    /// Draws a button of the header whose right edge is at `right` (logical pixels). Returns its left edge.
    double draw_header_button(Ui& ui, const Control& control, ButtonLook look, double right, bool& is_pointed_at,
                              bool& is_pressed);
    /// Converts a part of the panel (logical pixels) to device pixels of the window.
    Rect on_screen(const Ui& ui, const Rect& rect) const;
    static Help pin_help();
    /// Draws the animation's speed, left of `right`: a list of speeds, also changed by the mouse wheel.
    double draw_speed(Ui& ui, double right, bool& is_pointed_at);
    /// Explains the chip under the pointer, and removes it if it is clicked. Returns whether there is one.
    bool follow_chips(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// Draws the menu while it is open, beside the panel.
    void show_menu(Ui& ui, Session& session, const Rect& rect);
    void draw_menu(Ui& ui, Session& session);
    void draw_presets(Ui& ui, Session& session);
    /// Draws the list of figures while it is open, below the panel's title.
    void choose_figure(Ui& ui, Session& session, Point below);
    /// Applies what follows from a drawing as soon as it is known, and ends the drawing when it is complete.
    void follow_drawing(Session& session, const FigureInput& input, const Needs& needs);
    /// Begins a drawing if the mouse was pressed on a plot that can be drawn on.
    void begin_drawing(Session& session, const Figure& figure, Point pointer);
    /// Draws along the mouse until its button is released. Returns whether the button is down for that.
    bool follow_brush(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    void move_brush(Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// Explains a colour bar, a legend or a track under the pointer.
    void show_tooltip(Ui& ui, Point pointer) const;
    void interact(Ui& ui, Session& session, Figure& figure, const FigureInput& input);
    /// Drags the line that the mouse was pressed on, if the line represents a field.
    void drag_handle(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// Shows the grasped part, moved by this many pixels.
    void pan(Figure& figure, int seq_len, Point moved) const;
    /// Enlarges or shrinks the shown part about the pointer.
    void zoom(Figure& figure, int seq_len, Point pointer, double wheel) const;

    /// A drawing, from the press of the mouse button until its consequences are known.
    struct OngoingDrawing {
        Figure before;
        Frame frame{};  // at that time; empty if a preset was chosen
        Brush brush = Brush::draw;
        Point start{}, last{};   // of the pointer, logical pixels
        bool has_begun = false;  // it is not just a click
        bool is_over = false;    // the button was released
    };

    /// The state while the mouse is down on a line that represents a field.
    struct HeldHandle {
        std::string path;
        double offset = 0;  // of the pointer from the line, logical pixels
        Frame frame;        // at that time; axes may follow what is dragged
        Figure before;
    };

    int index_ = 0;
    float menu_height_ = 0;  // in the last frame
    std::string name_;       // prefix of its widgets' ids
    Frame frame_;            // of the last drawn figure; logical pixels from `origin_`
    Point origin_;           // device pixels
    bool is_dragged_ = false;
    bool is_carried_ = false;                  // by its title
    std::optional<std::size_t> pressed_chip_;  // the chip the mouse was pressed on
    std::optional<HeldHandle> handle_;
    std::optional<Part> grasped_;  // the shown part when the mouse was pressed
    std::optional<OngoingDrawing> drawing_;
    Point pressed_;                      // of the last press; logical pixels of the panel
    std::optional<Frame> was_drawn_on_;  // at the last drawing
    std::optional<Proposal> proposal_;   // of this frame
    std::optional<std::size_t> preset_;  // chosen in this frame
    Badge badge_;
    std::optional<Figure> before_choice_;        // the figure here when the list of figures was opened
    std::optional<Figure> drawn_;                // the figure drawn last,
    std::shared_ptr<const OpenScene> of_scene_;  // its scene,
    int rearranged_ = 0;                         // and the number of rearrangements by then
    PanelEvents events_;                         // of this frame
    std::vector<Explanation> explanations_;      // of what its figure drew last
    FigureMemo memo_;
    std::optional<PlotRanges> ranges_;  // since a sweep started to play
};

}  // namespace ropewalk
