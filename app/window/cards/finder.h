// What the palette and the gallery share: entries that are found by typing words, and the selected one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/window/widgets/find_words.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

struct PaletteEntry {
    std::string id;  // "scene.million"
    std::string title, about;
    std::string keys{};  // shortcuts of the same command
    std::string also{};  // more words to find it by
    bool enabled = true;
};

class Finder {
  public:
    bool is_open() const { return open_; }
    void close() { open_ = false; }

  protected:
    /// `field_id` is the id of the field for the words to find.
    explicit Finder(const char* field_id) : field_id_(field_id) {}

    /// Makes further entries from the words, which come first.
    using Answers = std::function<std::vector<PaletteEntry>(const std::string& words)>;
    /// Opens the card with the entry of the id `current` (or the first) selected and the focus on the field.
    void open(std::vector<PaletteEntry> entries, std::string current, Answers answers = {});
    bool has_answers() const { return static_cast<bool>(answers_); }
    /// Returns the number of entries that the card was opened with.
    std::size_t own_entries() const { return own_entries_; }
    /// Finds the entries that match the words, and selects the first.
    void find();

    struct Typing {
        bool is_left = false;     // by Escape, or by a click outside the card
        bool is_entered = false;  // by Enter,
        bool by_typing = false;   // which ended the typing
    };
    /// Draws the field.
    Typing draw_field(Ui& ui, const Card& card);
    void focus_field() { wants_focus_ = true; }

    struct Area {
        Rect rect;
        bool clicked = false, hovered = false;
    };
    /// Adds the area of an entry at ImGui's cursor (device pixels), scrolls to it if it is selected, and selects it if
    /// the pointer has just moved onto it.
    Area draw_area(Ui& ui, int index, double width, double height);
    void select(int index) { at_ = index, scrolls_to_it_ = true; }
    const PaletteEntry& entry(int index) const { return entries_[static_cast<std::size_t>(index)]; }
    bool is_current(int index) const { return !current_.empty() && entry(index).id == current_; }

    std::vector<PaletteEntry> entries_;  // those that the card was opened with, then the answers to the words
    std::vector<int> found_;             // indices of the entries that match, the best first
    std::string words_;
    int at_ = -1;  // the entry that Enter chooses; −1: none
    bool scrolls_to_it_ = false;

  private:
    const char* field_id_;
    std::string current_;
    Answers answers_;
    std::size_t own_entries_ = 0;
    bool open_ = false, wants_focus_ = false;
};

}  // namespace ropewalk
