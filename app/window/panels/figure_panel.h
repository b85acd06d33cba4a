// A panel: one figure with its header, the shared cursor, zoom and pan, draggable lines, options and export.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// What is to become of a panel when all of them are drawn.
enum class PanelChange { none, duplicate, close };

/// What happened in a panel that is not its own business.
struct PanelEvents {
    bool is_exported = false;       // its figure is to be
    bool is_played = false;         // the distance is to be, or is to stop
    std::optional<double> speed{};  // at which it is to be
    PanelChange change = PanelChange::none;
    bool is_carried = false;  // by its title, to the place of another panel
    bool is_let_go = false;   // there
    bool is_pointed_at = false;
    bool changes_head = false;  // a press here does, instead of picking a cell
    std::string readout;        // one line about what the pointer is on; of the main panel about the cursor
    std::string swept{};        // path of the option that is to run through its values
};

/// Controls for the options of a figure of the workbench's view. The path of the number whose slider was right-clicked,
/// if one was.
std::string option_controls(Ui& ui, Session& session, int panel);

class FigurePanel {
  public:
    static constexpr double header_height = 30, card_padding = 10;  // logical pixels

    /// Draws the figure `index` of the workbench's view in `rect` (device pixels) and changes the view as the mouse
    /// says.
    PanelEvents draw(Ui& ui, Session& session, int index, const Rect& rect);

    /// Keeps the present curve of the figure `panel` for comparison.
    static void pin_curve(Session& session, int panel);

    /// The room of its plot, device pixels.
    PlotPixels pixels(const Ui& ui) const;

  private:
    /// What is drawn, and what it is compared with; the other way round while the reference is asked for.
    struct Shown {
        std::shared_ptr<const Results> results, reference{}, ghost{};  // held: a button may end the drag meanwhile
        bool is_reference = false;
    };
    Shown shown_results(const Ui& ui, const Session& session, const Needs& needs) const;
    /// Nothing before the first results.
    std::optional<FigureInput> input_of(const Shown& shown, const Ui& ui, const Session& session);
    /// The pointer, or the nearest place of the plot that was pressed, if one was.
    Point within_plot(Point pointer) const;
    void draw_body(Ui& ui, Session& session, const FigureInput& input, const Rect& body, ImGuiCanvas& canvas);
    void take_preset(Ui& ui, Session& session, std::size_t preset, const FigureInput& input);
    void draw_header(Ui& ui, Session& session, const Rect& rect);
    /// Gives it all the room, or takes that back.
    void maximise(Ui& ui, View& view) const;
    /// Whether it is carried away.
    void follow_title(const Ui& ui);
    /// Whether there is one, and the pointer is on it.
    bool draw_badge(Ui& ui, Session& session, double room);
    /// A button of the header whose right edge is at `right` [logical pixels]; where it begins.
    double draw_header_button(Ui& ui, const Control& control, ButtonLook look, double right, bool& is_pointed_at,
                              bool& is_pressed);
    /// The button that takes what the figure proposes, up to `right` [logical pixels]; where it begins.
    double draw_proposal(Ui& ui, Session& session, double right, bool& is_pointed_at);
    /// A part of the panel (logical pixels) in device pixels of the window.
    Rect on_screen(const Ui& ui, const Rect& rect) const;
    /// The button that gives the other figures their room back, up to `right`; where it begins.
    double draw_restore(Ui& ui, View& view, double right, bool& is_pointed_at);
    static Help pin_help();
    /// The button that pins the present curve, up to `right`, if there is one to pin; where it begins.
    double draw_pin(Ui& ui, Session& session, double right, bool& is_pointed_at);
    /// How fast the distance is played, left of `right`: a list of speeds, or the wheel.
    double draw_speed(Ui& ui, double right, bool& is_pointed_at);
    /// The button that plays the distance, or stops that.
    double draw_play(Ui& ui, double right, bool& is_pointed_at);
    /// Says what a chip under the pointer is of, and takes it out where it is clicked. Whether there is one.
    bool follow_chips(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// The menu, while it is open: beside the panel, which it changes.
    void show_menu(Ui& ui, Session& session, const Rect& rect);
    void draw_menu(Ui& ui, Session& session);
    void draw_presets(Ui& ui, Session& session);
    /// The list of figures, while it is open below the panel's title.
    void choose_figure(Ui& ui, Session& session, Point below);
    /// Takes what follows from a drawing as soon as it is known, and ends the drawing when all is.
    void follow_drawing(Session& session, const FigureInput& input, const Needs& needs);
    /// If the mouse was pressed on a plot that can be drawn on.
    void begin_drawing(Session& session, const Figure& figure, Point pointer);
    /// Draws on where the mouse goes, until its button is up. Whether it is down for that.
    bool follow_brush(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    void move_brush(Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// Says what a colour bar, a legend or a track under the pointer means.
    void show_tooltip(Ui& ui, Point pointer) const;
    void interact(Ui& ui, Session& session, Figure& figure, const FigureInput& input);
    /// Drags the line that the mouse was pressed on, if it was on one that stands for a field.
    void drag_handle(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer);
    /// The part that was grasped, moved by so many pixels; what is shown, larger or smaller about the pointer.
    void pan(Figure& figure, int seq_len, Point moved) const;
    void zoom(Figure& figure, int seq_len, Point pointer, double wheel) const;

    /// From the press of a button on a plot that can be drawn on until what follows from it is known.
    struct OngoingDrawing {
        Figure before;
        Frame frame{};  // as it was then; empty if a preset was chosen
        Brush brush = Brush::draw;
        Point start{}, last{};   // of the pointer, logical pixels
        bool has_begun = false;  // it is no click
        bool is_over = false;    // the button is up
    };

    /// While the mouse is down on a line that stands for a field.
    struct HeldHandle {
        std::string path;
        double offset = 0;  // of the pointer from the line, logical pixels
        Frame frame;        // as it was then: axes may follow what is dragged
        Figure before;
    };

    int index_ = 0;
    float menu_height_ = 0;  // when it was drawn last
    std::string name_;       // its widgets begin with it
    Frame frame_;            // where its figure stood when it was drawn last; logical pixels from `origin_`
    Point origin_;           // device pixels
    bool is_dragged_ = false;
    bool is_carried_ = false;                  // by its title
    std::optional<std::size_t> pressed_chip_;  // the mouse was pressed on
    std::optional<HeldHandle> handle_;
    std::optional<Part> grasped_;  // what it showed when the mouse was pressed
    std::optional<OngoingDrawing> drawing_;
    Point pressed_;                      // where the mouse was pressed last, logical pixels of the panel
    std::optional<Frame> was_drawn_on_;  // as it was when it was drawn on last
    std::optional<Proposal> proposal_;   // of this frame
    std::optional<std::size_t> preset_;  // that was chosen in this frame
    Badge badge_;
    std::optional<Figure> before_choice_;    // what stood here when the list of figures was opened
    std::optional<Figure> drawn_;            // last,
    const Scene* of_scene_ = nullptr;        // and of which scene,
    int rearranged_ = 0;                     // and after how many changes of the panels
    PanelEvents events_;                     // of this frame
    std::vector<Explanation> explanations_;  // of what its figure drew last
    FigureMemo memo_;
    std::optional<PlotRanges> ranges_;  // since a sweep began to play
};

}  // namespace ropewalk
