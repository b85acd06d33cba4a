// app/window/cards: the dialogs over the panels: palette, gallery, glossary, files, names, exports, sweeps, unsaved
// changes. Here: the palette, which finds commands, scenes and other entries by typing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/find_field.h"
#include "app/window/widgets/find_words.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

/// An entry that can be found and chosen.
struct PaletteEntry {
    std::string id;  // "scene.million"
    std::string title, about;
    std::string keys{};  // shortcuts of the same command
    bool enabled = true;

    Findable findable() const { return {title, about + " " + id}; }
};

class Palette {
  public:
    bool is_open() const { return open_; }
    void close() { open_ = false; }
    /// Opens the card with the entry of the id `current` (or the first) selected.
    void open(std::string title, std::vector<PaletteEntry> entries, const std::string& current = {});
    const std::string& title() const { return title_; }

    /// Draws the card at the upper left of `area` (device pixels) while it is open. Typing filters the entries by
    /// words; arrow keys and Enter or the mouse choose. Returns the id of the chosen entry, if one was.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    void find();
    void take_keys(Ui& ui);
    /// Draws an entry. Returns whether it was clicked.
    bool draw_entry(Ui& ui, int index);
    const PaletteEntry& found(int index) const {
        return entries_[static_cast<std::size_t>(found_[static_cast<std::size_t>(index)])];
    }

    std::string title_;
    FindField field_{"palette.find"};
    std::vector<PaletteEntry> entries_;
    std::vector<int> found_;  // indices of the entries that match
    std::string current_;
    int at_ = 0;  // index in `found_` of the entry that Enter chooses
    bool open_ = false, scrolls_to_it_ = false;
};

}  // namespace ropewalk
