// app/window/cards: the dialogs over the panels: palette, gallery, glossary, files, names, exports, sweeps, unsaved
// changes. Here: the palette, which finds commands, scenes and other entries by typing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/finder.h"

namespace ropewalk {

class Palette : public Finder {
  public:
    Palette() : Finder("palette.find") {}

    /// Opens the card with the entry of the id `current` (or the first) selected.
    /// `answers` makes further entries from the words.
    void open(std::string title, std::vector<PaletteEntry> entries, std::string current = {}, Answers answers = {});
    const std::string& title() const { return title_; }
    /// Returns the id of the selected entry while the card is open; empty if none is selected.
    std::string selected() const { return is_open() && at_ >= 0 ? entry(at_).id : std::string(); }

    /// Draws the card at the top of `area` (device pixels) while it is open: at the left, or below the field of the
    /// toolbar if it sets fields, so that the main figure stays visible. Typing filters the entries by
    /// words; arrow keys and Enter or the mouse choose. Returns the id of the chosen entry, if one was.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    void take_keys(Ui& ui);
    /// Draws an entry. Returns whether it was clicked.
    bool draw_entry(Ui& ui, int index);

    std::string title_;
};

}  // namespace ropewalk
