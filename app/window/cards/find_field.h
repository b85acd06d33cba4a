// The search field of cards, and how their lists follow the pointer and the keys.
#pragma once

#include <string>

#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// The field for the words to find.
class FindField {
  public:
    explicit FindField(const char* id) : id_(id) {}

    const std::string& words() const { return words_; }
    /// Starts over without words, with the focus on the field.
    void open() { words_.clear(), take_focus(); }
    void take_focus() { wants_focus_ = true; }

    struct State {
        bool is_changed = false;  // the words differ from those before
        bool is_left = false;     // by Escape, or by a click outside the card
        bool is_entered = false;  // by Enter,
        bool by_typing = false;   // which ended the typing
    };
    State draw(Ui& ui, const Card& card);

  private:
    const char* id_;
    std::string words_;
    bool wants_focus_ = false;
};

/// Returns whether the pointer has just moved, and is on the widget drawn last.
bool pointer_came();

/// Scrolls to the widget drawn last, which covers `rect`, unless all of it is visible.
void bring_into_sight(const Rect& rect);

}  // namespace ropewalk
