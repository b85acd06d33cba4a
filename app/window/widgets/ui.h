// What every widget is given: the look, the frame's keys, and the register in which widgets say where they stand.
#pragma once

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

/// A widget of the frame that was built last, for the robot, lessons and tests.
struct RegisteredWidget {
    std::string id, label;
    Rect rect;            // of the part that takes the mouse; device pixels
    std::string value;    // as shown
    bool visible = true;  // its middle is not scrolled or clipped away
    bool takes_focus = false;
    int layer = 0;  // 0: of the desk; more: of what lies over it
};

/// Whether the middle of a widget, where a click aims, lies in what the window that it is drawn in shows.
bool middle_is_in_sight(const Rect& rect);

class WidgetRegistry {
  public:
    void begin_frame() { before_ = std::exchange(widgets_, {}); }
    void add(RegisteredWidget widget) {
        widget.layer = layer_;
        widgets_.push_back(std::move(widget));
    }
    /// By id, else by label; null if no such widget was drawn.
    const RegisteredWidget* find(std::string_view id_or_label) const;
    std::span<const RegisteredWidget> all() const { return widgets_; }
    /// Those of the frame before.
    std::span<const RegisteredWidget> all_before() const { return before_; }
    /// That widgets are drawn on at the moment.
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

/// What is drawn while it lives lies over all else: Tab leads through it alone.
class Layer {
  public:
    explicit Layer(WidgetRegistry& registry) : registry_(registry) { ++registry_.layer_; }
    ~Layer() { --registry_.layer_; }
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

  private:
    WidgetRegistry& registry_;
};

/// What a person is in the middle of. There is one text that is edited at most, and one slider that is dragged.
struct Interaction {
    std::string editing;           // id of the widget whose text is edited
    std::string text;              // as it is so far
    double grab_offset = 0;        // from the slider's handle to where it was grabbed, device pixels
    std::string dragged;           // id of the slider that is dragged,
    double saved = 0;              // and its value when the drag began
    std::string sought;            // what was typed over an open list,
    double sought_at = 0;          // and ImGui's time of its last character;
    bool keys_lead = false;        // keys chose there since the pointer was moved
    std::string wants_editing;     // id of the text that is to be edited from the next frame on
    std::string focused;           // id of the widget that takes arrow keys while the pointer is on none,
    bool came_by_key = false;      // or wherever the pointer rests, if Tab has led to it
    std::string comes_into_sight;  // id of the widget that Tab has led to
    std::string pointed_at;        // id of what the pointer is on and takes arrow keys,
    int pointed_frame = -2;        // and the last frame in which it was
    std::string hovered;           // id of what the pointer rests on,
    double hovered_since = 0;      // ImGui's time,
    int hovered_frame = 0;         // and the last frame in which it did
    std::string refused;           // id of the widget whose new value was refused,
    std::string refusal;           // a sentence about it,
    int refused_frame = 0;         // and the frame in which it was; until the next key or click
    std::string submitted;         // id of the text that was entered last,
    std::string submitted_text;    // as it was typed,
    std::string submitted_over;    // and what it was to take the place of
    bool is_unaccepted = false;    // it was refused: it stays to be mended
};

/// Lives as long as the window; `Gui` fills in what belongs to a frame.
struct Ui {
    const Theme* theme = &dark_theme();
    double scale = 1;  // device pixels per logical pixel
    Fonts fonts;
    FrameInput input;
    Modifiers modifiers;
    WidgetRegistry registry;
    TextureCache* textures = nullptr;
    std::string lit_figure;                  // id of the figure that a lesson points at; empty: of none
    std::vector<std::string> meant_figures;  // ids of those that show the symbol under the pointer
    bool plays_distance = false;             // the cursor moves along its row by itself
    double play_speed = 1, play_rate = 1;    // as many times as fast as usual; the usual tokens/s along its row
    bool plays_sweep = false;                // a field runs through its values by itself
    double tooltips_from = 0;                // above which no tooltip of what is drawn stands, device pixels
    Rect work;                               // between the bars: what is opened there leaves those in sight
    double label_width = 100;                // of the column of labels, logical pixels
    double widest_label = 0;                 // of those in rows drawn so far, since it was set to 0
    Interaction interaction;
    // Of settings that a head cannot have: judged once, not in every frame.
    Memo<std::pair<Experiment, std::string>, std::vector<std::string>> complaints;
    double wake_after = 0;  // s; a widget wants a frame by then; infinity if none does

    float px(double logical) const { return static_cast<float>(logical * scale); }
    /// Whether a key with any modifiers went down in this frame; whoever asks first has it alone.
    std::optional<KeyPress> take_key(Key key);
    /// The same, be it while a text is edited that has no use for the key.
    bool take_key_at_all(Key key);
    /// The same as `take_key` with exactly these modifiers.
    bool take_shortcut(Key key, Modifiers wanted);
    /// Whether letters and digits are shortcuts: no text is edited, no list or menu is open.
    bool letters_are_keys() const;
    /// Whether Tab leads on from this widget: to another one of its layer.
    bool has_tab_from(std::string_view id) const;
    /// Gives the focus to the next (1) or the previous (−1) widget of those that take it on the uppermost layer.
    void move_focus(int direction);
    /// The pointer is on a widget that takes arrow keys: they are its own, whatever has the focus.
    void point_at(std::string_view id);
    /// Whether arrow keys and Enter are for this widget: the pointer is on it, or it has the focus and the pointer is
    /// on no other or has not moved since Tab led here.
    bool gives_keys_to(std::string_view id) const;
};

}  // namespace ropewalk
