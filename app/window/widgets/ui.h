// What every widget is given: the look, the frame's keys, and the registry of widgets.
#pragma once

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/plot/theme.h"
#include "app/window/surface/event_queue.h"
#include "app/window/surface/imgui_canvas.h"
#include "app/window/surface/imgui_fonts.h"
#include "core/experiment/experiment.h"
#include "core/memo.h"

namespace ropewalk {

/// A widget of the last built frame, for the robot, lessons and tests.
struct RegisteredWidget {
    std::string id, label;
    Rect rect;            // of the part that takes the mouse; device pixels
    std::string value;    // as shown
    bool visible = true;  // its middle is not scrolled or clipped away
    bool takes_focus = false;
    int layer = 0;           // 0: the window itself; higher: of a card over it
    double label_above = 0;  // height of its label above `rect`; device pixels

    Rect with_label() const { return {rect.x, rect.y - label_above, rect.width, rect.height + label_above}; }
};

/// Returns whether the middle of a widget, where a click aims, is visible in its window.
bool middle_is_in_sight(const Rect& rect);

class WidgetRegistry {
  public:
    void begin_frame() { before_ = std::exchange(widgets_, {}); }
    void add(RegisteredWidget widget) {
        widget.layer = layer_;
        widgets_.push_back(std::move(widget));
    }
    /// Returns a widget by id, else by label; null if no such widget was drawn.
    const RegisteredWidget* find(std::string_view id_or_label) const;
    std::span<const RegisteredWidget> all() const { return widgets_; }
    /// Returns the widgets of the previous frame.
    std::span<const RegisteredWidget> all_before() const { return before_; }
    /// Returns the layer that widgets are currently added to.
    int layer() const { return layer_; }

  private:
    friend class Layer;
    std::vector<RegisteredWidget> widgets_, before_;
    int layer_ = 0;
};

/// Tells a scope that opened something of ImGui's whether it is left by an exception. Then nothing is closed one by
/// one: what an exception skipped is still open inside, and `compat::abandon_frame` closes all of it.
class Unwinding {
  public:
    explicit operator bool() const { return std::uncaught_exceptions() > before_; }

  private:
    int before_ = std::uncaught_exceptions();
};

/// A layer over everything else while it exists. Tab only moves among its widgets.
class Layer {
  public:
    explicit Layer(WidgetRegistry& registry) : registry_(registry) { ++registry_.layer_; }
    ~Layer() { --registry_.layer_; }
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

  private:
    WidgetRegistry& registry_;
};

/// The interaction in progress: at most one text is edited and at most one slider is dragged.
struct Interaction {
    std::string editing;           // id of the widget whose text is edited
    std::string text;              // its current state
    bool has_focus = false;        // whether ImGui edits it,
    std::string typed_early;       // and what was typed before it did
    double grab_offset = 0;        // from the slider's handle to the grabbed point, device pixels
    std::string dragged;           // id of the dragged slider,
    double dragged_from = 0;       // its value when the drag began
    int listed_from = 0;           // what was chosen when the open list appeared,
    int listed_of = 0;             // the `subject` at that time,
    int list_frame = -1;           // and the last frame in which it was open
    std::string sought;            // text typed over an open list,
    double sought_at = 0;          // ImGui's time of its last character
    bool keys_lead = false;        // whether keys chose there since the pointer moved
    std::string wants_editing;     // id of the text to edit from the next frame on
    std::string focused;           // id of the widget that takes arrow keys while the pointer is on none,
    bool came_by_key = false;      // or wherever the pointer is, if Tab moved there
    std::string comes_into_sight;  // id of the widget that Tab moved to
    std::string pointed_at;        // id of the widget under the pointer that takes arrow keys,
    int pointed_frame = -2;        // and the last frame in which it was there
    std::string hovered;           // id of the widget that the pointer rests on,
    double hovered_since = 0;      // since when in ImGui's time,
    int hovered_frame = 0;         // and the last frame
    std::string pinned;            // id of the widget whose tooltip stays until the next key or click
    std::string refused;           // id of the widget whose new value was refused,
    std::string refusal;           // a sentence about it,
    int refused_frame = 0;         // and the frame; shown until the next key or click
    std::string submitted;         // id of the text that was entered last,
    std::string submitted_text;    // what was typed,
    std::string submitted_over;    // and the text it replaces
    bool is_unaccepted = false;    // it was refused and stays for correction
};

/// The context of all widgets. It exists as long as the window; `Gui` sets what belongs to a frame.
struct Ui {
    const Theme* theme = &dark_theme();
    double scale = 1;  // device pixels per logical pixel
    Fonts fonts;
    FrameInput input;
    Modifiers modifiers;
    WidgetRegistry registry;
    TextureCache* textures = nullptr;
    double tooltips_from = 0;   // no tooltip of what is drawn is above this line, device pixels
    Rect list_area;             // where lists may open, so that the bars stay visible; empty: anywhere
    double label_width = 100;   // width of the column of labels, logical pixels
    bool labels_above = false;  // labels are above their controls, which then have the whole width
    bool is_large = false;      // sliders are drawn for the last row: values beside their labels, above the tracks
    Interaction interaction;
    int subject = 0;  // changes when widgets show another scene, which closes lists
    // Complaints about settings that a head cannot have, found once and not in every frame.
    Memo<std::pair<Experiment, std::string>, std::vector<std::string>> complaints;
    bool is_moving = false;  // something is drawn between two states
    double wake_after = 0;   // s; a widget needs a frame by then; infinity if none does

    /// Asks for a frame at the latest after this many seconds.
    void wake_within(double seconds) { wake_after = std::min(wake_after, seconds); }
    float px(double logical) const { return static_cast<float>(logical * scale); }
    /// Returns whether a key went down in this frame, with any modifiers, and consumes it.
    std::optional<KeyPress> take_key(Key key);
    /// The same, also while a text is edited that does not use the key.
    bool take_key_at_all(Key key);
    /// Like `take_key`, with exactly these modifiers.
    bool take_shortcut(Key key, Modifiers wanted);
    /// Returns whether letters and digits are shortcuts: no text is edited, no list or menu is open.
    bool letters_are_keys() const;
    /// Returns whether Tab can move on from this widget, to another one of its layer.
    bool has_tab_from(std::string_view id) const;
    /// Moves the focus to the next (1) or the previous (−1) focusable widget of the uppermost layer.
    void move_focus(int direction);
    /// Gives the arrow keys to the widget under the pointer, whatever has the focus.
    void point_at(std::string_view id);
    /// Returns whether arrow keys and Enter are for this widget: the pointer is on it, or it has the focus and the
    /// pointer is on no other widget or has not moved since Tab moved the focus.
    bool gives_keys_to(std::string_view id) const;
};

}  // namespace ropewalk
