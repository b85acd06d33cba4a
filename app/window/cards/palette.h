// A card in which something is found by typing: commands, scenes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/widgets/find_words.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

/// What can be chosen.
struct PaletteEntry {
    std::string id;  // "scene.million"
    std::string title, about;
    std::string keys{};  // that do the same without the palette
    bool enabled = true;

    Findable findable() const { return {title, about + " " + id}; }
};

class Palette {
  public:
    bool is_open() const { return open_; }
    void close() { open_ = false; }
    /// Opens it with the entry of this id (or the first) in front.
    void open(std::string title, std::vector<PaletteEntry> entries, const std::string& present = {});
    const std::string& title() const { return title_; }

    /// Draws it at the upper left of `area` (device pixels) while it is open. What is typed leaves the entries that
    /// hold all its words; arrow keys and Enter or the mouse choose. The id of what is chosen, once there is something.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    void find();
    void take_keys(Ui& ui);
    /// True if it was clicked.
    bool draw_entry(Ui& ui, int index);
    const PaletteEntry& found(int index) const {
        return entries_[static_cast<std::size_t>(found_[static_cast<std::size_t>(index)])];
    }

    std::string title_, typed_;
    std::vector<PaletteEntry> entries_;
    std::vector<int> found_;  // entries that hold what is typed
    std::string present_;
    int at_ = 0;  // of those found, the one that Enter chooses
    bool open_ = false, scrolls_to_it_ = false, starts_typing_ = false;
};

}  // namespace ropewalk
